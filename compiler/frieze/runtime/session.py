"""What a conversation that goes on has to be told: the parts whose text is another one now, and those that ended.

A part of a block with `send: on-change` is said once and then stands in the conversation, which the service keeps. The
others go with every request. Nothing here looks at the clock, and nothing is kept between two renders: what was said
is in the snapshot that the service passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from .marking import changed_text, ended_text, markers_of
from .messages import GAP
from .notes import Note, record
from .placing import WEAKEST, later_role
from .snapshots import part_hash, read_snapshot, snapshot_data

if TYPE_CHECKING:
    from .covering import Covered
    from .sending import Piece, Sending

ON_CHANGE = "on-change"


class Message(NamedTuple):
    """Adjacent parts of one role: `system`, `developer` or `user`; one content part for each."""

    role: str
    parts: tuple[str, ...]


class Messages(tuple[Message, ...]):  # noqa: SLOT001 - a tuple has no room for slots
    """Messages to append to a conversation, and what they are for each vendor's client.

    A model's record says in which role it takes what comes later (`roles.later`, else `roles.notices`): a part never
    travels in a stronger role than its block has.
    """

    roles: Mapping[str, str]

    @classmethod
    def of(cls, parts: Iterable[tuple[str, str]], roles: Mapping[str, str]) -> Messages:
        """Return messages of (role, text) pairs, for a model that takes these roles."""
        found = cls(Message(*run) for run in _runs(parts))
        found.roles = roles
        return found

    def openai_responses(self) -> list[dict[str, Any]]:
        """Return items of `input`, in the roles that the model takes later."""
        return self._items("input_text", lambda role: later_role(self.roles, role))

    def openai_chat(self) -> list[dict[str, Any]]:
        """Return messages for the Chat Completions API, in the roles that the model takes later."""
        return self._items("text", lambda role: later_role(self.roles, role))

    def anthropic(self) -> list[dict[str, Any]]:
        """Return messages for the Messages API, all of them a user's.

        That API has no developer's role, and takes a system message only behind a user's, not before it.
        """
        return self._items("text", lambda _: "user")

    def plain(self) -> list[dict[str, Any]]:
        """Return messages with a role and a text: `system` where the model takes that later, else `user`."""
        runs = _runs((_plain_role(self.roles, role), text) for role, parts in self for text in parts)
        return [{"role": role, "content": GAP.join(parts)} for role, parts in runs]

    def _items(self, kind: str, role_for: Any) -> list[dict[str, Any]]:
        runs = _runs((role_for(role), text) for role, parts in self for text in parts)
        return [
            {
                "role": role,
                "content": [{"type": kind, "text": f"{GAP if at else ''}{text}"} for at, text in enumerate(parts)],
            }
            for role, parts in runs
        ]


class Said(NamedTuple):
    """What a conversation has been told before.

    Attributes:
        parts: slot -> hash of its part that stands, None where one possibly does.
        tags: slot -> tag, as the snapshot has them.
        switched: another model was told it.
    """

    parts: Mapping[str, str | None]
    tags: Mapping[str, str]
    switched: bool


class Session(NamedTuple):
    """What a result knows of its conversation: what was said, None outside of one, and what the base holds already."""

    said: Said | None
    covered: Covered


def said_before(previous: Any, history: Any, sending: Sending, notes: list[Note]) -> Said | None:
    """Return what a conversation has been told, by its snapshot and by what it holds; None where neither is given.

    A part of the snapshot that is gone from the history was not said. Without a snapshot, a part in the history is one
    that possibly stands.

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
        return Said(dict.fromkeys(sorted(found or ())), {}, False)
    parts = {slot: each for slot, each in snapshot.parts.items() if found is None or _kept(slot, found, sending)}
    model = snapshot.target.get("model")
    return Said(parts, snapshot.tags, model is not None and model != sending.target["model"])


def _kept(slot: str, found: frozenset[str], sending: Sending) -> bool:
    """Tell whether a history still holds a part, as far as it can be known again."""
    facts = block_of(sending.manifest, sending.layout, slot)
    return slot in found or facts is None or markers_of(facts) is None


