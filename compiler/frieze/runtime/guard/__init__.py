"""The guard: what a policy answers to commands, paths and tool calls.

`Guard(table, mode, workspace=...)` decides by a decision table; `Prompt.guard` and `Bundle.guard` find the table.
"""

from __future__ import annotations

from .decisions import CONFIRMATION_UNAVAILABLE, Action, Decision
from .guard import Guard
from .policy import Policy, PolicyError
from .tokens import ConfirmationError
from .vocabulary import Finding

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
