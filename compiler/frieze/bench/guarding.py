"""The guard's answers to simple commands, over the time in which the standard library splits them into words."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from frieze.bench.rendering import ratio
from frieze.policy import shipped_table
from frieze.runtime.guard import Action, Guard

COMMANDS = ("ls -la src", "git status", "git log --oneline -5", "cat README.md", "pytest -q", "wc -l src/app.py")
"""Commands as assistants run them most: one program, no more than two arguments."""

POLICY, MODE = "std/coding", "implement"


def guard_over_shlex() -> float:
    """Return the time of `Guard.decide` over that of `shlex.split`, for the same commands in an empty workspace."""
    with tempfile.TemporaryDirectory() as folder:
        guard = Guard(shipped_table(POLICY), MODE, workspace=str(Path(folder).resolve()))
        actions = [Action("run", command=command) for command in COMMANDS]

        def decide() -> list[str]:
            return [guard.decide(action).effect for action in actions]

        def split() -> list[list[str]]:
            return [shlex.split(command) for command in COMMANDS]

        if set(decide()) != {"allow"}:
            raise ValueError(f"{POLICY} does not allow the commands that are measured")
        return ratio(decide, split)
