"""Regular expressions that are compiled when they are first asked for: most services never ask for most of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeAlias

Find: TypeAlias = "Callable[..., re.Match[str] | None]"


def searching(pattern: str, flags: int = 0) -> Find:
    """Return the `search` of a regular expression."""
    return _deferred("search", pattern, flags)


def matching(pattern: str, flags: int = 0) -> Find:
    """Return the `fullmatch` of a regular expression."""
    return _deferred("fullmatch", pattern, flags)


def replacing(pattern: str, flags: int = 0) -> Callable[..., str]:
    """Return the `sub` of a regular expression."""
    return _deferred("sub", pattern, flags)


def _deferred(method: str, pattern: str, flags: int) -> Callable[..., Any]:
    made: list[Callable[..., Any]] = []

    def call(*arguments: Any) -> Any:
        if not made:
            made.append(getattr(re.compile(pattern, flags), method))
        return made[0](*arguments)

    return call
