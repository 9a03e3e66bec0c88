"""What a line of output can look like, and where a request's text could pass for structure.

A body is reduced to a *skeleton*: fixed text, slots, choices and repetitions. Walking it with every state
that the current line can be in (`_Line`) finds the slots whose value, together with the text beside it,
could begin a line, close or open a tag, complete a heading or a role label. Conditions are not followed:
every alternative counts, so the answer errs on the careful side. What a value itself may hold is settled before (one
line, `<` and `>` as entities); this module is about its neighbours only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, TypeAlias

from frieze.diagnostics import Span

ROLES = ("system", "developer", "user", "assistant", "human", "ai", "model", "tool", "function", "bot")
_OPENERS = ("", "[", "*", "**", "_", "__", "#", "##", "###", "####", "[[")
_TOKENS = ("[inst]", "[/inst]", "### instruction:", "### response:", "### input:")
_LABELS = frozenset({opener + role + ":" for opener in _OPENERS for role in ROLES} | set(_TOKENS))
_BEGINNINGS = frozenset(label[:end] for label in _LABELS for end in range(1, len(label)))
MOST_PIECES = 200

_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_REPEATED = re.compile(r"(\s|#{6})(?:\s|#)+$")
"""What a loop could add to the start of a line for ever without making it anything else."""

_TAG_LETTERS = "/!?|"
_KINDS = ("start", "role", "tag", "heading")
"""What a slot can pass for; of several the first is said."""
_KEPT = frozenset({"open", "near"})
"""States of a tag that the next line goes on with."""


@dataclass(frozen=True, slots=True)
class Text:
    """Fixed text, as it is printed."""

    value: str


@dataclass(frozen=True, slots=True)
class Slot:
    """A printed value.

    `hostile`: a request wrote it and may choose any text. `free`: any text may stand there, whoever wrote it.
    `empty`: it may print nothing. `lines`: it may hold line breaks.
    """

    hostile: bool = False
    free: bool = False
    empty: bool = False
    lines: bool = False
    span: Span | None = None
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several skeletons."""

    arms: tuple[Skeleton, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A skeleton any number of times, also not at all."""

    body: Skeleton


@dataclass(frozen=True, slots=True)
class Stop:
    """Nothing after this is printed: the branch fails."""


Piece: TypeAlias = Text | Slot | Choice | Repeat | Stop
Skeleton: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """A slot that could pass for structure.

    `kind` is `start`, `tag`, `heading` or `role`; `text` is what it completes.
    """

    kind: str
    slot: Slot
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Line:
    """Where the current line can stand.

    `start` is its text so far, without leading blanks, while that could still become a label; None
    afterwards. `matches` holds (heading, how much of it is matched, the hostile slot within or None).
    `tag` is "" outside `<`, `open` right behind it or behind a tag's first letters, `near` behind a `<` and blanks,
    `loose` behind other text after those; `within` the hostile slots met since that `<`.
    """

    start: str | None = ""
    matches: frozenset[tuple[str, int, Slot | None]] = frozenset()
    tag: str = ""
    after_bracket: bool = False
    within: frozenset[Slot] = frozenset()


def bounded(skeleton: Skeleton) -> Skeleton:
    """Return the skeleton itself, or one slot that may print all it does where it has more than `MOST_PIECES` pieces.

    A local that is joined to itself again and again would double its skeleton each time.
    """
    if _size(skeleton) <= MOST_PIECES:
        return skeleton
    found = list(slots(skeleton))
    lines = any(slot.lines for slot in found) or any("\n" in text for text in texts(skeleton))
    return (Slot(hostile=any(slot.hostile for slot in found), free=True, empty=True, lines=lines),)


def _size(skeleton: Skeleton) -> int:
    size = len(skeleton)
    for piece in skeleton:
        if isinstance(piece, Choice):
            size += sum(map(_size, piece.arms))
        elif isinstance(piece, Repeat):
            size += _size(piece.body)
    return size


def slots(skeleton: Skeleton) -> Iterator[Slot]:
    """Walk every slot of a skeleton."""
    for piece in skeleton:
        if isinstance(piece, Slot):
            yield piece
        elif isinstance(piece, Choice):
            for arm in piece.arms:
                yield from slots(arm)
        elif isinstance(piece, Repeat):
            yield from slots(piece.body)


def texts(skeleton: Skeleton) -> Iterator[str]:
    """Walk every fixed text of a skeleton."""
    for piece in skeleton:
        if isinstance(piece, Text):
            yield piece.value
        elif isinstance(piece, Choice):
            for arm in piece.arms:
                yield from texts(arm)
        elif isinstance(piece, Repeat):
            yield from texts(piece.body)


def placed(skeleton: Skeleton, span: Span, subject: str) -> Skeleton:
    """Give the slots of an expression the place where it is printed; slots that have one keep it."""
    return tuple(_placed(piece, span, subject) for piece in skeleton)


def _placed(piece: Piece, span: Span, subject: str) -> Piece:
    if isinstance(piece, Slot):
        return piece if piece.span else replace(piece, span=span, subject=piece.subject or subject)
    if isinstance(piece, Choice):
        return Choice(tuple(placed(arm, span, subject) for arm in piece.arms))
    if isinstance(piece, Repeat):
        return Repeat(placed(piece.body, span, subject))
    return piece


def find_faults(skeleton: Skeleton, headings: Iterable[str]) -> list[Finding]:
    """Return the slots that could pass for structure, one finding a slot, in order of discovery."""
    known = _headings(frozenset(headings))
    walk = _Walk(known)
    walk.end_lines(walk.run(known.start, skeleton))
    return list(walk.found.values())


def passes(skeleton: Iterable[Piece | str], headings: frozenset[str], known: dict[Any, tuple[Any, Any]]) -> bool:
    """Tell whether no slot could pass for structure; fixed texts may be given as they are.

    `known` remembers where the line can stand behind each piece, for these headings.
    """
    found = _headings(headings)
    walk = _Walk(found)
    states = found.start
    for piece in skeleton:
        key = (states, piece if isinstance(piece, str) else id(piece))
        earlier = known.get(key)
        if earlier is None:
            after = walk.run(states, (Text(piece) if isinstance(piece, str) else piece,))
            if walk.found:
                return False
            # The piece is kept as well: its identity stays taken.
            earlier = known[key] = (piece, after)
        states = earlier[1]
    walk.end_lines(states)
    return not walk.found


@dataclass(frozen=True, slots=True)
class _Headings:
    """`written` maps headings as they are compared to how they are written.

    `fresh` is the line that nothing stands on yet, `start` where a text begins, `begun` the headings by their first
    character.
    """

    written: Mapping[str, str]
    fresh: _Line
    start: frozenset[_Line]
    begun: Mapping[str, list[tuple[str, int, Slot | None]]]


@lru_cache(maxsize=16)
def _headings(headings: frozenset[str]) -> _Headings:
    written = {folded: heading for heading in sorted(headings) if (folded := heading.strip().casefold())}
    fresh = _Line(matches=frozenset((heading, 0, None) for heading in written))
    begun: dict[str, list[tuple[str, int, Slot | None]]] = {}
    for match in fresh.matches:
        begun.setdefault(match[0][0], []).append(match)
    return _Headings(written, fresh, frozenset({fresh}), begun)


class _Walk:
    def __init__(self, headings: _Headings) -> None:
        self.headings = headings.written
        self.fresh = headings.fresh
        self.begun = headings.begun
        self.found: dict[Slot, Finding] = {}

    def report(self, kind: str, slot: Slot, text: str = "") -> None:
        # Several states of a line may find something; what is said must not depend on their order.
        finding = Finding(kind, slot, text)
        known = self.found.get(slot)
        if known is None or _rank(finding) < _rank(known):
            self.found[slot] = finding

    def run(self, states: frozenset[_Line], skeleton: Skeleton) -> frozenset[_Line]:
        for piece in skeleton:
            if isinstance(piece, Text):
                states = frozenset(self.text(state, piece.value) for state in states)
            elif isinstance(piece, Slot):
                states = frozenset(after for state in states for after in self.slot(state, piece))
            elif isinstance(piece, Choice):
                states = frozenset().union(*(self.run(states, arm) for arm in piece.arms))
            elif isinstance(piece, Repeat):
                states = self.repeat(states, piece.body)
            else:
                states = frozenset()
            states = _merged(states)
        return states

    def repeat(self, states: frozenset[_Line], body: Skeleton) -> frozenset[_Line]:
        while (after := _merged(states | self.run(states, body))) != states:
            states = after
        return states

    def text(self, state: _Line, value: str) -> _Line:
        first = _BREAK.search(value)
        if first is None:
            return self.words(state, value)
        state = self.words(state, value[: first.start()])
        rest = value[first.end() :]
        if state.tag not in _KEPT and "<" not in rest:
            # Whole lines of fixed text complete nothing and leave nothing open: only the last one counts.
            self.end_line(state)
            return self.words(self.fresh, _BREAK.split(rest[rest.rfind("\n") + 1 :])[-1])
        for line in _BREAK.split(rest):
            self.end_line(state)
            keep = state.tag in _KEPT
            state = replace(
                self.fresh, tag=state.tag if keep else "", within=state.within if keep else frozenset[Slot]()
            )
            state = self.words(state, line)
        return state

    def words(self, state: _Line, value: str) -> _Line:
        """Go over fixed text without a line break."""
        if not value:
            return state
        folded = value.casefold()
        start = state.start
        if start is not None:
            start = (start + value).lstrip()
            if start[-1:] == "#" or start[-1:].isspace():
                start = _REPEATED.sub(r"\1", start)
            start = start if not start or _could_become_label(start.casefold()) else None
        line = _Line(start, self.further(state, folded), state.tag, state.after_bracket, state.within)
        return self.brackets(line, value) if state.tag or "<" in value else line

    def further(self, state: _Line, folded: str) -> frozenset[tuple[str, int, Slot | None]]:
        """Return how much of each heading is matched behind some more text."""
        matches: Iterable[tuple[str, int, Slot | None]] = state.matches
        if matches is self.fresh.matches:
            words = folded.lstrip()
            if not words:
                return self.fresh.matches
            matches = self.begun.get(words[0], ())
        return frozenset(
            (heading, end, slot) for heading, at, slot in matches if (end := _advance(heading, at, folded)) is not None
        )

    def brackets(self, state: _Line, value: str) -> _Line:
        tag, within, after = state.tag, state.within, state.after_bracket
        for character in value:
            if character == ">" and tag:
                for slot in within:
                    self.report("tag", slot)
                tag, within, after = "", frozenset(), False
            elif character == "<":
                tag, within, after = "loose", frozenset(), True
            elif tag:
                if after and (character.isalpha() or character in _TAG_LETTERS):
                    tag = "open"
                elif tag != "open":
                    tag = "near" if character.isspace() and (after or tag == "near") else "loose"
                after = after and character in _TAG_LETTERS
        return replace(state, tag=tag, within=within, after_bracket=after)

    def slot(self, state: _Line, slot: Slot) -> Iterator[_Line]:
        own = slot if slot.hostile else None
        if slot.empty:
            yield replace(
                state, matches=frozenset((heading, at, own or earlier) for heading, at, earlier in state.matches)
            )
        within = state.within
        if slot.hostile:
            if state.after_bracket or state.tag == "near":
                self.report("tag", slot)
            elif state.start == "":
                self.report("start", slot)
            elif state.start is not None:
                self.report("role", slot, state.start)
            if state.tag:
                within |= {slot}
        matches: frozenset[tuple[str, int, Slot | None]] = frozenset()
        if slot.free:
            matches = frozenset(
                (heading, end, own or earlier)
                for heading, at, earlier in state.matches
                for end in range(at + 1, len(heading) + 1)
            )
        tag = "loose" if state.tag == "near" else state.tag
        yield replace(state, start=None, matches=matches, tag=tag, within=within, after_bracket=False)

    def end_line(self, state: _Line) -> None:
        for heading, at, slot in state.matches:
            if slot is not None and at == len(heading):
                self.report("heading", slot, self.headings[heading])

    def end_lines(self, states: Iterable[_Line]) -> None:
        for state in states:
            self.end_line(state)


def _rank(finding: Finding) -> tuple[int, str]:
    return _KINDS.index(finding.kind), finding.text


def _merged(states: frozenset[_Line]) -> frozenset[_Line]:
    """Join states that differ only in what was met, so that their number stays small; nothing is lost by it."""
    if len(states) < 2:
        return states
    groups: dict[tuple[str | None, str, bool], _Line] = {}
    for state in states:
        key = (state.start, state.tag, state.after_bracket)
        other = groups.get(key, state)
        matches = _one_slot_each(state.matches | other.matches)
        groups[key] = replace(state, matches=matches, within=state.within | other.within)
    return frozenset(groups.values())


def _one_slot_each(matches: Iterable[tuple[str, int, Slot | None]]) -> frozenset[tuple[str, int, Slot | None]]:
    """Keep one slot for each stretch of a heading: one finding is enough."""
    kept: dict[tuple[str, int], Slot | None] = {}
    for heading, at, slot in sorted(
        matches, key=lambda match: (match[2].span or (), match[2].subject) if match[2] else ()
    ):
        kept[heading, at] = kept.get((heading, at)) or slot
    return frozenset((heading, at, slot) for (heading, at), slot in kept.items())


def _could_become_label(start: str) -> bool:
    """Tell whether a value right behind `start` could make a role label or a control token of it."""
    bare = start.rstrip()
    return start in _BEGINNINGS or bare + ":" in _LABELS or (set(bare) == {"#"})


def _advance(heading: str, at: int, folded: str) -> int | None:
    """Match text against the rest of a heading; blanks around the heading do not count. None: no match."""
    for character in folded:
        if at < len(heading) and heading[at] == character:
            at += 1
        elif not (character.isspace() and at in {0, len(heading)}):
            return None
    return at
