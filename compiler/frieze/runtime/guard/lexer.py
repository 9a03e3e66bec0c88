"""The exact part of a command line: what is accepted here is split into words exactly as bash splits it.

Accepted: words of literal characters, single quotes, double quotes without expansions, backslash escapes, blanks, `&&`,
`||`, `;`, `|`, line ends, joined lines, redirects to literal targets, and literal assignments in front of a program.
Everything else is refused with a reason: expansions, globs, braces that could expand, groups, comments, here-documents,
reserved words, background jobs, control characters. What is refused is never a guess: it asks.

A quoted word is nothing but a word here, so a command line inside of it (`bash -c '...'`) is read by whoever knows that
the word is one. The time is linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

LONGEST: Final = 10_000
"""Characters of the longest text that is read exactly; longer ones are refused and searched."""

_GRAMMAR = "! [[ ]] { } case coproc do done elif else esac fi for function if in select then until while"
RESERVED: Final = frozenset(_GRAMMAR.split())


class Redirect(NamedTuple):
    """A redirect: `<`, `>`, `>>`, `>|`, `&>` or `&>>`, and the literal target."""

    operator: str
    target: str


class Simple(NamedTuple):
    """One simple command: assignments in front of it, the words that it is started with, and its redirects."""

    assignments: tuple[tuple[str, str], ...]
    argv: tuple[str, ...]
    redirects: tuple[Redirect, ...]


class Script(NamedTuple):
    """Pipelines in order, each with the operator in front of it: "" (the first), `&&`, `||` or `;`."""

    pipelines: tuple[tuple[Simple, ...], ...]
    connectors: tuple[str, ...]


class Refused(NamedTuple):
    """Why a text is not read exactly, and the offset of the first character of it that is at fault."""

    reason: str
    where: int


Lexed: TypeAlias = "Script | Refused"

_SPACED = re.compile(r"[ \t]*[A-Za-z0-9_./:=@%+,^-]+(?:[ \t]++[A-Za-z0-9_./:=@%+,^-]+)*+[ \t]*", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)(\+?)=", re.ASCII)
_JOINED = re.compile(r"""'[^']*'|"(?:[^"\\]++|\\.)*+"|\\(?:\n|.)""", re.DOTALL)
_IN_DOUBLE = re.compile(r'\\([$`"\\])|\\\n')

_PIECE = re.compile(
    r"""
      (?P<blank>[ \t]+)
    | (?P<plain>[A-Za-z0-9_./:=@%+,^\]-]+|[^\x00-\x7f]+|\{[A-Za-z0-9_-]*\})
    | '(?P<single>[^']*)'
    | "(?P<double>(?:[^"\\$`!]++|\\.|\$(?=["\ \t\n])|!(?=["=\ \t\n]))*+)"
    | \\(?P<escaped>.)
    | (?P<operator>&&|\|\||\|(?!&)|;(?!;)|\n)
    | (?P<duplicate>>&[12](?=[\s;|&<>]|$))
    | (?P<redirect>&>>?(?![(&>|])|>>(?![(&>])|>\||>(?![(&>])|<(?![(<>&]))
    | (?P<special>[!\[~\#])
    """,
    re.VERBOSE | re.DOTALL,
)

_REASONS = {
    "$": "it holds an expansion",
    "`": "it holds a substitution",
    "*": "it holds a pattern for file names",
    "?": "it holds a pattern for file names",
    "[": "it holds a pattern for file names",
    "{": "it holds braces that may expand",
    "}": "it holds braces that may expand",
    "(": "it holds a group or a substitution",
    ")": "it holds a group or a substitution",
    "~": "it holds a home folder that the shell fills in",
    "#": "it holds a comment",
    "!": "it holds a `!` that a shell may replace",
    "&": "it starts a job in the background",
    "<": "it holds a redirect of an unusual form",
    ">": "it holds a redirect of an unusual form",
    "|": "it holds a pipe of an unusual form",
    ";": "it holds an empty command",
    "'": "a quote is not closed",
    '"': "a quote is not closed or holds an expansion",
    "\\": "it ends in a backslash",
}


