"""The files that a patch changes, read from its headings in any of the usual forms."""

from __future__ import annotations

import re

_HEADING = re.compile(
    r"^(?:(---|\+\+\+) ([^\t\r\n]+)[^\r\n]*"
    r"|(rename from|rename to|copy from|copy to) ([^\r\n]+)"
    r"|\*\*\* (Add File|Update File|Delete File|Move to): ([^\r\n]+))\r?$",
    re.MULTILINE,
)
_GIT = re.compile(r"^diff --git ([^\r\n]+)\r?$", re.MULTILINE)
_LINK = re.compile(r"^(?:new file mode|new mode) (?:12|16)0000\r?$", re.MULTILINE)
NOWHERE = "/dev/null"


_ACCESSES = {"rename from": "delete", "Delete File": "delete", "copy from": "read"}


class PatchError(ValueError):
    """A patch that names no file, or names one in a form that cannot be read for sure."""


def patched(patch: str) -> list[tuple[str, str]]:
    """Return (path, access) of every file that a patch changes or deletes.

    A path behind `a/` or `b/` is given with and without it: tools differ in what they strip.

    Raises:
        PatchError: no heading names a file, a name is quoted, or it makes a link.
    """
    if _LINK.search(patch):
        raise PatchError("it makes a link")
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
    # A change of permissions or of a file that is no text has no other heading.
    access = "delete" if "deleted file mode" in patch else "write"
    for hit in _GIT.finditer(patch):
        old, _, new = hit[1].rstrip().partition(" b/")
        for verb, path in (("---", old), ("+++", f"b/{new}" if new else "")):
            for name in _readings(verb, path):
                if all(name != known for known, _ in found):
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
