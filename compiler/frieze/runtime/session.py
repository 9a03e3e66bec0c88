"""What a conversation that goes on has to be told: the parts whose text is another one now, and those that ended.

A part of a block with `send: on-change` is said once and then stands in the conversation, which the service keeps. The
others go with every request. Nothing here looks at the clock, and nothing is kept between two renders: what was said
is in the snapshot that the service passes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .covering import covered_slots
from .marking import changed_text, ended_text, markers_of
from .notes import Note, record
from .placing import WEAKEST
from .snapshots import ENDED, Snapshot, part_hash, read_snapshot, snapshot_data
from .spoken import Messages

if TYPE_CHECKING:
    from .covering import Covered
    from .sending import Piece, Sending

ON_CHANGE = "on-change"


class Said(NamedTuple):
    """What a conversation has been told before.

    Attributes:
        parts: slot -> hash of its part that stands, None where one possibly does, `ENDED` where the conversation was
            told that it does not.
        tags: slot -> tag, as the snapshot has them.
        held: the slots that its base instructions alone have said.
        switched: another model was told it.
        doubtful: nobody knows what its base instructions say.
    """

    parts: Mapping[str, str | None]
    tags: Mapping[str, str]
    held: frozenset[str]
    switched: bool
    doubtful: bool = False


class Session(NamedTuple):
    """What a result knows of its conversation: what was said, None outside of one, and what the base holds already."""

    said: Said | None
    covered: Covered


def said_before(
    previous: Any, history: Any, sending: Sending, notes: list[Note], *, saved: bool = False
) -> Said | None:
    """Return what a conversation has been told, by its snapshot and by what it holds; None where neither is given.

    A part of the snapshot that is gone from the history was not said. Without a snapshot, a part in the history is one
    that possibly stands, and so is what base instructions may say that are `saved` from it.

    Raises:
        RequestError: `history` is no list.
    """
    if previous is None and history is None:
        return None
    found = None
    if history is not None:
        from .history import found_parts

        found = found_parts(history, sending.manifest, sending.layout)
    snapshot, problem = (None, "") if previous is None else read_snapshot(previous)
    if problem:
        record(notes, Note("unreadable-snapshot", "", "", problem))
    if snapshot is None:
        return Said(dict.fromkeys(sorted(found or ())), {}, frozenset(), switched=False, doubtful=saved)
    parts = {slot: known for slot, known in snapshot.parts.items() if _is_there(slot, snapshot, found, sending)}
    model = snapshot.target.get("model")
    switched = model is not None and model != sending.target["model"]
    return Said(parts, snapshot.tags, snapshot.held, switched=switched)


def _is_there(slot: str, snapshot: Snapshot, found: frozenset[str] | None, sending: Sending) -> bool:
    """Tell whether a history still holds what a snapshot says, as far as it can be known again."""
    if found is None or slot in found or slot in snapshot.held or snapshot.parts[slot] == ENDED:
        return True
    facts = block_of(sending.manifest, sending.layout, slot)
    return facts is None or markers_of(facts) is None


def full_set(sending: Sending, pieces: tuple[Piece, ...], session: Session | None = None) -> Messages:
    """Return everything that stands now; for a session also what has ended and its base goes on saying."""
    present = {piece.block.slot: piece for piece in pieces if stands(piece)}
    ended = _ended_slots(sending, {*present, *(session.covered.slots if session else ())}, session)
    parts: list[tuple[str, str]] = []
    for slot, _ in sending.layout["slots"]:
        if slot in present:
            parts.append((_role(present[slot]), present[slot].text))
        elif slot in ended and session and session.said:
            parts += _ended(sending, slot, session.said)
    return Messages.of(parts, _roles(sending))


def updates(sending: Sending, pieces: tuple[Piece, ...], covered: Covered, said: Said) -> Messages:
    """Return what has to be said so that the conversation says what holds now, in the layout's order."""
    return Messages.of(_changes(sending, pieces, covered, said), _roles(sending))


