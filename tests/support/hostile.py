"""Slots of a small page, printed as profiles print them, for values that try to break it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from frieze.runtime.escape import escape, quoted
from frieze.runtime.inputs import input_reader
from frieze.runtime.missing import ABSENT
from frieze.runtime.notes import Note

RESERVED = ("timezone", "latitude", "longitude", "accuracy", "locale", "language", "contact_name", "now")
DATA = Path(__file__).parent.parent / "data"
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)

HEADINGS = (
    "Current time information",
    "Current user information",
    "Current location",
    "User language",
    "Contact custom attributes",
    "Organization member attributes",
)
BEFORE = "<turn_context>\n" + "\n\n".join(f"{heading}\nNothing." for heading in HEADINGS) + "\n\n"
AFTER = "\n\nThat was all.\n</turn_context>\n"


@dataclass(frozen=True)
class Slot:
    """One slot: the input that reads it, where its value stands in a context, and how the value is printed."""

    spec: dict[str, Any]
    wrap: Callable[[Any], Any]
    printed: Callable[[Any], str]
    cap: int
    lines: bool = True


@dataclass(frozen=True)
class Page:
    """A page with a slot filled in: `rows` is what the slot printed, empty where the value was absent."""

    rows: str
    value: Any
    notes: tuple[Note, ...]

    @property
    def text(self) -> str:
        """The whole page."""
        return BEFORE + self.rows + AFTER


def _spec(kind: str, **options: Any) -> dict[str, Any]:
    return {"name": "slot", "type": kind, "sources": [{"path": "slot"}], **options}


def _attributes(value: dict[str, str]) -> str:
    return "\n".join(f"- {key}: {quoted(text)}" for key, text in value.items())


_ATTRIBUTES = _spec("attributes", reserved=list(RESERVED), headings=list(HEADINGS))

SLOTS = {
    "user_name": Slot(_spec("line", max_length=80), lambda v: v, lambda v: f"Name: {escape(v)}", 80),
    "attr_key": Slot(_ATTRIBUTES, lambda v: {v: "gold"} if _hashable(v) else {}, _attributes, 64),
    "attr_value": Slot(_ATTRIBUTES, lambda v: {"tier": v}, _attributes, 500),
    "language": Slot(_spec("language"), lambda v: v, lambda v: f"Language: {escape(v)}", 20),
    "timezone": Slot(_spec("timezone"), lambda v: v, lambda v: f"Time zone: {escape(v)}", 100),
    "opening_message": Slot(
        _spec("text", max_length=2000), lambda v: v, lambda v: f"Opening message: {quoted(v)}", 2000, lines=False
    ),
    "skill_description": Slot(
        _spec("list", of={"fields": {"description": {"type": "line", "max_length": 1024}}}),
        lambda v: [{"description": v}],
        lambda v: "\n".join(f"- refunds: {escape(item['description'])}" for item in v),
        1024,
    ),
    "kb_name": Slot(
        _spec("list", of={"fields": {"name": "line"}}),
        lambda v: [{"name": v}],
        lambda v: "\n".join(f"- Knowledge base {quoted(item['name'])}" for item in v),
        200,
    ),
}


def page(slot: str, value: Any) -> Page:
    """Render the page with one value in one slot."""
    entry = SLOTS[slot]
    notes: list[Note] = []
    read = input_reader(entry.spec, {})
    cleaned = read({"slot": entry.wrap(value)}, NOW, notes)
    return Page("" if cleaned is ABSENT else entry.printed(cleaned), cleaned, tuple(notes))


def load(name: str) -> Any:
    """Read one of the data files."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def materialise(value: Any) -> Any:
    """Turn the directives of the data file into the values they stand for."""
    if isinstance(value, dict) and len(value) == 1:
        (directive, argument), *_ = value.items()
        if directive == "$repeat":
            return argument[0] * argument[1]
        if directive == "$concat":
            return "".join(map(materialise, argument))
        if directive == "$range":
            return list(range(argument))
        if directive == "$float":
            return float(argument)
        if directive == "$nest":
            nested: Any = "x"
            for _ in range(argument if isinstance(argument, int) else argument[-1]):
                nested = [nested]
            return nested
    return value


def _hashable(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)
