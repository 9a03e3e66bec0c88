"""Operators with Python's meaning and a bound on what they may build.

No operation of a template gives more than `MAX_RESULT` characters or elements or an integer of more than
`MAX_BITS` bits: where it would, it raises `RenderError("ResultTooLarge", ...)` before the memory is taken.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .access import require_printable, text_of
from .errors import RenderError

MAX_RESULT = 5_000_000
MAX_BITS = 1_000_000

_SEQUENCES = (str, list, tuple)


def bounded(size: int) -> None:
    """Refuse a result of `size` characters or elements when that is too many.

    Raises:
        RenderError: it is.
    """
    if size > MAX_RESULT:
        raise RenderError("ResultTooLarge", f"a result of more than {MAX_RESULT} characters or elements")


def concat(values: Iterable[Any]) -> str:
    """Return `~`: the texts of the values, joined."""
    text = "".join(map(text_of, values))
    bounded(len(text))
    return text


def add(left: Any, right: Any) -> Any:
    """Return `left + right`."""
    result = left + right
    if isinstance(result, _SEQUENCES):
        bounded(len(result))
    return result


def multiply(left: Any, right: Any) -> Any:
    """Return `left * right`, repetition of text and lists included."""
    if isinstance(left, int) and isinstance(right, int):
        _bits(left.bit_length() + right.bit_length())
    elif isinstance(left, _SEQUENCES) and isinstance(right, int):
        bounded(len(left) * right)
    elif isinstance(right, _SEQUENCES) and isinstance(left, int):
        bounded(len(right) * left)
    return left * right


def power(left: Any, right: Any) -> Any:
    """Return `left ** right`."""
    if isinstance(left, int) and isinstance(right, int) and right > 0:
        _bits(left.bit_length() * right)
    return left**right


def modulo(left: Any, right: Any) -> Any:
    """Return `left % right`; on text, printf-style formatting."""
    if isinstance(left, str):
        require_printable(right)
        bounded(_padding(left, right))
    return left % right


BINARY: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": add,
    "-": operator.sub,
    "*": multiply,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": modulo,
    "**": power,
}


def _bits(count: int) -> None:
    if count > MAX_BITS:
        raise RenderError("ResultTooLarge", f"an integer of more than {MAX_BITS} bits")


def _padding(form: str, values: Any) -> int:
    """Return at least the sum of the widths and precisions that a printf format asks for."""
    numbers = [abs(value) for value in (values if isinstance(values, tuple) else (values,)) if isinstance(value, int)]
    starred = max(numbers, default=0)
    total, at = 0, form.find("%")
    while at != -1:
        at = _after_key(form, at + 1)
        end = at
        while form[end : end + 1] and form[end] in "-+ #0123456789.*":
            end += 1
        for field in form[at:end].lstrip("-+ #0").split("."):
            digits = field.strip("-+ #")
            if digits == "*":
                total += starred
            elif digits.isdigit():
                total += int(digits.lstrip("0")[:9] or "0")
        at = form.find("%", end + 1)
    return total


def _after_key(form: str, at: int) -> int:
    """Return the position after a format's `(key)`, whose parentheses may be nested."""
    if form[at : at + 1] != "(":
        return at
    depth = 0
    for position in range(at, len(form)):
        depth += {"(": 1, ")": -1}.get(form[position], 0)
        if depth == 0:
            return position + 1
    return len(form)
