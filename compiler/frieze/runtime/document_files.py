"""Reading one document from the disk: only regular files, within a budget, never in the middle of a character."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import NamedTuple

from .graphemes import is_boundary
from .notes import Note

INPUT = "project_documents"
"""The path of the context that holds the documents, and the input that notes name."""

LARGEST = 16 * 1024 * 1024
"""Bytes of a document without a budget that are read at most."""

AHEAD = 256
"""Bytes behind the budget that are looked at, to see where a character ends and whether only blanks follow."""


class Candidate(NamedTuple):
    """A regular file, and its size in bytes."""

    path: Path
    size: int


class Found(NamedTuple):
    """A text, the bytes `start:end` of the file that it was read from, and how much of the budget it took."""

    text: str
    start: int
    end: int
    spent: int


def first_file(folder: Path, names: tuple[str, ...], notes: list[Note]) -> Candidate | None:
    """Return the first of `names` that is a regular file. Directories, pipes and what is not there are passed over."""
    for name in names:
        path = folder / name
        try:
            facts = path.stat()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except (OSError, ValueError) as error:
            _note(notes, "document-unreadable", path, _reason(error))
            continue
        if stat.S_ISREG(facts.st_mode):
            return Candidate(path, facts.st_size)
    return None


def whole(candidate: Candidate, notes: list[Note]) -> Found | None:
    """Read a document without a budget; its blank lines at both ends go. None where nothing is left."""
    data = _read(candidate, LARGEST, notes)
    if data is None:
        return None
    text = _decoded(data, candidate, notes).strip()
    if not text:
        return None
    if candidate.size > len(data):
        _note(notes, "document-cut", candidate.path, f"{candidate.size - len(data):,} of {candidate.size:,} bytes")
    return Found(text, len(data) - len(data.lstrip()), len(data.rstrip()), 0)


def excerpt(candidate: Candidate, budget: int, notes: list[Note]) -> Found | None:
    """Read at most `budget` bytes of a document; a cut falls where a character ends, and is noted. None: nothing."""
    data = _read(candidate, budget + AHEAD, notes)
    if data is None or not data.strip():
        return None
    end = len(data) if len(data) <= budget else _end(data, budget)
    size = max(candidate.size, len(data))
    if not data[:end].strip():
        _note(notes, "document-left-out", candidate.path, f"{size:,} bytes; the budget has no room for it")
        return None
    if end < size:
        _note(notes, "document-cut", candidate.path, f"{size - end:,} of {size:,} bytes")
    kept = data[:end].rstrip(b"\r\n")
    return Found(_decoded(kept, candidate, notes), 0, len(kept), end)


def _end(data: bytes, budget: int) -> int:
    """Return how many of the first `budget` bytes end with a whole character."""
    end = budget
    while end > 0 and budget - end < 4 and data[end] & 0xC0 == 0x80:
        end -= 1
    window = max(end - AHEAD, 0)
    while window > 0 and data[window] & 0xC0 == 0x80:
        window -= 1
    before = data[window:end].decode("utf-8", "surrogateescape")
    text = before + data[end:].decode("utf-8", "surrogateescape")
    index = len(before)
    while index > 0 and not is_boundary(text, index):
        index -= 1
    if index == 0 and window > 0:
        return end
    return window + len(text[:index].encode("utf-8", "surrogateescape"))


def _read(candidate: Candidate, limit: int, notes: list[Note]) -> bytes | None:
    """Read a regular file's first `limit` bytes. It may have gone, or become something else, since it was found."""
    try:
        descriptor = os.open(candidate.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                _note(notes, "document-vanished", candidate.path, "is no file any more")
                return None
            return file.read(limit)
    except FileNotFoundError:
        _note(notes, "document-vanished", candidate.path, "")
    except OSError as error:
        _note(notes, "document-unreadable", candidate.path, _reason(error))
    return None


def _decoded(data: bytes, candidate: Candidate, notes: list[Note]) -> str:
    """Decode UTF-8. Every invalid sequence becomes U+FFFD; a byte order mark at the start goes."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        _note(notes, "not-utf8", candidate.path, "replaced")
        return data.decode("utf-8-sig", "replace")


def _note(notes: list[Note], code: str, path: Path, detail: str) -> None:
    notes.append(Note(code, INPUT, str(path).encode("utf-8", "backslashreplace").decode(), detail))


def _reason(error: Exception) -> str:
    return (error.strerror or "cannot be read") if isinstance(error, OSError) else "is no path"
