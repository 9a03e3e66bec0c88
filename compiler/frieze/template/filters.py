"""The types of filter results. What a filter may do with foreign text is its class in the runtime's table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from frieze.runtime.operations import CLASSES
from frieze.template.ir import Expression
from frieze.template.kinds import (
    DATETIME,
    NUMBER,
    SEALED,
    TEXT,
    UNKNOWN,
    Field,
    Type,
    list_of,
    literal,
    text_from,
    truthy,
    tuple_of,
    union,
)
from frieze.template.lines import Repeat, Slot, Text, bounded


@dataclass(frozen=True, slots=True)
class Arguments:
    """A filter's arguments as expressions, and their types by position or name."""

    positional: Sequence[Expression]
    named: Mapping[str, Expression]
    kinds: Mapping[int | str, Type] = field(default_factory=dict)

    def get(self, name: str, position: int | None = None) -> Expression:
        """Return an argument by name or position; None when it is not given."""
        if name in self.named:
            return self.named[name]
        return self.positional[position] if position is not None and position < len(self.positional) else None

    def kind(self, name: str, position: int) -> Type | None:
        """Return the type of an argument; None when it is not given."""
        return self.kinds.get(name) or self.kinds.get(position)

    def rest(self) -> Arguments:
        """Return these arguments without the first."""
        kinds = {key - 1 if isinstance(key, int) else key: kind for key, kind in self.kinds.items() if key != 0}
        return Arguments(self.positional[1:], self.named, kinds)


def filter_type(name: str, value: Type, arguments: Arguments) -> Type:
    """Return the type of `value | name(arguments)`."""
    rule = _RULES.get(name)
    if rule is not None:
        return rule(value, arguments)
    return text_from(value, *arguments.kinds.values(), lines=CLASSES.get(name) == "lines", empty=value.empty)


def attribute_type(value: Type, path: object) -> tuple[Type, bool]:
    """Return the type at a dotted path inside an element, and whether it is always there."""
    there = True
    for step in str(path).split("."):
        field = (value.fields or {}).get(step)
        there = there and field is not None and field.required
        value = field.type if field is not None else value.item or UNKNOWN
    return value, there


FILLED_WHEN_FILLED = frozenset({"sort", "unique", "list", "reverse", "batch", "items", "dictsort", "groupby", "map"})
"""Filters whose result has elements exactly when their list has."""

_ATTRIBUTE_POSITION = {"join": 1, "groupby": 0, "sum": 0, "unique": 1, "sort": 2, "min": 1, "max": 1}


def lacking_attribute(name: str, kind: Type, arguments: Arguments) -> str | None:
    """Return the attribute that a filter reads from elements of `kind` which need not have it."""
    path = arguments.get("attribute", _ATTRIBUTE_POSITION.get(name))
    if name in {"selectattr", "rejectattr"} and arguments.get("", 1) not in ("defined", "undefined", "none"):
        path = arguments.get("", 0)
    if not isinstance(path, str) or "default" in arguments.named:
        return None
    return None if attribute_type(kind.item or UNKNOWN, path)[1] else path


def joins_empty(kind: Type, arguments: Arguments) -> bool:
    """Tell whether a list that has elements could still join to nothing."""
    path = arguments.get("attribute", 1)
    if kind.item is None or not kind.only("list"):
        return True
    return attribute_type(kind.item, path)[0].empty if path is not None else kind.item.empty


def _same_list(value: Type, _arguments: Arguments) -> Type:
    if value.only("list"):
        return replace(value, members=None, skeleton=None)
    if value.only("text"):
        return list_of(text_from(value), falsy=value.falsy)
    return list_of(value.item or (TEXT if value.fields is not None else UNKNOWN))


def _some(value: Type, arguments: Arguments) -> Type:
    return replace(_same_list(value, arguments), falsy=True)


def _with_attribute(value: Type, arguments: Arguments) -> Type:
    """`selectattr` with `defined`: what it lets through has the attribute."""
    name, test = arguments.get("", 0), arguments.get("", 1)
    whole = _some(value, arguments)
    item = whole.item
    if test != "defined" or item is None or item.fields is None or name not in item.fields:
        return whole
    fields = {**item.fields, name: Field(item.fields[name].type, required=True)}
    return replace(whole, item=replace(item, fields=MappingProxyType(fields)))


def _reverse(value: Type, arguments: Arguments) -> Type:
    return text_from(value, empty=value.empty) if value.only("text") else _same_list(value, arguments)


def _element(value: Type, _arguments: Arguments) -> Type:
    if value.only("text"):
        return text_from(value)
    item = value.item or (TEXT if value.fields is not None else UNKNOWN)
    return union(*value.members) if value.members else item


