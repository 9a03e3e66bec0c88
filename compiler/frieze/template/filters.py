"""The types of filter results. What a filter may do with foreign text is its class in the runtime's table.

A result may hold text of everything that the filter was given, but for what its rule *settles*: puts where it
belongs by itself, or is known to keep out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from frieze.runtime.operations import CLASSES
from frieze.template.arguments import Arguments
from frieze.template.ir import Expression
from frieze.template.kinds import (
    DATETIME,
    NUMBER,
    SEALED,
    TEXT,
    UNKNOWN,
    WHOLE,
    Field,
    Type,
    elements,
    has_member,
    list_of,
    literal,
    member,
    tainted,
    text_from,
    truthy,
    tuple_of,
    union,
    values,
)
from frieze.template.lines import Repeat, Slot, Text, bounded

VALUE = "value"
"""What the filter is applied to, among the names of what a rule settles."""


@dataclass(frozen=True, slots=True)
class _Rule:
    """How a filter's result follows from its value and arguments; `settles` names what taints it no further."""

    result: Callable[[Type, Arguments], Type]
    settles: frozenset[str] = frozenset()
    settles_all: bool = False


def filter_type(name: str, value: Type, arguments: Arguments) -> Type:
    """Return the type of `value | name(arguments)`."""
    rule = _RULES.get(name)
    if rule is None:
        kind = text_from(value, *arguments.kinds().values(), lines=CLASSES.get(name) == "lines", empty=value.empty)
        return kind if name in CLASSES else UNKNOWN
    kind = rule.result(value, arguments)
    if rule.settles_all:
        return kind
    sources = {**arguments.kinds(), VALUE: value}
    return tainted(kind, [source for given, source in sources.items() if given not in rule.settles])


def steps(path: object) -> list[int | str]:
    """Split the path of an `attribute` argument as the runtime does."""
    if isinstance(path, int):
        return [path]
    return [int(step) if step.isdigit() else step for step in str(path).split(".")]


def attribute_type(value: Type, path: Expression) -> tuple[Type, bool]:
    """Return the type at a dotted path inside an element, and whether it is always there."""
    there = True
    if not isinstance(path, str | int):
        return UNKNOWN, False
    for step in steps(path):
        there = there and has_member(value, step)
        value = member(value, step)
    return value, there


FILLED_WHEN_FILLED = frozenset({"sort", "unique", "list", "reverse", "batch", "items", "dictsort", "groupby", "map"})
"""Filters whose result has elements exactly when their list has."""

OBSERVING = ("defined", "undefined", "none")
"""Tests that may be given what is not there."""


def lacking_attribute(name: str, kind: Type, arguments: Arguments) -> str | int | None:
    """Return the attribute that a filter reads from elements of `kind` which need not have it."""
    path = arguments.get("attribute")
    if name in {"selectattr", "rejectattr"} and arguments.rest:
        path = arguments.rest[0].expression
        if arguments.named(1) in OBSERVING:
            # Only the last step is looked at without being used.
            path = ".".join(map(str, steps(path)[:-1]))
    if not isinstance(path, str | int) or path == "" or _stands_in(arguments.kind("default")):
        return None
    paths = path.split(",") if name == "sort" and isinstance(path, str) else [path]
    return next((each for each in paths if not attribute_type(elements(kind), each)[1]), None)


def joins_empty(kind: Type, arguments: Arguments) -> bool:
    """Tell whether a list that has elements could still join to nothing."""
    path = arguments.get("attribute")
    return not kind.only("list") or (
        attribute_type(elements(kind), path)[0].empty if path is not None else elements(kind).empty
    )


def with_default(kind: Type, path: Expression, fallback: Type | None) -> Type:
    """Return the type of an attribute for which a default may stand in: at its end, or below it on the way."""
    if fallback is None:
        return kind
    whole = union(kind, fallback)
    if isinstance(path, str) and len(steps(path)) > 1:
        return union(whole, text_from(fallback)) if fallback.only("text", "number", "boolean", "none") else UNKNOWN
    return whole