def snapshot(sending: Sending, pieces: tuple[Piece, ...], session: Session | None) -> dict[str, Any]:
    """Return what a conversation has been told once the updates are in it."""
    by_base = session.covered.by_base if session else ()
    found = {piece.block.slot: piece for piece in (*pieces, *by_base) if stands(piece)}
    order = [found[slot] for slot, _ in sending.layout["slots"] if slot in found]
    tags = {piece.block.slot: piece.block.facts["tag"] for piece in order if piece.block.facts.get("tag")}
    hashes = {piece.block.slot: _hash(piece) for piece in order}
    said = session and session.said
    known = said.parts if said else {}
    held = frozenset(
        slot
        for slot in (piece.block.slot for piece in by_base)
        if slot not in known or (said and slot in said.held and known[slot] == hashes[slot])
    )
    ended = dict.fromkeys(_ended_slots(sending, {*found}, session), ENDED)
    return snapshot_data(Snapshot(sending.target, {**hashes, **ended}, tags, held))


def _ended_slots(sending: Sending, present: set[str], session: Session | None) -> list[str]:
    """Return the slots of which a conversation was told that they ended, as far as a base may go on saying them."""
    if session is None or session.said is None:
        return []
    said = session.said
    told = (slot for slot in _held_by_base(sending) if slot in said.parts or said.doubtful)
    return sorted(slot for slot in told if slot not in present)


def _held_by_base(sending: Sending) -> frozenset[str]:
    """Return the slots whose text a part may hold that stays."""
    blocks = sending.manifest["blocks"]
    return covered_slots(blocks[block] for _, block in sending.layout["slots"] if not blocks[block].get("transient"))


def stands(piece: Piece) -> bool:
    """Tell whether a part is said once and then stands in the conversation."""
    return piece.block.send == ON_CHANGE and not piece.block.facts.get("transient")


def belongs_to_requests(piece: Piece) -> bool:
    """Tell whether a part goes with every request, even where the conversation has been told the others."""
    return piece.block.send != ON_CHANGE and not piece.block.facts.get("transient")


def _changes(sending: Sending, pieces: tuple[Piece, ...], covered: Covered, said: Said) -> Iterator[tuple[str, str]]:
    slots = [slot for slot, _ in sending.layout["slots"]]
    present = {piece.block.slot: piece for piece in (*pieces, *covered.by_base)}
    doubtful = _held_by_base(sending) if said.doubtful else frozenset()
    announced = covered_slots(piece.block.facts for piece in pieces if piece.block.facts.get("transient"))
    for slot in (*(slot for slot in said.parts if slot not in slots), *slots):
        piece = present.get(slot)
        known = said.parts.get(slot, None if slot in doubtful else ENDED)
        if piece is not None and piece.block.facts.get("transient"):
            yield _role(piece), piece.text
        elif piece is None or not stands(piece):
            if known != ENDED and slot not in announced and not (piece and known in (None, _hash(piece))):
                yield from _ended(sending, slot, said)
        elif slot not in said.parts:
            if slot not in covered.slots:
                yield _role(piece), piece.text
        elif known != _hash(piece) and slot not in covered.by_announcement:
            yield _role(piece), piece.text if known == ENDED else changed_text(piece.block.facts, piece.text)


def _ended(sending: Sending, slot: str, said: Said) -> Iterator[tuple[str, str]]:
    facts = block_of(sending.manifest, sending.layout, slot)
    if facts is None:
        tag = said.tags.get(slot)
        facts = {"role": "developer", **({"tag": tag} if tag else {})}
    text = ended_text(facts, sending.layout)
    if text and not facts.get("transient"):
        yield facts["role"], text


def block_of(manifest: Mapping[str, Any], layout: Mapping[str, Any], slot: str) -> Mapping[str, Any] | None:
    """Return what the bundle says of the block in a slot of a layout, else of any; None where it does not know it."""
    for each in (layout, *manifest["layouts"]):
        for name, block in each["slots"]:
            if name == slot:
                facts: Mapping[str, Any] = manifest["blocks"][block]
                return facts
    return None


def _role(piece: Piece) -> str:
    return str(piece.block.facts["role"])


def _hash(piece: Piece) -> str:
    return part_hash(_role(piece), piece.text)


def _roles(sending: Sending) -> Mapping[str, str]:
    model = sending.target["model"]
    roles: Mapping[str, str] = sending.manifest["models"][model]["roles"] if model else WEAKEST
    return roles
