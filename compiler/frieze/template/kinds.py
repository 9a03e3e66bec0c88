"""The record of what an expression can be, and the ways to combine two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from frieze.template.lines import Choice, Skeleton, Slot, Text, bounded


@dataclass(frozen=True, slots=True)
class Field:
    """A member of a record: its type, and whether it is always there."""

    type: Type
    required: bool


@dataclass(frozen=True, slots=True)
class Type:
    """What a present value can be.

    `names`: among text, number, boolean, none, list, map, document, datetime, any.
    `foreign`: holds text of a request, so it is escaped where it is printed; `hostile`: and the line rules apply.
    `lines`: may hold line breaks. `empty`: may be an empty text. `falsy`: may be false in a condition. `zero`: a
    number input, whose 0 is a value. `sealed`: text in its printed form (`quoted`, a `set` block, a document), not
    to be worked on.
    `item`: elements of a list, values of an open map; `keys`: keys of a map; `members`: elements by position;
    `fields`: a closed map, or parts of a list that have names.
    `skeleton`: how it prints, where more is known than one slot.
    """

    names: frozenset[str]
    foreign: bool = False
    hostile: bool = False
    lines: bool = False
    empty: bool = False
    falsy: bool = False
    zero: bool = False
    whole: bool = False
    sealed: bool = False
    item: Type | None = None
    keys: Type | None = None
    members: tuple[Type, ...] | None = None
    fields: Mapping[str, Field] | None = None
    skeleton: Skeleton | None = None

    def only(self, *names: str) -> bool:
        """Tell whether the value is one of `names` for certain."""
        return self.names <= set(names)

    def may(self, *names: str) -> bool:
        """Tell whether the value can be one of `names`."""
        return not self.names.isdisjoint(names)

    @property
    def printed(self) -> Skeleton:
        """How the value stands in a line."""
        if self.skeleton is not None:
            return self.skeleton
        return (Slot(hostile=self.hostile, free=self.foreign and not self.sealed, empty=self.empty, lines=self.lines),)


def named(*names: str, falsy: bool = False) -> Type:
    """Return a type of these names that holds nothing of a request."""
    return Type(frozenset(names), falsy=falsy)


NOTHING = named()
"""The type of what has no value: a name that is not declared, an element of `[]`."""
TEXT = named("text")
NUMBER = named("number", falsy=True)
WHOLE = replace(NUMBER, whole=True)
BOOLEAN = named("boolean", falsy=True)
NONE = named("none", falsy=True)
DATETIME = named("datetime")
SEALED = replace(TEXT, sealed=True)
UNKNOWN = Type(frozenset({"any"}), foreign=True, hostile=True, lines=True, empty=True, falsy=True)


def list_of(item: Type, *, falsy: bool = True) -> Type:
    """Return the type of a list of these elements; what is foreign in them is foreign in it."""
    return Type(frozenset({"list"}), item.foreign, item.hostile, item.lines, falsy=falsy, item=item)


def tuple_of(*members: Type) -> Type:
    """Return the type of a list whose elements are known by position."""
    return replace(list_of(union(*members), falsy=not members), members=members)


def map_of(keys: Type, values: Type, *, falsy: bool = True) -> Type:
    """Return the type of a map of such keys and values; what is foreign in them is foreign in it."""
    whole = union(keys, values)
    return Type(frozenset({"map"}), whole.foreign, whole.hostile, whole.lines, falsy=falsy, item=values, keys=keys)


def record_of(fields: Mapping[str, Field]) -> Type:
    """Return the type of a map with exactly these keys."""
    falsy = not any(field.required for field in fields.values())
    whole = map_of(TEXT, union(*(field.type for field in fields.values())), falsy=falsy)
    return replace(whole, fields=MappingProxyType(dict(fields)))


def literal(text: str) -> Type:
    """Return the type of a constant text."""
    return replace(TEXT, lines="\n" in text, empty=not text, falsy=not text, skeleton=(Text(text),) if text else ())


def text_from(*sources: Type, lines: bool = False, empty: bool = False) -> Type:
    """Return the type of a text computed from these values: one slot, as foreign and as sealed as its sources."""
    return Type(
        frozenset({"text"}),
        foreign=any(source.foreign for source in sources),
        hostile=any(source.hostile for source in sources),
        lines=lines or any(source.lines for source in sources),
        empty=empty,
        falsy=empty,
        sealed=any(source.sealed for source in sources),
    )


def tainted(kind: Type, sources: Sequence[Type]) -> Type:
    """Return a type whose texts, however deep, may hold text of these sources as well."""
    foreign = kind.foreign or any(source.foreign for source in sources)
    hostile = kind.hostile or any(source.hostile for source in sources)
    lines = kind.lines or any(source.lines for source in sources)
    sealed = kind.sealed or any(source.sealed for source in sources)
    flags = (foreign, hostile, lines, sealed)
    same = flags == (kind.foreign, kind.hostile, kind.lines, kind.sealed)
    if same or kind.only("number", "boolean", "none", "datetime"):
        return kind
    fields = kind.fields and {
        name: Field(tainted(field.type, sources), field.required) for name, field in kind.fields.items()
    }
    return replace(
        kind,
        foreign=foreign,
        hostile=hostile,
        lines=lines,
        sealed=sealed,
        item=kind.item and tainted(kind.item, sources),
        keys=kind.keys and tainted(kind.keys, sources),
        members=kind.members and tuple(tainted(part, sources) for part in kind.members),
        fields=fields,
        skeleton=None,
    )


def truthy(kind: Type) -> Type:
    """Return what is left of a type when the value is true in a condition."""
    return replace(kind, names=kind.names - {"none"} or kind.names, empty=False, falsy=False)


def union(*kinds: Type) -> Type:
    """Return the type of a value that is one of these."""
    kinds = tuple(kind for kind in kinds if kind.names)
    whole = kinds[0] if kinds else NOTHING
    for other in kinds[1:]:
        whole = whole if whole is other else _union(whole, other)
    return whole


def _union(left: Type, right: Type) -> Type:
    printable = left.may("text", "number", "any", "document") and right.may("text", "number", "any", "document")
    return Type(
        left.names | right.names,
        foreign=left.foreign or right.foreign,
        hostile=left.hostile or right.hostile,
        lines=left.lines or right.lines,
        empty=left.empty or right.empty,
        falsy=left.falsy or right.falsy,
        zero=left.zero or right.zero,
        whole=left.whole and right.whole,
        sealed=left.sealed or right.sealed,
        item=_joined(left, left.item, right, right.item, "list", "map"),
        keys=_joined(left, left.keys, right, right.keys, "map"),
        members=_members(left, right),
        fields=_fields(left, right),
        skeleton=bounded((Choice((left.printed, right.printed)),)) if printable else None,
    )


def _joined(left: Type, part: Type | None, right: Type, other: Type | None, *names: str) -> Type | None:
    """Join what is known of a part of two types; a type that may have it and says nothing of it may have any."""
    found = [
        known or UNKNOWN
        for kind, known in ((left, part), (right, other))
        if known is not None or kind.may(*names, "any")
    ]
    return union(*found) if found else None


def _members(left: Type, right: Type) -> tuple[Type, ...] | None:
    if left.members is None or right.members is None or len(left.members) != len(right.members):
        return None
    return tuple(union(*pair) for pair in zip(left.members, right.members, strict=True))


def _fields(left: Type, right: Type) -> Mapping[str, Field] | None:
    """Join fields; those of one side hold only where the other side has no parts at all."""
    if left.fields is None or right.fields is None:
        known, other = (left, right) if right.fields is None else (right, left)
        return None if other.may("map", "list", "any") else known.fields
    return {
        name: Field(union(left.fields[name].type, right.fields[name].type), _required(left, right, name))
        for name in left.fields
        if name in right.fields
    }


def _required(left: Type, right: Type, name: str) -> bool:
    return bool(left.fields and right.fields and left.fields[name].required and right.fields[name].required)


def elements(kind: Type) -> Type:
    """Return what a walk over a value meets: elements of a list, keys of a map, characters of a text."""
    if not kind.names:
        return NOTHING
    met = []
    if kind.may("list"):
        met.append(union(*kind.members) if kind.members else kind.item or UNKNOWN)
    if kind.may("map"):
        met.append(kind.keys or UNKNOWN)
    if kind.may("text"):
        met.append(text_from(kind))
    return union(*met) if met and not kind.may("any") else UNKNOWN


def values(kind: Type) -> Type:
    """Return what the values of a map can be."""
    return kind.item or (UNKNOWN if kind.names else NOTHING)


def member(kind: Type, key: Any) -> Type:
    """Return the type of `value[key]` or `value.key`; `key` is an expression."""
    if not kind.names:
        return NOTHING
    if isinstance(key, str):
        found = (kind.fields or {}).get(key)
        if found is not None and (found.required or key not in _OWN):
            return found.type
        return values(kind) if kind.only("map") and kind.fields is None and key not in _OWN else UNKNOWN
    if isinstance(key, int) and kind.members is not None:
        return kind.members[key] if -len(kind.members) <= key < len(kind.members) else UNKNOWN
    met = [values(kind)] if kind.may("list", "map") else []
    if kind.may("text"):
        met.append(text_from(kind))
    return union(*met) if met and not kind.may("any") else UNKNOWN


def has_member(kind: Type, key: Any) -> bool:
    """Tell whether every value of this type has this constant member."""
    if not kind.names:
        return True
    if isinstance(key, str):
        found = (kind.fields or {}).get(key)
        return found is not None and found.required
    return isinstance(key, int) and kind.members is not None and -len(kind.members) <= key < len(kind.members)


_OWN = frozenset(dir(dict))
"""Attributes of maps, which a lookup by name finds where the map has no such key."""
