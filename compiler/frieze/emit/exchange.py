"""Two folders change places in one step, where the system can do that."""

from __future__ import annotations

import ctypes
import errno
import os
from pathlib import Path

AT_FDCWD = -100
RENAME_EXCHANGE = 2

OLD = ".old"
"""Ending of the old folder between the two renames."""


def exchange(fresh: Path, folder: Path) -> None:
    """Put `fresh` in the place of `folder`; afterwards `fresh` holds the old content, or is gone.

    On Linux this is renameat2(2) with RENAME_EXCHANGE: a reader sees the old folder or the new one. Elsewhere,
    and on file systems without it, there are two renames, and the old folder is put back if the second one fails.

    Raises:
        OSError: neither way works; `folder` is as it was.
    """
    if not folder.exists():
        fresh.rename(folder)
    elif not _at_once(fresh, folder):
        _in_two_steps(fresh, folder)
    flush(folder.parent)


def _at_once(fresh: Path, folder: Path) -> bool:
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError, TypeError):
        return False
    done: int = rename(AT_FDCWD, os.fsencode(fresh), AT_FDCWD, os.fsencode(folder), RENAME_EXCHANGE)
    if done == 0:
        return True
    code = ctypes.get_errno()
    if code in (errno.ENOSYS, errno.EINVAL, errno.ENOTSUP):
        return False
    raise OSError(code, os.strerror(code), str(folder))


def _in_two_steps(fresh: Path, folder: Path) -> None:
    old = fresh.with_suffix(OLD)
    folder.rename(old)
    try:
        fresh.rename(folder)
    except OSError:
        old.rename(folder)
        raise
    old.rename(fresh)


def flush(folder: Path) -> None:
    """Make the rename itself last through a power cut; not every system lets a folder be opened."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(handle)
    except OSError:
        pass
    finally:
        os.close(handle)
