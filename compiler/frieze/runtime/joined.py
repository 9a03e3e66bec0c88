"""One joined look at the texts of a request: most are clean, and then no text needs a look of its own.

What it says of them is certain. Where it says nothing, each text has to be read by itself.
"""

from __future__ import annotations

from itertools import filterfalse
from typing import Any

from .clean import LINE_CAP, clean_beyond_ascii, is_plain
from .escape import escape
from .signs import SHORTEST_SECRET

SEPARATOR = " \n"
_BREAK = b"\n"
_joined = SEPARATOR.join
_size = getattr(str, "__sizeof__", len)
_BESIDE_LATIN = _size("\xff") - 1
"""CPython keeps Latin-1 in one byte a character: to ask for the size of another text is quicker than to encode it."""


def _classes(*, latin: bool) -> bytes:
    """Sort the bytes of joined texts: what must not be there, `<`, other markup, words, blanks, colons, all else.

    An ampersand is no sign of markup: what makes an entity of it is a semicolon.
    """
    table = bytearray(b"." * 256)
    table[:0x20] = bytes(0x20)
    table[0x7F] = 0
    if latin:
        table[0x80:0xA1] = bytes(0x21)
        table[0xAD] = 0
    for signs, sort in ((b" ", b" "), (b"<", b"<"), (b">;]", b">"), (b"_-", b"0"), (b":", b":")):
        for sign in signs:
            table[sign : sign + 1] = sort
    for first, last in (b"09", b"AZ", b"az"):
        table[first : last + 1] = b"0" * (last - first + 1)
    return bytes(table)


_LATIN = _classes(latin=True)
_UTF_8 = _classes(latin=False)
_BLANKS = b"  "
_LONG_WORD = b"0" * SHORTEST_SECRET
_BEGIN, _MARKUP, _COLON = b"<>:"
_ASCII = bytes(range(0x80))
_IMAGE = "iI\u0130\u0131"
_BEGIN_IMAGE = f" {_IMAGE}"
_SCHEMES = ("script", "data", "mailto")
LONGEST_SCHEME = max(map(len, _SCHEMES))


class Odd(Exception):  # noqa: N818 - it is an answer, not an error
    """A value is not ordinary; the reader of its input says why."""


def escape_if_clean(texts: list[str], cap: int = LINE_CAP) -> bool:
    """Escape texts in place, none of which needs cleaning, cutting or masking, is empty, or holds a link or an image.

    Args:
        texts: values on their own, values in lists and in records.
        cap: the smallest of their caps, in code points.

    Returns:
        Whether one of them may have changed.

    Raises:
        Odd: each has to be looked at.
        TypeError: something is no text.
    """
    if not texts:
        return False
    joined = f" \n{_joined(texts)} \n"
    size = len(joined)
    narrow = _size(joined) <= size + _BESIDE_LATIN
    encoded, table = joined.encode("latin-1", "ignore") if narrow else b"", _LATIN
    if len(encoded) != size:
        encoded, table = _plain_beyond_latin(texts, joined), _UTF_8
    # The line breaks that were put between the texts are taken out again: if more are gone, a text held one.
    classes = encoded.translate(table, _BREAK)
    if len(encoded) - len(classes) > len(texts) + 1:
        raise Odd
    # Two blanks in a row: an empty text, one with a blank at an end, or a run of blanks, which is rare. CPython looks
    # for short patterns from the right in half the time.
    if 0 in classes or classes.rfind(_BLANKS) >= 0 or classes.rfind(_LONG_WORD) >= 0:
        raise Odd
    # No text is over the cap if leaps of its length go from line break to line break.
    at, leap = 1, cap + 3
    last = size - leap
    while 0 < at < last:
        at = joined.rfind("\n", at + 1, at + leap)
    if at < 0:
        raise Odd
    if _COLON in classes and _may_be_address(joined):
        raise Odd
    if _MARKUP in classes:
        return _escape_all(texts, joined)
    if _BEGIN not in classes:
        return False
    at = joined.find("<")
    if joined.rfind("<") != at or joined[at + 1] in _BEGIN_IMAGE:
        return _escape_all(texts, joined)
    number = joined.count("\n", 0, at) - 1
    texts[number] = str.replace(texts[number], "<", "&lt;")
    return True


def _plain_beyond_latin(texts: list[str], joined: str) -> bytes:
    """Return joined texts as UTF-8, if what is in them beyond ASCII stays as it is when it is cleaned.

    Raises:
        Odd: it may not.
    """
    try:
        encoded = joined.encode()
    except UnicodeEncodeError:
        raise Odd from None
    # Characters that are plain are so in any order, and then the texts need not be looked at one by one.
    if is_plain(encoded.translate(None, _ASCII).decode()):
        return encoded
    if clean_beyond_ascii("|".join(filterfalse(str.isascii, texts))):
        return encoded
    raise Odd


def _escape_all(texts: list[str], joined: str) -> bool:
    """Escape texts with more than a single `<` in place. None begins with a mark, and no entity spans two.

    Raises:
        Odd: there may be a link or an image.
    """
    if "]" in joined and ("](" in joined or "![" in joined):
        raise Odd
    if "<" in joined and _may_begin_image(joined):
        raise Odd
    if "<" not in joined and ">" not in joined and "&" not in joined:
        # It was a bracket or a semicolon.
        return False
    texts[:] = escape(joined)[len(SEPARATOR) : -len(SEPARATOR)].split(SEPARATOR)
    return True


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


def escaped_value(value: Any) -> Any:
    """Return a line, a list of lines or of records of lines, escaped; whatever else is in it stays as it is."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [escaped_value(member) for member in value]
    if isinstance(value, dict):
        return {key: escaped_value(member) for key, member in value.items()}
    return value
