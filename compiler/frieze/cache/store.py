"""A folder of entries: bytes by key. Whatever is not as it was written does not exist.

Each entry is one file that begins with the hash of its key and content, so that a file that was cut, changed or put in
another's place is not taken. Files are written beside their place and moved there in one step, so runs at the same
time cannot see half of one, and there are no locks. Nothing that goes wrong with the folder is an error: a cache that
cannot be read is empty, and one that cannot be written stays so.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

LIMIT = 512 * 1024 * 1024
"""Bytes that a cache may take; beyond it what was not used for the longest time is removed."""

KEPT = 0.7
"""How much of the limit is left after that."""

LOOK = LIMIT // 32
"""After so many bytes written the folder is looked through."""

HEADER = b"frieze cache entry 1\n"
HASH_LENGTH = 64
_STALE = 60 * 60 * 24


@dataclass(slots=True)
class Store:
    """The entries in a folder. Keys are hexadecimal digits.

    `broken` is set when writing failed, so that it is not tried a thousand times.
    """

    folder: Path
    broken: bool = False
    written: int = 0

    def get(self, key: str) -> bytes | None:
        """Return the content of an entry, None where there is none or it is damaged."""
        found = self.entry(key)
        return found[1] if found else None

    def entry(self, key: str) -> tuple[str, bytes] | None:
        """Return the hash and the content of an entry, None where there is none or it is damaged."""
        path = self._path(key)
        try:
            with open(path, "rb", buffering=0) as stream:  # noqa: PTH123 - a thousand times in a run; Path.open costs as much again
                head = stream.read(len(HEADER) + HASH_LENGTH)
                content = stream.readall()
                age = os.fstat(stream.fileno()).st_mtime
        except OSError:
            return None
        found = entry_hash(key, content)
        if head != HEADER + found.encode():
            return None
        self._used(path, age)
        return found, content

    def put(self, key: str, content: bytes) -> str:
        """Write an entry and return its hash; an older one of the same key is replaced."""
        found = entry_hash(key, content)
        if self.broken:
            return found
        path = self._path(key)
        beside = f"{path}.{os.getpid():x}-{os.urandom(4).hex()}"
        try:
            try:
                stream = open(beside, "xb")  # noqa: PTH123, SIM115 - see above; closed below
            except FileNotFoundError:
                self._folder(path)
                stream = open(beside, "xb")  # noqa: PTH123, SIM115 - see above
            with stream:
                stream.write(HEADER + found.encode())
                stream.write(content)
            os.replace(beside, path)  # noqa: PTH105 - see above
        except OSError:
            self.broken = True
            _remove(beside)
            return found
        self.written += len(content)
        return found

    def tidy(self, limit: int = LIMIT) -> None:
        """Remove what was not used for the longest time, where the folder has grown over the limit.

        Looks only after a good deal was written.
        """
        if self.written < min(LOOK, limit):
            return
        self.written = 0
        entries = sorted(_entries(self.folder))
        size = sum(entry[1] for entry in entries)
        if size <= limit:
            return
        for _, own, path in entries:
            _remove(path)
            size -= own
            if size <= limit * KEPT:
                break

    def _path(self, key: str) -> str:
        return f"{self.folder}{os.sep}{key[:2]}{os.sep}{key[2:]}"

    def _folder(self, path: str) -> None:
        """Make the folders above a path; what is in a cache is nobody else's business, and no part of a repository."""
        if not self.folder.is_dir():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        ignore = self.folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
        os.makedirs(os.path.dirname(path), exist_ok=True)  # noqa: PTH103, PTH120 - a text all the way

    def _used(self, path: str, age: float) -> None:
        """Note the use of an entry, at most once a day."""
        from time import time

        if time() - age > _STALE:
            try:
                os.utime(path)
            except OSError:
                return


def entry_hash(key: str, content: bytes) -> str:
    """Return the hash that an entry begins with."""
    whole = hashlib.sha256(key.encode())
    whole.update(content)
    return whole.hexdigest()


def _entries(folder: Path) -> list[tuple[float, int, str]]:
    """Return (time of last use, size, path) of everything in the folder, what was left half written included."""
    found: list[tuple[float, int, str]] = []
    try:
        below = [entry.path for entry in os.scandir(folder) if entry.is_dir(follow_symlinks=False)]
        for path in below:
            for entry in os.scandir(path):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime, status.st_size, entry.path))
    except OSError:
        return []
    return found


def _remove(path: str) -> None:
    try:
        os.unlink(path)  # noqa: PTH108 - a text all the way
    except OSError:
        return