def _stands_in(fallback: Type | None) -> bool:
    """Tell whether a `default` argument is one: none means that there is no default."""
    return fallback is not None and not fallback.may("none", "any")


def _same_list(value: Type, _arguments: Arguments) -> Type:
    if value.only("list"):
        return replace(value, item=elements(value), members=None, fields=None, skeleton=None)
    return list_of(elements(value), falsy=value.falsy)


def _some(value: Type, arguments: Arguments) -> Type:
    return replace(_same_list(value, arguments), falsy=True)


def _fitted(value: Type, arguments: Arguments) -> Type:
    """`fitted`: fewer elements, and any text of the shortened field may be empty."""
    whole = _some(value, arguments)
    item, name = whole.item, arguments.get("text") if "text" in arguments.given else "description"
    if item is None or item.fields is None or name not in item.fields:
        return whole
    field = item.fields[name]
    fields = {**item.fields, name: replace(field, type=text_from(field.type, empty=True))}
    return replace(whole, item=replace(item, fields=fields))


def _with_attribute(value: Type, arguments: Arguments) -> Type:
    """`selectattr` with `defined`: what it lets through has the attribute."""
    name = arguments.named(0)
    whole = _some(value, arguments)
    item = whole.item
    if arguments.named(1) != "defined" or item is None or item.fields is None or name not in item.fields:
        return whole
    fields = {**item.fields, name: Field(item.fields[name].type, required=True)}
    return replace(whole, item=replace(item, fields=fields))


def _reverse(value: Type, arguments: Arguments) -> Type:
    if value.only("text"):
        return text_from(value, empty=value.empty)
    whole = _same_list(value, arguments)
    return union(whole, text_from(value, empty=value.empty)) if value.may("text") else whole


def _element(value: Type, _arguments: Arguments) -> Type:
    return elements(value)


def _number(value: Type, _arguments: Arguments) -> Type:
    return replace(NUMBER, zero=value.zero, whole=value.whole)


def _total(value: Type, _arguments: Arguments) -> Type:
    return replace(NUMBER, zero=elements(value).zero)


def _or_default(number: Type) -> Callable[[Type, Arguments], Type]:
    def result(value: Type, arguments: Arguments) -> Type:
        fallback = arguments.kind("default")
        own = replace(number, zero=value.zero)
        return own if fallback is None else union(own, fallback)

    return result


def _count(_value: Type, _arguments: Arguments) -> Type:
    return WHOLE


def _groups(value: Type, arguments: Arguments) -> Type:
    whole = _same_list(value, arguments)
    fill = arguments.kind("fill_with")
    item = elements(whole) if fill is None else union(elements(whole), fill)
    return list_of(list_of(item, falsy=False), falsy=value.falsy)


def _columns(value: Type, arguments: Arguments) -> Type:
    """`slice`: there may be fewer elements than lists."""
    columns = _groups(value, arguments)
    return replace(columns, item=replace(elements(columns), falsy=True))


def _pairs(value: Type, _arguments: Arguments) -> Type:
    return list_of(tuple_of(elements(value), values(value)), falsy=value.falsy)


def _group_by(value: Type, arguments: Arguments) -> Type:
    whole = replace(_same_list(value, arguments), falsy=False)
    path = arguments.get("attribute")
    by = with_default(attribute_type(elements(whole), path)[0], path, arguments.kind("default"))
    pair = tuple_of(by, whole)
    fields = {"grouper": Field(by, required=True), "list": Field(whole, required=True)}
    return list_of(replace(pair, fields=fields), falsy=value.falsy)


def _map(value: Type, arguments: Arguments) -> Type:
    if arguments.rest:
        result = filter_type(arguments.named(0), elements(value), arguments.passed_to(0))
    else:
        path = arguments.get("attribute")
        result = with_default(attribute_type(elements(value), path)[0], path, arguments.kind("default"))
    return list_of(result, falsy=value.falsy)


