"""The files of a folder, for searches that read all of them."""

from __future__ import annotations

import os
from collections.abc import Iterator


def files_below(top: str, hidden: bool) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the files below a folder as (path, components below it); neither links nor version control."""
    pending: list[tuple[str, ...]] = [()]
    while pending:
        names = pending.pop()
        try:
            with os.scandir("/".join((top, *names))) as listed:
                entries = sorted(listed, key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.is_symlink() or (not hidden and entry.name.startswith(".")):
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name != ".git":
                    pending.append((*names, entry.name))
            else:
                yield "/".join((*names, entry.name)), (*names, entry.name)