def _number(value: Type, _arguments: Arguments) -> Type:
    return replace(NUMBER, zero=value.zero)


def _count(_value: Type, _arguments: Arguments) -> Type:
    return NUMBER


def _groups(value: Type, arguments: Arguments) -> Type:
    whole = _same_list(value, arguments)
    return list_of(whole, falsy=value.falsy)


def _pairs(value: Type, _arguments: Arguments) -> Type:
    values = value.item or (union(*(field.type for field in value.fields.values())) if value.fields else UNKNOWN)
    key = TEXT if value.fields is not None else text_from(value)
    return list_of(tuple_of(key, values), falsy=value.falsy)


def _group_by(value: Type, arguments: Arguments) -> Type:
    whole = _same_list(value, arguments)
    by, _ = attribute_type(whole.item or UNKNOWN, arguments.get("attribute", 0))
    pair = tuple_of(by, whole)
    fields = {"grouper": Field(by, required=True), "list": Field(whole, required=True)}
    return list_of(replace(pair, fields=fields), falsy=value.falsy)


def _map(value: Type, arguments: Arguments) -> Type:
    item = _same_list(value, arguments).item or UNKNOWN
    path = arguments.get("attribute")
    if path is not None:
        result, _ = attribute_type(item, path)
        fallback = arguments.get("default")
        if isinstance(fallback, str):
            result = union(result, literal(fallback))
    else:
        result = filter_type(str(arguments.get("", 0)), item, arguments.rest())
    return list_of(result, falsy=value.falsy)


def _join(value: Type, arguments: Arguments) -> Type:
    item = _same_list(value, arguments).item or UNKNOWN
    path = arguments.get("attribute", 1)
    if path is not None:
        item, _ = attribute_type(item, path)
    between = arguments.kind("d", 0) or literal("")
    joined = text_from(item, between, empty=value.falsy or item.empty)
    skeleton = (*item.printed, Repeat((*between.printed, *item.printed)))
    return replace(joined, sealed=item.sealed, skeleton=bounded(skeleton))


def _default(value: Type, arguments: Arguments) -> Type:
    fallback = arguments.kind("default_value", 0) or literal("")
    by_truth = arguments.get("boolean", 1) is True
    return union(truthy(value) if by_truth else value, fallback)


def _prefixed(value: Type, arguments: Arguments) -> Type:
    prefix = "> " if arguments.kind("prefix", 0) is None else arguments.get("prefix", 0)
    if not isinstance(prefix, str):
        return replace(SEALED, skeleton=(Slot(hostile=value.hostile, free=True),))
    line = (Text(prefix), Slot(hostile=value.hostile, free=True))
    return replace(SEALED, skeleton=(*line, Repeat((Text("\n"), *line))))


def _fixed(_value: Type, _arguments: Arguments) -> Type:
    return TEXT


def _sealed(_value: Type, _arguments: Arguments) -> Type:
    return SEALED


def _emptying(value: Type, arguments: Arguments) -> Type:
    return text_from(value, *arguments.kinds.values(), empty=True)


def _truncate(value: Type, arguments: Arguments) -> Type:
    end = arguments.kind("end", 2)
    return text_from(value, *arguments.kinds.values(), empty=value.empty or (end is not None and end.empty))


def _local(_value: Type, _arguments: Arguments) -> Type:
    return DATETIME


_RULES: Mapping[str, Callable[[Type, Arguments], Type]] = {
    **dict.fromkeys(("sort", "unique", "list"), _same_list),
    **dict.fromkeys(("select", "reject", "rejectattr"), _some),
    "selectattr": _with_attribute,
    "reverse": _reverse,
    **dict.fromkeys(("first", "last", "min", "max", "random"), _element),
    **dict.fromkeys(("int", "float", "abs", "round", "sum"), _number),
    **dict.fromkeys(("length", "count", "wordcount"), _count),
    **dict.fromkeys(("batch", "slice"), _groups),
    **dict.fromkeys(("items", "dictsort"), _pairs),
    "groupby": _group_by,
    "map": _map,
    "join": _join,
    **dict.fromkeys(("default", "d"), _default),
    **dict.fromkeys(("quoted", "json", "tojson"), _sealed),
    "prefixed": _prefixed,
    **dict.fromkeys(("yesno", "date", "time", "weekday", "iso_week", "utc_offset", "filesizeformat"), _fixed),
    "local": _local,
    **dict.fromkeys(("trim", "striptags", "replace"), _emptying),
    "truncate": _truncate,
}
