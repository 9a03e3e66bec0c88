"""Where the pieces of a template stand: token offsets carried through Jinja2's lexer and parser, and spans from them.

Jinja2 gives lines only. Its parser copies a token's `lineno` into the nodes it makes, so an `int` that also knows
its offsets, put in the place of `lineno`, arrives in every node.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any, TypeAlias

from frieze.diagnostics import Span

Locate: TypeAlias = Callable[[int, int], Span]
Run: TypeAlias = tuple[int, str, int, int]
Lexed: TypeAlias = tuple[int, str, str]

_ESCAPE = re.compile(
    r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|N\{[A-Za-z0-9 -]+\}|[0-7]{1,3}|[\x00-\x7f])"
)
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*(?![\w(]))*")
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_OPENING = frozenset({"variable_begin", "block_begin"})
_CLOSING = frozenset({"variable_end", "block_end"})


class Position(int):
    """A line number that knows the offsets of its token in the source with normalised line breaks."""

    start: int
    end: int

    @classmethod
    def of(cls, line: int, start: int, end: int) -> Position:
        """Make one; `end` is exclusive."""
        position = cls(line)
        position.start = start
        position.end = end
        return position


class Places:
    """The map from offsets in one template to spans in the file that holds it.

    `tags` are the insides of `{{ }}` and `{% %}`: (start of the opening, first offset inside, last offset inside).
    """

    __slots__ = ("_breaks", "_file", "_lines", "_locate", "_runs", "last", "source", "starts", "tags")

    def __init__(self, source: str, file: str, locate: Locate | None) -> None:
        self._file = file
        self._locate = locate
        self._runs: dict[int, list[Run]] = {}
        self._breaks = [found.start() - index for index, found in enumerate(re.finditer(r"\r\n", source))]
        self.source = _LINE_BREAK.sub("\n", source)
        self._lines: list[int] | None = None
        self.starts: list[int] = []
        self.tags: list[tuple[int, int]] = []
        self.last = 0

    def span(self, start: int, end: int) -> Span:
        """Return the span of `source[start:end]`."""
        if self._breaks:
            # A CRLF before an offset is one code point longer in the file than in the normalised text.
            start += bisect_right(self._breaks, start - 1)
            end += bisect_right(self._breaks, end - 1)
        if self._locate is not None:
            return self._locate(start, end)
        if self._lines is None:
            ends = [0, *(found.end() for found in re.finditer("\n", self.source))]
            self._lines = [end + bisect_right(self._breaks, end - 1) for end in ends]
        line, last = bisect_right(self._lines, start) - 1, bisect_right(self._lines, end) - 1
        return Span(self._file, line + 1, start - self._lines[line] + 1, last + 1, end - self._lines[last] + 1)

    def token(self, line: int) -> Span:
        """Return the span of the token that a node's `lineno` came from."""
        if isinstance(line, Position):
            return self.span(line.start, line.end)
        return self.span(self.last, min(self.last + 1, len(self.source)))

    def tag(self, line: int) -> Span:
        """Return the span of what stands inside the tag around the token that a node's `lineno` came from."""
        if isinstance(line, Position):
            index = bisect_right(self.starts, line.start) - 1
            if index >= 0:
                return self.span(*self.tags[index])
        return self.token(line)

    def word(self, line: int, word: str) -> Span:
        """Return the span of the first `word` at or behind the token that a node's `lineno` came from."""
        start = self.source.find(word, line.start) if isinstance(line, Position) else -1
        return self.token(line) if start < 0 else self.span(start, start + len(word))

    def path(self, line: int) -> str:
        """Return the names joined by dots that stand at the token that a node's `lineno` came from."""
        found = _PATH.match(self.source, line.start) if isinstance(line, Position) else None
        return found[0] if found else ""

    def escapes(self, line: int) -> Iterator[tuple[int, int, str]]:
        """Yield (start, end, character) for each escape in the string literals that begin at a node's `lineno`."""
        if isinstance(line, Position):
            index = bisect_right(self.starts, line.start) - 1
            end = max(line.end, self.tags[index][1] if index >= 0 else 0)
            for found in _ESCAPE.finditer(self.source, line.start, end):
                with suppress(ValueError):
                    yield found.start(), found.end(), found[0].encode("ascii").decode("unicode-escape")

    def runs(self, line: int, text: str) -> list[Run]:
        """Return (offset, file, line, column) for each stretch of a template text that comes from one source line."""
        start = line.start if isinstance(line, Position) else 0
        found = self._runs.get(start)
        if found is None:
            found = self._runs[start] = runs_of(self.source, start, text, self.span)
        return found

    def watch(self, tokens: Iterator[Lexed]) -> Iterator[Lexed]:
        """Pass on the lexer's tokens with a `Position` as line, and note where the tags are."""
        source = self.source
        opened = first = inside = 0
        for line, kind, value in tokens:
            # Whatever the lexer left out before a token is blank, so the first occurrence is the token itself.
            start = source.find(value, self.last)
            end = start + len(value)
            self.last = end
            if kind in _OPENING:
                opened, first, inside = start, -1, end
            elif kind in _CLOSING:
                self.starts.append(opened)
                self.tags.append((first if first >= 0 else inside, inside))
            elif kind != "whitespace":
                first = start if first < 0 else first
                inside = end
            yield Position.of(line, start, end), kind, value


def runs_of(source: str, start: int, text: str, locate: Locate) -> list[Run]:
    """Return (offset, file, line, column) for each line of a text that stands at `start` in a template.

    An empty line has column 1, however far the blanks go that a file has there.
    """
    runs: list[Run] = []
    offset = 0
    while offset < len(text):
        after = text.find("\n", offset) + 1 or len(text)
        runs.append(run_at(source, start + offset, start + after, offset, locate))
        offset = after
    return runs


def run_at(source: str, start: int, end: int, offset: int, locate: Locate) -> Run:
    """Return where `source[start:end]` stands, which is part of one line."""
    place = locate(start, end)
    is_empty = source.startswith("\n", start) and (start == 0 or source[start - 1] == "\n")
    return offset, place.file, place.line, 1 if is_empty else place.column


def mark(span: Span) -> list[Any]:
    """Encode a span as a mark."""
    return list(span)
