"""Where every line of a prompt comes from, and why each block is in or out."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from .covering import own_words
from .interpreter import trace_body
from .missing import ABSENT
from .result import wrapped
from .sending import PLACES, PREFIX, Piece, arranged
from .variants import framed

if TYPE_CHECKING:
    from .variants import Library, Variant

Place: TypeAlias = tuple[str, int]
"""A file and a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the prompt: its text, the file and line that it comes from, block, zone and place."""

    text: str
    file: str
    line: int
    block: str
    zone: str
    place: str


@dataclass(frozen=True, slots=True)
class BlockState:
    """One block of the layout: `in` or `out`, the reason, and where the reason stands."""

    block: str
    state: str
    why: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class Document:
    """A document that a block tells: its file, and the bytes `start` to `end` of `size` that it tells."""

    block: str
    file: str
    start: int
    end: int
    size: int


@dataclass(frozen=True, slots=True)
class Explanation:
    """The lines of the prompt in order, every block of the layout in the layout's order, and the documents told."""

    lines: tuple[Line, ...]
    blocks: tuple[BlockState, ...]
    documents: tuple[Document, ...] = ()


def explain(
    library: Library,
    target: Mapping[str, str | None],
    layout: Mapping[str, Any],
    cached: bool,
    blocks: tuple[Variant, ...],
    values: Mapping[str, Any],
) -> Explanation:
    """Render with provenance. The joined texts of the lines are the prompt's text."""
    group = target["audience"] == "group"
    states: list[BlockState] = []
    pieces: list[Piece] = []
    places: dict[str, list[Place]] = {}
    for block in blocks:
        origins = library.origins(block.file, block.leaf)
        state, text, lines = _trace(library, block, origins, values, target)
        states.append(state)
        if text:
            pieces.append(Piece(block, text, block.zones[group]))
            places[block.slot] = lines
    held = _held(pieces)
    states = [
        replace(state, state="out", why=f"`{held[state.block]}` says it already") if state.block in held else state
        for state in states
    ]
    kept = tuple(piece for piece in pieces if piece.block.slot not in held)
    documents = tuple(document for piece in kept for document in _documents(piece.block, values))
    return Explanation(tuple(_lines(layout, kept, cached, places)), tuple(states), documents)


def _documents(block: Variant, values: Mapping[str, Any]) -> Iterator[Document]:
    """Yield the documents among the values of a block: records that say which bytes of which file they are."""
    for _, key in block.inputs:
        for row in values[key] if isinstance(values[key], list) else ():
            if isinstance(row, Mapping) and row.keys() >= {"path", "start", "end", "size"}:
                yield Document(block.slot, row["path"], row["start"], row["end"], row["size"])


def _held(pieces: list[Piece]) -> dict[str, str]:
    """Return the slots whose text another block holds, with the slot of that block."""
    return {
        piece.block.slot: holder.block.slot
        for holder in pieces
        for piece in pieces
        if piece.block.slot in holder.block.facts.get("covers", ())
        and not holder.block.facts.get("transient")
        and own_words(piece.block.facts, piece.text) in holder.text
    }


def _trace(
    library: Library,
    block: Variant,
    origins: Mapping[str, Any],
    values: Mapping[str, Any],
    target: Mapping[str, str | None],
) -> tuple[BlockState, str, list[Place]]:
    when = tuple(origins["when"]) if origins.get("when") else tuple(origins["block"])
    if block.content is None:
        return BlockState(block.slot, "out", _known_reason(library, block, target), *when), "", []
    given = {name: value for name, key in block.inputs if (value := values[key]) is not ABSENT}
    absent = [name for name, key in block.inputs if values[key] is ABSENT]
    lacking = f"; absent: {', '.join(absent)}" if absent else ""
    if block.when is not None and not block.when(given):
        return BlockState(block.slot, "out", f"`when` is false for this context{lacking}", *when), "", []
    pieces = trace_body(block.content["body"], strict=False)(given)
    verbatim = bool(block.facts.get("verbatim"))
    body, lines = _body_lines(pieces, origins["marks"], verbatim=verbatim)
    text = framed(block.facts, body)
    if not text:
        return BlockState(block.slot, "out", f"its body is empty for this context{lacking}", *when), "", []
    frame = tuple(origins["frame"])
    if verbatim:
        pass
    elif block.facts.get("tag"):
        lines = [frame, *lines, frame]
    elif block.facts.get("heading"):
        lines = [frame, *lines]
    if block.when is not None:
        why = "`when` is true for this context"
    else:
        why = "`when` is true for this target" if origins.get("when") else "always"
    return BlockState(block.slot, "in", why, *when), text, lines