class _RefusalError(Exception):
    def __init__(self, reason: str, where: int) -> None:
        super().__init__(reason)
        self.refused = Refused(reason, where)


def lex(text: str, *, posix: bool = False) -> Lexed:
    """Read a command line, or say why it cannot be read exactly.

    Args:
        text: the command line.
        posix: it is for a plain `sh`, where `&>` means something else.
    """
    if len(text) > LONGEST:
        return Refused(f"it is longer than {LONGEST} characters", LONGEST)
    if _SPACED.fullmatch(text) is not None:
        argv = tuple(text.split())
        if "=" not in argv[0] and argv[0] not in RESERVED and argv[0] != "time":
            return Script(((Simple((), argv, ()),),), ("",))
    control = _CONTROL.search(text)
    if control is not None:
        return Refused("it holds a control character", control.start())
    if not text.isascii():
        for at, character in enumerate(text):
            if not character.isprintable() and character not in "\n\t":
                return Refused("it holds a character that cannot be seen", at)
    if "\\\n" in text:
        text = joined(text)
    try:
        return _Reader(text, posix).script()
    except _RefusalError as refusal:
        return refusal.refused


def joined(text: str) -> str:
    """Return a text with its joined lines made one; bash does this before it looks for words."""
    return _JOINED.sub(lambda hit: "" if hit[0] == "\\\n" else hit[0], text)


_TIMED = (["time"], ["time", "-p"], ["time", "--"], ["time", "-p", "--"])
"""What stands in front of a command that the shell itself times."""


