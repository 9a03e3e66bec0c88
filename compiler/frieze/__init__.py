"""frieze: compile the system prompts of LLM agents.

`check` and `compile` take a project's folder, `open_bundle` a compiled bundle; `guard` decides by a policy where there
is no prompt; `frieze.template.freeze` specialises a single template. Everything heavy is imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from frieze.pipeline import CheckResult, CompileResult, check, compile, load  # noqa: A004 # the public name
    from frieze.runtime import Bundle
    from frieze.runtime.guard import Guard

__version__ = "0.1.0"

__all__ = ["CheckResult", "CompileResult", "__version__", "check", "compile", "guard", "load", "open_bundle"]


def open_bundle(path: str | Path) -> Bundle:
    """Open a compiled bundle; see `frieze.runtime.Bundle.open`.

    Raises:
        BundleError: it is not a bundle, or not as it was compiled.
    """
    from frieze.runtime import Bundle

    return Bundle.open(path)


def guard(
    policy: str, mode: str, *, workspace: str | Path, interactive: bool = True, project: str | Path | None = None
) -> Guard:
    """Return a guard for a policy of the library or of a project, for a host that has no prompt.

    Args:
        policy: the name, such as `std/coding`.
        mode: one of its modes.
        workspace: the folder to work in.
        interactive: whether a person can be asked; without one, what needs a confirmation is denied.
        project: the folder of the project whose policies can be named as well.

    Raises:
        PolicyError: there is no such policy or mode, or the policy has faults.
    """
    from frieze.policy.guarding import named_guard

    return named_guard(policy, mode, workspace, project, interactive=interactive)


def __getattr__(name: str) -> Any:
    if name in __all__:
        from frieze import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module `frieze` has no attribute `{name}`")