def _join(value: Type, arguments: Arguments) -> Type:
    item = elements(value)
    path = arguments.get("attribute")
    if path is not None:
        item, _ = attribute_type(item, path)
    between = arguments.kind("d") or literal("")
    joined = text_from(item, between, empty=value.falsy or item.empty)
    skeleton = (*item.printed, Repeat((*between.printed, *item.printed)))
    return replace(joined, skeleton=bounded(skeleton))


def _default(value: Type, arguments: Arguments) -> Type:
    fallback = arguments.kind("default_value") or literal("")
    by_truth = arguments.get("boolean") is True
    return union(truthy(value) if by_truth else value, fallback)


def _yes_or_no(_value: Type, arguments: Arguments) -> Type:
    return union(arguments.kind("yes") or literal("yes"), arguments.kind("no") or literal("no"))


def _prefixed(value: Type, arguments: Arguments) -> Type:
    prefix = "> " if arguments.kind("prefix") is None else arguments.get("prefix")
    if not isinstance(prefix, str):
        return replace(SEALED, skeleton=(Slot(hostile=value.hostile, free=True),))
    line = (Text(prefix), Slot(hostile=value.hostile, free=True))
    return replace(SEALED, skeleton=(*line, Repeat((Text("\n"), *line))))


def _fixed(_value: Type, _arguments: Arguments) -> Type:
    return TEXT


def _sealed(_value: Type, _arguments: Arguments) -> Type:
    return SEALED


def _emptying(value: Type, _arguments: Arguments) -> Type:
    return text_from(value, empty=True)


def _truncate(value: Type, arguments: Arguments) -> Type:
    end = arguments.kind("end")
    return text_from(value, empty=value.empty or (end is not None and end.empty))


def _local(_value: Type, _arguments: Arguments) -> Type:
    return DATETIME


def _unknown(_value: Type, _arguments: Arguments) -> Type:
    return UNKNOWN


def _rule(result: Callable[[Type, Arguments], Type], *settles: str) -> _Rule:
    return _Rule(result, frozenset({VALUE, *settles}))


_RULES: Mapping[str, _Rule] = {
    **dict.fromkeys(("sort", "unique", "list"), _rule(_same_list)),
    **dict.fromkeys(("select", "reject", "rejectattr"), _Rule(_some, settles_all=True)),
    "fitted": _rule(_fitted),
    "selectattr": _Rule(_with_attribute, settles_all=True),
    "reverse": _rule(_reverse),
    **dict.fromkeys(("first", "last", "min", "max"), _rule(_element)),
    **dict.fromkeys(("abs", "round"), _rule(_number)),
    "sum": _rule(_total),
    "int": _rule(_or_default(WHOLE), "default"),
    "float": _rule(_or_default(NUMBER), "default"),
    **dict.fromkeys(("length", "count", "wordcount"), _rule(_count)),
    "batch": _rule(_groups, "fill_with"),
    "slice": _rule(_columns, "fill_with"),
    **dict.fromkeys(("items", "dictsort"), _rule(_pairs)),
    "groupby": _rule(_group_by, "default"),
    "map": _Rule(_map, settles_all=True),
    "join": _rule(_join, "d"),
    **dict.fromkeys(("default", "d"), _rule(_default, "default_value")),
    **dict.fromkeys(("quoted", "json", "tojson"), _rule(_sealed)),
    "prefixed": _rule(_prefixed, "prefix"),
    "yesno": _rule(_yes_or_no, "yes", "no"),
    **dict.fromkeys(("date", "time", "weekday", "iso_week", "utc_offset", "filesizeformat"), _rule(_fixed)),
    "local": _rule(_local),
    **dict.fromkeys(("trim", "striptags", "replace"), _Rule(_emptying)),
    "truncate": _Rule(_truncate),
    "attr": _Rule(_unknown),
}
