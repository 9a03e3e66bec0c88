"""Where a path leads: every link followed the way the kernel follows it, nothing opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from typing import NamedTuple

MOST_LINKS = 40
"""Links that one path may lead through; Linux has the same limit."""


class System(NamedTuple):
    """The two questions that are asked of the file system."""

    lstat: Callable[[str], os.stat_result] = os.lstat
    readlink: Callable[[str], str] = os.readlink


KERNEL = System()


class UnresolvedError(Exception):
    """A path leads nowhere that can be told: a loop of links, or a folder that may not be looked at."""


def resolve(start: str, path: str, system: System = KERNEL) -> str:
    """Return the physical path that `path` leads to from the folder `start`, which is physical already.

    `..` goes up from where a link led. What does not exist keeps its name, so that a link that dangles is judged
    by the name that it would create.

    Raises:
        UnresolvedError: links form a loop, or a component cannot be looked at.
    """
    here = "" if path.startswith("/") or start == "/" else start
    pending = path.split("/")[::-1]
    links = 0
    while pending:
        name = pending.pop()
        if name in ("", "."):
            continue
        if name == "..":
            here = here.rpartition("/")[0]
            continue
        target = _link(f"{here}/{name}", system)
        if target is None:
            here = f"{here}/{name}"
            continue
        links += 1
        if links > MOST_LINKS:
            raise UnresolvedError("its links lead round in a circle")
        if target.startswith("/"):
            here = ""
        pending.extend(target.split("/")[::-1])
    return here or "/"


def _link(path: str, system: System) -> str | None:
    """Return where a link points to, and None for anything that is no link."""
    try:
        mode = system.lstat(path).st_mode
        return system.readlink(path) if stat.S_ISLNK(mode) else None
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "its name is not possible"
        raise UnresolvedError(f"it cannot be looked at ({reason.lower()})") from None


def is_file(path: str, system: System = KERNEL) -> bool:
    """Tell whether a physical path is a file that is there; folders, devices and pipes are none."""
    try:
        return stat.S_ISREG(system.lstat(path).st_mode)
    except (OSError, ValueError):
        return False


def normal(path: str) -> str:
    """Return an absolute path with `.` and `..` taken literally and single slashes, no link followed."""
    kept: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if kept:
                kept.pop()
        elif name not in ("", "."):
            kept.append(name)
    return "/" + "/".join(kept)


def below(path: str, root: str) -> tuple[str, ...] | None:
    """Return the components of a normal absolute path below a folder, or None where it is not in it."""
    if path == root:
        return ()
    prefix = root if root.endswith("/") else f"{root}/"
    return tuple(path[len(prefix) :].split("/")) if path.startswith(prefix) else None
