"""Templates cut into texts, tags and whole statements, as Jinja2's lexer would find them.

Only what can be told without reading expressions is cut: `{{ }}`, `if` and `for` with their ends, and comments. All
else (another tag, `raw`, a brace inside of an expression, a statement that is not ended) leaves the template whole.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_OPENING = re.compile(r"\{[{%#]")
_INSIDE = r"(?:[^{}'\"%]|%(?!\})|'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\")*"
_VARIABLE = re.compile(rf"\{{\{{{_INSIDE}\}}\}}", re.DOTALL)
_BLOCK = re.compile(rf"\{{%[-+]?\s*([A-Za-z_]+)(?![\w]){_INSIDE}%\}}", re.DOTALL)
_COMMENT = re.compile(r"\{#[-+]?.*?(?:\+#\}|-#\}\s*|#\}\n?)", re.DOTALL)
_BLANKS = re.compile(r"\s*")

_ENDS = {"endif": "if", "endfor": "for"}
_ARMS = frozenset({"else", "elif"})
STATEMENTS = frozenset(_ENDS.values())
"""The statements that are cut out: they leave nothing behind but what they print."""


class Piece(NamedTuple):
    """A stretch of a template: a text as it is printed, or a tag or statement as it is written.

    `start` is its offset in the template.
    """

    start: int
    source: str
    is_text: bool


def cut(source: str) -> list[Piece] | None:
    """Return the pieces of a template in order, None where it is to be read as a whole.

    The blanks around tags are taken off as Jinja2 does with `trim_blocks` and `lstrip_blocks`.
    """
    if "\r" in source:
        return None
    pieces: list[Piece] = []
    opened: list[tuple[str, int]] = []
    behind = 0
    while (found := _OPENING.search(source, behind)) is not None:
        start = found.start()
        if not opened:
            text = _text(source, behind, start)
            if text:
                pieces.append(Piece(behind, text, True))
        tag, name = _tag(source, start)
        if tag is None:
            return None
        behind = tag
        if name in STATEMENTS:
            opened.append((name, start))
        elif name in _ENDS:
            if not opened or opened[-1][0] != _ENDS[name]:
                return None
            _, begin = opened.pop()
            if not opened:
                pieces.append(Piece(begin, source[begin:behind], False))
        elif name == "{{":
            if not opened:
                pieces.append(Piece(start, source[start:behind], False))
        elif name != "{#" and not (name in _ARMS and opened):
            return None
    if opened:
        return None
    if behind < len(source):
        pieces.append(Piece(behind, source[behind:], True))
    return pieces


def _tag(source: str, start: int) -> tuple[int | None, str]:
    """Return where a tag ends, with the blanks that go with it, and its name: that of a block, `{{` or `{#`."""
    kind = source[start : start + 2]
    if kind == "{#":
        comment = _COMMENT.match(source, start)
        return (comment.end() if comment else None), kind
    found = (_VARIABLE if kind == "{{" else _BLOCK).match(source, start)
    if found is None:
        return None, kind
    end = found.end()
    sign = source[end - 3]
    if sign == "-":
        blanks = _BLANKS.match(source, end)
        end = blanks.end() if blanks else end
    elif kind == "{%" and sign != "+" and source.startswith("\n", end):
        end += 1
    return end, kind if kind == "{{" else found[1]


def _text(source: str, behind: int, start: int) -> str:
    """Return the text between two tags as it is printed."""
    text = source[behind:start]
    sign = source[start + 2 : start + 3]
    if sign == "-":
        return text.rstrip()
    if sign != "+" and not source.startswith("{{", start):
        line = text.rfind("\n") + 1
        if (line > 0 or behind == 0 or source[behind - 1] == "\n") and text[line:].isspace():
            return text[:line]
    return text
