"""Judges one command line part by part: the present folder, wrappers, command lines in command lines, pipes."""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Mapping, Sequence

from .deeds import Access, Act, Deeds
from .entries import Entries, Entry
from .grammars import read_command
from .lexer import Refused, Script, Simple, lex
from .programs import Cells, Program, ProgramTable, base_name
from .recording import NOWHERE, Recorder
from .roles import harmless_value, write_path
from .searching import Search
from .vocabulary import Finding, Paths, strictest

DEEPEST = 8
"""Command lines in command lines that are read; deeper ones are searched."""


class Line(Recorder):
    """The judging of one command line, and of all that it starts.

    Attributes:
        exact: every part of it could be read exactly so far.
    """

    __slots__ = ("_search", "exact", "programs")

    def __init__(self, programs: ProgramTable, cells: Cells, entries: Entries, paths: Paths, cwd: str | None) -> None:
        start = posixpath.normpath(posixpath.join(paths.workspace, cwd)) if cwd else paths.workspace
        super().__init__(cells, entries, paths, start)
        self.programs = programs
        self.exact = True
        self._search: Search | None = None

    def refuse(self, text: str, reason: str) -> None:
        """Ask about a text that is not read exactly, and look for what is denied in it."""
        self.exact = False
        effect, rule, risk, _ = self.cells.of("run")
        told = f"The command line cannot be read exactly: {reason}."
        self.findings.append(Finding(strictest((effect, "ask")), "run", rule, risk or "unknown", told))
        self.searching().text(text)

    def searching(self) -> Search:
        """Return what looks for denied things in words that are not understood."""
        if self._search is None:
            self._search = Search(self)
        return self._search

    def script(self, script: Script, cwds: tuple[str, ...], cover: Entry | None, depth: int) -> None:
        """Judge pipelines in order, following the present folder through `cd`."""
        success = failure = cwds
        first = True
        for pipeline, connector in zip(script.pipelines, script.connectors, strict=True):
            here = _union(success, failure) if connector in ("", ";") else success if connector == "&&" else failure
            after = here
            stages: list[dict[str, bool]] = []
            for simple in pipeline:
                stage: dict[str, bool] = {}
                entered = self._simple(simple, here, cover, depth, stage)
                stages.append(stage)
                if len(pipeline) == 1:
                    after = entered
            if len(pipeline) > 1:
                argvs = tuple(simple.argv for simple in pipeline)
                self._pipes(stages, argvs)
                if any(any(map(self.takes_words, argv)) for argv in argvs[1:]):
                    self.searching().fed(argvs, here)
            if first or connector == ";":
                success, failure = after, here
            elif connector == "&&":
                success, failure = after, _union(failure, here)
            else:
                success, failure = _union(success, after), here
            first = False

    def _simple(
        self, simple: Simple, cwds: tuple[str, ...], cover: Entry | None, depth: int, stage: dict[str, bool]
    ) -> tuple[str, ...]:
        """Judge a simple command; return the folders that may be the present one after it has succeeded."""
        if simple.redirects:
            deeds = Deeds()
            for operator, target in simple.redirects:
                if operator == "<":
                    deeds.accesses.append(Access(target, "read"))
                else:
                    write_path(target, deeds)
            self.record(deeds, "", (), cwds, None)
        if simple.assignments:
            self._assigned(simple.assignments, simple.argv)
        return self.command(simple.argv, cwds, cover, depth, stage) if simple.argv else cwds

    def _assigned(self, assignments: Iterable[tuple[str, str]], argv: tuple[str, ...] = ()) -> None:
        for name, value in assignments:
            if name in self.programs.harmless and harmless_value(value):
                continue
            effect, rule, risk, _ = self.cells.of("run")
            reason = f"The variable `{name}` may change what the program does."
            self.findings.append(Finding(strictest((effect, "ask")), "run", rule, risk or "side-effects", reason))
            # Some variables hold more flags for the program behind them.
            self.searching().words((f"{name}={value}", *argv) if argv else (value,))

    def command(
        self,
        argv: tuple[str, ...],
        cwds: tuple[str, ...],
        cover: Entry | None,
        depth: int,
        stage: dict[str, bool],
        wrapped: bool = False,
    ) -> tuple[str, ...]:
        """Judge one command by its words; see `_simple`.

        Args:
            argv: the words.
            cwds: the folders that may be the present one.
            cover: an entry that allows the command around this one.
            depth: command lines around this one.
            stage: takes the names of the programs, with whether they run what they are given on their input.
            wrapped: another program starts this one and may add arguments or input.
        """
        name = self.programs.executables.get(argv[0], argv[0])
        program = self.programs.find(name)
        exact = program is not None
        deeds = Deeds()
        if program is None:
            program = self.programs.resemble(argv[0])
        if program is None:
            deeds.acts.append(Act("run", True, "ask", "unknown", "the program is not known"))
            deeds.words.extend(argv[1:])
            deeds.suspects.extend(argv)
            stage.update(dict.fromkeys(map(base_name, argv), True))
        else:
            read_command(program, argv[1:], deeds)
            self._module(deeds)
            if not exact:
                deeds.transparent = False
                deeds.unknown(f"`{argv[0]}` may be another program than `{program.name}`")
        own = None
        if (exact or program is None) and cwds == (self.start,):
            own = self.entries.allowing(name, argv[1:], deeds.flags, deeds.hosts, exact)
        if deeds.folders or (program is not None and program.folder and cwds != (self.start,)):
            self._folders(deeds, cwds, name)
        self.exact = self.exact and not deeds.opaque
        base = program.base if exact and program is not None else base_name(argv[0])
        stage[base] = wrapped or deeds.reads_input is not False
        self.record(deeds, base, argv, cwds, own or cover)
        return self._inside(deeds, program, cwds, own if not deeds.transparent else cover, depth, stage, wrapped)

    def _module(self, deeds: Deeds) -> None:
        """Read the words of a program that is named as a module of another one."""
        if deeds.module:
            # A module of that name in the workspace would go first.
            deeds.acts.append(Act("run", True, "", "side-effects", f"it runs the module `{deeds.module[0]}`"))
            program = self.programs.find(deeds.module[0])
            if program is None:
                deeds.unknown(f"the module `{deeds.module[0]}` is not known")
                deeds.suspects.extend(deeds.module)
            else:
                read_command(program, deeds.module[1:], deeds)

    def _folders(self, deeds: Deeds, cwds: tuple[str, ...], name: str) -> None:
        places = [value for value, _ in deeds.folders] or ["."]
        for cwd in cwds:
            for place in places:
                if cwd == NOWHERE or posixpath.normpath(posixpath.join(cwd, place)) != self.start:
                    deeds.acts.append(
                        Act("run", False, "ask", "side-effects", f"`{name}` follows the settings of another folder")
                    )
                    return

    def _inside(
        self,
        deeds: Deeds,
        program: Program | None,
        cwds: tuple[str, ...],
        cover: Entry | None,
        depth: int,
        stage: dict[str, bool],
        wrapped: bool,
    ) -> tuple[str, ...]:
        """Judge what a command starts in turn; return the folders that may be the present one then."""
        if deeds.assigned:
            self._assigned(deeds.assigned, deeds.inner[0] if deeds.inner else ())
        after = cwds
        places = _elsewhere(deeds, cwds)
        for inner in deeds.inner:
            if depth >= DEEPEST:
                self.refuse(" ".join(inner), "too many commands start each other")
            else:
                entered = self.command(inner, places, cover, depth + 1, stage, wrapped or not deeds.transparent)
                after = cwds if entered == places else _union(cwds, entered)
        for text, posix in deeds.scripts:
            lexed = lex(text, posix=posix)
            if depth >= DEEPEST:
                self.refuse(text, "too many command lines stand in each other")
            elif isinstance(lexed, Refused):
                self.refuse(text, lexed.reason)
            else:
                self.script(lexed, cwds, cover, depth + 1)
        for supposed in deeds.supposed:
            self.searching().suppose(supposed, cwds)
        if deeds.codes or deeds.suspects:
            search = self.searching()
            for code in deeds.codes:
                search.code(code)
            search.words(deeds.suspects)
            if program is None:
                after = _union(after, search.folders)
        return after if deeds.inner or program is None else _entered(deeds, program, cwds)

    def takes_words(self, word: str) -> bool:
        """Tell whether a program runs what it is given on its input, or takes arguments from there."""
        program = self.programs.resemble(word)
        return program is not None and (program.appends or program.grammar == "shell")

    def _pipes(self, stages: Sequence[Mapping[str, bool]], argvs: Sequence[tuple[str, ...]]) -> None:
        for entry in self.entries.pipes:
            wanted = 0
            for at, stage in enumerate(stages):
                last = wanted == len(entry.stages) - 1
                if any(name in entry.stages[wanted] and (reads or not last) for name, reads in stage.items()):
                    wanted += 1
                    if wanted == len(entry.stages):
                        self.entry(entry, argvs[at][0] if argvs[at] else "|")
                        break


def _union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return one if one == other else tuple(dict.fromkeys((*one, *other)))


def _elsewhere(deeds: Deeds, cwds: tuple[str, ...]) -> tuple[str, ...]:
    """Return where inner commands may start: here, and in a folder that the wrapper goes to first."""
    for folder, _ in deeds.folders:
        cwds = _union(cwds, tuple(posixpath.normpath(posixpath.join(cwd, folder)) for cwd in cwds))
    return _union(cwds, (NOWHERE,)) if deeds.elsewhere else cwds


def _entered(deeds: Deeds, program: Program | None, cwds: tuple[str, ...]) -> tuple[str, ...]:
    """Return where the shell is after a command that may change its folder."""
    if program is None or not program.enters:
        return cwds
    folder = deeds.enters
    if folder is None or folder in ("", "-") or folder.startswith(("~", "+")) or len(cwds) > DEEPEST:
        return (NOWHERE,)
    return tuple(
        dict.fromkeys(
            posixpath.normpath(posixpath.join(cwd, folder)) if cwd != NOWHERE or folder.startswith("/") else NOWHERE
            for cwd in cwds
        )
    )
