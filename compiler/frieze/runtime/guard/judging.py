"""Finds everything that a policy says of one action; `guard` makes an answer of it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from .commands import Parsed, judge_command
from .confirm import Subject
from .decisions import Action
from .paths import PathJudge
from .policy import Policy
from .showing import shown
from .tools import Rules, access_of, judge_tool
from .vocabulary import ACCESSES, ACTIONS, Finding

TOOL = "tool"
"""The kind of action that a call of a tool is until the tool's own is known."""


class Judged(NamedTuple):
    """What was found about an action; `subject` says what exactly it is about, where that is asked for."""

    findings: tuple[Finding, ...]
    subject: Callable[[], Subject]


class _Seen:
    """What was met while an action was judged: where paths lead, and the commands in it."""

    __slots__ = ("_judge", "accesses", "commands", "parsed")

    def __init__(self, judge: PathJudge) -> None:
        self._judge = judge
        self.accesses: list[tuple[str, str, str | None]] = []
        self.commands: list[str] = []
        self.parsed: list[Parsed] = []

    def judge(self, path: str, access: str, cwd: str | None = None) -> Finding:
        """Judge a path as `PathJudge.judge` does."""
        self.accesses.append((path, access, cwd))
        return self._judge.judge(path, access, cwd)

    def paths(self) -> Iterator[tuple[str, Finding]]:
        """Yield the kind of each access with what is said of its path."""
        commands = [command for parsed in self.parsed for command in parsed.commands]
        inside = [
            (path, access, cwd or None)
            for command in commands
            for cwd in command.cwds
            for path, access in command.accesses
        ]
        for path, access, cwd in (*self.accesses, *inside):
            kind = access if access in ACCESSES else "search"
            yield kind, self._judge.judge(path, kind, cwd)


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
        findings = list(self._found(action, seen))
        if self._general:
            actions = sorted({finding.action for finding in findings})
            findings += [found for kind in actions for found in self._of_kind(kind)]
        return Judged(tuple(findings), lambda: self.subject(action, seen))

    def subject(self, action: Action, seen: _Seen | None = None) -> Subject:
        """Return what an action is about, with its folder and its paths resolved."""
        cwd = self._paths.place(action.cwd).physical if action.cwd is not None else self._paths.workspace
        found = list(seen.paths()) if seen else []
        commands = seen.commands if seen else []
        command = action.command if action.command is not None or len(commands) != 1 else commands[0]
        targets: dict[str, dict[str, None]] = {}
        for access, finding in found:
            targets.setdefault(access, {}).update(dict.fromkeys(finding.paths))
        deleted = {finding.risk for access, finding in found if access == "delete"}
        return Subject(
            kind=action.kind,
            command=command,
            argv=[list(words) for parsed in seen.parsed for words in parsed.started()]
            if seen and seen.parsed
            else None,
            cwd=cwd,
            path=action.path,
            tool=action.tool,
            args=dict(action.args) if isinstance(action.args, Mapping) else action.args,
            paths=sorted({path for _, finding in found for path in finding.paths}),
            targets={access: sorted(paths) for access, paths in targets.items()},
            generated=deleted == {"destructive-generated-artifact"},
        )

    def _found(self, action: Action, seen: _Seen) -> Iterator[Finding]:
        if action.kind not in ACTIONS and action.kind != TOOL:
            yield Finding("ask", "run", "unknown", "unknown", f"`{shown(str(action.kind))}` is not a known action.")
        if action.cwd is not None:
            yield from self._folder(action.cwd)
        if action.command is not None:
            yield from self._command(action.command, seen, action.cwd)
        if action.tool is not None:
            yield from judge_tool(action.tool, action.args, self._rules(action, seen))
        if action.path is not None:
            yield self.cell(action.kind)
            yield seen.judge(action.path, access_of(action.kind), action.cwd)
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

    def _command(self, text: str, seen: _Seen, cwd: str | None) -> Iterator[Finding]:
        elsewhere = cwd is not None and self._paths.place(cwd).physical != self._paths.workspace
        # A command in another folder is what `cd` into it and then the command is, settings of that folder and all.
        line = f"cd -- {shlex.quote(cwd)} && {text}" if cwd is not None and elsewhere else text
        findings, parsed = judge_command(line, table=self._policy.commands, mode=self._mode, paths=self._paths)
        seen.commands.append(text)
        if parsed is not None:
            seen.parsed.append(Parsed(parsed.commands[1:]) if elsewhere else parsed)
        yield from findings

    def _rules(self, action: Action, seen: _Seen) -> Rules:
        def command(text: str) -> list[Finding]:
            return list(self._command(text, seen, action.cwd))

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
