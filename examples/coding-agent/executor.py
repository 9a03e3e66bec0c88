"""Carries out tool calls: each is put before the guard, a person is asked where it asks, and what came of it is data.

A result has a `status`: `ok`, `failed`, `needs_confirmation` or `denied`. Only what was done, wholly, is `ok`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import shell
from changes import Changes
from coding_agent import Action
from coding_agent.resolver.guard import ConfirmationError
from journal import Journal, Write
from patching import Change, applied, new_text, read_patch
from searching import MOST_HITS, files_of, holding, named
from texts import RefusalError, digest_of, read_bytes, text_of

Ask = Callable[[Mapping[str, Any]], bool | None]
"""Puts a confirmation before a person: yes, no, or None where nobody answers."""

FIRST_LINES, MOST_LINES, MOST_CHARACTERS = 220, 1000, 60_000
DECLINED = "Not run: the person has declined. Ask what they want instead; do not try it in another form."


class Output(NamedTuple):
    """What a tool has to say; a process has its own exit code."""

    stdout: str | bytes
    exit_code: int | None = 0
    stderr: str | bytes = ""


class Executor:
    """Carries out the tool calls of one session in one workspace."""

    def __init__(self, guard: Any, tools: Sequence[Mapping[str, Any]], ask: Ask, state: Path) -> None:
        """Begin a session; what an earlier one was killed in the middle of is taken back.

        Args:
            guard: what `prompt.guard` gave.
            tools: what `result.tools` gave: the tools that the model is offered.
            ask: puts a confirmation before a person.
            state: a folder outside of the workspace for what has to outlive a kill.
        """
        self.guard = guard
        self.workspace = Path(guard.workspace)
        self._schemas = {tool["name"]: tool["input_schema"] for tool in tools}
        self._ask = ask
        self._journal = Journal(state)
        self.recovered = self._journal.recover()
        self._read: dict[Path, str] = {}
        self.changes = Changes(self.workspace, self._readable)

    def call(self, name: str, args: Any) -> dict[str, Any]:
        """Carry out a call if the guard and, where it asks, a person let it; return its result."""
        command = args.get("command") if isinstance(args, dict) and isinstance(args.get("command"), str) else None
        try:
            # What is judged must be what is done, whatever the caller does with its own copy.
            args = json.loads(json.dumps(args))
            self._check(name, args)
        except (RefusalError, ValueError, TypeError, RecursionError) as error:
            return self._told(name, command, Output("", 2, str(error)))
        decision = self.guard.check_tool(name, args)
        if decision.effect == "ask":
            decision = self._answered(name, args, decision)
        if decision.effect != "allow":
            refused: dict[str, Any] = self.guard.result(name, decision, command=command)
            return {**refused, "message": DECLINED} if decision.reason == DECLINED else refused
        try:
            output = getattr(self, f"_{name}")(**args)
        except RefusalError as error:
            output = Output("", 1, str(error))
        except OSError as error:
            output = Output("", 1, f"{error.strerror or error}: {error.filename or ''}")
        except Exception as error:  # noqa: BLE001 - a fault in a tool is a failure that the model is told of
            output = Output("", 1, f"The tool failed ({type(error).__name__}: {error}).")
        return self._told(name, command, output)

    def _told(self, name: str, command: str | None, output: Output) -> dict[str, Any]:
        """Return what the model is told of a call that was tried: masked, and cut."""
        told: dict[str, Any] = self.guard.result(
            name,
            command=command,
            exit_code=output.exit_code,
            stdout=output.stdout,
            stderr=output.stderr,
            limit=MOST_CHARACTERS,
        )
        return told

    def _answered(self, name: str, args: dict[str, Any], decision: Any) -> Any:
        """Return the decision after a person was asked. The token never leaves this function."""
        answer = self._ask(decision.confirmation)
        if answer is None:
            return decision
        if answer is not True:
            return decision._replace(effect="deny", reason=DECLINED, confirmation=None)
        try:
            token = self.guard.approve(decision.confirmation)
        except ConfirmationError as error:
            return decision._replace(effect="deny", reason=f"The answer does not count: {error}.", confirmation=None)
        return self.guard.check_tool(name, args, token)

    def _check(self, name: str, args: Any) -> None:
        """Compare arguments with the tool's schema, as far as these schemas go."""
        schema = self._schemas.get(name)
        if schema is None or not hasattr(self, f"_{name}"):
            raise RefusalError(f"there is no tool `{name}`; there are {', '.join(sorted(self._schemas))}")
        if not isinstance(args, dict):
            raise RefusalError("the arguments must be an object")
        known = schema.get("properties", {})
        for argument, value in args.items():
            if argument not in known:
                raise RefusalError(f"`{name}` has no argument `{argument}`")
            _check_value(argument, value, known[argument])
        for argument in schema.get("required", ()):
            if argument not in args:
                raise RefusalError(f"the argument `{argument}` is missing")
        if name == "apply_patch":
            read_patch(args["patch"])  # nobody is asked about a patch that cannot be applied

    def _readable(self, path: str) -> bool:
        return bool(self.guard.decide(Action("read", path=path)).effect == "allow")

    def _real(self, path: str) -> Path:
        return Path(os.path.realpath(self.workspace / path))

    def _search_files(self, query: str, glob: str | None = None) -> Output:
        found = named(files_of(self.workspace, self.workspace, self._readable), query, glob)
        return Output(_listed(found) if found else "No path holds that.")

    def _search_text(self, query: str, path: str = ".", glob: str | None = None, ignore_case: bool = False) -> Output:
        if not query or "\n" in query:
            raise RefusalError("the text to look for must be a piece of one line")
        paths = files_of(self.workspace, self._real(path), self._readable)
        found = list(islice(holding(self.workspace, paths, query, glob, ignore_case=ignore_case), MOST_HITS + 1))
        return Output(_listed(found) if found else "No line holds that.")

    def _read_file(self, path: str, start_line: int = 1, limit: int = FIRST_LINES) -> Output:
        real = self._real(path)
        data, _ = read_bytes(real)
        text = text_of(data)
        if text is None:
            raise RefusalError("the file is no text")
        self._read[real] = digest_of(data)
        total = len(text.lines)
        if total and start_line > total:
            raise RefusalError(f"the file has {total} lines")
        shown = text.lines[start_line - 1 : start_line - 1 + min(limit, MOST_LINES)]
        rows, room = [], MOST_CHARACTERS - 500
        for number, line in enumerate(shown, start_line):
            row = f"{number:>6}\t{line.text}"
            if len(row) > room:
                rows.append(f"{number:>6}\t{line.text[: max(room, 0)]} […]")
                break
            room -= len(row) + 1
            rows.append(row)
        head = f"{path}: lines {start_line} to {start_line + len(rows) - 1} of {total}" if total else f"{path}: empty"
        return Output("\n".join([head, *rows]))

    def _show_diff(self, path: str = ".") -> Output:
        start = self._inside(path)
        changed = self.changes.listed(start)
        if not changed:
            return Output("Nothing has changed.")
        return Output("\n".join([*map(str, changed), "", self.changes.diff(start)]))

    def _run_shell(self, command: str) -> Output:
        ran = shell.run(command, self.workspace)
        return Output(ran.stdout, ran.exit_code, ran.stderr)

    def _delete_file(self, path: str, reason: str) -> Output:
        place = self.workspace / path
        real = self._inside(path)
        if place.is_symlink():
            raise RefusalError("it is a link")
        data, mode = read_bytes(real)
        self._journal.replace([Write(real, data, None, mode)])
        return Output(f"Deleted {path}: {reason}")

    def _apply_patch(self, patch: str) -> Output:
        writes: list[Write] = []
        for change in read_patch(patch):
            writes += self._writes(change)
        if len({write.path for write in writes}) != len(writes):
            raise RefusalError("two paths of the patch lead to one file")
        self._journal.replace(writes)
        for write in writes:
            self._read.pop(write.path, None)
            if write.after is not None:
                self._read[write.path] = digest_of(write.after)
        return Output("Applied. " + ", ".join(os.path.relpath(write.path, self.workspace) for write in writes))

    def _writes(self, change: Change) -> list[Write]:
        """Return what a change does to files, worked out on what they hold now."""
        for path, kind in ((change.path, "delete" if change.kind == "delete" else "edit"), (change.moved_to, "edit")):
            # The guard has judged the patch as a text; here every path is put before it once more as it was read.
            if path is not None and self.guard.decide(Action(kind, path=path)).effect == "deny":
                raise RefusalError(f"{path}: the policy does not allow it")
        real = self._inside(change.path)
        if change.kind == "add":
            if real.exists() or real.is_symlink():
                raise RefusalError(f"{change.path} is there already; update it")
            return [Write(real, None, new_text(change.added).encoded(), None)]
        before, mode = read_bytes(real)
        self._must_be_read(change.path, real, before, mode)
        if change.kind == "delete":
            return [Write(real, before, None, mode)]
        text = text_of(before)
        if text is None:
            raise RefusalError(f"{change.path} is no text")
        try:
            after = applied(text, change.hunks).encoded()
        except RefusalError as error:
            raise RefusalError(f"{change.path}, {error}") from None
        if change.moved_to is None:
            return [Write(real, before, after, mode)]
        target = self._inside(change.moved_to)
        if target.exists() or target.is_symlink():
            raise RefusalError(f"{change.moved_to} is there already")
        return [Write(target, None, after, mode), Write(real, before, None, mode)]

    def _must_be_read(self, path: str, real: Path, data: bytes, mode: int) -> None:
        if real not in self._read:
            raise RefusalError(f"{path} has to be read before it is changed")
        if self._read[real] != digest_of(data):
            raise RefusalError(f"{path} has changed since it was read; read it again")
        if not mode & 0o222:
            raise RefusalError(f"{path} is read-only")

    def _inside(self, path: str) -> Path:
        """Return where a path leads.

        Raises:
            RefusalError: out of the workspace.
        """
        real = self._real(path)
        if real != self.workspace and self.workspace not in real.parents:
            raise RefusalError(f"{path} lies outside of the workspace")
        return real


def _check_value(argument: str, value: Any, schema: Mapping[str, Any]) -> None:
    if type(value) is not {"string": str, "integer": int, "boolean": bool}[schema["type"]]:
        raise RefusalError(f"`{argument}` must be of the type {schema['type']}")
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        raise RefusalError(f"`{argument}` must say something")
    if type(value) is int and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        raise RefusalError(f"`{argument}` must be {schema.get('minimum', 'less')} to {schema.get('maximum', 'more')}")


def _listed(found: Sequence[str]) -> str:
    """Return a list of hits, cut visibly."""
    rest = [] if len(found) <= MOST_HITS else [f"[There are more than {MOST_HITS}. Look for something narrower.]"]
    return "\n".join([*found[:MOST_HITS], *rest])
