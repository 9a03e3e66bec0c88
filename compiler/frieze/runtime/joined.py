"""One joined look at the texts of a request: most are clean, and then no text needs a look of its own.

A yes is certain. A no only means that each text has to be read by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import filterfalse
from typing import Any, TypeAlias

from .clean import clean_beyond_ascii, is_plain
from .escape import escape
from .signs import SHORTEST_SECRET

SEPARATOR = "\n"


def _classes(*, latin: bool) -> bytes:
    """Sort the bytes of joined texts: what must not be there, signs of markup, words, blanks, colons, all else.

    Blanks and separators are the only capitals and nothing is a small letter, so that `istitle` says whether two of
    them are neighbours, which is quicker than to search for two blanks.
    """
    table = bytearray(b"." * 256)
    table[:0x20] = bytes(0x20)
    table[0x7F] = 0
    if latin:
        table[0x80:0xA1] = bytes(0x21)
        table[0xAD] = 0
    for signs, sort in ((b" \n", b"A"), (b"<>&]", b"<"), (b"_-", b"0"), (b":", b":")):
        for sign in signs:
            table[sign : sign + 1] = sort
    for first, last in (b"09", b"AZ", b"az"):
        table[first : last + 1] = b"0" * (last - first + 1)
    return bytes(table)


_LATIN = _classes(latin=True)
_UTF_8 = _classes(latin=False)
_LONG_WORD = b"0" * SHORTEST_SECRET
_MARKUP, _COLON = b"<:"
_ASCII = bytes(range(0x80))
_IMAGE = "iI\u0130\u0131"
_BEGIN_IMAGE = f" {_IMAGE}"
_SCHEMES = ("script", "data", "mailto")
LONGEST_SCHEME = max(map(len, _SCHEMES))

Marked: TypeAlias = tuple[str, int]
"""What is to be escaped: all texts, joined and between separators, or none; and the number of the one text where a
single `<` is all, or -1."""

UNMARKED: Marked = ("", -1)


def joined_if_clean(texts: Sequence[str], cap: int) -> Marked | None:
    """Tell whether no text needs cleaning, cutting or masking, is empty, or holds a link or an image.

    Args:
        texts: values on their own, values in lists and in records.
        cap: the smallest of their caps, in code points.

    Returns:
        What is to be escaped; None where each has to be looked at.

    Raises:
        TypeError: something is no text.
    """
    if not texts:
        return UNMARKED
    joined = f"\n{SEPARATOR.join(texts)}\n"
    try:
        classes = joined.encode("latin-1").translate(_LATIN)
    except UnicodeEncodeError:
        try:
            encoded = joined.encode()
        except UnicodeEncodeError:
            return None
        # Characters that are plain are so in any order, and then the texts need not be looked at one by one.
        if not is_plain(encoded.translate(None, _ASCII).decode()) and not clean_beyond_ascii(
            "|".join(filterfalse(str.isascii, texts))
        ):
            return None
        classes = encoded.translate(_UTF_8)
    # Two blanks or separators in a row: an empty text, one with a blank at an end, or a run of blanks, which is rare.
    if 0 in classes or not classes.istitle() or _LONG_WORD in classes or joined.count("\n") != len(texts) + 1:
        return None
    # No text is over the cap if leaps of its length go from separator to separator.
    at, last, leap = 0, len(joined) - cap - 2, cap + 2
    while at < last:
        at = joined.rfind("\n", at + 1, at + leap)
        if at < 0:
            return None
    if _COLON in classes and _may_be_address(joined):
        return None
    return _marked(joined) if _MARKUP in classes else UNMARKED


def _marked(joined: str) -> Marked | None:
    """Return what is to be escaped in texts that hold signs of markup; None for what may be a link or an image."""
    if "]" in joined and ("](" in joined or "![" in joined):
        return None
    at = joined.find("<")
    alone = joined.find("<", at + 1) < 0 <= at
    if at >= 0 and (not alone or joined[at + 1] in _BEGIN_IMAGE) and _may_begin_image(joined):
        return None
    # What ends an entity is a semicolon.
    if ">" in joined or ("&" in joined and ";" in joined):
        return joined, -1
    if at < 0:
        return UNMARKED
    return joined, joined.count(SEPARATOR, 0, at) - 1 if alone else -1


def _may_be_address(joined: str) -> bool:
    """Tell whether there may be a link, an image or the address of a script."""
    at = joined.find(":")
    while at != -1:
        before = joined[max(0, at - LONGEST_SCHEME) : at]
        if joined.startswith("//", at + 1) or not before.isascii() or before.lower().endswith(_SCHEMES):
            return True
        at = joined.find(":", at + 1)
    return False


def _may_begin_image(joined: str) -> bool:
    """Tell whether what counts as an `i` follows a `<`, with or without a blank between them."""
    at = joined.find("<")
    while at != -1:
        at += 2 if joined[at + 1] == " " else 1
        if joined[at] in _IMAGE:
            return True
        at = joined.find("<", at)
    return False


def escaped_texts(joined: str) -> list[str]:
    """Return texts that were joined, each escaped. None of them begins with a mark, and no entity spans two."""
    return escape(joined)[1:-1].split(SEPARATOR)


def escaped_value(value: Any) -> Any:
    """Return a line, a list of lines or of records of lines, escaped; whatever else is in it stays as it is."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [escaped_value(member) for member in value]
    if isinstance(value, dict):
        return {key: escaped_value(member) for key, member in value.items()}
    return value
