"""Runs the command line: in this process for speed, in its own for what only a process shows."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple
from unittest import mock

from frieze.cli import run


class Outcome(NamedTuple):
    """Exit code, stdout and stderr."""

    code: int
    out: str
    err: str


def frieze(*arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"") -> Outcome:
    """Run a command in this process; neither output is a terminal."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    given = io.TextIOWrapper(io.BytesIO(stdin), "utf-8")
    with (
        contextlib.chdir(cwd or Path.cwd()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch.object(sys, "stdin", given),
    ):
        code = run([str(argument) for argument in arguments])
        out.flush()
        err.flush()
    return Outcome(code, *(stream.buffer.getvalue().decode() for stream in (out, err)))


def frieze_process(
    *arguments: str | Path, cwd: Path | None = None, stdin: bytes = b"", env: dict[str, str] | None = None
) -> Outcome:
    """Run a command in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "frieze", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        env={**os.environ, **(env or {})},
        check=False,
        timeout=120,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())
