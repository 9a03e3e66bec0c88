"""Closures for the expressions of the residual IR."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any, ClassVar

from .absence import careful, lenient, or_absent, within
from .access import ATTRIBUTES, attribute, element
from .arithmetic import BINARY, concat
from .errors import RenderError
from .frames import FAILURES, LOOP_FIELDS, Frame, Getter, Names, damaged
from .missing import ABSENT, Plain, undefined_member
from .operations import CLASSES, FILTERS, METHODS, OBSERVING_FILTERS, OBSERVING_TESTS, TESTS
from .settling import CUTTING_FILTERS, settling, settling_each

_COMPARISONS: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda left, right: left in right,
    "not in": lambda left, right: left not in right,
}
_SIGNS: Mapping[str, Callable[[Any], Any]] = {"neg": operator.neg, "pos": operator.pos}
_FLOATS = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf"), "-0.0": -0.0}
_FOLDED = (str, int, float, bool, type(None), list, tuple, dict)


class Constant:
    """A getter whose value is known."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, _: Frame) -> Any:
        """Return the value, whatever the frame."""
        return self.value


class Expressions:
    """Turns expressions into closures over a frame.

    With `strict`, what is missing behaves as Jinja2's StrictUndefined; without, it is `ABSENT`.
    """

    def __init__(self, names: Names) -> None:
        self.names = names
        self.strict = names.strict

    def compile(self, node: Any) -> Getter:
        """Return the closure of one expression, which is not nested too deeply; see `nesting.py`.

        Raises:
            BundleError: the expression is damaged.
        """
        if node is None or isinstance(node, str | int | float):
            return Constant(node)
        if not isinstance(node, list) or not node or not isinstance(node[0], str):
            raise damaged("an expression", node)
        handler = self._HANDLERS.get(node[0])
        if handler is None:
            raise damaged("the name of an operation", node)
        return handler(self, node)

    def fold(self, getter: Getter, *parts: Getter) -> Getter:
        """Return the value of an operation as a constant where all its parts are constants and it succeeds."""
        if all(isinstance(part, Constant) for part in parts):
            try:
                value = getter([])
            except (RenderError, *FAILURES):
                return getter
            if type(value) in _FOLDED:
                return Constant(value)
        return getter

    def _float(self, node: Any) -> Getter:
        _shape(node, 2)
        if not isinstance(node[1], str) or node[1] not in _FLOATS:
            raise damaged("`nan`, `inf`, `-inf` or `-0.0`", node[1])
        return Constant(_FLOATS[node[1]])

    def _input(self, node: Any) -> Getter:
        return itemgetter(self.names.input(_name(node, 1, 2)))

    def _local(self, node: Any) -> Getter:
        return itemgetter(self.names.local(_name(node, 1, 2)))

    def _loop(self, node: Any) -> Getter:
        index, field = self.names.local(_name(node, 1, 3)), LOOP_FIELDS.get(_name(node, 2, 3))
        if field is None:
            raise damaged("a field of `loop`", node[2])
        if self.strict:
            return lambda frame: field(frame[index])
        return lambda frame: or_absent(field(frame[index]))

    def _display(self, node: Any) -> Getter:
        parts = [self.compile(part) for part in node[1:]]
        if node[0] == "tuple":
            return self.fold(lambda frame: tuple([part(frame) for part in parts]), *parts)
        return self.fold(lambda frame: [part(frame) for part in parts], *parts)

    def _dict(self, node: Any) -> Getter:
        pairs = [(self.compile(key), self.compile(value)) for key, value in map(_pair, node[1:])]
        return self.fold(
            lambda frame: {key(frame): value(frame) for key, value in pairs}, *(part for pair in pairs for part in pair)
        )

    def _attr(self, node: Any) -> Getter:
        name = _name(node, 2, 3)
        owner = self.compile(node[1])
        if name in ATTRIBUTES or name[:1] == "_":
            return self.fold(self._lenient(lambda frame: attribute(owner(frame), name)), owner)

        missing: Callable[[Any, Any], Any] = undefined_member if self.strict else lambda *_: ABSENT

        def member(frame: Frame) -> Any:
            value = owner(frame)
            try:
                return value[name]
            except (TypeError, LookupError, AttributeError):
                return missing(value, name)

        return self.fold(member, owner)

    def _item(self, node: Any) -> Getter:
        owner, key = self._operands(node, 3)
        return self.fold(self._lenient(lambda frame: element(owner(frame), key(frame))), owner, key)

    def _slice(self, node: Any) -> Getter:
        parts = self._operands(node, 5)
        owner, start, stop, step = parts
        slice_of = cut if self.strict else settling(cut)
        return self.fold(lambda frame: slice_of(owner(frame), start(frame), stop(frame), step(frame)), *parts)

    def _not(self, node: Any) -> Getter:
        (operand,) = self._operands(node, 2)
        return self.fold(lambda frame: not operand(frame), operand)

    def _and(self, node: Any) -> Getter:
        left, right = self._operands(node, 3)
        return self.fold(lambda frame: left(frame) and right(frame), left, right)

    def _or(self, node: Any) -> Getter:
        left, right = self._operands(node, 3)
        return self.fold(lambda frame: left(frame) or right(frame), left, right)

    def _cond(self, node: Any) -> Getter:
        if len(node) == 3:
            node = [*node, None]
            test, then, _ = self._operands(node, 4)
            nothing = Plain("the inline if-expression evaluated to false and no else section was defined.")
            other: Getter = Constant(nothing if self.strict else ABSENT)
        else:
            test, then, other = self._operands(node, 4)
        return self.fold(lambda frame: then(frame) if test(frame) else other(frame), test, then, other)

    def _cmp(self, node: Any) -> Getter:
        if len(node) < 3:
            raise damaged("a comparison", node)
        first = self.compile(node[1])
        links = [(comparison(op, strict=self.strict), self.compile(right)) for op, right in map(_pair, node[2:])]
        if len(links) == 1:
            compare, right = links[0]
            if isinstance(right, Constant):
                value = right.value
                return self.fold(lambda frame: compare(first(frame), value), first)
            return self.fold(lambda frame: compare(first(frame), right(frame)), first, right)

        def chain(frame: Frame) -> Any:
            left = first(frame)
            result: Any = True
            for compare, part in links:
                right = part(frame)
                result = compare(left, right)
                if not result:
                    break
                left = right
            return result

        return self.fold(chain, first, *(right for _, right in links))

    def _binary(self, node: Any) -> Getter:
        operation = BINARY[node[0]]
        left, right = self._operands(node, 3)
        return self.fold(lambda frame: operation(left(frame), right(frame)), left, right)

    def _sign(self, node: Any) -> Getter:
        sign = _SIGNS[node[0]]
        (operand,) = self._operands(node, 2)
        return self.fold(lambda frame: sign(operand(frame)), operand)

    def _concat(self, node: Any) -> Getter:
        parts = [self.compile(part) for part in node[1:]]
        return self.fold(lambda frame: concat([part(frame) for part in parts]), *parts)

    def _applied(self, node: Any) -> Getter:
        function = operation(node[0], _name(node, 1, 5), strict=self.strict)
        if not isinstance(node[3], list) or not isinstance(node[4], list):
            raise damaged("lists of arguments", node)
        value = self.compile(node[2])
        arguments = [self.compile(argument) for argument in node[3]]
        keywords = {_name(pair, 0, 2): self.compile(pair[1]) for pair in node[4]}
        return self.fold(_call(function, value, arguments, keywords), value, *arguments, *keywords.values())

    def _method(self, node: Any) -> Getter:
        name = _name(node, 1, 4)
        function = operation("call", name, strict=self.strict)
        if not isinstance(node[3], list):
            raise damaged("a method of maps and its arguments", node[1])
        value = self.compile(node[2])
        arguments = [self.compile(argument) for argument in node[3]]
        if not self.strict:
            return _call(function, value, arguments, {})

        def call(frame: Frame) -> Any:
            method = attribute(value(frame), name)
            return method(*[argument(frame) for argument in arguments])

        return call

    def _fail(self, node: Any) -> Getter:
        kind, message = _name(node, 1, 3), _name(node, 2, 3)

        def fail(frame: Frame) -> Any:  # noqa: ARG001 - the shape of every getter
            raise RenderError(kind, message)

        return fail

    def _operands(self, node: Any, length: int) -> list[Getter]:
        _shape(node, length)
        return [self.compile(part) for part in node[1:]]

    def _lenient(self, getter: Getter) -> Getter:
        return getter if self.strict else lenient(getter)

    _HANDLERS: ClassVar[Mapping[str, Callable[[Expressions, Any], Getter]]] = {
        "float": _float,
        "list": _display,
        "tuple": _display,
        "dict": _dict,
        "input": _input,
        "local": _local,
        "loop": _loop,
        "attr": _attr,
        "item": _item,
        "slice": _slice,
        "not": _not,
        "and": _and,
        "or": _or,
        "cond": _cond,
        "cmp": _cmp,
        **dict.fromkeys(BINARY, _binary),
        **dict.fromkeys(_SIGNS, _sign),
        "concat": _concat,
        "filter": _applied,
        "test": _applied,
        "call": _method,
        "fail": _fail,
    }


