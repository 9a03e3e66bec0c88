"""Looks through text that cannot be read exactly: nothing in it can be allowed, but what is denied is found.

A text is seen in two ways. One honours quotes, so that a `;` in a quoted word parts nothing; the other drops every
quote and backslash, so that no depth of quoting hides a word. In both, expansions are taken away, substitutions and
groups are parts of their own, and everything is looked at to the end.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from .lexer import joined

_ANSI = re.compile(r"\$'((?:[^'\\]++|\\.)*+)'", re.DOTALL)
_ESCAPE = re.compile(
    r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c(.)|(.))", re.DOTALL
)
_NAMED = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "v": "\v"}

_SEPARATOR = re.compile(r"\$IFS(?![A-Za-z0-9_])|\$\{IFS[^}]*\}")
_HOME = re.compile(
    r"\$HOME(?![A-Za-z0-9_])|\$\{HOME\}|\$env:(?:HOME|USERPROFILE)(?![A-Za-z0-9_])|%USERPROFILE%", re.IGNORECASE
)
_HERE = re.compile(r"\$PWD(?![A-Za-z0-9_])|\$\{PWD\}")
_WHOLE = re.compile(
    r"\$\{[!#]?[A-Za-z0-9_@*#?$-]*(?:@[A-Za-z])?\}|\$[A-Za-z_][A-Za-z0-9_]*|\$[0-9@*#?$!-]|%[A-Za-z_]+%"
)
_PARTIAL = re.compile(r"\$\{[!#]?[A-Za-z0-9_@*]*(?::?[-=+?]|:|##?|%%?|//?|\^\^?|,,?)?")

_FLAT_BREAK = re.compile(r"&&|\|\||[;\n]|[|&()`]|\$\(")
_FLAT_DROPPED = re.compile(r"""['"\\]""")
_FLAT_BLANK = re.compile(r"[ \t\r\f\v<>{},\[\]]+")
_TARGET = re.compile(r"(?<![-=<>])>{1,2}\|?[ \t]*([^\s;|&()<>`]+)")
_SINGLE = re.compile(r"'[^']*'")
_INNERMOST = re.compile(r"\$\([^()`]*\)")
_BACKQUOTED = re.compile(r"`[^`]*`")
_BRACES = re.compile(r"(?<![^\s{},;|&])([^\s{},;|&]*+)\{([^\s{}]*+)\}([^\s{},;|&]*+)")
_ROUNDS = 4
_LONGEST = 100_000

_PIECE = re.compile(
    r"""
      (?P<blank>[ \t\r\f\v<>]+)
    | (?P<plain>[^\s'"\\;&|()`<>]+)
    | '(?P<single>[^']*)'
    | "(?P<double>(?:[^"\\]++|\\.)*+)"
    | \\(?P<escaped>.)
    | (?P<operator>&&|\|\||[;&|()`\n])
    | (?P<stray>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_IN_DOUBLE = re.compile(r'\\([$`"\\])')
_STRING = re.compile(r"""'((?:[^'\\\n]++|\\.)*+)'|"((?:[^"\\\n]++|\\.)*+)"|`([^`]*)`""", re.DOTALL)

ENDS = frozenset(("", ";", "&&", "||", "\n"))
"""Operators that end a statement, so that nothing flows over them."""

NESTING = frozenset(("(", "$(", "`"))
FOREIGN = re.compile(r"(?<![^\s;|&(){`=])(?:[A-Za-z]:\\|\.{1,2}\\(?=\S)|\\\\(?=\w))[^\s;|&()`<>\"']*")
"""A path as other systems write it, which bash reads in another way."""


class Part(NamedTuple):
    """Words without an operator between them, and the operator in front of them."""

    words: tuple[str, ...]
    before: str


def parts(text: str) -> Iterator[list[Part]]:
    """Yield a text in its readings, each a list of parts in order."""
    text = joined(text)
    kept, expanded = _prepare(text, keep_single=True), _prepare(text, keep_single=False)
    yield _quoted(kept)
    yield _flat(expanded)
    if kept != expanded:
        yield _flat(kept)
    if '"' in kept and ("$(" in kept or "`" in kept):
        yield _quoted(kept.replace('"', ""))
    spread = kept
    for _ in range(_ROUNDS if "{" in kept else 0):
        spread = _BRACES.sub(_spread, spread) if len(spread) < _LONGEST else spread
    if spread != kept:
        yield _flat(spread)
    for _ in range(_ROUNDS):
        # Within backquotes as well, what stands in the middle goes first.
        outer = _INNERMOST.sub("_", spread)
        outer = _BACKQUOTED.sub("_", spread) if outer == spread else outer
        if outer == spread:
            break
        spread = outer
        yield _quoted(outer)
        if '"' in outer and ("$(" in outer or "`" in outer):
            yield _quoted(outer.replace('"', ""))


