"""From an offset in a decoded scalar to the place in the file, for every style of YAML scalar.

A map is a list of stretches. It is made by decoding the scalar a second time and is used only if that
gives the parser's value to the letter; so it may be missing, and is never wrong.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from frieze.sources.characters import code_point


class Stretch(NamedTuple):
    """`value` stands at `start`..`end` in the file; same length: character by character, else as a whole."""

    value: str
    start: int
    end: int


class ScalarMap:
    """The stretches of one scalar, ready for lookups."""

    __slots__ = ("offsets", "stretches")

    def __init__(self, stretches: list[Stretch]) -> None:
        self.stretches = stretches
        self.offsets: list[int] = []
        offset = 0
        for stretch in stretches:
            self.offsets.append(offset)
            offset += len(stretch.value)

    def file_range(self, start: int, end: int) -> tuple[int, int]:
        """Return the offsets in the file of the value's characters `start`..`end` (exclusive)."""
        if not self.stretches:
            return 0, 0
        first = self._begin(start)
        return first, max(first, self._finish(end - 1) if end > start else first)

    def _begin(self, offset: int) -> int:
        stretch, inside = self._find(offset)
        if inside >= len(stretch.value):
            return stretch.end
        return stretch.start + inside if _is_run(stretch) else stretch.start

    def _finish(self, offset: int) -> int:
        stretch, inside = self._find(offset)
        return min(stretch.start + inside + 1, stretch.end) if _is_run(stretch) else stretch.end

    def _find(self, offset: int) -> tuple[Stretch, int]:
        at = max(0, bisect_right(self.offsets, offset) - 1)
        return self.stretches[at], offset - self.offsets[at]


def _is_run(stretch: Stretch) -> bool:
    return len(stretch.value) == stretch.end - stretch.start


def map_scalar(text: str, start: int, end: int, style: str, value: str) -> ScalarMap | None:
    """Return the map for the scalar at `text[start:end]`, or `None` if it could not be retraced.

    `style` is "" plain, `'`, `"`, `|` or `>`.
    """
    if style in {"|", ">"}:
        candidates = _block(text, start, end, style)
    else:
        candidates = iter((list(_flow(text, start, end, style)),))
    for stretches in candidates:
        trimmed = _trim(stretches, value)
        if trimmed is not None:
            return ScalarMap(trimmed)
    return None


def _trim(stretches: list[Stretch], value: str) -> list[Stretch] | None:
    """Cut the stretches to the value's length (chomping drops the last breaks); `None` where they differ."""
    kept: list[Stretch] = []
    offset = 0
    for stretch in stretches:
        if offset == len(value):
            break
        if not value.startswith(stretch.value, offset):
            return None
        kept.append(stretch)
        offset += len(stretch.value)
    return kept if offset == len(value) else None


def even_lines(text: str, start: int, end: int, style: str, value: str) -> tuple[int, int] | None:
    """Return the line (from 0) and the column (from 0) of a value all of whose lines stand at it, one below the other.

    None where they do not, or where it takes more than a look to tell.
    """
    if style not in {"|", ">"}:
        first = start + 1 if style else start
        if not value or "\n" in value or text[first : end - (first - start)] != value:
            return None
        return text.count("\n", 0, first), first - text.rfind("\n", 0, first) - 1
    header = _HEADER.match(text, start) if style == "|" else None
    content = _CONTENT.search(text, header.end()) if header else None
    own = _CONTENT.search(value)
    if header is None or content is None or own is None:
        return None
    first, width = header.end(), len(content.group(1)) - len(own.group(1))
    margin = "\n" + " " * width
    body = value.rstrip("\n")
    written = "\n" + text[first : first + len(body) + (body.count("\n") + 1) * width]
    return (text.count("\n", 0, first), width) if written.replace(margin, "\n").startswith(body, 1) else None


_HEADER = re.compile(r"[|>](?:[-+]?([1-9])?|([1-9])[-+])[ \t]*(?:#[^\n]*)?(?:\n|$)")
_CONTENT = re.compile(r"( *)[^ \n]")
_FOLD = r"[ \t]*\n[ \t\n]*"
_TOKENS = {
    "": re.compile(rf"(?P<fold>{_FOLD})|(?P<run>[^ \t\n]+|[ \t]+)"),
    "'": re.compile(rf"(?P<fold>{_FOLD})|(?P<escape>'')|(?P<run>[^' \t\n]+|[ \t]+)"),
    '"': re.compile(
        rf"(?P<fold>{_FOLD})|(?P<escape>\\x..|\\u....|\\U........|\\\n[ \t\n]*|\\.)|(?P<run>[^\\ \t\n]+|[ \t]+)"
    ),
}
_ESCAPES = {
    "0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v", "f": "\f", "r": "\r", "e": "\x1b",
    "N": "\x85", "_": "\xa0", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


def _flow(text: str, start: int, end: int, style: str) -> Iterator[Stretch]:
    if style:
        start, end = start + 1, end - 1
    for token in _TOKENS[style].finditer(text, start, end):
        written = token.group()
        if token.lastgroup == "run":
            value = written
        elif token.lastgroup == "fold":
            breaks = written.count("\n")
            value = "\n" * (breaks - 1) or " "
        else:
            value = "'" if style == "'" else _unescape(written)
        yield Stretch(value, token.start(), token.end())


def _unescape(written: str) -> str:
    if written[1] == "\n":
        return "\n" * (written.count("\n") - 1)
    if written[1] in "xuU":
        try:
            return chr(code_point(written))
        except (ValueError, OverflowError):
            return ""
    return _ESCAPES.get(written[1], written[1])


def _block(text: str, start: int, end: int, style: str) -> Iterator[list[Stretch]]:
    header = _HEADER.match(text, start)
    if header is None:
        return
    digit = header.group(1) or header.group(2)
    first = header.end()
    stop = end
    # The span of a block scalar ends with its last visible character; kept breaks stand behind it.
    while stop < len(text) and text[stop] in " \n":
        stop += 1
    content = _CONTENT.search(text, first, stop)
    spaces = len(content.group(1)) if content else max(map(len, text[first:stop].split("\n")))
    # A digit counts from the indentation of the parent, which is not known here.
    for width in range(int(digit) if digit else spaces, spaces + 1):
        yield list(_lines(text, first, stop, width, folded=style == ">"))


def _lines(text: str, first: int, stop: int, width: int, *, folded: bool) -> Iterator[Stretch]:
    """Decode the lines as the YAML specification says (1.2.2, section 8.1), one stretch a line and a break."""
    position = first
    break_at = -1
    blanks: list[int] = []
    was_indented = False
    while position < stop:
        line_end = text.find("\n", position, stop)
        line_end = stop if line_end < 0 else line_end
        begin = min(position + width, line_end)
        if begin == line_end and not text[position:line_end].strip(" "):
            blanks.append(line_end)
        elif text[position:begin].strip(" "):
            break
        else:
            indented = text[begin] in " \t"
            if break_at >= 0:
                if not folded or indented or was_indented:
                    yield Stretch("\n", break_at, break_at + 1)
                elif not blanks:
                    yield Stretch(" ", break_at, begin)
            yield from (Stretch("\n", at, at + 1) for at in blanks)
            blanks = []
            yield Stretch(text[begin:line_end], begin, line_end)
            break_at = line_end
            was_indented = indented
        position = line_end + 1
    if break_at >= 0:
        yield Stretch("\n", break_at, min(break_at + 1, len(text)))
    yield from (Stretch("\n", at, min(at + 1, len(text))) for at in blanks)
