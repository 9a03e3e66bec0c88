"""How a path is written: what no path on this system can be, and what makes it doubtful which file is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .folding import fold_path, has_invisible
from .resolving import UnresolvedError

LONGEST = 4096
"""Characters of a path; Linux takes no longer one."""

_CONTROL = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_FOREIGN = re.compile(r"[A-Za-z]:|\\\\|[\\/]{2}[?.][\\/]|\\\?\?\\")
HOME = re.compile(r"(?:~|\$HOME|\$\{HOME\})(?=/|\\|$)")
OTHER_HOME = re.compile(r"~[^/\\]+")
_VARIABLE = re.compile(r"\$[A-Za-z_{(]|`|%[A-Za-z_][A-Za-z0-9_]*%")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9]|conin\$|conout\$|clock\$) *(?:[.:].*)?$")
_PLAIN = re.compile(r"/?(?:(?:\.\.?|\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*)(?:/|\Z))*")
_DEVICE_BELOW = re.compile(r"(?:\A|/)(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:[./]|\Z)")

DEVICE_NAME = "has the name of a device on other systems"


def is_plain(path: str) -> bool:
    """Tell whether a path is spelt so that every system reads it alike and its folded form is the path itself."""
    return 0 < len(path) <= LONGEST and _PLAIN.fullmatch(path) is not None and _DEVICE_BELOW.search(path) is None


def refuse(path: object) -> None:
    """Raise for what no path on this system can be."""
    if not isinstance(path, str):
        raise UnresolvedError("it is not text")
    if not path:
        raise UnresolvedError("it is empty")
    if len(path) > LONGEST:
        raise UnresolvedError("it is longer than any path")
    if _CONTROL.search(path):
        raise UnresolvedError("it holds control characters")
    if _SURROGATE.search(path):
        raise UnresolvedError("it is not valid Unicode")
    if _FOREIGN.match(path):
        raise UnresolvedError("it names a drive, a share or a device of another system")


def doubts(path: str) -> Iterator[str]:
    """Yield what makes it uncertain which file a path names."""
    if has_invisible(path):
        yield "holds characters that cannot be seen"
    if OTHER_HOME.match(path):
        yield "is in somebody's home folder"
    home = HOME.match(path)
    if _VARIABLE.search(path, home.end() if home else 0):
        yield "holds a variable, whose value is not known"
    if _SCHEME.match(path):
        yield "is an address and not a path"
    if "\\" in path:
        yield "holds a backslash, which parts folders on other systems"
    names = fold_path(path).split("/")
    if any(_DEVICE.match(name) for name in path.casefold().split("/")) or any(map(_DEVICE.match, names)):
        yield DEVICE_NAME
    if any(name not in ("", ".", "..") and not name.strip(" .") for name in path.split("/")):
        yield "has a name of dots or blanks only"
