"""Looks for what is denied in words of unknown meaning, wherever they stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .arguments import loose_flags
from .programs import base_name
from .roles import pieces
from .vocabulary import UNRESOLVED
from .wide import ENDS, NESTING, Part, bare, parts, strings_of

if TYPE_CHECKING:
    from .lines import Line

_PLAIN_ACTIONS = frozenset(("read", "search", "run", "test"))


class Search:
    """One search through everything in a command line that is not understood; no word is judged twice."""

    __slots__ = ("_inside", "_line", "_seen")

    def __init__(self, line: Line) -> None:
        self._line = line
        self._seen: set[str] = set()
        self._inside = False

    def text(self, text: str) -> None:
        """Search a command line, or any other text that may hold one."""
        for reading in parts(text):
            self._parts(reading)

    def words(self, words: Iterable[str]) -> None:
        """Search words behind a program that is not known."""
        given = tuple(words)
        if given:
            self._parts([Part(given, "")])
            for word in given:
                if any(sign in word for sign in " \t\n;|&`("):
                    self.text(word)

    def code(self, code: str) -> None:
        """Search program text: commands anywhere, paths in quotes."""
        for reading in parts(code):
            self._commands(reading)
        for string in strings_of(code):
            self.text(string)

    def _parts(self, reading: list[Part]) -> None:
        self._commands(reading)
        for part in reading:
            for word in part.words:
                self._path(word)

    def _commands(self, reading: list[Part]) -> None:
        if self._inside:
            return
        statement: list[Part] = []
        for part in reading:
            if part.before in ENDS and statement:
                self._statement(statement)
                statement = []
            statement.append(part)
            self._programs(part.words)
        self._statement(statement)

    def _path(self, word: str) -> None:
        """Judge every piece of a word that may be a path; only a denial counts."""
        if word in self._seen:
            return
        self._seen.add(word)
        line = self._line
        for piece in pieces(word):
            finding = line.paths.judge(piece, "read", line.start)
            if finding.effect != "deny":
                other = bare(piece)
                if other == piece or not other:
                    continue
                finding = line.paths.judge(other, "read", line.start)
            if finding.effect == "deny" and finding.rule != UNRESOLVED:
                line.findings.append(finding)

    def _programs(self, words: Sequence[str]) -> None:
        """Look for programs in any position, the first and the last time that each stands in a part."""
        line = self._line
        names = [base_name(word) for word in words]
        strict = line.entries.names()
        places: dict[str, list[int]] = {}
        for at, name in enumerate(names):
            if name in strict or line.programs.resemble(name) is not None:
                places.setdefault(name, []).append(at)
        for name, found in places.items():
            rest = words[found[0] + 1 :]
            if name in strict:
                flags = [flag for word in rest if word.startswith("-") and len(word) > 1 for flag in loose_flags(word)]
                for entry in line.entries.anywhere(name, rest, flags):
                    line.entry(entry, name)
            for at in {found[0], found[-1]}:
                self._as_command((name, *(bare(word) or word for word in words[at + 1 :])))

    def _as_command(self, argv: tuple[str, ...]) -> None:
        """Judge words as if they were a command: what would be denied then is denied."""
        line = self._line
        kept, commands = line.findings, line.commands
        line.findings, line.commands = [], []
        self._inside = True
        try:
            line.command(argv, (line.start,), None, 0, {})
            found = line.findings
        finally:
            line.findings, line.commands, self._inside = kept, commands, False
        for finding in found:
            denied = finding.effect == "deny" and finding.rule != UNRESOLVED
            if denied or (finding.effect == "ask" and finding.action not in _PLAIN_ACTIONS):
                kept.append(finding)

    def _statement(self, statement: Sequence[Part]) -> None:
        """Look for a download that something else runs: through a pipe, or as a substitution."""
        if len(statement) < 2:
            return
        line = self._line
        for entry in line.entries.pipes:
            first, last = entry.stages[0], entry.stages[-1]
            for at, part in enumerate(statement):
                if not any(base_name(word) in first for word in part.words):
                    continue
                nested = part.before in NESTING
                for other, receiver in enumerate(statement):
                    if other != at and (other > at or nested) and self._starts(receiver.words, last):
                        line.entry(entry, "|")
                        return

    def _starts(self, words: Sequence[str], names: frozenset[str]) -> bool:
        """Tell whether a part starts one of the programs, perhaps behind wrappers and assignments."""
        wrapped = False
        for word in words:
            name = base_name(word)
            if name in names:
                return True
            program = self._line.programs.resemble(name)
            wrapped = wrapped or (program is not None and "command" in program.roles)
            if not (wrapped or "=" in word or word.startswith("-")):
                return False
        return False
