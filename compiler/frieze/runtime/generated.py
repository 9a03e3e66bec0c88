"""What generated modules call: the operations of this resolver under the names that stand in generated source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .absence import or_absent, within
from .access import ATTRIBUTES, attribute, element, text_of
from .arithmetic import add, bounded, concat, modulo, multiply, power
from .errors import RenderError
from .escape import quoted
from .expressions import comparison, cut, operation
from .frames import FAILURES, failed, unpacked
from .joined import escaped_value
from .missing import ABSENT, Plain, Strict, undefined_member, undefined_name
from .output import anything, escaped, format_number, safe
from .settling import settling

__all__ = [
    "ATTRIBUTES",
    "FAILURES",
    "INFINITY",
    "NAN",
    "NOTHING",
    "add",
    "anything",
    "attribute",
    "attribute_or_absent",
    "captured",
    "chained",
    "comparison",
    "concat",
    "cut",
    "element",
    "element_or_absent",
    "escaped",
    "escaped_value",
    "fail",
    "failed",
    "format_number",
    "member",
    "member_or_absent",
    "modulo",
    "multiply",
    "neighbour",
    "neighbour_or_absent",
    "operation",
    "power",
    "quoted",
    "safe",
    "settled_cut",
    "text_of",
    "undefined_name",
    "unpacked",
    "unshadowed",
    "within",
]

NAN = float("nan")
INFINITY = float("inf")
NOTHING = Plain("the inline if-expression evaluated to false and no else section was defined.")
"""An inline `if` without `else` whose condition is false, in Jinja2's terms."""

settled_cut = settling(cut)


def member(owner: Any, name: str) -> Any:
    """Return an element by a name that no value has as an attribute of its own, else undefined."""
    try:
        return owner[name]
    except (TypeError, LookupError, AttributeError):
        return undefined_member(owner, name)


def member_or_absent(owner: Any, name: str) -> Any:
    """Return an element as `member` does, `ABSENT` where it is missing."""
    try:
        return owner[name]
    except (TypeError, LookupError, AttributeError):
        return ABSENT


def attribute_or_absent(owner: Any, name: str) -> Any:
    """Return an attribute as `attribute` does, `ABSENT` where it is missing."""
    return or_absent(attribute(owner, name))


def element_or_absent(owner: Any, key: Any) -> Any:
    """Return an element as `element` does, `ABSENT` where it is missing."""
    return or_absent(element(owner, key))


def neighbour(rows: list[Any], index: int, step: int) -> Any:
    """Return `loop.previtem` (`step` -1) or `loop.nextitem` (1)."""
    if 0 <= index + step < len(rows):
        return rows[index + step]
    return Strict("there is no previous item" if step < 0 else "there is no next item")


def neighbour_or_absent(rows: list[Any], index: int, step: int) -> Any:
    """Return a neighbour as `neighbour` does, `ABSENT` where there is none or it is missing itself."""
    return or_absent(neighbour(rows, index, step))


def chained(left: Any, *links: tuple[Callable[[Any, Any], Any], Callable[[], Any]]) -> Any:
    """Return a chained comparison; each right side is asked for only when it is needed, and once."""
    result: Any = True
    for compare, part in links:
        right = part()
        result = compare(left, right)
        if not result:
            break
        left = right
    return result


def captured(texts: list[str]) -> str:
    """Join what a `capture` printed.

    Raises:
        RenderError: it is too long.
    """
    text = "".join(texts)
    bounded(len(text))
    return text


def fail(kind: str, message: str) -> NoReturn:
    """Raise the error of an expression that has no value."""
    raise RenderError(kind, message)


def unshadowed(values: Any, names: frozenset[str]) -> None:
    """Refuse values under names that are functions of the template language.

    Raises:
        RenderError: there is one.
    """
    for name in sorted(names.intersection(values)):
        raise RenderError("Unsupported", f"`{name}` is a function of templates; a value of that name is frozen with it")