def _spread(hit: re.Match[str]) -> str:
    if "," not in hit[2]:
        return hit[0]
    return " ".join(f"{hit[1]}{piece}{hit[3]}" for piece in hit[2].split(","))


def targets(text: str) -> Iterator[str]:
    """Yield what a text may redirect output to."""
    for hit in _TARGET.finditer(_FLAT_DROPPED.sub("", text.replace("\\\n", ""))):
        if not hit[1].isdigit():
            yield hit[1]


def strings_of(code: str) -> Iterator[str]:
    """Yield what stands in quotes in a program text, with the escapes that most languages share decoded."""
    for hit in _STRING.finditer(code):
        inside = next((group for group in hit.groups() if group is not None), "")
        yield _ESCAPE.sub(_character, inside) if "\\" in inside else inside


def bare(word: str) -> str:
    """Return a word without the signs of a pattern for file names: `build/*` may be everything in `build`."""
    return word.replace("*", "").replace("?", "") or "." if "*" in word or "?" in word else word


def _prepare(text: str, *, keep_single: bool) -> str:
    """Fill in what is known of expansions, and take the others away."""
    if "$" not in text and "%" not in text:
        return text
    text = _ANSI.sub(_decoded, text).replace('$"', '"')
    if not keep_single or "'" not in text:
        return _expanded(text)
    found, at = [], 0
    for hit in _SINGLE.finditer(text):
        found += [_expanded(text[at : hit.start()]), hit[0]]
        at = hit.end()
    return "".join(found) + _expanded(text[at:])


def _expanded(text: str) -> str:
    text = _SEPARATOR.sub(" ", text)
    text = _HERE.sub(".", _HOME.sub("~", text))
    return _PARTIAL.sub(" ", _WHOLE.sub("", text))


def _decoded(hit: re.Match[str]) -> str:
    """Return the text that `$'...'` stands for, in quotes again."""
    inside = _ESCAPE.sub(_character, hit[1])
    return "'" + inside.replace("'", "'\\''") + "'"


def _character(hit: re.Match[str]) -> str:
    for group, base in ((1, 16), (2, 16), (3, 16), (4, 8)):
        if hit[group]:
            code = int(hit[group], base)
            return chr(code) if 0 < code < 0x110000 else ""
    if hit[5]:
        return chr(ord(hit[5]) & 31)
    return _NAMED.get(hit[6], hit[6])


def _flat(text: str) -> list[Part]:
    found: list[Part] = []
    text = text.replace("\\\n", "")
    before, at = "", 0
    for hit in _FLAT_BREAK.finditer(text):
        _flat_part(text[at : hit.start()], before, found)
        before, at = hit[0], hit.end()
    _flat_part(text[at:], before, found)
    return found


def _flat_part(text: str, before: str, found: list[Part]) -> None:
    words = _FLAT_BLANK.split(_FLAT_DROPPED.sub("", text))
    found.append(Part(tuple(word for word in words if word), before))


def _quoted(text: str) -> list[Part]:
    found: list[Part] = []
    words: list[str] = []
    word: list[str] | None = None
    before = ""
    for hit in _PIECE.finditer(text):
        kind = hit.lastgroup
        if kind in ("blank", "operator"):
            if word is not None:
                words.append("".join(word))
                word = None
            if kind == "operator":
                found.append(Part(tuple(words), before))
                words, before = [], hit["operator"]
        elif kind != "stray":
            piece = hit[kind or 0]
            word = word or []
            if kind == "double":
                piece = _IN_DOUBLE.sub(r"\1", piece.replace("\\\n", ""))
            word.append("" if kind == "escaped" and piece == "\n" else piece)
    if word is not None:
        words.append("".join(word))
    found.append(Part(tuple(words), before))
    return found
