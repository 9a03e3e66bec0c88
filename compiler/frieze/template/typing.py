"""The types of residual expressions, inferred from the declared inputs. Nothing is reported here.

Inference never fails: what it does not know is `UNKNOWN`, which the passes that use it treat as a request's own text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from frieze.runtime.types import TYPES, InputType
from frieze.template.arguments import Arguments
from frieze.template.filters import filter_type
from frieze.template.ir import Expression
from frieze.template.kinds import (
    BOOLEAN,
    DATETIME,
    NONE,
    NOTHING,
    NUMBER,
    TEXT,
    UNKNOWN,
    WHOLE,
    Field,
    Type,
    elements,
    list_of,
    literal,
    map_of,
    member,
    record_of,
    text_from,
    truthy,
    tuple_of,
    union,
    values,
)
from frieze.template.lines import bounded

Specification = Mapping[str, Any]

REFUSED: Specification = {"type": "refused", "required": True}
"""A name that was refused before: nothing more is to be said of what it gives."""


def always_there(spec: Specification) -> bool:
    """Tell whether an input or a field is never absent: required, or with a default, or the clock."""
    return bool(spec.get("required")) or spec.get("default") is not None


def input_type(spec: Specification) -> Type:
    """Return the type of an input (or list element, or field) from its declaration."""
    kind = _declared(spec)
    if spec.get("trusted"):
        kind = _trust(kind)
    if spec.get("default") == "":
        kind = replace(kind, empty=True, falsy=True)
    return kind


class Scope:
    """The types of locals at one place, and of inputs; `fork` before an arm, `join` after the arms."""

    __slots__ = ("inputs", "locals")

    def __init__(self, inputs: Mapping[str, Type], bindings: Mapping[str, Type] | None = None) -> None:
        self.inputs = inputs
        self.locals = dict(bindings or {})

    @classmethod
    def of(cls, inputs: Mapping[str, Specification]) -> Scope:
        """Make the outermost scope."""
        return cls({name: input_type(spec) for name, spec in inputs.items()})

    def fork(self) -> Scope:
        """Return a copy to bind in."""
        return Scope(self.inputs, self.locals)

    def join(self, *arms: Scope) -> None:
        """Take over what the arms bound: a local is of any of the types that an arm gave it."""
        for name in {name for arm in arms for name in arm.locals}:
            self.locals[name] = union(*(arm.locals[name] for arm in arms if name in arm.locals))

    def bind(self, target: Any, kind: Type) -> None:
        """Bind a local, or several from the elements of one value."""
        if isinstance(target, str):
            self.locals[target] = kind
            return
        members = kind.members or ()
        fits = kind.only("list") and len(members) == len(target)
        # Where the parts do not fit, the loop is refused, and nothing more is to be said of them.
        for part, member_kind in zip(target, members if fits else [NOTHING] * len(target), strict=True):
            self.bind(part, member_kind)

    def enter(self, target: Any, iterable: Expression, loop: str | None) -> Scope:
        """Return the scope of a loop's body."""
        inner = self.fork()
        element = elements(self.type(iterable))
        inner.bind(target, element)
        if loop is not None:
            inner.locals[loop] = list_of(element)
        return inner

    def type(self, expression: Expression) -> Type:
        """Return the type of an expression."""
        if not isinstance(expression, list):
            return _constant(expression)
        operation, *parts = expression
        rule = _RULES.get(operation)
        return rule(self, parts) if rule is not None else _arithmetic(self, operation, parts)


def _declared(spec: Specification) -> Type:
    name = spec.get("type")
    if name == "list":
        return list_of(_element(spec.get("of", "line")))
    if name == "attributes":
        closed = spec.get("keys")
        if closed is not None:
            return record_of({key: Field(_attribute(entry or {}), required=False) for key, entry in closed.items()})
        return map_of(_LINE, _LINE)
    return _INPUTS.get(str(name), UNKNOWN)


def _attribute(spec: Specification) -> Type:
    """Return the type of one key of a closed map: every value is made text when it is read."""
    facts = TYPES.get(str(spec.get("type", "line")))
    return _LINE if facts is None or facts.untrusted else TEXT


def _element(of: Any) -> Type:
    if isinstance(of, str):
        return input_type({"type": of})
    fields = of.get("fields")
    return input_type(of) if fields is None else _record(fields)


def _record(fields: Mapping[str, Specification]) -> Type:
    return record_of({name: Field(input_type(spec), always_there(spec)) for name, spec in fields.items()})


def _trust(kind: Type) -> Type:
    fields = kind.fields and {name: Field(_trust(field.type), field.required) for name, field in kind.fields.items()}
    return replace(
        kind, hostile=False, item=kind.item and _trust(kind.item), keys=kind.keys and _trust(kind.keys), fields=fields
    )


def _constant(value: object) -> Type:
    if isinstance(value, str):
        return literal(value)
    if value is None:
        return NONE
    return BOOLEAN if isinstance(value, bool) else replace(NUMBER, falsy=not value, whole=isinstance(value, int))


