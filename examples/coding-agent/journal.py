"""Several files are replaced together, or none of them: also when this process is killed in the middle.

What the files held is written to a journal first, outside of the workspace. Each file is replaced by a rename, so it is
never half written. Whoever finds a journal later takes back what it began.
"""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from texts import RefusalError, digest_of, read_bytes


class Write(NamedTuple):
    """A file that is to be replaced. `before` is what it holds, None where it is not there; `after` None deletes it."""

    path: Path
    before: bytes | None
    after: bytes | None
    mode: int | None


class Journal:
    """The journal of one workspace, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._file = folder / "journal.json"
        self._lock = folder / "lock"

    def replace(self, writes: Sequence[Write]) -> None:
        """Replace files, all of them or none.

        Raises:
            RefusalError: a file is not as it was when the writes were made.
            OSError: the system refused something; everything is as before.
        """
        with self._alone():
            self._take_back()
            for write in writes:
                _check(write)
            folders = list(
                dict.fromkeys(
                    folder for write in writes if write.after is not None for folder in _missing(write.path.parent)
                )
            )
            staged = [_beside(write.path) if write.after is not None else None for write in writes]
            self._note(writes, staged, folders)
            try:
                for folder in folders:
                    folder.mkdir()
                for write, beside in zip(writes, staged, strict=True):
                    if beside is not None and write.after is not None:
                        _write(beside, write.after, write.mode)
                for write, beside in zip(writes, staged, strict=True):
                    _check(write)
                    _put(write.path, beside)
            except BaseException:
                self._take_back()
                raise
            self._done()

    def recover(self) -> list[str]:
        """Take back what a process that was killed has begun, and return the files that are as before again."""
        with self._alone():
            return self._take_back()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        with self._lock.open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _note(self, writes: Sequence[Write], staged: Sequence[Path | None], folders: Sequence[Path]) -> None:
        rows = [
            {
                "path": str(write.path),
                "before": None if write.before is None else base64.b64encode(write.before).decode(),
                "after": None if write.after is None else digest_of(write.after),
                "mode": write.mode,
                "staged": None if beside is None else str(beside),
            }
            for write, beside in zip(writes, staged, strict=True)
        ]
        beside = _beside(self._file)
        _write(beside, json.dumps({"files": rows, "folders": [*map(str, folders)]}).encode(), 0o600)
        _put(self._file, beside)

    def _take_back(self) -> list[str]:
        if not self._file.exists():
            return []
        noted = json.loads(self._file.read_bytes())
        restored = []
        for row in noted["files"]:
            path = Path(row["path"])
            if row["staged"] is not None:
                with contextlib.suppress(OSError):
                    Path(row["staged"]).unlink()
            before = None if row["before"] is None else base64.b64decode(row["before"])
            try:
                now = _held(path)
            except RefusalError:
                continue
            written = now is None if row["after"] is None else now is not None and digest_of(now) == row["after"]
            if not written or now == before:
                continue
            if before is None:
                _put(path, None)
            else:
                beside = _beside(path)
                _write(beside, before, row["mode"])
                _put(path, beside)
            restored.append(str(path))
        for folder in reversed(noted["folders"]):
            with contextlib.suppress(OSError):
                Path(folder).rmdir()
        self._done()
        return restored

    def _done(self) -> None:
        self._file.unlink()
        _sync(self._file.parent)


def _check(write: Write) -> None:
    if _held(write.path) != write.before:
        raise RefusalError(f"{write.path.name} has changed in the meantime; read it again")


def _held(path: Path) -> bytes | None:
    if not path.exists() and not path.is_symlink():
        return None
    return read_bytes(path)[0]


def _missing(folder: Path) -> list[Path]:
    """Return the folders that are not there yet, the outermost first."""
    return [each for each in (*reversed(folder.parents), folder) if not each.exists()]


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name[:80]}.{secrets.token_hex(8)}.part")


def _write(path: Path, data: bytes, mode: int | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o666 if mode is None else 0o600), "wb") as file:
        file.write(data)
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.flush()
        os.fsync(file.fileno())


def _put(path: Path, beside: Path | None) -> None:
    if beside is None:
        path.unlink()
    else:
        beside.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
