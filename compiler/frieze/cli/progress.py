"""Says on stderr what long work is at, when a person is watching."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

PATIENCE = 0.4
"""Seconds before anything is shown; most runs are over by then."""

INTERVAL = 0.1
"""Seconds between two updates."""


class Progress(Protocol):
    """What long-running functions call; `total` is 0 where the amount of work is not known."""

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        """Tell that `done` of `total` steps of `stage` are finished."""


@contextmanager
def shown_progress() -> Iterator[Progress | None]:
    """Give a `Progress` that keeps one line of the terminal up to date, or None where nobody looks."""
    if not sys.stderr.isatty() or os.environ.get("TERM") == "dumb":
        yield None
        return
    line = _Line()
    try:
        yield line
    finally:
        line.clear()


class _Line:
    def __init__(self) -> None:
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def __call__(self, stage: str, done: int = 0, total: int = 0) -> None:
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + INTERVAL
        self._shown = True
        self._write(f"{stage} {done:,} of {total:,}" if total else stage)

    def clear(self) -> None:
        if self._shown:
            self._write("")

    @staticmethod
    def _write(text: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{text}")
        sys.stderr.flush()
