"""What operations do with `ABSENT`: refuse it unless they only observe, answer it where Jinja2 answers undefined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .errors import RenderError
from .missing import ABSENT, Missing


def lenient(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function answer `ABSENT` where it answers undefined."""
    return lambda *arguments, **keywords: or_absent(function(*arguments, **keywords))


def careful(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """Make a function refuse `ABSENT`, and answer it where it answers undefined."""

    def checked(*arguments: Any, **keywords: Any) -> Any:
        for argument in (*arguments, *keywords.values()):
            if argument is ABSENT:
                raise RenderError("AbsentValue", f"`{name}` is given a value that may be absent")
        return or_absent(function(*arguments, **keywords))

    return checked


def within(left: Any, right: Any) -> bool:
    """Tell whether `left` is in `right`; what is absent is in no text, and in nothing else either."""
    return left in right if left is not ABSENT or not isinstance(right, str | list) else False


def or_absent(value: Any) -> Any:
    """Return a value, `ABSENT` for whatever is missing."""
    return ABSENT if isinstance(value, Missing) else value
