"""The shipped policies as the guard reads them, and a workspace with links, for tests of command lines."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from frieze.policy import shipped_table
from frieze.runtime.guard.commands import CommandTable, Parsed, judge_command
from frieze.runtime.guard.paths import PathJudge
from frieze.runtime.guard.vocabulary import Finding, strictest

DATA = Path(__file__).resolve().parent.parent / "data" / "guard"
HOME = "/home/someone"


@functools.cache
def table(name: str = "coding") -> dict[str, Any]:
    """Return the decision table of a policy of the library; do not change it."""
    return shipped_table(name)


@functools.cache
def prepared(name: str = "coding") -> CommandTable:
    """Return the same, prepared for commands."""
    return CommandTable(table(name))


class Workspace:
    """A workspace named `w` with the files and links of the fixture, and judges for it."""

    def __init__(self, parent: Path, policy: str = "coding") -> None:
        self.root = parent / "w"
        self.root.mkdir(exist_ok=True)
        for line in (DATA / "paths_fixture.tsv").read_text("utf-8").splitlines()[1:]:
            name, kind, *target = line.split("\t")
            path = self.root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "file":
                path.touch()
            elif not path.is_symlink():
                path.symlink_to(target[0])
        self.policy = policy
        self.paths = PathJudge(table(policy)["paths"], self.root, home=HOME)

    def judge(self, text: str, mode: str = "implement") -> tuple[list[Finding], Parsed | None]:
        """Judge a command line; `/w` at the start of a word stands for the workspace."""
        return judge_command(text, table=prepared(self.policy), mode=mode, paths=self.paths)

    def effect(self, text: str, mode: str = "implement") -> str:
        """Return the answer to a command line."""
        return strictest(finding.effect for finding in self.judge(text, mode)[0])


def decoded(column: str) -> str:
    """Decode the first column of a table of cases: the body of a JSON string with its quotes left bare."""
    return str(json.loads('"' + column.replace('"', '\\"') + '"'))


def rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a table of cases below its heading, the first column decoded."""
    lines = (DATA / name).read_text("utf-8").splitlines()[1:]
    listed = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return [(decoded(first), *rest) for first, *rest in listed]