class _Reader:
    """Reads one text piece by piece; `word` is None between words."""

    __slots__ = (
        "argv",
        "assignments",
        "connectors",
        "empty",
        "pending",
        "pipeline",
        "pipelines",
        "posix",
        "redirects",
        "start",
        "text",
        "word",
    )

    def __init__(self, text: str, posix: bool) -> None:
        self.text, self.posix = text, posix
        self.pipelines: list[tuple[Simple, ...]] = []
        self.connectors: list[str] = [""]
        self.pipeline: list[Simple] = []
        self.assignments: list[tuple[str, str]] = []
        self.argv: list[str] = []
        self.redirects: list[Redirect] = []
        self.word: list[str] | None = None
        self.start = 0
        self.pending: str | None = None  # a redirect that waits for its target
        self.empty = True  # nothing stands in the present command yet

    def script(self) -> Script:
        at, text, match = 0, self.text, _PIECE.match
        while at < len(text):
            hit = match(text, at)
            if hit is None:
                raise _RefusalError(_REASONS.get(text[at], "it is not understood"), at)
            kind = hit.lastgroup or ""
            _STEPS[kind](self, hit[kind], at)
            at = hit.end()
        self._end_word(at)
        self._end_command("", at)
        if self.pending is not None or self.empty_operator():
            self._refuse("it ends in the middle", at)
        if not self.pipelines:
            self._refuse("nothing is to be run", 0)
        del self.connectors[len(self.pipelines) :]
        return Script(tuple(self.pipelines), tuple(self.connectors))

    def empty_operator(self) -> bool:
        """Tell whether the text ends behind an operator that needs a command."""
        return bool(self.pipeline) or self.connectors[-1] in ("&&", "||")

    def _refuse(self, reason: str, where: int) -> None:
        raise _RefusalError(reason, where)

    def _add(self, literal: str, at: int) -> None:
        if self.word is None:
            self.word, self.start = [], at
        self.word.append(literal)

    def _blank(self, _: str, at: int) -> None:
        self._end_word(at)

    def _double(self, inside: str, at: int) -> None:
        self._add(_IN_DOUBLE.sub(r"\1", inside) if "\\" in inside else inside, at)

    def _special(self, sign: str, at: int) -> None:
        text = self.text
        before = text[at - 1] if self.word is not None else ""
        behind = text[at + 1 : at + 2]
        if sign == "#":
            fits = self.word is not None
        elif sign == "~":
            fits = before.isalnum() or before in ("^", "_", "~", "}") if before else False
        elif sign == "[":
            fits = self.word is None and behind in ("", " ", "\t", "\n", ";")
        else:
            fits = behind in ("", " ", "\t", "\n", "=", ";")
        if not fits:
            self._refuse(_REASONS[sign], at)
        self._add(sign, at)

    def _redirect(self, operator: str, at: int) -> None:
        if self.posix and operator[0] == "&":
            self._refuse(_REASONS["&"], at)
        if operator[0] != "&":
            self._descriptor(at, "0" if operator == "<" else "012")
        self._end_word(at)
        if self.pending is not None:
            self._refuse("a redirect has no target", at)
        self.pending = operator

    def _duplicate(self, _: str, at: int) -> None:
        self._descriptor(at, "12")
        self._end_word(at)
        if self.pending is not None:
            self._refuse("a redirect has no target", at)
        self.empty = False

    def _descriptor(self, at: int, known: str) -> None:
        """Take the number of a descriptor that hangs on a redirect away."""
        if self.word is None:
            return
        raw = self.text[self.start : at]
        if raw.isdigit() and raw.isascii():
            if len(raw) != 1 or raw not in known:
                self._refuse("it redirects an unusual descriptor", self.start)
            if self.pending is not None:
                self._refuse("a redirect has no target", at)
            self.word = None
        elif raw.startswith("{"):
            self._refuse("it redirects a descriptor that has a name", self.start)

    def _end_word(self, at: int) -> None:
        if self.word is None:
            return
        word, raw = "".join(self.word), self.text[self.start : at]
        self.word = None
        self.empty = False
        if self.pending is not None:
            if not word:
                self._refuse("a redirect has no target", self.start)
            self.redirects.append(Redirect(self.pending, word))
            self.pending = None
        elif not self.argv:
            self._first_word(word, raw)
        else:
            timed = self.argv in _TIMED
            if timed and (raw in RESERVED or _ASSIGNMENT.match(raw)):
                self._refuse("it holds a word of the shell's own grammar", self.start)
            if timed and raw != word and word[:1] == "-":
                # Only as it stands a word like `-p` belongs to `time`; in quotes it is the program.
                self._refuse("a flag of `time` is quoted", self.start)
            self.argv.append(word)

    def _first_word(self, word: str, raw: str) -> None:
        hit = _ASSIGNMENT.match(raw)
        if hit is not None:
            if hit[2]:
                self._refuse("it appends to a variable", self.start)
            self.assignments.append((hit[1], word[hit.end() :]))
            return
        if raw in RESERVED:
            self._refuse("it holds a word of the shell's own grammar", self.start)
        if not word.isascii():
            self._refuse("the program's name is not ASCII", self.start)
        if word == "":
            self._refuse("the program's name is empty", self.start)
        self.argv.append(word)

    def _operator(self, operator: str, at: int) -> None:
        self._end_word(at)
        if operator == "\n" and self.empty:
            if self.pending is not None:
                self._refuse("a redirect has no target", at)
            return
        self._end_command(operator, at)

    def _end_command(self, operator: str, at: int) -> None:
        if self.pending is not None:
            self._refuse("a redirect has no target", at)
        if self.empty:
            if operator:
                self._refuse(_REASONS[";"], at)
            return
        self.pipeline.append(Simple(tuple(self.assignments), tuple(self.argv), tuple(self.redirects)))
        self.assignments, self.argv, self.redirects, self.empty = [], [], [], True
        if operator != "|":
            self.pipelines.append(tuple(self.pipeline))
            self.pipeline = []
            self.connectors.append(";" if operator in ("\n", "") else operator)


_STEPS: dict[str, Callable[[_Reader, str, int], None]] = {
    "blank": _Reader._blank,  # noqa: SLF001 - the steps of the reader above, by the kind of piece
    "plain": _Reader._add,  # noqa: SLF001 - as above
    "single": _Reader._add,  # noqa: SLF001 - as above
    "double": _Reader._double,  # noqa: SLF001 - as above
    "escaped": _Reader._add,  # noqa: SLF001 - as above
    "operator": _Reader._operator,  # noqa: SLF001 - as above
    "duplicate": _Reader._duplicate,  # noqa: SLF001 - as above
    "redirect": _Reader._redirect,  # noqa: SLF001 - as above
    "special": _Reader._special,  # noqa: SLF001 - as above
}