def _either(scope: Scope, parts: list[Any]) -> Type:
    left, right = map(scope.type, parts)
    return union(truthy(left), right)


def _both(scope: Scope, parts: list[Any]) -> Type:
    left, right = map(scope.type, parts)
    return union(left, right) if left.falsy else right


def _slice(scope: Scope, parts: list[Any]) -> Type:
    kind = scope.type(parts[0])
    if kind.only("text"):
        return text_from(kind, empty=True)
    cut = replace(kind, members=None, fields=None, falsy=True, skeleton=None)
    return replace(cut, empty=True) if kind.may("text") else cut


def _concat(scope: Scope, parts: list[Any]) -> Type:
    kinds = [scope.type(part) for part in parts]
    empty = all(kind.empty for kind in kinds)
    sealed = any(kind.sealed for kind in kinds)
    skeleton = tuple(piece for kind in kinds for piece in kind.printed)
    return replace(text_from(*kinds, empty=empty), sealed=sealed, skeleton=bounded(skeleton))


def _arithmetic(scope: Scope, operation: str, parts: list[Any]) -> Type:
    kinds = [scope.type(part) for part in parts]
    if operation == "+" and all(kind.only("text") for kind in kinds):
        return _concat(scope, parts)
    if all(kind.only("list") for kind in kinds) and operation == "+":
        return replace(union(*kinds), members=None, fields=None)
    if any(kind.only("text") for kind in kinds) and operation in {"%", "*"}:
        return text_from(*kinds, empty=True)
    if all(kind.only("number", "boolean") for kind in kinds):
        whole = operation in _WHOLE and all(kind.whole for kind in kinds)
        return replace(NUMBER, zero=any(kind.zero for kind in kinds), whole=whole)
    return UNKNOWN


_WHOLE = frozenset({"+", "-", "*", "//", "%", "neg", "pos"})


def _cond(scope: Scope, parts: list[Any]) -> Type:
    return union(*(scope.type(part) for part in parts[1:]))


def _filter(scope: Scope, parts: list[Any]) -> Type:
    name, value, positional, named = parts
    return filter_type(name, scope.type(value), Arguments.of(name, positional, named, scope.type))


def _call(scope: Scope, parts: list[Any]) -> Type:
    method, value, arguments = parts
    kind = scope.type(value)
    if method == "get":
        found = member(kind, arguments[0])
        return union(found, scope.type(arguments[1])) if len(arguments) > 1 else found
    keys = elements(kind)
    element = {"keys": keys, "values": values(kind)}.get(method) or tuple_of(keys, values(kind))
    return list_of(element, falsy=kind.falsy)


def _loop(scope: Scope, parts: list[Any]) -> Type:
    loop, field = parts
    if field in {"previtem", "nextitem"}:
        return elements(scope.locals[loop]) if loop in scope.locals else UNKNOWN
    if field in {"first", "last"}:
        return BOOLEAN
    return replace(WHOLE, falsy=field in {"index0", "revindex0", "depth0"})


def _display(scope: Scope, parts: list[Any]) -> Type:
    if all(isinstance(key, str) for key, _ in parts):
        return record_of({key: Field(scope.type(value), required=True) for key, value in parts})
    keys, held = (union(*map(scope.type, side)) for side in zip(*parts, strict=True))
    return map_of(keys, held, falsy=False)


_RULES: Mapping[str, Any] = {
    "float": lambda _scope, parts: replace(NUMBER, falsy=parts[0] == "-0.0"),
    "list": lambda scope, parts: tuple_of(*map(scope.type, parts)),
    "tuple": lambda scope, parts: tuple_of(*map(scope.type, parts)),
    "dict": _display,
    "input": lambda scope, parts: scope.inputs.get(parts[0], NOTHING),
    "local": lambda scope, parts: scope.locals.get(parts[0], UNKNOWN),
    "loop": _loop,
    "attr": lambda scope, parts: member(scope.type(parts[0]), parts[1]),
    "item": lambda scope, parts: member(scope.type(parts[0]), parts[1]),
    "slice": _slice,
    "not": lambda _scope, _parts: BOOLEAN,
    "and": _both,
    "or": _either,
    "cond": _cond,
    "cmp": lambda _scope, _parts: BOOLEAN,
    "concat": _concat,
    "filter": _filter,
    "test": lambda _scope, _parts: BOOLEAN,
    "call": _call,
    "fail": lambda _scope, _parts: NOTHING,
}


def _scalar(facts: InputType) -> Type:
    if facts.textual and facts.multiline and facts.printable:
        return Type(frozenset({"document"}), sealed=True)
    if facts.textual:
        return replace(TEXT, foreign=facts.untrusted, hostile=facts.untrusted, lines=facts.multiline)
    if facts.has_false_values:
        return replace(NUMBER, zero=True) if facts.printable else BOOLEAN
    return DATETIME


_INPUTS: Mapping[str, Type] = {
    **{name: replace(_scalar(facts), whole=name == "integer") for name, facts in TYPES.items() if not facts.iterable},
    REFUSED["type"]: NOTHING,
}
_LINE = _INPUTS["line"]
