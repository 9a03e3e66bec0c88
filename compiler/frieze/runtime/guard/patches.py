"""The files that a patch changes, read from its headings in any of the usual forms."""

from __future__ import annotations

import re

_HEADING = re.compile(
    r"^(?:(---|\+\+\+) ([^\t\r\n]+)[^\r\n]*"
    r"|(rename from|rename to|copy from|copy to) ([^\r\n]+)"
    r"|\*\*\* (Add File|Update File|Delete File|Move to): ([^\r\n]+))\r?$",
    re.MULTILINE,
)
NOWHERE = "/dev/null"


_ACCESSES = {"rename from": "delete", "Delete File": "delete", "copy from": "read"}


class PatchError(ValueError):
    """A patch that names no file, or names one in a form that cannot be read for sure."""


def patched(patch: str) -> list[tuple[str, str]]:
    """Return (path, access) of every file that a patch changes or deletes.

    A path behind `a/` or `b/` is given with and without it: tools differ in what they strip.

    Raises:
        PatchError: no heading names a file, or a name is quoted.
    """
    found: dict[tuple[str, str], None] = {}
    before = ""
    for hit in _HEADING.finditer(patch):
        verb = hit[1] or hit[3] or hit[5]
        path = (hit[2] or hit[4] or hit[6]).rstrip()
        access = _ACCESSES.get(verb, "write")
        if verb == "---":
            before = path
        elif verb == "+++" and path == NOWHERE:
            path, access = before, "delete"
        for name in _readings(verb, path):
            found[name, access] = None
    if not found:
        raise PatchError("it names no file")
    return list(found)


def _readings(verb: str, path: str) -> list[str]:
    if path in ("", NOWHERE):
        return []
    if path.startswith('"'):
        raise PatchError("a name in it is quoted")
    stripped = verb in ("---", "+++") and path[:2] in ("a/", "b/") and path[2:]
    return [path, path[2:]] if stripped else [path]
