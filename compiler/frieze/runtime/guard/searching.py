"""Looks for what is denied in words of unknown meaning, wherever they stand."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from .arguments import loose_flags
from .deeds import Act, Deeds
from .lexer import RESERVED
from .programs import base_name
from .roles import DEVICES, pieces
from .vocabulary import UNRESOLVED
from .wide import ENDS, FOREIGN, NESTING, Part, bare, parts, strings_of, targets

if TYPE_CHECKING:
    from .lines import Line

MOST_FOLDERS = 6
"""Folders from which a relative path is judged; more are not followed."""

_PLAIN_PATH = re.compile(r"[A-Za-z0-9_.@+/-]{1,255}", re.ASCII)
"""What is a path if anything is, so that one that leads nowhere counts; other words may be no path at all."""

_NAME_SIGNS = re.compile("[=:,!@+]")
_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]*=(.*)", re.DOTALL)
_TELLING = frozenset(("echo", "printf"))
_DEEPEST = 4
_ENTERING = frozenset(("cd", "pushd", "chdir", "set-location"))
_PLAIN_ACTIONS = frozenset(("read", "search", "run", "test"))


class Search:
    """One search through everything in a command line that is not understood; no word is judged twice.

    Attributes:
        folders: where what comes next may start.
    """

    __slots__ = ("_depth", "_done", "_inside", "_line", "_seen", "folders")

    def __init__(self, line: Line) -> None:
        self._line = line
        self._seen: set[tuple[str, int]] = set()
        self._done: set[tuple[Sequence[str], int]] = set()
        self.folders: tuple[str, ...] = (line.start,)
        self._inside = False
        self._depth = 0

    def text(self, text: str) -> None:
        """Search a command line, or any other text that may hold one."""
        if self._inside:
            return
        for reading in parts(text):
            self._parts(reading)
        bare_text = text.replace("'", " ").replace('"', " ")
        # A program text writes each backslash of a path twice.
        for spelt in dict.fromkeys((bare_text, bare_text.replace("\\\\", "\\"))):
            self.paths(hit[0] for hit in FOREIGN.finditer(spelt))
        if any(target not in DEVICES for target in targets(text)):
            self._line.act(Act("edit", reason="it writes a file"), "a redirect", Deeds(), None)

    def words(self, words: Iterable[str]) -> None:
        """Search words behind a program that is not known."""
        given = tuple(words)
        if given and not self._inside:
            self._parts([Part(given, "")])
            folders = self.folders
            for word in given:
                if any(sign in word for sign in " \t\n;|&`("):
                    self.text(word)
            split = tuple(" ".join(given).split())
            if split != given:
                self._parts([Part(split, "")])
            self.folders = folders

    def paths(self, words: Iterable[str]) -> None:
        """Search words that may be or find paths, whatever stands in front of them."""
        self.folders = (self._line.start,)
        for word in words:
            self._path(word)

    def code(self, code: str) -> None:
        """Search program text: commands anywhere, paths in quotes."""
        if self._inside:
            return
        for reading in parts(code):
            self.folders = (self._line.start,)
            self._commands(reading, paths=False)
        for string in strings_of(code):
            self.text(string)

    def _parts(self, reading: list[Part]) -> None:
        self.folders = (self._line.start,)
        self._commands(reading, paths=True)

    def _commands(self, reading: list[Part], *, paths: bool) -> None:
        statement: list[Part] = []
        for part in reading:
            if part.before in ENDS and statement:
                self._statement(statement)
                statement = []
            statement.append(part)
            if (part.words, len(self.folders)) not in self._done:
                self._done.add((part.words, len(self.folders)))
                self._programs(part.words)
            if paths:
                for word in part.words:
                    self._path(word)
            self._enter(part.words)
        self._statement(statement)

    def _enter(self, words: Sequence[str]) -> None:
        """Take every folder that a `cd` may lead to for one that what follows may start in."""
        for at, word in enumerate(words[:-1]):
            if base_name(word) in _ENTERING and len(self.folders) < MOST_FOLDERS:
                there = (posixpath.normpath(posixpath.join(folder, words[at + 1])) for folder in self.folders)
                self.folders = tuple(dict.fromkeys((*self.folders, *there)))

    def _path(self, word: str) -> None:
        """Judge every piece of a word that may be a path; only a denial counts."""
        if (word, len(self.folders)) in self._seen:
            return
        self._seen.add((word, len(self.folders)))
        line = self._line
        for piece in pieces(word):
            for form in {piece, bare(piece)}:
                for folder in self.folders:
                    finding = line.paths.judge(form, "read", folder)
                    if finding.effect == "deny" and (finding.rule != UNRESOLVED or _PLAIN_PATH.fullmatch(form)):
                        line.findings.append(finding)

    def _programs(self, words: Sequence[str]) -> None:
        """Look for programs in any position, the first and the last time that each stands in a part."""
        line = self._line
        strict = line.entries.names()
        places: dict[str, list[int]] = {}
        for at, word in enumerate(words):
            for piece in {word, *_NAME_SIGNS.split(word)}:
                name = base_name(piece)
                if name in strict or line.programs.resemble(name) is not None:
                    places.setdefault(name, []).append(at)
        for name, found in places.items():
            rest = words[found[0] + 1 :]
            if name in strict:
                # Some variables hold more flags for the program behind them.
                assigned = [hit[1] for word in words[: found[0]] if (hit := _ASSIGNED.match(word)) is not None]
                flags = [
                    flag
                    for word in (*rest, *" ".join(assigned).split())
                    if word.startswith("-") and len(word) > 1
                    for flag in loose_flags(word)
                ]
                for entry in line.entries.anywhere(name, rest, flags):
                    line.entry(entry, name)
            for at in {found[0], found[-1]}:
                argv = (name, *map(bare, words[at + 1 :]))
                self._as_command(argv)
                comment = next((place for place, word in enumerate(argv) if word.startswith("#")), 0)
                if comment:
                    self._as_command(argv[:comment])

    def suppose(self, argv: tuple[str, ...], folders: tuple[str, ...]) -> None:
        """Judge a command that may be started; only what is denied in it counts."""
        if self._depth < _DEEPEST:
            self._depth += 1
            kept, self.folders = self.folders, folders
            self._as_command(argv)
            self.folders = kept
            self._depth -= 1

    def fed(self, argvs: Sequence[tuple[str, ...]], folders: tuple[str, ...]) -> None:
        """Search words that a later program of a pipeline runs, or takes for its arguments."""
        kept, told = self.folders, list[str]()
        for argv in argvs:
            self.folders = folders
            if told and any(map(self._line.takes_words, argv)):
                self._programs((*argv, *told))
                for word in told:
                    self._path(word)
                    if " " in word:
                        self.text(word)
            if _TELLING.isdisjoint(map(base_name, argv)):
                for word in argv[1:]:
                    self._path(word)
            else:
                told.extend(argv[1:])
        self.folders = kept

    def _as_command(self, argv: tuple[str, ...]) -> None:
        """Judge words as if they were a command: what would be denied then is denied."""
        line = self._line
        kept, commands = line.findings, line.commands
        line.findings, line.commands = [], []
        inside, self._inside = self._inside, True
        try:
            line.command(argv, self.folders, None, 0, {})
            found = line.findings
        finally:
            line.findings, line.commands, self._inside = kept, commands, inside
        for finding in found:
            denied = finding.effect == "deny" and finding.rule != UNRESOLVED
            if denied or (finding.effect == "ask" and finding.action not in _PLAIN_ACTIONS):
                kept.append(finding)

    def _statement(self, statement: Sequence[Part]) -> None:
        """Look for a download that something else runs: through a pipe, or as a substitution."""
        if len(statement) < 2:
            return
        if not self._inside and any(part.before == "|" for part in statement):
            self.fed([part.words for part in statement], self.folders)
        for entry in self._line.entries.pipes:
            first, last = entry.stages[0], entry.stages[-1]
            sources = [at for at, part in enumerate(statement) if any(base_name(word) in first for word in part.words)]
            if not sources:
                continue
            nested = {at for at in sources if statement[at].before in NESTING}
            receivers = [
                at for at, part in enumerate(statement) if self._starts(part.words, last, anywhere=bool(nested))
            ]
            if any(at > sources[0] for at in receivers) or any({at} != nested for at in receivers if nested):
                self._line.entry(entry, "|")

    def _starts(self, words: Sequence[str], names: frozenset[str], *, anywhere: bool) -> bool:
        """Tell whether a part starts one of the programs, perhaps behind wrappers and assignments."""
        for word in words:
            name = base_name(word)
            if name in names:
                return True
            program = self._line.programs.resemble(name)
            anywhere = anywhere or (program is not None and program.wraps)
            if not (anywhere or "=" in word or word.startswith("-") or word in RESERVED):
                return False
        return False
