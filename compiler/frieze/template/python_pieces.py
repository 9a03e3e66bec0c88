"""Runs of texts and outputs as Python source: literals and expressions in one list or tuple."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from frieze.template.literals import text_literals

INDENT = "    "
SHORT = 90
"""Pieces of up to so many characters stand on one line."""


@dataclass(frozen=True, slots=True)
class Text:
    """A piece that is known."""

    text: str


def appended(pieces: list[str | Text], out: str) -> Iterator[str]:
    """Yield the lines that append pieces to a list."""
    if len(pieces) == 1:
        ((head, *more),) = _written(pieces)
        if more:
            yield f"{out}.append("
            yield from (f"{INDENT}{line}" for line in (head, *more))
            yield ")"
        else:
            yield f"{out}.append({head})"
    elif pieces:
        yield from listed(f"{out} += ", pieces, "()")


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
