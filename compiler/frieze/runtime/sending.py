"""The order in which the blocks of one prompt are sent, worked out once: what is fixed is joined beforehand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from .variants import Variant

ZONES = ("never", "session", "turn")
PREFIX = "prefix"
PLACES = (("notice", "turn_notices"), ("data", "turn_context"))
"""The groups of the tail, in order: the kind of content and the place it goes to."""


class Piece(NamedTuple):
    """A block that is in, its text and its zone for this audience."""

    block: Variant
    text: str
    zone: str


class Entry(NamedTuple):
    """A block of a prompt, its zone, and its text: fixed, or the number of the text that each render gives."""

    block: Variant
    zone: str
    text: str | int


class Sending:
    """What all results of a prompt share.

    `has_tail` says whether anything can go behind the last message; `only` is the number of the text that is the whole
    prompt, where one is.
    """

    __slots__ = ("_groups", "cached", "entries", "has_tail", "layout", "manifest", "only", "own_slug", "target")

    def __init__(
        self,
        manifest: Mapping[str, Any],
        target: Mapping[str, str | None],
        layout: Mapping[str, Any],
        cached: bool,
        entries: Sequence[Entry],
        own_slug: str | None = None,
    ) -> None:
        self.manifest = manifest
        self.target = target
        self.layout = layout
        self.cached = cached
        self.entries = tuple(entries)
        self.own_slug = own_slug
        self._groups: dict[str, tuple[str | int, ...]] = {}
        for place, entry in self._placed():
            fused = list(self._groups.get(place, ()))
            if isinstance(entry.text, str) and fused and isinstance(fused[-1], str):
                fused[-1] = f"{fused[-1]}\n\n{entry.text}"
            else:
                fused.append(entry.text)
            self._groups[place] = tuple(fused)
        self.has_tail = len(self._groups) > (PREFIX in self._groups)
        prefix = self._groups.get(PREFIX, ())
        self.only = prefix[0] if len(prefix) == 1 and isinstance(prefix[0], int) and not self.has_tail else None

    def text(self, place: str, texts: Sequence[str]) -> str:
        """Return the joined texts of a place."""
        group = self._groups.get(place)
        if group is None:
            return ""
        return "\n\n".join([text for each in group if (text := each if isinstance(each, str) else texts[each])])

    @property
    def model(self) -> Mapping[str, Any] | None:
        """The record of the model, with the slug that it was asked for as; None where the prompt has no model."""
        chosen = self.target["model"]
        if not chosen:
            return None
        record: Mapping[str, Any] = self.manifest["models"][chosen]
        return {**record, "slug": self.own_slug} if self.own_slug else record

    @property
    def slug(self) -> str:
        """What the vendor is asked for; empty where the prompt has no model."""
        model = self.model
        return str(model["slug"]) if model else ""

    def pieces(self, texts: Sequence[str]) -> tuple[Piece, ...]:
        """Return the blocks that are in, in the layout's order."""
        filled = [
            Piece(block, text if isinstance(text, str) else texts[text], zone) for block, zone, text in self.entries
        ]
        return tuple(piece for piece in filled if piece.text)

    def _placed(self) -> Iterator[tuple[str, Entry]]:
        by_zone = {id(entry.block): entry for entry in self.entries}
        pieces = tuple(Piece(entry.block, "", entry.zone) for entry in self.entries)
        yield from ((place, by_zone[id(piece.block)]) for place, piece in arranged(pieces, self.cached))


def arranged(pieces: tuple[Piece, ...], cached: bool) -> Iterator[tuple[str, Piece]]:
    """Yield (place, piece) in sending order: the layout's own order, or by zone for a model with a prompt cache."""
    if not cached:
        yield from ((PREFIX, piece) for piece in pieces)
        return
    for zone in ZONES[:2]:
        yield from ((PREFIX, piece) for piece in pieces if piece.zone == zone)
    for kind, place in PLACES:
        yield from ((place, piece) for piece in pieces if piece.zone == "turn" and piece.block.facts["kind"] == kind)
