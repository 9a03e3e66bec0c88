"""The record of what an expression can be, and the ways to combine two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

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
    `item`: elements of a list, values of an open map; `members`: elements by position; `fields`: a closed map.
    `skeleton`: how it prints, where more is known than one slot.
    """

    names: frozenset[str]
    foreign: bool = False
    hostile: bool = False
    lines: bool = False
    empty: bool = False
    falsy: bool = False
    zero: bool = False
    sealed: bool = False
    item: Type | None = None
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


TEXT = named("text")
NUMBER = named("number", falsy=True)
BOOLEAN = named("boolean", falsy=True)
NONE = named("none", falsy=True)
DATETIME = named("datetime")
MAP = named("map", falsy=True)
SEALED = replace(TEXT, sealed=True)
UNKNOWN = Type(frozenset({"any"}), foreign=True, hostile=True, lines=True, empty=True, falsy=True)


def list_of(item: Type, *, falsy: bool = True) -> Type:
    """Return the type of a list of these elements; what is foreign in them is foreign in it."""
    return Type(frozenset({"list"}), item.foreign, item.hostile, item.lines, falsy=falsy, item=item)


def tuple_of(*members: Type) -> Type:
    """Return the type of a list whose elements are known by position."""
    return replace(list_of(union(*members), falsy=not members), members=members)


def record_of(fields: Mapping[str, Field]) -> Type:
    """Return the type of a map with exactly these keys."""
    whole = union(*(field.type for field in fields.values()))
    falsy = not any(field.required for field in fields.values())
    return Type(
        frozenset({"map"}),
        whole.foreign,
        whole.hostile,
        whole.lines,
        falsy=falsy,
        fields=MappingProxyType(dict(fields)),
    )


def literal(text: str) -> Type:
    """Return the type of a constant text."""
    return replace(TEXT, lines="\n" in text, empty=not text, falsy=not text, skeleton=(Text(text),) if text else ())


def text_from(*sources: Type, lines: bool = False, empty: bool = False) -> Type:
    """Return the type of a text computed from these values: one slot, as foreign as its sources."""
    return Type(
        frozenset({"text"}),
        foreign=any(source.foreign for source in sources),
        hostile=any(source.hostile for source in sources),
        lines=lines or any(source.lines for source in sources),
        empty=empty,
        falsy=empty,
    )


def truthy(kind: Type) -> Type:
    """Return what is left of a type when the value is true in a condition."""
    return replace(kind, names=kind.names - {"none"} or kind.names, empty=False, falsy=False)


def union(*kinds: Type) -> Type:
    """Return the type of a value that is one of these."""
    if not kinds:
        return UNKNOWN
    whole = kinds[0]
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
        sealed=left.sealed or right.sealed,
        item=_either(left.item, right.item),
        members=_members(left, right),
        fields=_fields(left, right),
        skeleton=bounded((Choice((left.printed, right.printed)),)) if printable else None,
    )


def _either(left: Type | None, right: Type | None) -> Type | None:
    if left is None or right is None:
        return left or right
    return union(left, right)


def _members(left: Type, right: Type) -> tuple[Type, ...] | None:
    if left.members is None or right.members is None or len(left.members) != len(right.members):
        return None
    return tuple(union(*pair) for pair in zip(left.members, right.members, strict=True))


def _fields(left: Type, right: Type) -> Mapping[str, Field] | None:
    if left.fields is None or right.fields is None:
        return left.fields if not right.may("map", "any") else right.fields if not left.may("map", "any") else None
    return {
        name: Field(union(left.fields[name].type, right.fields[name].type), _required(left, right, name))
        for name in left.fields
        if name in right.fields
    }


def _required(left: Type, right: Type, name: str) -> bool:
    return bool(left.fields and right.fields and left.fields[name].required and right.fields[name].required)
