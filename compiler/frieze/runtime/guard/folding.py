"""The folded form of a path: what a file system may take it for that is less exact than this one.

File systems differ in case, Unicode forms, characters they skip, trailing dots and blanks, streams behind a colon
and the separator. Two paths that some file system takes for one have one folded form.
"""

from __future__ import annotations

import re
import unicodedata

_SKIPPED = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0\U000e0000-\U000e0fff"  # Default_Ignorable
)
_INVISIBLE = re.compile(f"[{_SKIPPED}]")
_TRAILING = " .\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000"
_ROUNDS = 4
_ESCAPED_BYTE = re.compile(r"%([0-9A-Fa-f]{2})")


def is_invisible(character: str) -> bool:
    """Tell whether a character shows nothing of itself: format characters and those that renderers skip."""
    return unicodedata.category(character) == "Cf" or _INVISIBLE.match(character) is not None


def has_invisible(text: str) -> bool:
    """Tell whether a text holds a character that shows nothing of itself."""
    return not text.isascii() and any(map(is_invisible, text))


def fold(text: str) -> str:
    """Return a text without invisible characters, in compatibility form, without case."""
    if text.isascii():
        return text.lower()
    for _ in range(_ROUNDS):
        seen = "".join(character for character in text if not is_invisible(character))
        folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", seen).casefold())
        if folded == text:
            break
        text = folded
    return text


def fold_path(text: str) -> str:
    """Return the folded form of a path, its components parted by `/`."""
    return "/".join(fold_name(name) for name in fold(text).replace("\\", "/").split("/"))


def fold_name(name: str) -> str:
    """Cut a folded component's stream and what Windows drops at its end; `.` and `..` stay."""
    if name in (".", ".."):
        return name
    return name.partition(":")[0].rstrip(_TRAILING).lstrip(" ")


def fold_pattern(text: str) -> str:
    """Return a pattern that takes the folded forms of what the pattern takes."""
    return "/".join(_fold_piece(piece) for piece in fold(text).split("/"))


def _fold_piece(piece: str) -> str:
    cut = piece.rstrip(_TRAILING)
    return cut if cut and not cut.endswith("\\") else piece


def unescaped(text: str) -> str:
    """Return a path with `%2e` and the like decoded and cut at a NUL, as a careless tool would."""
    return _ESCAPED_BYTE.sub(lambda hit: chr(int(hit[1], 16)), text).partition("\0")[0]
