"""One joined look at the texts of a request: most are clean, and then no text needs a look of its own.

A yes is certain. A no only means that each text has to be read by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import filterfalse
from typing import Any

from .clean import clean_beyond_ascii
from .escape import escape
from .signs import SHORTEST_SECRET, all_unremarkable

SEPARATOR = "\n"


def _class_of(byte: int, *, latin: bool) -> int:
    """Sort the bytes of joined texts: what must not be there, signs of markup, words, blanks, colons, all else."""
    if byte == 0x0A:
        return ord(" ")
    if byte < 0x20 or byte == 0x7F or (latin and (0x80 <= byte <= 0xA0 or byte == 0xAD)):
        return 0
    if byte in b"<>&]":
        return ord("<")
    if byte < 0x80 and (chr(byte).isalnum() or byte in b"_-"):
        return ord("w")
    return {ord(" "): ord(" "), ord(":"): ord(":")}.get(byte, ord("."))


_LATIN = bytes(_class_of(byte, latin=True) for byte in range(256))
_UTF_8 = bytes(_class_of(byte, latin=False) for byte in range(256))
_LONG_WORD = b"w" * SHORTEST_SECRET
_may_begin_image = re.compile(r"<\s*[iI]").search
_ADDRESSES = ("://", "script:", "data:", "mailto:")


def joined_if_clean(lines: Sequence[str], members: Sequence[str], cap: int) -> tuple[str, bool] | None:
    """Tell whether no text needs cleaning, cutting or masking, is empty, or has a sign that is noted.

    Args:
        lines: values on their own.
        members: values in lists and records, which are looked at more closely.
        cap: the smallest of their caps, in code points.

    Returns:
        All of it joined, and whether something in it is to be escaped; None where each has to be looked at.
    """
    try:
        joined = SEPARATOR.join(("", *lines, *members, ""))
    except TypeError:
        return None
    classes = _classes(joined, lines, members)
    # Two blanks in a row: an empty text, or one with a blank at an end, or a run of blanks, which is rare.
    if classes is None or b"\0" in classes or b"  " in classes or _LONG_WORD in classes:
        return None
    if joined.count(SEPARATOR) != len(lines) + len(members) + 1:
        return None
    if b":" in classes and _has_address(joined):
        return None
    marked = b"<" in classes and ("<" in joined or ">" in joined or ("&" in joined and ";" in joined))
    if b"<" in classes and ("](" in joined or ("<" in joined and _may_begin_image(joined))):
        return None
    if len(joined) > cap and not _within(joined, cap):
        return None
    return (joined, marked) if not members or all_unremarkable(members) else None


def _classes(joined: str, lines: Sequence[str], members: Sequence[str]) -> bytes | None:
    """Return the classes of a text's bytes; None where a code point has no place in a clean text."""
    try:
        return joined.encode("latin-1").translate(_LATIN)
    except UnicodeEncodeError:
        pass
    try:
        classes = joined.encode().translate(_UTF_8)
    except UnicodeEncodeError:
        return None
    others = "|".join((*filterfalse(str.isascii, lines), *filterfalse(str.isascii, members)))
    return classes if clean_beyond_ascii(others) else None


def _has_address(joined: str) -> bool:
    """Tell whether there may be a link, an image or the address of a script."""
    lower = joined.lower()
    return any(map(lower.__contains__, _ADDRESSES))


def _within(joined: str, cap: int) -> bool:
    """Tell whether no text is over the cap: leap from separator to separator, as far as the cap allows."""
    at, last = 0, len(joined) - 1
    while at < last:
        at = joined.rfind(SEPARATOR, at + 1, at + cap + 2)
        if at == -1:
            return False
    return True


def printed(values: Mapping[str, Any], widths: Mapping[str, int], joined: str) -> Mapping[str, Any]:
    """Return values as they stand in a prompt, with `<` and `>` as entities.

    Args:
        values: name -> line or list of lines or records; the lines in the order in which they were joined, then
            the lists.
        widths: name -> 0 for a line, how many texts stand in each member of a list, field by field.
        joined: what `joined_if_clean` gave.
    """
    result = dict(values)
    lines = [name for name in values if not widths[name]]
    for number in _marked(joined):
        if number < len(lines):
            result[lines[number]] = escape(values[lines[number]])
            continue
        number -= len(lines)  # noqa: PLW2901 - counted from the start of each list in turn
        for name in (name for name in values if widths[name]):
            members = values[name]
            if number < len(members) * widths[name]:
                # The texts of records stand field by field.
                number %= len(members)  # noqa: PLW2901 - from here on the number of the member
                if result[name] is members:
                    result[name] = list(members)
                result[name][number] = escaped_value(members[number])
                break
            number -= len(members) * widths[name]  # noqa: PLW2901 - see above
    return result


def escaped_value(value: Any) -> Any:
    """Return a line, a list of lines or of records of lines, escaped; whatever else is in it stays as it is."""
    if isinstance(value, str):
        return escape(value)
    if isinstance(value, list):
        return [escaped_value(member) for member in value]
    if isinstance(value, dict):
        return {key: escaped_value(member) for key, member in value.items()}
    return value


def _marked(joined: str) -> set[int]:
    """Return the numbers of the texts in which `<`, `>` or `&` stands."""
    found: set[int] = set()
    for mark in "<>&" if ";" in joined else "<>":
        at = joined.find(mark)
        while at != -1:
            found.add(joined.count(SEPARATOR, 0, at) - 1)
            at = joined.find(mark, joined.find(SEPARATOR, at))
    return found


def all_clean(values: Iterable[str]) -> bool:
    """Tell that no value needs cleaning, escaping or masking, is empty, or has a line's signs. Caps are not checked.

    Something that is no text gives no.
    """
    try:
        texts = list(values)
        found = joined_if_clean(texts, (), sum(map(len, texts)) + len(texts) + 2)
    except TypeError:
        return False
    return found is not None and not found[1]
