"""Jinja2's sandbox for known values, with every operation measured against the budget."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from functools import cache, update_wrapper
from typing import Any

from jinja2 import StrictUndefined, Undefined
from jinja2.exceptions import SecurityError
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment

from frieze.runtime.operations import FILTERS as OWN_FILTERS
from frieze.runtime.operations import JINJA_FILTERS, LAZY_FILTERS
from frieze.template.budget import NODE_WORK, BudgetError, NotDataError, length, measure, spend, text_of, width

STATEFUL = frozenset({"cycler", "joiner", "lipsum"})
"""Globals of Jinja2 whose result is random or changes from call to call."""

RANDOM_FILTERS = frozenset({"random"})
OWN_FILTER_NAMES = frozenset(OWN_FILTERS) - frozenset(JINJA_FILTERS)

_LAZY_INPUT = LAZY_FILTERS - {"items"} | frozenset(
    {"count", "d", "default", "first", "groupby", "join", "last", "length", "list", "max", "min", "sort", "sum"}
)
_WIDTHS = frozenset(["batch", "center", "indent", "round", "slice", "tojson", "truncate", "wordwrap"])
_SLOW = frozenset({"pprint", "striptags", "title", "urlencode", "urlize", "wordcount", "wordwrap", "xmlattr"})
_SLOW_WORK = 40
_METHOD_WIDTHS = frozenset(["center", "expandtabs", "ljust", "rjust", "to_bytes", "zfill"])
_LONG_WIDTH = re.compile(r"[0-9]{5,}|\*")
_CONTAINERS = (str, list, tuple, dict)


class Sandbox(ImmutableSandboxedEnvironment):
    """The environment: an attribute that is not safe raises at once, instead of being undefined."""

    def unsafe_undefined(self, obj: Any, attribute: str) -> Undefined:
        """Refuse an attribute.

        Raises:
            SecurityError: always.
        """
        raise SecurityError(f"the attribute {attribute!r} of a {type(obj).__name__}")


@cache
def sandbox(*, own_filters: bool) -> Sandbox:
    """Return the environment, with frieze's filters or with Jinja2's alone."""
    environment = Sandbox(undefined=StrictUndefined, keep_trailing_newline=True)
    filters: dict[str, Callable[..., Any]] = dict(environment.filters)
    if own_filters:
        filters.update({name: OWN_FILTERS[name] for name in OWN_FILTER_NAMES})
        filters["tojson"] = OWN_FILTERS["json"]
    filters.update(dict.fromkeys(RANDOM_FILTERS, _random))
    environment.filters = {name: _measured(name, function) for name, function in filters.items()}
    return environment


@cache
def context(*, own_filters: bool) -> Context:
    """Return an empty context, for the filters that ask for one."""
    return sandbox(own_filters=own_filters).from_string("").new_context({})


def _random(*_: Any, **__: Any) -> None:
    raise NotDataError("random choice")


def _measured(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def filtered(*arguments: Any, **keywords: Any) -> Any:
        first = 1 if hasattr(function, "jinja_pass_arg") else 0
        arguments = (*arguments[:first], *_inputs(name, arguments[first:], keywords))
        return _result(function(*arguments, **keywords))

    return update_wrapper(filtered, function)


def _inputs(name: str, values: tuple[Any, ...], keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    """Measure what a filter is given, before it runs."""
    value, *rest = values
    sizes = [measure(part) for part in (*rest, *keywords.values()) if not _iterator(part)]
    lazy = name in _LAZY_INPUT and _iterator(value)
    size = 1 if lazy else measure(value)
    spend((size + sum(sizes)) * (_SLOW_WORK if name in _SLOW else 1))
    if name in _WIDTHS:
        for part in (*rest, *keywords.values()):
            width(part)
    if name == "indent":
        lines = value.count("\n") + 1 if isinstance(value, str) else 1
        margin = rest[0] if rest else keywords.get("width", 4)
        length(size + lines * (len(margin) if isinstance(margin, str) else abs(int(margin))))
        if not isinstance(value, str):
            # Jinja2's `indent` adds to a list in place.
            value = deepcopy(value)
    elif name == "replace" and len(rest) + len(keywords) >= 2:
        old, new = [*rest, *(keywords[key] for key in ("old", "new") if key in keywords)][:2]
        _replaced(text_of(value), text_of(old), text_of(new))
    elif name == "join" and not lazy:
        _joined(size, rest[0] if rest else keywords.get("d", ""))
    elif name == "format":
        _formatted(text_of(value))
    return (value, *rest)


def _result(value: Any) -> Any:
    if isinstance(value, _CONTAINERS) or type(value) is int:
        spend(measure(value))
    return value


def _iterator(value: Any) -> bool:
    return hasattr(value, "__next__")


def _joined(size: int, separator: Any) -> None:
    length(size + size * (len(separator) if isinstance(separator, str) else 100) // NODE_WORK)


def _replaced(text: str, old: str, new: str) -> None:
    length(len(text) + text.count(old) * max(len(new) - len(old), 0))


def _formatted(pattern: str) -> None:
    if _LONG_WIDTH.search(pattern):
        raise BudgetError("space", "widths of four digits in a format")


def call(function: Any, arguments: list[Any], keywords: dict[str, Any], *, own_filters: bool) -> Any:
    """Call a method of a known value, or a global.

    Raises:
        BudgetError, NotDataError, SecurityError: it is refused; or what the method raises.
    """
    name = getattr(function, "__name__", "")
    # The sandbox wraps `format`, so the text stands one step further in.
    owner = getattr(getattr(function, "__wrapped__", function), "__self__", None)
    sizes = [measure(part) for part in (*arguments, *keywords.values()) if not _iterator(part)]
    spend(1 + sum(sizes))
    if isinstance(owner, str):
        _method(name, owner, arguments, keywords, sum(sizes))
    elif name in _METHOD_WIDTHS:
        for part in arguments:
            width(part)
    environment = sandbox(own_filters=own_filters)
    return _result(environment.call(context(own_filters=own_filters), function, *arguments, **keywords))


def _method(name: str, owner: str, arguments: list[Any], keywords: Mapping[str, Any], size: int) -> None:
    if name in _METHOD_WIDTHS:
        for part in (*arguments, *keywords.values()):
            width(part)
        if name == "expandtabs":
            tab = next(iter([*arguments, *keywords.values()]), 8)
            length(len(owner) + owner.count("\t") * abs(tab if isinstance(tab, int) else 8))
    elif name == "replace" and len(arguments) >= 2 and all(isinstance(part, str) for part in arguments[:2]):
        _replaced(owner, arguments[0], arguments[1])
    elif name == "join":
        _joined(size, owner)
    elif name in ("format", "format_map"):
        _formatted(owner)
        if re.search(r"\{[^}]*\{", owner):
            raise BudgetError("space", "formats whose width is not itself an argument")
        if re.search(r"\{[^{}!:]*[.\[]", owner):
            # Jinja2's sandbox reads keys as attributes and attributes as keys here, which Python does not.
            raise SecurityError("a format that reads parts of its arguments")
    elif name == "translate":
        length(len(owner) * (size + 1))


def binary(symbol: str, left: Any, right: Any) -> Any:
    """Apply an arithmetic operator.

    Raises:
        BudgetError: the result would be too large.
    """
    if symbol == "**" and isinstance(left, int) and isinstance(right, int) and right > 0:
        if left.bit_length() * right > 14_000 and abs(left) > 1:
            raise BudgetError("digits", "14,000 bits in one number")
    elif symbol == "*":
        for part, other in ((left, right), (right, left)):
            if isinstance(part, (str, list, tuple, bytes)) and isinstance(other, int):
                length(max(other, 0) * (measure(part) if part else 0))
    elif symbol == "%" and isinstance(left, str):
        measure(right)
        _formatted(left)
    return _result(_OPERATORS[symbol](left, right))


_OPERATORS: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "**": operator.pow,
}


def elements(value: Any) -> Iterator[Any]:
    """Go through a known value as `for` does.

    Raises:
        NotDataError: the order of its elements is not certain.
        BudgetError: there are too many.
    """
    if isinstance(value, set | frozenset):
        raise NotDataError("set")
    for item in value:
        spend()
        yield item
