"""The files of a workspace, as far as the policy lets them be read, and what is found in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path

from texts import RefusalError, read_bytes, text_of

PASSED_OVER = frozenset(
    (
        ".git",
        ".hg",
        ".svn",
        ".jj",
        "node_modules",
        "__pycache__",
        ".venv",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
    )
)
"""Folders that hold nothing anybody wrote."""

MOST_HITS = 200
MOST_FILES = 50_000
LONGEST_LINE = 300
LARGEST_SEARCHED = 2_000_000


def files_of(workspace: Path, start: Path, readable: Callable[[str], bool]) -> Iterator[str]:
    """Yield the paths of files below `start`, relative to the workspace, in order. Links are not followed.

    Args:
        workspace: the folder to work in.
        start: a folder in it, or one file.
        readable: whether the policy lets a path be read without a question; what it does not is passed over, with all
            that lies below it.
    """
    waiting = [start]
    left = MOST_FILES
    while waiting and left:
        folder = waiting.pop()
        if folder.is_symlink():
            continue
        if not folder.is_dir():
            name = _name(folder, workspace)
            if folder.is_file() and readable(name):
                left -= 1
                yield name
            continue
        try:
            entries = sorted(folder.iterdir(), reverse=True)
        except OSError:
            continue
        waiting += [
            path
            for path in entries
            if path.name not in PASSED_OVER
            and (path.is_symlink() or not path.is_dir() or readable(_name(path, workspace)))
        ]


def named(paths: Iterable[str], query: str, glob: str | None) -> list[str]:
    """Return the paths that hold every word of a query, those first whose own name does."""
    words = query.casefold().split()
    found = [path for path in paths if all(word in path.casefold() for word in words) and fits(path, glob)]

    def rank(path: str) -> tuple[bool, int, str]:
        name = path.rsplit("/", 1)[-1].casefold()
        return not all(word in name for word in words), len(path), path

    return sorted(found, key=rank)


def holding(workspace: Path, paths: Iterable[str], query: str, glob: str | None, *, ignore_case: bool) -> Iterator[str]:
    """Yield `path:line:text` for every line that holds a text."""
    wanted = query.casefold() if ignore_case else query
    for path in paths:
        if not fits(path, glob):
            continue
        try:
            data, _ = read_bytes(workspace / path)
        except RefusalError:
            continue
        text = text_of(data) if len(data) <= LARGEST_SEARCHED else None
        for number, line in enumerate(text.lines if text else (), 1):
            if wanted in (line.text.casefold() if ignore_case else line.text):
                yield f"{path}:{number}:{line.text[:LONGEST_LINE]}{'…' if len(line.text) > LONGEST_LINE else ''}"


def fits(path: str, glob: str | None) -> bool:
    """Tell whether a path matches a pattern. `**` stands for any folders; without a `/` the name alone is looked at."""
    if not glob:
        return True
    parts = path.split("/")
    wanted = glob.removeprefix("./").split("/")
    if len(wanted) == 1:
        return fnmatchcase(parts[-1], wanted[0])
    reached = {0}
    for part in parts:
        reached = _past(reached, wanted)
        reached = {
            at if wanted[at] == "**" else at + 1
            for at in reached
            if at < len(wanted) and (wanted[at] == "**" or fnmatchcase(part, wanted[at]))
        }
    return len(wanted) in _past(reached, wanted) or (wanted[-1] == "**" and len(wanted) - 1 in reached)


def _past(reached: set[int], wanted: list[str]) -> set[int]:
    """Return the places of a pattern that are reached when its `**` stand for no folder as well."""
    more = set(reached)
    for at, part in enumerate(wanted):
        if at in more and part == "**":
            more.add(at + 1)
    return more


def _name(path: Path, workspace: Path) -> str:
    return os.path.relpath(path, workspace)
