"""A path to its bytes, whatever stands there: never blocks, never reads more than the limit."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from frieze.diagnostics import Diagnostic, Span

SIZE_LIMIT = 1 << 20
"""Bytes that one file may have (1 MiB)."""

_SORTS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def read_bytes(path: Path, at: Span) -> tuple[bytes | None, list[Diagnostic]]:
    """Return the bytes of a plain file, or `None` and the one reason why not.

    `at` is the place to report: the file itself, or where another file names it.
    """
    try:
        sort = _sort(os.stat(path).st_mode)  # noqa: PTH116 - asked before opening, since opening a device may act
        if sort:
            return None, [Diagnostic.of("F103", at, file=at.file, sort=sort)]
        # A pipe may have taken the file's place since: without O_NONBLOCK, opening it would wait for ever.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as stream:
            status = os.fstat(handle)
            sort = _sort(status.st_mode)
            if sort:
                return None, [Diagnostic.of("F103", at, file=at.file, sort=sort)]
            data = b"" if status.st_size > SIZE_LIMIT else stream.read(SIZE_LIMIT + 1)
            size = max(status.st_size, len(data))
    except (OSError, ValueError) as error:
        return None, [_refusal(error, at)]
    if size > SIZE_LIMIT:
        return None, [Diagnostic.of("F105", at, file=at.file, size=_human(size), limit=_human(SIZE_LIMIT))]
    return data, []


def _sort(mode: int) -> str:
    if stat.S_ISREG(mode):
        return ""
    return next((name for test, name in _SORTS if test(mode)), "not a plain file")


def _refusal(error: OSError | ValueError, at: Span) -> Diagnostic:
    number = error.errno if isinstance(error, OSError) else errno.ENOENT
    if number in {errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG, errno.EINVAL}:
        return Diagnostic.of("F101", at, file=at.file)
    if number == errno.ELOOP:
        return Diagnostic.of("F104", at, file=at.file)
    reason = os.strerror(number).lower() if number else "unknown reason"
    return Diagnostic.of("F102", at, file=at.file, reason=reason)


def _human(size: int) -> str:
    mebibytes = f"{size / (1 << 20):.1f}".removesuffix(".0")
    return f"{size} bytes" if SIZE_LIMIT < size < SIZE_LIMIT * 1.1 else f"{mebibytes} MiB"