def full_set(sending: Sending, pieces: tuple[Piece, ...]) -> Messages:
    """Return everything that stands now."""
    return Messages.of(((_role(piece), piece.text) for piece in pieces if stands(piece)), _roles(sending))


def updates(sending: Sending, pieces: tuple[Piece, ...], covered: Covered, said: Said) -> Messages:
    """Return what has to be said so that the conversation says what holds now, in the layout's order."""
    return Messages.of(_changes(sending, pieces, covered, said), _roles(sending))


def snapshot(sending: Sending, pieces: tuple[Piece, ...], covered: Covered) -> dict[str, Any]:
    """Return what a conversation has been told once the updates are in it."""
    found = {piece.block.slot: piece for piece in (*pieces, *covered.by_base) if stands(piece)}
    order = [found[slot] for slot, _ in sending.layout["slots"] if slot in found]
    tags = {piece.block.slot: piece.block.facts["tag"] for piece in order if piece.block.facts.get("tag")}
    return snapshot_data(sending.target, [(piece.block.slot, _role(piece), piece.text) for piece in order], tags)


def stands(piece: Piece) -> bool:
    """Tell whether a part is said once and then stands in the conversation."""
    return piece.block.send == ON_CHANGE and not piece.block.facts.get("transient")


def belongs_to_requests(piece: Piece) -> bool:
    """Tell whether a part goes with every request, even where the conversation has been told the others."""
    return piece.block.send != ON_CHANGE and not piece.block.facts.get("transient")


def _changes(sending: Sending, pieces: tuple[Piece, ...], covered: Covered, said: Said) -> Iterator[tuple[str, str]]:
    slots = [slot for slot, _ in sending.layout["slots"]]
    present = {piece.block.slot: piece for piece in (*pieces, *covered.by_base)}
    for slot in (*(slot for slot in said.parts if slot not in slots), *slots):
        piece = present.get(slot)
        if piece is None or not (stands(piece) or piece.block.facts.get("transient")):
            if slot in said.parts and not _goes_on(piece, said.parts[slot]):
                yield from _ended(sending, slot, said)
        elif piece.block.facts.get("transient"):
            yield _role(piece), piece.text
        elif slot not in said.parts:
            if slot not in covered.slots:
                yield _role(piece), piece.text
        elif said.parts[slot] != part_hash(_role(piece), piece.text) and slot not in covered.by_announcement:
            yield _role(piece), changed_text(piece.block.facts, piece.text)


def _goes_on(piece: Piece | None, known: str | None) -> bool:
    """Tell of a part that stood once whether it goes with every request now, in the same words as far as is known."""
    return piece is not None and known in (None, part_hash(_role(piece), piece.text))


def _ended(sending: Sending, slot: str, said: Said) -> Iterator[tuple[str, str]]:
    facts = block_of(sending.manifest, sending.layout, slot)
    if facts is None:
        tag = said.tags.get(slot)
        facts = {"role": "developer", **({"tag": tag} if tag else {})}
    text = ended_text(facts, sending.layout)
    if text:
        yield facts["role"], text


def block_of(manifest: Mapping[str, Any], layout: Mapping[str, Any], slot: str) -> Mapping[str, Any] | None:
    """Return what the bundle says of the block in a slot of a layout, else of any; None where it does not know it."""
    for each in (layout, *manifest["layouts"]):
        for name, block in each["slots"]:
            if name == slot:
                facts: Mapping[str, Any] = manifest["blocks"][block]
                return facts
    return None


def _runs(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for role, run in groupby(parts, lambda pair: pair[0]):
        yield role, tuple(text for _, text in run)


def _role(piece: Piece) -> str:
    return str(piece.block.facts["role"])


def _roles(sending: Sending) -> Mapping[str, str]:
    model = sending.target["model"]
    roles: Mapping[str, str] = sending.manifest["models"][model]["roles"] if model else WEAKEST
    return roles


def _plain_role(roles: Mapping[str, str], role: str) -> str:
    return "user" if later_role(roles, role) == "user" else "system"
