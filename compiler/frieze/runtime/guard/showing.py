"""How text of a model is shown to a person: nothing invisible, nothing that looks like something else, nothing cut."""

from __future__ import annotations

import re

_NAMED = {"\n": r"\n", "\r": r"\r", "\t": r"\t", "\0": r"\0", "\x1b": r"\e"}
_UNSEEN = re.compile(r"[^ -~]| {4,}")


def shown(text: str) -> str:
    r"""Return a text in printable ASCII: every other character escaped, long runs of blanks counted.

    A blank run such as six spaces reads `\x20{6}`, so that nothing can be pushed out of sight.
    """
    return text if text.isascii() and text.isprintable() and "    " not in text else _UNSEEN.sub(_escaped, text)


def _escaped(hit: re.Match[str]) -> str:
    found = hit[0]
    if found[0] == " ":
        return rf"\x20{{{len(found)}}}"
    code = ord(found)
    if found in _NAMED:
        return _NAMED[found]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
