"""What a render gives: parts, the stable prefix, the tail, notes."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .notes import Note
    from .variants import Variant

ZONES = ("never", "session", "turn")
PREFIX = "prefix"
PLACES = (("notice", "turn_notices"), ("data", "turn_context"))
"""The groups of the tail, in order: the kind of content and the place it goes to."""


@dataclass(frozen=True, slots=True)
class Part:
    """One rendered block.

    `zone` says how often the text may change; `place` is `prefix`, `turn_notices` or `turn_context`;
    `source` is the file that declares the block.
    """

    id: str
    role: str
    authority: str
    text: str
    zone: str
    tag: str | None
    source: str
    place: str


class Piece(NamedTuple):
    """A block that is in, its text and its zone for this audience."""

    block: Variant
    text: str
    zone: str


class Result:
    """A rendered prompt. Everything but the texts of the blocks is worked out when it is asked for."""

    __slots__ = ("_cached", "_layout", "_manifest", "_pieces", "_target", "notes")

    def __init__(
        self,
        manifest: Mapping[str, Any],
        target: Mapping[str, str | None],
        layout: Mapping[str, Any],
        cached: bool,
        pieces: tuple[Piece, ...],
        notes: tuple[Note, ...],
    ) -> None:
        self._manifest = manifest
        self._target = target
        self._layout = layout
        self._cached = cached
        self._pieces = pieces
        self.notes = notes
        """What was refused, cut or ignored, by code and without values."""

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts in the order in which they are sent."""
        return tuple(
            Part(
                piece.block.slot,
                piece.block.facts["role"],
                piece.block.facts["authority"],
                piece.text,
                piece.zone,
                piece.block.facts.get("tag"),
                piece.block.facts["source"],
                place,
            )
            for place, piece in arranged(self._pieces, self._cached)
        )

    @property
    def prefix(self) -> str:
        """The stable text: with a prompt cache the never zone, then the session zone; without one everything."""
        return "\n\n".join(piece.text for place, piece in arranged(self._pieces, self._cached) if place == PREFIX)

    @property
    def tail(self) -> str:
        """What goes after the last message; empty for a model without a prompt cache."""
        return "\n\n".join(filter(None, (self.group(place) for _, place in PLACES)))

    @property
    def text(self) -> str:
        """Everything, in order, as one text."""
        return "\n\n".join(filter(None, (self.prefix, self.tail)))

    def group(self, place: str) -> str:
        """Return one group of the tail (`turn_notices` or `turn_context`) between its tags, or nothing."""
        texts = [piece.text for at, piece in arranged(self._pieces, self._cached) if at == place]
        return wrapped(self._layout, place, texts)

    def attributes(self) -> dict[str, str]:
        """Return name, version and content hash of this prompt for tracing (OpenTelemetry `gen_ai.prompt.*`)."""
        chosen = ",".join(f"{key}={value}" for key, value in sorted(self._target.items()) if value is not None)
        content = hashlib.sha256(f"{self._manifest['hash']}:{chosen}".encode()).hexdigest()
        return {
            "gen_ai.prompt.name": f"{self._manifest['name']}/{self._target['agent']}",
            "gen_ai.prompt.version": str(self._manifest["version"]),
            "gen_ai.prompt.hash": content,
            "gen_ai.prompt.target": chosen,
        }

    def __repr__(self) -> str:
        return f"<Result of {self._target['agent']}: {len(self._pieces)} parts, {len(self.notes)} notes>"


def arranged(pieces: tuple[Piece, ...], cached: bool) -> Iterator[tuple[str, Piece]]:
    """Yield (place, piece) in sending order: the layout's own order, or by zone for a model with a prompt cache."""
    if not cached:
        yield from ((PREFIX, piece) for piece in pieces)
        return
    for zone in ZONES[:2]:
        yield from ((PREFIX, piece) for piece in pieces if piece.zone == zone)
    for kind, place in PLACES:
        yield from ((place, piece) for piece in pieces if piece.zone == "turn" and piece.block.facts["kind"] == kind)


def wrapped(layout: Mapping[str, Any], place: str, texts: list[str]) -> str:
    """Put the texts of a tail group between its tags; data opens with the layout's fixed sentence."""
    if not texts:
        return ""
    tag = layout["tags"][place.removeprefix("turn_")]
    if place == "turn_context" and layout["opening"]:
        texts = [layout["opening"], *texts]
    body = "\n\n".join(texts)
    return f"<{tag}>\n{body}\n</{tag}>"
