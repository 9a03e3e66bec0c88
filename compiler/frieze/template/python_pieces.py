"""Runs of texts and outputs as Python source: literals and expressions in one list or tuple."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frieze.template.literals import text_literals

INDENT = "    "
SHORT = 90
"""Pieces of up to so many characters stand on one line."""

FEW = 4
"""Pieces up to which each is appended by itself."""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece that is known."""

    text: str


def appended(pieces: list[str | Text], out: str) -> Iterator[str]:
    """Yield the lines that append pieces to a list; a few are quicker one by one than as a tuple."""
    if len(pieces) > FEW:
        yield from listed(f"{out} += ", pieces, "()")
        return
    for head, *more in _written(pieces):
        if more:
            yield f"{out}.append("
            yield from (f"{INDENT}{line}" for line in (head, *more))
            yield ")"
        else:
            yield f"{out}.append({head})"


def listed(before: str, pieces: list[str | Text], brackets: str = "[]") -> Iterator[str]:
    """Yield the lines of a display of pieces."""
    written = _written(pieces)
    if all(len(lines) == 1 for lines in written) and sum(len(line) for (line,) in written) < SHORT:
        yield f"{before}{brackets[0]}{', '.join(line for (line,) in written)}{brackets[1]}"
        return
    yield f"{before}{brackets[0]}"
    for lines in written:
        yield from (f"{INDENT}{line}" for line in lines[:-1])
        yield f"{INDENT}{lines[-1]},"
    yield brackets[1]


def _written(pieces: list[str | Text]) -> list[list[str]]:
    return [text_literals(piece.text) if isinstance(piece, Text) else [piece] for piece in pieces]
