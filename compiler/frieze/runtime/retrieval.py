"""What may be searched for a request: the limits of all levels, intersected. Data for the search, never for prose.

A limit is `{knowledge_bases: [name...], documents: [name...], tags: [condition...]}`. What is left out, or null,
restricts nothing; an empty list of names allows nothing. A condition on a document's tags names one tag and one of

- `{tag, any: [value...]}`: the document carries at least one of the values;
- `{tag, all: [value...]}`: it carries every one;
- `{tag, none: [value...]}`: it carries none of them; a document without the tag passes.

Names and values are texts and compared exactly. A limit of any other form allows nothing: a doubt closes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from .conditions import value_at
from .context import check_context, kind_name
from .notes import Note, Refusal, record
from .types import plain_text

LIMIT_TYPE = "retrieval"
"""The type of the context paths that hold a limit; each such path of the contract is a level."""

AGENT, PLATFORM = "agent.retrieval", "platform.retrieval"
FIELDS = ("knowledge_bases", "documents", "tags")
OPERATORS = ("all", "any", "none")

Level: TypeAlias = tuple[str, Any]
"""Where a limit stands, and the limit as it is written there; None where nothing is."""


@dataclass(frozen=True, slots=True, order=True)
class Condition:
    """One condition on a document's tags. `operator` is all, any or none; `values` are sorted and never empty."""

    tag: str
    operator: str
    values: tuple[str, ...]

    def holds(self, tags: Mapping[str, Any]) -> bool:
        """Tell whether a document with these tags passes; a tag has one text or several. Other values never pass."""
        carried = _texts(tags.get(self.tag))
        if carried is None:
            return False
        if self.operator == "any":
            return not carried.isdisjoint(self.values)
        return carried.issuperset(self.values) if self.operator == "all" else carried.isdisjoint(self.values)

    def as_data(self) -> dict[str, Any]:
        """Return the condition as it is written."""
        return {"tag": self.tag, self.operator: list(self.values)}


@dataclass(frozen=True, slots=True)
class Limit:
    """The limit of one level; None restricts nothing."""

    knowledge_bases: frozenset[str] | None = None
    documents: frozenset[str] | None = None
    tags: frozenset[Condition] = frozenset()

    def narrowed(self, other: Limit) -> Limit:
        """Return what both limits allow."""
        return Limit(
            _common(self.knowledge_bases, other.knowledge_bases),
            _common(self.documents, other.documents),
            self.tags | other.tags,
        )

    @property
    def closed(self) -> bool:
        """Whether no document in the world passes."""
        return frozenset() in (self.knowledge_bases, self.documents) or not _can_hold(self.tags)

    def as_data(self) -> dict[str, Any]:
        """Return the limit as it is written, in canonical order and without what restricts nothing."""
        data: dict[str, Any] = {}
        if self.knowledge_bases is not None:
            data["knowledge_bases"] = sorted(self.knowledge_bases)
        if self.documents is not None:
            data["documents"] = sorted(self.documents)
        if self.tags:
            data["tags"] = [condition.as_data() for condition in sorted(self.tags)]
        return data


