"""Entry cleaning: what may be part of a value before templates see it.

Line separators are folded, code points without a place in a prompt removed, the rest brought into NFC and cut to a
cap where a character ends. Cleaning a clean value gives the same value. Nothing here raises, whatever the text holds.
The list of removed code points goes back to the practices of Unicode Technical Standard 39 and to the attacks with
tags, selectors and fillers that have been published.
"""

from __future__ import annotations

from collections.abc import Callable
from unicodedata import category, combining, is_normalized, normalize

from .graphemes import VIRAMA_CLASS, cut, is_pictograph
from .patterns import matching, replacing, searching

LINE_CAP = 200
TEXT_CAP = 4_000
MARKS_PER_BASE = 4

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_SELECTORS = ("\ufe0e", "\ufe0f")
_KEYCAP = "\u20e3"

_FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0d\U0001d159\U000e0100-\U000e01ef"
_has_filler = searching(f"[{_FILLERS}]")
_remove_fillers = replacing(f"[{_FILLERS}]+")

_has_notable = searching(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1cff\u1dc0-\u1dff\u200b-\u200f\u20d0-\u20ff\u2800\u2cef-\u2cf1\u2d7f-\u2dff"
    "\u302a-\u302f\u3099\u309a\u3164\ua66f-\uabff\ufb1e\ufe00-\ufe0f\ufe20-\ufe2f\uffa0\U00010000-\U0010ffff]"
)
"""Finds every mark, joiner, selector and filler, and some that are none: most texts hold nothing of all this."""

is_plain = matching(
    "[\xa1-\xac\xae-\u02ff\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u052f\u1e00-\u1e99\u1ea0-\u1eff\u2010-\u2027"
    "\u2030-\u205e\u20a0-\u20bf\u3001-\u3029\u3041-\u3096\u309d-\u309f\u30a1-\u30ff\u4e00-\u9fef\uac00-\ud7a3\uff01-\uff5e]*"
)
"""Tells of characters that no cleaning changes, whatever stands beside them: most of what is written beyond ASCII."""


def clean_line(text: str, limit: int = LINE_CAP) -> str:
    """Clean a value of one line; every line separator becomes a space. `limit` counts code points."""
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text.strip()
    return bounded_line(text, limit)[0]


def clean_text(text: str, limit: int = TEXT_CAP) -> str:
    """Clean a value of several lines; every line separator becomes LF. `limit` counts code points."""
    return bounded_text(text, limit)[0]


def bounded_line(text: str, limit: int) -> tuple[str, bool]:
    """Do what `clean_line` does, and tell whether something was cut off."""
    return _bounded(text, limit, _tidy_line)


def bounded_text(text: str, limit: int) -> tuple[str, bool]:
    """Do what `clean_text` does, and tell whether something was cut off."""
    return _bounded(text, limit, _tidy_text)


def is_mark(char: str) -> bool:
    """Tell whether a code point is a combining mark."""
    return char > "\u02ff" and category(char)[0] == "M"


def without_leading_marks(text: str) -> str:
    """Drop combining marks and joiners at the start: they would change the character before the value."""
    start = 0
    while start < len(text) and (is_mark(text[start]) or text[start] in (_ZWJ, _ZWNJ)):
        start += 1
    return text[start:]


def clean_beyond_ascii(text: str) -> bool:
    """Tell of a text without control characters that cleaning would not change it, but for blanks at its ends."""
    return text.isprintable() and is_normalized("NFC", text) and _has_notable(text) is None


def _bounded(text: str, limit: int, tidy: Callable[[str], str]) -> tuple[str, bool]:
    """Tidy and cut. Of a text far over the cap only a bounded beginning is looked at."""
    room = 8 * limit + 64
    beginning = tidy(text[:room])
    if len(beginning) > limit or (beginning and len(text) > room):
        return cut(beginning, limit, forced=True), True
    return beginning, False


def _tidy_line(text: str) -> str:
    return _tidy(" ".join(text.splitlines()), str.strip)


def _tidy_text(text: str) -> str:
    return _tidy("\n".join(text.splitlines()), _trim_lines)


def _trim_lines(text: str) -> str:
    """Drop blank lines at the start and blanks at the end; the first line keeps its indentation."""
    blank = len(text) - len(text.lstrip())
    return text[text.rfind("\n", 0, blank) + 1 :].rstrip()


def _tidy(text: str, trim: Callable[[str], str]) -> str:
    """Remove what has no place, then settle marks and joiners, whose neighbours may go away in the meantime."""
    text = text.replace("\t", " ")
    if not text.replace("\n", " ").isprintable():
        text = "".join(char for char in text if _stays(char))
    if _has_filler(text):
        text = _remove_fillers("", text)
    text = normalize("NFC", trim(text))
    while _has_notable(text):
        settled = normalize("NFC", trim(_settle(text)))
        if settled == text:
            break
        text = settled
    return text


def _stays(char: str) -> bool:
    return char.isprintable() or char in ("\n", _ZWNJ, _ZWJ) or category(char) == "Zs"


def _settle(text: str) -> str:
    """Keep joiners between letters or emoji, selectors behind emoji, and a few marks on each base."""
    kept: list[str] = []
    base, marks = "", 0
    for index, char in enumerate(text):
        if char in (_ZWNJ, _ZWJ):
            if _joins(base, char, text[index + 1 : index + 2]):
                kept.append(char)
        elif char in _SELECTORS:
            if kept and kept[-1] == base and (is_pictograph(base) or _begins_keycap(base, text[index + 1 : index + 2])):
                kept.append(char)
        elif is_mark(char):
            marks += 1
            if base and marks <= MARKS_PER_BASE:
                kept.append(char)
        else:
            base, marks = ("" if char == "\n" else char), 0
            kept.append(char)
    return "".join(kept)


def _joins(base: str, joiner: str, after: str) -> bool:
    if not base or not after:
        return False
    if joiner == _ZWJ and is_pictograph(base):
        return is_pictograph(after) is not None
    return _is_joining_letter(base) and (_is_joining_letter(after) or combining(after) == VIRAMA_CLASS)


def _is_joining_letter(char: str) -> bool:
    return not char.isascii() and char.isalpha()


def _begins_keycap(base: str, after: str) -> bool:
    return after == _KEYCAP and base in "0123456789#*"
