"""What has changed in a workspace since a session began, whoever changed it."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from searching import files_of
from texts import RefusalError, read_bytes, text_of

MOST_KEPT = 64_000_000
"""Bytes of all files together that are kept to compare with. Of the others it is only known that they changed."""


class Change(NamedTuple):
    """A file that is not as it was. The counts are None where it is no text, or was too large to keep."""

    path: str
    kind: str
    added: int | None
    removed: int | None

    def __str__(self) -> str:
        counts = "lines not counted" if self.added is None else f"+{self.added} -{self.removed}"
        return f"{self.path} ({self.kind}, {counts})"


class Kept(NamedTuple):
    """A file as it was: what the system knows of it, and its bytes where they are kept."""

    facts: tuple[int, ...]
    data: bytes | None


class Changes:
    """Compares a workspace with how it was when this was made. What may not be read is not looked at."""

    def __init__(self, workspace: Path, readable: Callable[[str], bool]) -> None:
        self._workspace = workspace
        self._readable = readable
        self._kept: dict[str, Kept] = {}
        room = MOST_KEPT
        for path in files_of(workspace, workspace, readable):
            facts, data = self._facts(path), self._bytes(path)
            self._kept[path] = Kept(facts, data if data is not None and len(data) <= room else None)
            room -= len(self._kept[path].data or b"")

    def listed(self, start: Path | None = None) -> list[Change]:
        """Return the files that have changed, by path; `start` is a file or folder to look at alone."""
        found = self._different(start or self._workspace)
        return [_change(path, self._kind(path), _lines(old), _lines(new)) for path, old, new in found]

    def diff(self, start: Path | None = None) -> str:
        """Return the changes as a unified diff."""
        pieces = []
        for path, before, after in self._different(start or self._workspace):
            old, new = _lines(before), _lines(after)
            if old is None or new is None:
                pieces.append(f"{path}: changed, and not shown\n")
                continue
            kind = self._kind(path)
            heads = ("/dev/null" if kind == "new" else f"a/{path}", "/dev/null" if kind == "deleted" else f"b/{path}")
            pieces += [
                line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"
                for line in difflib.unified_diff(old, new, *heads)
            ]
        return "".join(pieces)

    def _different(self, start: Path) -> Iterator[tuple[str, bytes | None, bytes | None]]:
        """Yield path, old and new bytes of files that differ: None where not known, empty where no file is."""
        found = {path: self._facts(path) for path in files_of(self._workspace, start, self._readable)}
        below = str(start.relative_to(self._workspace)) if start != self._workspace else ""
        gone = [path for path in self._kept if path not in found and _is_below(path, below)]
        for path in sorted([*found, *gone]):
            kept = self._kept.get(path)
            if kept is not None and kept.facts == found.get(path):
                continue
            old = b"" if kept is None else kept.data
            new = b"" if path not in found else self._bytes(path)
            if kept is None or path not in found or old is None or old != new:
                yield path, old, new

    def _facts(self, path: str) -> tuple[int, ...]:
        try:
            facts = (self._workspace / path).lstat()
        except OSError:
            return ()
        return facts.st_ino, facts.st_size, facts.st_mtime_ns, facts.st_ctime_ns

    def _bytes(self, path: str) -> bytes | None:
        try:
            return read_bytes(self._workspace / path)[0]
        except RefusalError:
            return None

    def _kind(self, path: str) -> str:
        if path not in self._kept:
            return "new"
        return "changed" if (self._workspace / path).is_file() else "deleted"


def _change(path: str, kind: str, old: list[str] | None, new: list[str] | None) -> Change:
    if old is None or new is None:
        return Change(path, kind, None, None)
    marks = [line[:1] for line in list(difflib.unified_diff(old, new, n=0))[2:]]
    return Change(path, kind, marks.count("+"), marks.count("-"))


def _is_below(path: str, folder: str) -> bool:
    return not folder or path == folder or path.startswith(f"{folder}/")


def _lines(data: bytes | None) -> list[str] | None:
    text = None if data is None else text_of(data)
    return None if text is None else [line.text + line.ending for line in text.lines]
