"""Judges a command line: reads it exactly where it can, and looks for what is denied where it cannot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from .entries import Entries
from .lexer import Refused, lex
from .lines import Line
from .programs import Cells, ProgramTable
from .recording import Command
from .vocabulary import Finding, Paths
from .wide import FOREIGN


class Parsed(NamedTuple):
    """All commands of a line, those inside of wrappers and `bash -c` behind the one that starts them."""

    commands: tuple[Command, ...]

    def started(self) -> list[tuple[str, ...]]:
        """Return the words of everything that the line may start."""
        return [command.argv for command in self.commands if command.argv]


class CommandTable:
    """A decision table, prepared for commands. It may be shared between threads."""

    __slots__ = ("_modes", "_rows", "_table", "programs")

    def __init__(self, table: Mapping[str, Any]) -> None:
        self._table = table
        self._rows: Sequence[Mapping[str, Any]] = table.get("entries", ())
        self.programs = ProgramTable(table)
        self._modes: dict[str, tuple[Cells, Entries]] = {}

    def of_mode(self, mode: str) -> tuple[Cells, Entries]:
        """Return the cells and entries of a mode.

        Raises:
            KeyError: the table has no such mode.
        """
        found = self._modes.get(mode)
        if found is None:
            found = self._modes[mode] = (Cells(self._table["modes"][mode]), Entries(self._rows, mode))
        return found


def judge_command(
    text: str, *, table: CommandTable, mode: str, paths: Paths, cwd: str | None = None
) -> tuple[list[Finding], Parsed | None]:
    """Judge a command line.

    Args:
        text: the command line, for bash.
        table: the policy.
        mode: one of its modes.
        paths: who knows about paths.
        cwd: the folder that it starts in; without it the workspace.

    Returns:
        What was found - the strictest of it is the answer - and the commands, where all of the text
        could be read exactly.
    """
    line = Line(table.programs, *table.of_mode(mode), paths, cwd)
    lexed = lex(text)
    if isinstance(lexed, Refused):
        line.refuse(text, lexed.reason)
        return line.findings, None
    if "\\" in text and FOREIGN.search(text) is not None:
        line.refuse(text, "it holds a path as other systems write it")
        return line.findings, None
    line.script(lexed, (line.start,), None, 0)
    if not line.findings:
        effect, rule, risk, _ = line.cells.of("read")
        line.findings.append(Finding(effect, "read", rule, risk, "It starts no program and touches no file."))
    return line.findings, Parsed(tuple(line.commands)) if line.exact else None
