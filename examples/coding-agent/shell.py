"""Runs a command line with a bounded output, a bounded time, and nothing of this process's secrets."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from pathlib import Path
from typing import IO, NamedTuple

TIMEOUT = 120.0
"""Seconds after which a command is stopped."""

MOST_KEPT = 200_000
"""Bytes at the start and at the end of an output that are kept, each."""

PASSED_ON = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "VIRTUAL_ENV")
"""Variables that a command sees, besides the locale's. Keys of APIs and what steers a shell are not among them."""


class Ran(NamedTuple):
    """How a command ended; no exit code where it was stopped."""

    exit_code: int | None
    stdout: bytes
    stderr: bytes


def run(command: str, workspace: Path, timeout: float = TIMEOUT) -> Ran:
    """Run a command line with bash. Whatever it leaves running is stopped."""
    process = subprocess.Popen(  # noqa: S603 - that is what this tool is for; the guard has allowed this command
        ["/bin/bash", "--noprofile", "--norc", "-c", command],
        cwd=workspace,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    outputs = [_Output(stream) for stream in (process.stdout, process.stderr) if stream]
    note = b""
    try:
        code: int | None = process.wait(timeout)
    except subprocess.TimeoutExpired:
        code, note = None, f"\nStopped after {timeout:g} seconds.".encode()
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    out, err = (output.value() for output in outputs)
    return Ran(code, out, err + note)


def _environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name in PASSED_ON or name.startswith("LC_")}
    return {**kept, "TERM": "dumb", "PAGER": "cat", "GIT_PAGER": "cat", "GIT_TERMINAL_PROMPT": "0"}


class _Output:
    """Reads a stream to its end and keeps the start and the end of it."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._start = bytearray()
        self._end = bytearray()
        self._lost = 0
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def value(self) -> bytes:
        """Return what was kept, once the stream has ended."""
        self._thread.join(2)
        gap = f"\n[{self._lost:,} bytes left out]\n".encode() if self._lost else b""
        return bytes(self._start) + gap + bytes(self._end)

    def _read(self) -> None:
        with self._stream as stream:
            while piece := os.read(stream.fileno(), 65536):
                room = MOST_KEPT - len(self._start)
                self._start += piece[:room] if room > 0 else b""
                self._end += piece[max(room, 0) :]
                if len(self._end) > MOST_KEPT:
                    self._lost += len(self._end) - MOST_KEPT
                    del self._end[:-MOST_KEPT]