def _call(function: Callable[..., Any], value: Getter, arguments: list[Getter], keywords: dict[str, Getter]) -> Getter:
    if keywords:
        return lambda frame: function(
            value(frame), *[part(frame) for part in arguments], **{key: part(frame) for key, part in keywords.items()}
        )
    if not arguments:
        return lambda frame: function(value(frame))
    if len(arguments) == 1:
        argument = arguments[0]
        return lambda frame: function(value(frame), argument(frame))
    return lambda frame: function(value(frame), *[part(frame) for part in arguments])


def operation(kind: str, name: str, *, strict: bool) -> Callable[..., Any]:
    """Return the function of a `filter`, a `test` or a method (`call`) of the tables, as it treats what is missing.

    Raises:
        BundleError: there is none of that name.
    """
    function = _TABLES[kind].get(name)
    if function is None:
        raise damaged("a method of maps" if kind == "call" else f"a {kind} of this runtime", name)
    if strict:
        return function
    if kind == "filter":
        function = _settling(function, name)
    return lenient(function) if name in _OBSERVING[kind] else careful(function, name)


_TABLES: Mapping[str, Mapping[str, Callable[..., Any]]] = {"filter": FILTERS, "test": TESTS, "call": METHODS}
_OBSERVING: Mapping[str, frozenset[str]] = {
    "filter": OBSERVING_FILTERS,
    "test": OBSERVING_TESTS,
    "call": frozenset(),
}


