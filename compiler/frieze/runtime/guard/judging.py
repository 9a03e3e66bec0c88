"""Finds everything that a policy says of one action; `guard` makes an answer of it."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .commands import Parsed, judge_command
from .confirm import Subject
from .decisions import Action
from .paths import PathJudge
from .policy import Policy
from .resolving import UnresolvedError
from .showing import shown
from .tools import Rules, access_of, judge_tool
from .vocabulary import ACTIONS, Finding

TOOL = "tool"
"""The kind of action that a call of a tool is until the tool's own is known."""


class Judged(NamedTuple):
    """What was found about an action, and what exactly it is about."""

    findings: tuple[Finding, ...]
    subject: Subject


class _Seen:
    """Judges paths and remembers where they lead."""

    __slots__ = ("_judge", "paths")

    def __init__(self, judge: PathJudge) -> None:
        self._judge = judge
        self.paths: dict[str, None] = {}

    def judge(self, path: str, access: str, cwd: str | None = None) -> Finding:
        """Judge a path as `PathJudge.judge` does."""
        finding = self._judge.judge(path, access, cwd)
        self.paths.update(dict.fromkeys(finding.paths))
        return finding

    def add(self, parsed: Parsed) -> None:
        """Add what the commands of a line work on."""
        for command in parsed.commands:
            for path, _ in command.accesses:
                with contextlib.suppress(UnresolvedError):
                    self.paths[self._judge.place(path, command.cwd or None).physical] = None


class Judging:
    """Judges actions under one policy, in one mode, for one workspace."""

    __slots__ = ("_entries", "_general", "_mode", "_paths", "_policy")

    def __init__(self, policy: Policy, mode: str, paths: PathJudge) -> None:
        self._policy = policy
        self._mode = mode
        self._paths = paths
        self._entries = policy.entries(mode)
        self._general = policy.general(mode)

    def judge(self, action: Action) -> Judged:
        """Return everything that is found.

        Raises:
            Exception: of any kind, where the action is not one; the guard answers for it.
        """
        if not isinstance(action, Action):
            raise TypeError("not an action")
        seen = _Seen(self._paths)
        argv: list[list[str]] = []
        findings = list(self._found(action, seen, argv))
        findings += [
            found for kind in sorted({finding.action for finding in findings}) for found in self._of_kind(kind)
        ]
        argv_known = argv if action.command is not None and argv else None
        return Judged(tuple(findings), self.subject(action, argv_known, sorted(seen.paths)))

    def subject(
        self, action: Action, argv: Sequence[Sequence[str]] | None = None, paths: Sequence[str] = ()
    ) -> Subject:
        """Return what an action is about, with its folder resolved."""
        cwd = self._paths.place(action.cwd).physical if action.cwd is not None else self._paths.workspace
        return Subject(
            action.kind, action.command, argv, cwd, action.path, action.tool, _plain(action.args), tuple(paths)
        )

    def _found(self, action: Action, seen: _Seen, argv: list[list[str]]) -> Iterator[Finding]:
        if action.kind not in ACTIONS and action.kind != TOOL:
            yield Finding("ask", "run", "unknown", "unknown", f"`{shown(str(action.kind))}` is not a known action.")
        if action.cwd is not None:
            yield from self._folder(action.cwd)
        if action.command is not None:
            yield from self._command(action.command, seen, action.cwd, argv)
        if action.tool is not None:
            yield from judge_tool(action.tool, action.args, self._rules(action, seen, argv))
        if action.path is not None:
            access = access_of(action.kind)
            yield self.cell("edit" if access == "write" and action.kind not in ACTIONS else action.kind)
            yield seen.judge(action.path, access, action.cwd)
        if action.command is None and action.tool is None and action.path is None:
            yield self.cell(action.kind)

    def cell(self, action: str) -> Finding:
        """Return what the mode says of an action."""
        return self._policy.cell(self._mode, action)

    def _of_kind(self, kind: str) -> Iterator[Finding]:
        for entry in self._general:
            if entry["action"] == kind:
                yield Finding(entry["effect"], kind, entry["id"], entry["risk"], entry["reason"])

    def _folder(self, cwd: str) -> Iterator[Finding]:
        finding = self._paths.judge(cwd, "read")
        if finding.effect != "allow":
            yield finding

    def _command(self, text: str, seen: _Seen, cwd: str | None, argv: list[list[str]]) -> Iterator[Finding]:
        elsewhere = cwd is not None and self._paths.place(cwd).physical != self._paths.workspace
        # A command in another folder is what `cd` into it and then the command is, settings of that folder and all.
        line = f"cd -- {shlex.quote(cwd)} && {text}" if cwd is not None and elsewhere else text
        findings, parsed = judge_command(line, table=self._policy.commands, mode=self._mode, paths=self._paths)
        if not findings:
            raise ValueError("nothing was found about a command")
        yield from findings
        if parsed is not None:
            seen.add(parsed)
            argv += [list(words) for words in parsed.started()[1 if elsewhere else 0 :]]

    def _rules(self, action: Action, seen: _Seen, argv: list[list[str]]) -> Rules:
        def command(text: str) -> list[Finding]:
            return list(self._command(text, seen, action.cwd, argv))

        def judge(path: str, access: str) -> Finding:
            return seen.judge(path, access, action.cwd)

        def peek(path: str, access: str) -> Finding:
            return self._paths.judge(path, access, action.cwd)

        return Rules(self._policy.table["tools"], self._entries, judge, peek, self.cell, command)


def describes(action: object) -> bool:
    """Tell whether an action says in text what is to be done, so that a person can be asked about it."""
    if not isinstance(action, Action):
        return False
    texts = (action.command, action.path, action.tool, action.cwd)
    return any(texts[:3]) and all(text is None or isinstance(text, str) for text in (*texts, action.kind))


def _plain(args: Mapping[str, Any] | None) -> Any:
    return dict(args) if isinstance(args, Mapping) else args
