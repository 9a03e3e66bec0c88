"""Names: bare in their own file, qualified with `std/` where they belong to the library."""

from __future__ import annotations

from collections.abc import Iterable

LIBRARY = "std/"
"""What stands in front of the name of everything that the library declares."""


def bare(name: str) -> str:
    """Return a name without the library's prefix."""
    return name.removeprefix(LIBRARY)


def is_library(name: str) -> bool:
    """Tell whether a qualified name belongs to the library."""
    return name.startswith(LIBRARY)


def plural(kind: str) -> str:
    """Return the name of several of a kind: `agents`, `personalities`."""
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def listed(names: Iterable[str], limit: int = 12) -> str:
    """Return names for a sentence: each in backticks, at most `limit` of them."""
    quoted = [f"`{name}`" for name in names]
    rest = len(quoted) - limit
    return ", ".join(quoted[:limit]) + (f" and {rest} more" if rest > 0 else "")
