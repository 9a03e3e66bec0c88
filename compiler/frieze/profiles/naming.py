"""Names: bare in their own file, qualified with `std/` where they belong to the library."""

from __future__ import annotations

import keyword
import sys
from collections.abc import Iterable

from frieze.diagnostics import Diagnostic, Span

LIBRARY = "std/"
"""What stands in front of the name of everything that the library declares."""


def bare(name: str) -> str:
    """Return a name without the library's prefix."""
    return name.removeprefix(LIBRARY)


def is_library(name: str) -> bool:
    """Tell whether a qualified name belongs to the library."""
    return name.startswith(LIBRARY)


def noun(kind: str) -> str:
    """Return what one of a kind is called in a sentence: `agent`, `permission policy`."""
    return "permission policy" if kind == "permissions" else kind


def plural(kind: str) -> str:
    """Return the name of several of a kind: `agents`, `personalities`."""
    one = noun(kind)
    return one[:-1] + "ies" if one.endswith("y") else one + "s"


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Return names for a sentence: each in backticks, at most `limit` of them."""
    quoted = [f"`{name}`" for name in names]
    rest = len(quoted) - limit
    return ", ".join(quoted[:limit]) + (f" and {rest} more" if rest > 0 else "")


def package_name(project: str) -> str:
    """Return the import name of a project's package: `support-desk` gives `support_desk`."""
    return project.replace("-", "_").replace(".", "_")


def project_name_faults(project: str, span: Span) -> list[Diagnostic]:
    """Warn of a project whose package cannot be imported, or would be imported in the place of another."""
    package = package_name(project)
    if not package.isidentifier() or keyword.iskeyword(package):
        return [Diagnostic.of("F314", span, name=project, package=package)]
    other = {"frieze": "frieze itself", LIBRARY.rstrip("/"): "the shipped library"}.get(package)
    if package in sys.stdlib_module_names:
        other = f"Python's own module `{package}`"
    return [Diagnostic.of("F315", span, name=project, other=other)] if other else []