NOTHING = Limit(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What may be searched for one request.

    Attributes:
        knowledge_bases: the only knowledge bases that may be searched, sorted.
        documents: the only documents of them, sorted; None for all of them.
        tags: the conditions that a document must pass, every one; sorted.
        notes: limits that were not valid or left nothing over, by code and without values.
    """

    knowledge_bases: tuple[str, ...] = ()
    documents: tuple[str, ...] | None = ()
    tags: tuple[Condition, ...] = ()
    notes: tuple[Note, ...] = field(default=(), compare=False)

    @property
    def closed(self) -> bool:
        """Whether nothing may be searched."""
        return not self.knowledge_bases or self.documents == () or not _can_hold(self.tags)

    def allows(self, knowledge_base: str, document: str, tags: Mapping[str, Any] | None = None) -> bool:
        """Tell whether a document may be found.

        Args:
            knowledge_base: the one that the document is in.
            document: its name.
            tags: what it is tagged with, each tag with one text or several. None for not known: then no condition
                holds.
        """
        if knowledge_base not in self.knowledge_bases:
            return False
        if self.documents is not None and document not in self.documents:
            return False
        if not self.tags:
            return True
        return isinstance(tags, Mapping) and all(condition.holds(tags) for condition in self.tags)

    def as_data(self) -> dict[str, Any]:
        """Return JSON data for the search: `closed` and the three fields; `documents` is null for all of them."""
        return {
            "closed": self.closed,
            "knowledge_bases": list(self.knowledge_bases),
            "documents": None if self.documents is None else list(self.documents),
            "tags": [condition.as_data() for condition in self.tags],
        }


def retrieval(manifest: Mapping[str, Any], target: Mapping[str, str | None], context: Any) -> Retrieval:
    """Return what may be searched for a request: what the bundle's limits and those in the context have in common.

    Raises:
        ContextError: the context is not a map, or a section of it is something else.
    """
    notes: list[Note] = []
    checked = check_context(context, manifest["contract"], notes)
    agent = manifest["agents"][target["agent"]].get("retrieval") or NOTHING.as_data()
    platform = manifest["platforms"].get(target["platform"] or "", {}).get("retrieval")
    levels: list[Level] = [(AGENT, agent), (PLATFORM, platform)]
    for path, row in sorted(manifest["contract"].items()):
        if row["type"] == LIMIT_TYPE:
            levels.append((path, value_at(checked, tuple(path.split(".")))))
    return intersection(levels, notes)


def intersection(levels: Iterable[Level], notes: Iterable[Note] = ()) -> Retrieval:
    """Return what all levels allow. A level that is not valid closes; knowledge bases that nobody names are none.

    `notes` come first among the notes of the result.
    """
    remarks = list(notes)
    common = Limit()
    for number, (place, written) in enumerate(levels):
        limit = read_limit(written)
        if isinstance(limit, Refusal):
            record(remarks, Note(limit.code, "", place, limit.detail))
            limit = NOTHING
        elif number and not common.closed and common.narrowed(limit).closed:
            record(remarks, Note("nothing-to-search", "", place))
        common = common.narrowed(limit)
    if common.knowledge_bases is None or common.closed:
        return Retrieval(notes=tuple(remarks))
    documents = None if common.documents is None else tuple(sorted(common.documents))
    return Retrieval(tuple(sorted(common.knowledge_bases)), documents, tuple(sorted(common.tags)), tuple(remarks))


def read_limit(written: Any) -> Limit | Refusal:
    """Return the limit of one level as sets, or why it is none. None is a limit that restricts nothing."""
    if written is None:
        return Limit()
    try:
        fields = _map(written, "", frozenset(FIELDS))
        bases, documents = (_names(fields.get(name), f"`{name}`") for name in FIELDS[:2])
        rows = fields.get("tags")
        conditions = () if rows is None else map(_condition, _list(rows, "`tags`"))
        return Limit(bases, documents, frozenset(conditions))
    except _InvalidError as fault:
        return Refusal("invalid-limit", str(fault))


class _InvalidError(Exception):
    """A limit is not of its form; the message says where and how, without the value."""


def _map(value: Any, place: str, known: frozenset[str]) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _expected(place, "a map", value)
    if not known.issuperset(value):
        raise _InvalidError(f"{place or 'the limit'} has an unknown key")
    return value


def _list(value: Any, place: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise _expected(place, "a list", value)
    return value


def _names(value: Any, place: str) -> frozenset[str] | None:
    return None if value is None else frozenset(_name(item, f"a member of {place}") for item in _list(value, place))


def _name(value: Any, place: str) -> str:
    if not isinstance(value, str):
        raise _expected(place, "text", value)
    name = plain_text(value)
    if not name.strip():
        raise _InvalidError(f"{place} is empty")
    if not name.isascii() and _has_surrogates(name):
        raise _InvalidError(f"{place} is not valid Unicode")
    return name


def _condition(value: Any) -> Condition:
    row = _map(value, "a condition", frozenset({"tag", *OPERATORS}))
    asked = [operator for operator in OPERATORS if operator in row]
    if len(asked) != 1:
        raise _InvalidError("a condition must ask exactly one of `any`, `all` and `none`")
    values = _names(row[asked[0]], f"`{asked[0]}`")
    if not values:
        raise _InvalidError(f"`{asked[0]}` of a condition must hold a value")
    return Condition(_name(row.get("tag"), "`tag` of a condition"), asked[0], tuple(sorted(values)))


def _expected(place: str, expected: str, found: Any) -> _InvalidError:
    return _InvalidError(f"{place or 'the limit'} must be {expected}, found {kind_name(found)}")


def _has_surrogates(text: str) -> bool:
    return any("\ud800" <= char <= "\udfff" for char in text)


def _common(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    if one is None or other is None:
        return other if one is None else one
    return one & other


def _can_hold(conditions: Iterable[Condition]) -> bool:
    """Tell whether some document can pass all conditions; one tag of it may carry several values."""
    rows = tuple(conditions)
    refused: dict[str, set[str]] = {}
    for row in rows:
        if row.operator == "none":
            refused.setdefault(row.tag, set()).update(row.values)
    return not any(
        set(row.values) <= refused[row.tag] if row.operator == "any" else not refused[row.tag].isdisjoint(row.values)
        for row in rows
        if row.operator != "none" and row.tag in refused
    )


def _texts(value: Any) -> frozenset[str] | None:
    """Return the values that a tag carries, None for what is neither text nor texts."""
    if value is None:
        return frozenset()
    if isinstance(value, str):
        return frozenset((value,))
    if isinstance(value, list | tuple | set | frozenset) and all(isinstance(item, str) for item in value):
        return frozenset(value)
    return None
