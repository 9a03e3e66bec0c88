"""The forms in which a hardened template prints a value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .access import text_of
from .clean import clean_line
from .errors import RenderError
from .escape import escape, number_text
from .missing import Missing


def format_number(value: Any) -> str:
    """Return a number in shortest form: `35` for 35.0, `35.5`, `1e+21`.

    Raises:
        RenderError: the value is not a finite number; a boolean is none.
    """
    if isinstance(value, int | float) and not isinstance(value, bool):
        text = number_text(value)
        if text:
            return text
    raise _unprintable(value)


def escaped(value: Any) -> str:
    """Print text inside a line, with `<` and `>` as entities; a number prints in shortest form.

    Raises:
        RenderError: the value is neither.
    """
    return escape(value) if isinstance(value, str) else format_number(value)


def safe(value: Any) -> str:
    """Print text that needs no escaping; a number prints in shortest form.

    Raises:
        RenderError: the value is neither.
    """
    return str(value) if isinstance(value, str) else format_number(value)


def anything(value: Any) -> str:
    """Print a value of no declared type: text and containers cleaned as a line and escaped, the rest as in Jinja2.

    Raises:
        RenderError: the value is missing or has no text of its own.
    """
    text = text_of(value)
    return text if value is None or isinstance(value, int | float) else escape(clean_line(text))


FORMS: Mapping[str, Callable[[Any], str]] = {
    "escape": escaped,
    "safe": safe,
    "number": format_number,
    "any": anything,
}
"""Output form of the IR -> function from a value to its text."""


def _unprintable(value: Any) -> RenderError:
    if isinstance(value, Missing):
        return RenderError(value.kind, value.message)
    return RenderError("Unprintable", f"text or a number was expected, not {type(value).__name__}")
