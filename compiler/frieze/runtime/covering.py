"""Parts that another part says already: the manner of speaking, where the base instructions hold its text.

A block names with `covers` the slots whose text it may hold. Where it does, word for word, the part is not sent by
itself; it counts as said all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from .sending import Entry, Piece

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class Cover(NamedTuple):
    """A block that may hold the text of another; texts are fixed, or numbers of those that each render gives."""

    holder: Entry
    held: Entry


class Covered(NamedTuple):
    """The parts of one render that another one holds.

    `by_base` are held by a part that stays, and were taken out; `by_announcement` are the slots of those that are held
    by a part which only announces something.
    """

    by_base: tuple[Piece, ...] = ()
    by_announcement: frozenset[str] = frozenset()

    @property
    def slots(self) -> frozenset[str]:
        """The slots of all of them."""
        return self.by_announcement.union(piece.block.slot for piece in self.by_base)


NOTHING = Covered()


def covered_slots(blocks: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    """Return the slots that some of these blocks may cover."""
    return frozenset(slot for facts in blocks for slot in facts.get("covers", ()))


def covers(entries: Sequence[Entry]) -> tuple[Cover, ...]:
    """Return who may cover whom among the blocks of a prompt."""
    by_slot = {entry.block.slot: entry for entry in entries}
    return tuple(
        Cover(entry, by_slot[slot])
        for entry in entries
        for slot in entry.block.facts.get("covers", ())
        if slot in by_slot
    )


def holds(text: str, words: str) -> bool:
    """Tell whether a text holds another."""
    return words in text


def holds_lines(text: str, words: str) -> bool:
    """Tell whether a text holds another on lines of its own; a short one may stand anywhere by chance."""
    return "\n{}\n".format(words.replace("\r", "")) in "\n{}\n".format(text.replace("\r", ""))


def take_out(pairs: Iterable[Cover], texts: list[str], by_base: Callable[[str, str], bool] = holds) -> Covered:
    """Take the texts out that the base holds, and say which parts are held; `by_base` tells it of base instructions."""
    pieces: list[Piece] = []
    slots: list[str] = []
    before = list(texts)
    for holder, held in pairs:
        text, own = _text(holder, before), _text(held, before)
        does_hold = by_base if holder.block.facts.get("base") else holds
        if not own or not does_hold(text, own_words(held.block.facts, own)):
            continue
        if holder.block.facts.get("transient"):
            slots.append(held.block.slot)
        elif isinstance(held.text, int):
            pieces.append(Piece(held.block, own, held.zone))
            texts[held.text] = ""
    return Covered(tuple(pieces), frozenset(slots))


def own_words(facts: Mapping[str, Any], text: str) -> str:
    """Return a part without its heading or tag."""
    if facts.get("verbatim"):
        return text
    if facts.get("tag"):
        return text.removeprefix(f"<{facts['tag']}>\n").removesuffix(f"\n</{facts['tag']}>")
    return text.removeprefix(f"{facts['heading']}\n") if facts.get("heading") else text


def _text(entry: Entry, texts: list[str]) -> str:
    return entry.text if isinstance(entry.text, str) else texts[entry.text]