def _known_reason(library: Library, block: Variant, target: Mapping[str, str | None]) -> str:
    """Name the answers that led to a leaf without a text."""
    reasons = []
    node = library.data(library.manifest["blocks"][block.name]["file"])["tree"]
    while not isinstance(node, int):
        if "in" in node:
            node = library.data(node["in"])["tree"]
            continue
        question = library.manifest["questions"][node["ask"]]
        number = library.answer(node["ask"], target)
        if question["ask"] != "agent":
            reasons.append(_answered(question["ask"], question["outcomes"][number]))
        node = node["to"][str(number)]
    return "`when` is false for this target" + (f": {', '.join(reasons)}" if reasons else "")


def _answered(question: str, outcome: str) -> str:
    """Word an answer: `(audience.name == "group") is true` is how the compiler asks for the truth of a condition."""
    condition = question.removesuffix(" is true")
    if condition == question:
        return f"`{question}` is {outcome}"
    if condition.startswith("(") and condition.endswith(")"):
        condition = condition[1:-1]
    return f"`{condition}` is {outcome}"


def _body_lines(pieces: list[tuple[str, int]], marks: list[Any], *, verbatim: bool) -> tuple[str, list[Place]]:
    """Return a body, without its outer line breaks unless it is verbatim, and the place of each of its lines."""
    text = "".join(piece for piece, _ in pieces)
    body = text if verbatim else text.strip("\n")
    if not body:
        return "", []
    starts: list[int] = []
    origins: list[tuple[int, list[Any], bool]] = []
    at = 0
    for piece, index in pieces:
        if piece:
            starts.append(at)
            mark = marks[index]
            origins.append((at, mark, bool(mark) and isinstance(mark[0], list)))
            at += len(piece)
    first = 0 if verbatim else len(text) - len(text.lstrip("\n"))
    lines = []
    position = first
    for line in body.split("\n"):
        begin, mark, is_text = origins[bisect_right(starts, min(position, max(at - 1, 0))) - 1]
        if is_text:
            mark = next(entry for entry in reversed(mark) if entry[0] <= position - begin or entry is mark[0])
            lines.append((mark[1], mark[2]))
        else:
            lines.append((mark[0], mark[1]))
        position += len(line) + 1
    return body, lines


def _lines(
    layout: Mapping[str, Any], pieces: tuple[Piece, ...], cached: bool, places: Mapping[str, list[Place]]
) -> Iterator[Line]:
    file, line = layout["source"]
    first = True
    for place in (PREFIX, *(name for _, name in PLACES)):
        chosen = [piece for at, piece in arranged(pieces, cached) if at == place]
        if not chosen:
            continue
        if not first:
            yield Line("", file, line, "-", "-", place)
        first = False
        if place == PREFIX:
            frame: list[str] = []
        else:
            frame = wrapped(layout, place, ["\0"]).split("\0")[0].split("\n")[:-1]
        for text in frame:
            yield Line(text, file, line, "-", "-", place)
        for number, piece in enumerate(chosen):
            if number:
                yield Line("", file, line, "-", "-", place)
            for text, (name, at) in zip(piece.text.split("\n"), places[piece.block.slot], strict=True):
                yield Line(text, name, at, piece.block.slot, piece.zone, place)
        if place != PREFIX:
            yield Line(wrapped(layout, place, ["\0"]).rsplit("\n", 1)[1], file, line, "-", "-", place)
