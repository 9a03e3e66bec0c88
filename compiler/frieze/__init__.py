"""frieze: compile the system prompts of LLM agents.

`check` and `compile` take a project's folder, `open_bundle` a compiled bundle; `frieze.template.freeze` specialises
a single template. Everything heavy is imported when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from frieze.pipeline import CheckResult, CompileResult, check, compile, load  # noqa: A004 # the public name
    from frieze.runtime import Bundle

__version__ = "0.1.0"

__all__ = ["CheckResult", "CompileResult", "__version__", "check", "compile", "load", "open_bundle"]


def open_bundle(path: str | Path) -> Bundle:
    """Open a compiled bundle; see `frieze.runtime.Bundle.open`.

    Raises:
        BundleError: it is not a bundle, or not as it was compiled.
    """
    from frieze.runtime import Bundle

    return Bundle.open(path)


def __getattr__(name: str) -> Any:
    if name in __all__:
        from frieze import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module `frieze` has no attribute `{name}`")