def comparison(op: Any, *, strict: bool) -> Callable[[Any, Any], Any]:
    """Return the function of a comparison.

    Raises:
        BundleError: there is none of that name.
    """
    compare = _COMPARISONS.get(op) if isinstance(op, str) else None
    if compare is None:
        raise damaged("a comparison", op)
    if strict or op not in ("in", "not in"):
        return compare
    return within if op == "in" else lambda left, right: not within(left, right)


def cut(value: Any, start: Any, stop: Any, step: Any) -> Any:
    """Return `value[start:stop:step]`."""
    return value[start:stop:step]


def _settling(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    if name == "map":
        return settling_each(function)
    return settling(function) if CLASSES[name] == "re-check" or name in CUTTING_FILTERS else function


def _shape(node: Any, length: int) -> None:
    if len(node) != length:
        raise damaged(f"`{node[0]}` with {length - 1} parts")


def _name(node: Any, position: int, length: int) -> str:
    if not isinstance(node, list) or len(node) != length or not isinstance(node[position], str):
        raise damaged(f"a name as part {position} of {length}", node)
    name: str = node[position]
    return name


def _pair(node: Any) -> tuple[Any, Any]:
    if not isinstance(node, list) or len(node) != 2:
        raise damaged("a pair", node)
    return node[0], node[1]
