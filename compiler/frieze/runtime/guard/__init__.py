"""The guard: what a policy answers to commands, paths and tool calls.

`Guard(table, mode, workspace=...)` decides by a decision table; `Prompt.guard` and `Bundle.guard` find the table. What
decides is loaded when it is first asked for: prompts use the path patterns alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .decisions import CONFIRMATION_UNAVAILABLE, Action, Decision
    from .guard import Guard
    from .policy import Policy, PolicyError
    from .tokens import ConfirmationError
    from .vocabulary import Finding

_MODULES = {
    "CONFIRMATION_UNAVAILABLE": "decisions",
    "Action": "decisions",
    "ConfirmationError": "tokens",
    "Decision": "decisions",
    "Finding": "vocabulary",
    "Guard": "guard",
    "Policy": "policy",
    "PolicyError": "policy",
}

__all__ = [
    "CONFIRMATION_UNAVAILABLE",
    "Action",
    "ConfirmationError",
    "Decision",
    "Finding",
    "Guard",
    "Policy",
    "PolicyError",
]


def __getattr__(name: str) -> object:
    if name in _MODULES:
        from importlib import import_module

        return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
