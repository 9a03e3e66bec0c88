"""Tests of the template language (`is ...`), with Jinja2's meaning on JSON data.

Not here: `filter` and `test`, which ask for names of the compiler, not for a value.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any

from .access import text_of
from .arithmetic import modulo
from .errors import RenderError
from .missing import Missing


def defined(value: Any) -> bool:
    """Tell whether a value is there."""
    return not isinstance(value, Missing)


def undefined(value: Any) -> bool:
    """Tell whether a value is missing."""
    return isinstance(value, Missing)


def odd(value: Any) -> Any:
    """Tell whether an integer is odd."""
    return modulo(value, 2) == 1


def even(value: Any) -> Any:
    """Tell whether an integer is even."""
    return modulo(value, 2) == 0


def divisibleby(value: Any, num: Any) -> Any:
    """Tell whether an integer is a multiple of `num`."""
    return modulo(value, num) == 0


def none(value: Any) -> bool:
    """Tell whether a value is none."""
    return value is None


def boolean(value: Any) -> bool:
    """Tell whether a value is true or false."""
    return isinstance(value, bool)


def true(value: Any) -> bool:
    """Tell whether a value is true."""
    return value is True


def false(value: Any) -> bool:
    """Tell whether a value is false."""
    return value is False


def integer(value: Any) -> bool:
    """Tell whether a value is an integer; booleans are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def real(value: Any) -> bool:
    """Tell whether a value is a float."""
    return isinstance(value, float)


def number(value: Any) -> bool:
    """Tell whether a value is a number; booleans are."""
    return isinstance(value, Number)


def string(value: Any) -> bool:
    """Tell whether a value is text."""
    return isinstance(value, str)


def mapping(value: Any) -> bool:
    """Tell whether a value is a map."""
    return isinstance(value, Mapping)


def sequence(value: Any) -> bool:
    """Tell whether a value has a length and elements: text, lists and maps do."""
    try:
        len(value)
    except (TypeError, RenderError):
        return False
    return hasattr(value, "__getitem__")


def iterable(value: Any) -> bool:
    """Tell whether a value can be walked."""
    try:
        iter(value)
    except TypeError:
        return False
    return True


def lower(value: Any) -> bool:
    """Tell whether a text is in lower case."""
    return text_of(value).islower()


def upper(value: Any) -> bool:
    """Tell whether a text is in upper case."""
    return text_of(value).isupper()


def escaped(value: Any) -> bool:  # noqa: ARG001 - Jinja2's signature
    """Tell whether a value is Markup: none is."""
    return False


def sameas(value: Any, other: Any) -> bool:
    """Tell whether two values are one object, where that does not depend on how Python stores them.

    Raises:
        RenderError: neither is true, false or none, nor missing.
    """
    if any(part is None or isinstance(part, bool | Missing) for part in (value, other)):
        return value is other
    raise RenderError("Unsupported", "`sameas` has a certain answer only for true, false and none; use `==`")


def inside(value: Any, seq: Any) -> Any:
    """Tell whether `value` is in `seq`."""
    return value in seq


TESTS: Mapping[str, Callable[..., Any]] = {
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    ">=": operator.ge,
    "boolean": boolean,
    "callable": callable,
    "defined": defined,
    "divisibleby": divisibleby,
    "eq": operator.eq,
    "equalto": operator.eq,
    "escaped": escaped,
    "even": even,
    "false": false,
    "float": real,
    "ge": operator.ge,
    "greaterthan": operator.gt,
    "gt": operator.gt,
    "in": inside,
    "integer": integer,
    "iterable": iterable,
    "le": operator.le,
    "lessthan": operator.lt,
    "lower": lower,
    "lt": operator.lt,
    "mapping": mapping,
    "ne": operator.ne,
    "none": none,
    "number": number,
    "odd": odd,
    "sameas": sameas,
    "sequence": sequence,
    "string": string,
    "true": true,
    "undefined": undefined,
    "upper": upper,
}
