"""Path patterns as git's ignore files have them, without negation. No pattern ever becomes a regular expression.

A pattern without `/` matches at any depth; one with `/` starts at the root; `**` stands for any number of folders; what
lies in a folder that matches is matched as well. A name is compared in time proportional to its length times the
pattern's, however the pattern is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

STAR: Final = "*"
ONE: Final = "?"


class OneOf(NamedTuple):
    """A character class: `[a-z]`, `[!0-9]`."""

    negated: bool
    ranges: tuple[tuple[str, str], ...]


class Literal(NamedTuple):
    """One character that stands for itself."""

    character: str


Piece: TypeAlias = "Literal | OneOf | str"
Glob: TypeAlias = "str | tuple[Piece, ...] | None"
"""What one part of a pattern takes: a name, a glob, or (None) any number of folders."""

ANY_DEPTH: Final[Glob] = None
ANY_NAME: Final[Glob] = (STAR,)
NEVER: Final[Glob] = ""
"""Takes no name: no component is empty."""

CONTENT: Final = "\0"
"""Stands for whatever a folder may hold: only a wildcard takes it."""

_CLASSES = {
    "alpha": (("A", "Z"), ("a", "z")),
    "digit": (("0", "9"),),
    "alnum": (("0", "9"), ("A", "Z"), ("a", "z")),
    "upper": (("A", "Z"),),
    "lower": (("a", "z"),),
    "space": ((" ", " "), ("\t", "\r")),
    "blank": ((" ", " "), ("\t", "\t")),
    "punct": (("!", "/"), (":", "@"), ("[", "`"), ("{", "~")),
    "xdigit": (("0", "9"), ("A", "F"), ("a", "f")),
    "cntrl": (("\0", "\x1f"), ("\x7f", "\x7f")),
    "print": ((" ", "~"),),
    "graph": (("!", "~"),),
}


class PatternError(ValueError):
    """A pattern that is none, such as one that begins with `!`."""


class Pattern(NamedTuple):
    """One pattern, parsed: its text, its parts, and whether it takes folders only (it ends in `/`)."""

    text: str
    parts: tuple[Glob, ...]
    directory_only: bool

    def covers(self, names: Sequence[str], *, directory: bool = True, anywhere: bool = False) -> bool:
        """Tell whether a path, given as its components below the root, or a folder above it, matches.

        Args:
            names: the components.
            directory: whether the path itself is a folder.
            anywhere: let a pattern that starts at the root start at any folder.
        """
        end = len(self.parts)
        states = self._closed({0})
        last = len(names) - 1
        for at, name in enumerate(names):
            after = {state if self.parts[state] is None else state + 1 for state in states if self._takes(state, name)}
            states = self._closed(after)
            if end in states and (at < last or directory or not self.directory_only):
                return True
            states.discard(end)
            if anywhere:
                states |= self._closed({0})
        return False

    def _takes(self, state: int, name: str) -> bool:
        part = self.parts[state]
        return part is None or glob_matches(part, name)

    def _closed(self, states: set[int]) -> set[int]:
        more = {state + 1 for state in states if state < len(self.parts) and self.parts[state] is None}
        return states | self._closed(more) if more - states else states


def glob_matches(glob: str | tuple[Piece, ...], name: str) -> bool:
    """Tell whether one part of a pattern takes one component."""
    if isinstance(glob, str):
        return glob == name
    at = position = 0
    star = mark = -1
    while position < len(name):
        token = glob[at] if at < len(glob) else None
        if token == STAR:
            star, mark = at, position
            at += 1
        elif token is not None and _accepts(token, name[position]):
            at += 1
            position += 1
        elif star >= 0:
            mark += 1
            at, position = star + 1, mark
        else:
            return False
    return all(token == STAR for token in glob[at:])


def _accepts(token: Piece, character: str) -> bool:
    if isinstance(token, Literal):
        return token.character == character
    if isinstance(token, OneOf):
        return any(low <= character <= high for low, high in token.ranges) != token.negated
    return True


def parse(text: Any) -> Pattern:
    """Parse a pattern.

    Raises:
        PatternError: it is no text, empty, negated, or holds a line break or NUL.
    """
    if not isinstance(text, str) or not text.strip("/"):
        raise PatternError("a path pattern names something")
    if text.startswith("!"):
        raise PatternError("a path pattern cannot take back another one: `!` has no meaning here")
    if set(text) & set("\0\r\n"):
        raise PatternError("a path pattern is one line")
    directory_only = text.endswith("/")
    body = text[:-1] if directory_only else text
    anchored = "/" in body
    pieces = _split(body.removeprefix("/"))
    parts: list[Glob] = []
    for at, piece in enumerate(pieces):
        last = at == len(pieces) - 1
        if len(piece) > 1 and not piece.strip(STAR):
            parts.append(ANY_NAME if last else ANY_DEPTH)
        else:
            parts.append(_glob(piece))
    if not anchored:
        parts.insert(0, ANY_DEPTH)
    return Pattern(text, tuple(parts), directory_only)


def _split(body: str) -> list[str]:
    """Return the parts between slashes. A slash in a class parts nothing, an escaped one does."""
    pieces = [""]
    at = 0
    while at < len(body):
        found = _class(body, at + 1) if body[at] == "[" else None
        end = found[1] if found else at + 2 if body[at] == "\\" else at + 1
        if body[at:end] in ("/", "\\/"):
            pieces.append("")
        else:
            pieces[-1] += body[at:end]
        at = end
    return pieces


def _glob(piece: str) -> Glob:
    tokens: list[Piece] = []
    at = 0
    while at < len(piece):
        character = piece[at]
        at += 1
        if character == "[":
            found = _class(piece, at)
            if found is None:
                return NEVER
            token, at = found
            tokens.append(token)
        elif character == "\\":
            if at == len(piece):
                return NEVER
            tokens.append(Literal(piece[at]))
            at += 1
        elif character == STAR:
            if tokens[-1:] != [STAR]:
                tokens.append(STAR)
        else:
            tokens.append(ONE if character == ONE else Literal(character))
    if all(isinstance(token, Literal) for token in tokens):
        return "".join(token.character for token in tokens if isinstance(token, Literal))
    return tuple(tokens)


def _class(piece: str, at: int) -> tuple[OneOf, int] | None:
    """Read a character class behind its `[`: the class and where it ends, or None where it never ends."""
    negated = piece[at : at + 1] in ("!", "^")
    at += negated
    ranges: list[tuple[str, str]] = []
    first = True
    while at < len(piece) and (first or piece[at] != "]"):
        first = False
        if piece.startswith("[:", at):
            end = piece.find(":]", at + 2)
            if end < 0 or piece[at + 2 : end] not in _CLASSES:
                return None
            ranges += _CLASSES[piece[at + 2 : end]]
            at = end + 2
            continue
        low, at = _member(piece, at)
        if piece[at : at + 1] == "-" and piece[at + 1 : at + 2] not in ("", "]"):
            high, at = _member(piece, at + 1)
            ranges.append((low, high))
        # The start of a range counts by itself, also where the range is empty.
        ranges.append((low, low))
    return (OneOf(negated, tuple(ranges)), at + 1) if at < len(piece) else None


def _member(piece: str, at: int) -> tuple[str, int]:
    if piece[at] == "\\" and at + 1 < len(piece):
        return piece[at + 1], at + 2
    return piece[at], at + 1


class PatternSet:
    """Patterns that are asked together: which one covers a path?

    The common shapes (`name`, `**/name/**`, `start*`, `*end`) are looked up, the others tried one by one.
    """

    __slots__ = ("_any_end", "_any_start", "_ends", "_inside", "_names", "_others", "_short", "_starts", "texts")

    def __init__(self, texts: Iterable[str], change: Callable[[str], str] = str) -> None:
        self.texts = tuple(texts)
        self._names: dict[str, str] = {}
        self._inside: dict[str, str] = {}
        self._starts: dict[str, str] = {}
        self._ends: dict[str, str] = {}
        self._short: dict[str, str] = {}
        self._others: list[Pattern] = []
        for text in self.texts:
            self._add(parse(change(text))._replace(text=text))
        self._any_start, self._any_end = tuple(self._starts), tuple(self._ends)

    def _add(self, pattern: Pattern) -> None:
        named = [part for part in pattern.parts if isinstance(part, str)]
        if named and pattern.parts[-1] in (named[-1], ANY_NAME):
            self._short.setdefault(_short_stem(named[-1]), pattern.text)
        match pattern.parts:
            case (None, str(name)):
                self._names.setdefault(name, pattern.text)
            case (None, str(name), (token,)) if token == STAR:
                self._inside.setdefault(name, pattern.text)
            case (None, (*start, token)) if token == STAR and _plain(start):
                self._starts.setdefault(_plain(start), pattern.text)
            case (None, (token, *end)) if token == STAR and _plain(end):
                self._ends.setdefault(_plain(end), pattern.text)
            case _:
                self._others.append(pattern)

    def first(self, names: Sequence[str], *, anywhere: bool = False) -> str | None:
        """Return the text of a pattern that covers a path or all that it can hold, or None.

        The path is taken for a folder, so that a folder whose whole content matches is matched: who may not see what
        is in `secrets` may not copy `secrets`.
        """
        starts, ends = self._any_start, self._any_end
        for name in names:
            found = self._names.get(name) or self._inside.get(name)
            if found is None and starts and name.startswith(starts):
                found = next(text for start, text in self._starts.items() if name.startswith(start))
            if found is None and ends and name.endswith(ends):
                found = next(text for end, text in self._ends.items() if name.endswith(end))
            if found is None and "~" in name:
                found = self._short.get(_before_number(name))
            if found is not None:
                return found
        if self._others and names:
            whole = (*names, CONTENT)
            for pattern in self._others:
                if pattern.covers(whole, anywhere=anywhere):
                    return pattern.text
        return None


def _plain(tokens: Iterable[Piece]) -> str:
    """Return literal tokens as text, and nothing where one of them is a wildcard."""
    listed = list(tokens)
    literal = [token.character for token in listed if isinstance(token, Literal)]
    return "".join(literal) if len(literal) == len(listed) else ""


def _short_stem(name: str) -> str:
    """Return what Windows' short form of a long name begins with: `SECRET~1` stands for `secretsanta`."""
    return name.lower().replace(".", "").replace(" ", "")[:6]


def _before_number(name: str) -> str:
    stem, _, rest = name.lower().partition("~")
    return stem if rest[:1].isdigit() else "\0"
