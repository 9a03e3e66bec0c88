"""Where characters end: extended grapheme clusters, good enough to cut a text.

Follows Unicode Standard Annex 29, with categories from `unicodedata` and small tables of its own. Where releases of
the annex differ (consonants joined by a virama), both readings hold: a cut never falls where either forbids it.
"""

from __future__ import annotations

from unicodedata import category, combining

from .patterns import matching

CUT_MARK = "…"

PICTOGRAPHS = (
    "©®‼⁉™ℹ↔-↙↩↪⌚-⏿Ⓜ▪▫▶◀◻-◾☀-➿⤴⤵⬅-⬇⬛⬜⭐⭕〰〽㊗㊙"  # noqa: RUF001 -- a class of look-alikes by nature
    "\U0001f000-\U0001f1e5\U0001f201-\U0001faff"
)
"""Emoji and what may become one, as the inside of a regular expression's class."""

is_pictograph = matching(f"[{PICTOGRAPHS}]")
_is_extending_letter = matching("[\u0e33\u0eb3\uff9e\uff9f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]")
_is_prepended = matching(
    "[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u0d4e\U000110bd\U000110cd\U000111c2\U000111c3\U0001193f\U00011941"
    "\U00011a3a\U00011a84-\U00011a89\U00011d46\U00011f02]"
)

_ZWNJ, _ZWJ = "\u200c", "\u200d"
VIRAMA_CLASS = 9


def is_boundary(text: str, index: int) -> bool:
    """Tell whether a character ends before `text[index]`; true at both ends of the text."""
    if index <= 0 or index >= len(text):
        return True
    left, right = text[index - 1], text[index]
    if left < "\u0300" and right < "\u0300":
        return not (left == "\r" and right == "\n") and not _is_prepended(left)
    if category(left) in ("Cc", "Zl", "Zp") or category(right) in ("Cc", "Zl", "Zp"):
        return True
    if extends(right) or _is_prepended(left) or _syllable_goes_on(left, right):
        return False
    if _is_flag_half(left) and _is_flag_half(right):
        return _flag_halves_before(text, index) % 2 == 0
    return not _joined(text, index)


def cut(text: str, limit: int, *, forced: bool = False) -> str:
    """Shorten a text to `limit` code points where a character ends, with `CUT_MARK` as its last one.

    A text within the limit comes back as it is, unless `forced` asks for the mark because more had followed.
    """
    if len(text) <= limit and not forced:
        return text
    end = min(len(text), max(limit - len(CUT_MARK), 0))
    while not is_boundary(text, end):
        end -= 1
    return text[:end].rstrip().rstrip(_ZWNJ + _ZWJ) + CUT_MARK


def extends(char: str) -> bool:
    """Tell whether a code point continues the character before it: marks, joiners, skin tones."""
    return category(char)[0] == "M" or char in (_ZWJ, _ZWNJ) or _is_extending_letter(char) is not None


def _syllable_goes_on(left: str, right: str) -> bool:
    """Hangul: leading consonants, vowels and trailing consonants of one syllable."""
    before, after = _hangul(left), _hangul(right)
    if not before or not after:
        return False
    if before == "L":
        return after != "T"
    if before in ("V", "LV"):
        return after in ("V", "T")
    return after == "T"


def _hangul(char: str) -> str:
    if "\uac00" <= char <= "\ud7a3":
        return "LV" if (ord(char) - 0xAC00) % 28 == 0 else "LVT"
    if "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c":
        return "L"
    if "\u1160" <= char <= "\u11a7" or "\ud7b0" <= char <= "\ud7c6":
        return "V"
    return "T" if "\u11a8" <= char <= "\u11ff" or "\ud7cb" <= char <= "\ud7fb" else ""


def _is_flag_half(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _flag_halves_before(text: str, index: int) -> int:
    start = index
    while start and _is_flag_half(text[start - 1]):
        start -= 1
    return index - start


def _joined(text: str, index: int) -> bool:
    """Tell whether a joiner ties two emoji, or a virama two consonants, across `index`."""
    start = index
    while start and extends(text[start - 1]):
        start -= 1
    between, after = text[start:index], text[index]
    if start and between.endswith(_ZWJ) and is_pictograph(after):
        return is_pictograph(text[start - 1]) is not None
    return category(after) == "Lo" and any(combining(char) == VIRAMA_CLASS for char in between)
