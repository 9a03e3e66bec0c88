"""Bytes to text: encoding, line ends, and characters that have no business in a profile.

Forbidden characters are all found in one pass and replaced by U+FFFD, one for one, so that reading goes on
with the same positions and shows the other faults of the file as well.
"""

from __future__ import annotations

import codecs
import re
import unicodedata

from frieze.diagnostics import Diagnostic, Span
from frieze.sources.places import span_between

REPORTED = 20
"""Characters reported one by one in a file; the rest is counted."""

_UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

_CONTROL = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff"
_LINES = r"\x85\u2028\u2029"
_BIDI = r"\u202a-\u202e\u2066-\u2069"
_MARKS = r"\u061c\u200e\u200f"
_HIDDEN = r"\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f\u3164\uffa0\ufff0-\ufffb"
_ASTRAL = r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
_SUSPECT = re.compile(f"[{_CONTROL}{_LINES}{_BIDI}{_MARKS}{_HIDDEN}{_ASTRAL}\u200c\u200d\ufeff\ufffd]")
_ASCII_SUSPECT = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")

_RULES = tuple(
    (re.compile(f"[{members}]"), code)
    for members, code in ((_CONTROL, "F108"), (_LINES, "F109"), (_BIDI, "F110"), ("\ufeff", "F112"), ("\ufffd", "F114"))
)
_TOLERATED = frozenset({"F111", "F114"})
"""Codes of warnings: the character stays."""
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")

_UNNAMED = {
    0x00: "NUL", 0x07: "BELL", 0x08: "BACKSPACE", 0x0B: "LINE TABULATION", 0x0C: "FORM FEED", 0x0D: "CARRIAGE RETURN",
    0x1B: "ESCAPE", 0x7F: "DELETE", 0x85: "NEXT LINE",
}  # fmt: skip


def decode(data: bytes, at: Span) -> tuple[str | None, list[Diagnostic]]:
    """Return the text with LF line ends and without its byte order mark, and all that is wrong with its characters.

    The text is `None` where the bytes are not UTF-8. `at` is where to report a fault of the file as a whole.
    """
    wide = _wide_encoding(data)
    if wide:
        return None, [Diagnostic.of("F107", at, file=at.file, encoding=wide)]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return None, [_not_utf8(data, error.start, at.file)]
    text = _text(text)
    lone = text.find("\r")
    if lone >= 0:
        # Without it every line number would be doubtful, so that one report is enough.
        return None, [
            Diagnostic.of("F109", span_between(at.file, text, lone, lone + 1), character=character_name("\r"))
        ]
    pattern = _ASCII_SUSPECT if text.isascii() else _SUSPECT
    if not pattern.search(text):
        return text, []
    return _forbidden(text, at.file)


def decode_sound(data: bytes) -> str:
    """Return what `decode` gives for bytes with whose characters nothing is wrong."""
    return _text(data.decode("utf-8"))


def _text(decoded: str) -> str:
    return decoded.removeprefix("\ufeff").replace("\r\n", "\n")


def character_name(character: str) -> str:
    """Return `U+200B ZERO WIDTH SPACE` and the like."""
    point = ord(character)
    name = unicodedata.name(character, "") or _UNNAMED.get(point, "")
    return f"U+{point:04X} {name}".rstrip()


def code_point(escape: str) -> int:
    r"""Return the code point of `\xNN`, `\uNNNN` or `\UNNNNNNNN`; it may be larger than Unicode's last."""
    digits = escape[2:]
    return int(digits, 16)


def forbidden_in_value(value: str) -> str | None:
    """Return the first character of a decoded value that no prompt may hold, written as an escape or not."""
    hit = _VALUE.search(value)
    return hit.group() if hit else None


_VALUE = re.compile(f"[{_CONTROL}{_LINES}{_BIDI}\r\ud800-\udfff]")


def _wide_encoding(data: bytes) -> str:
    if data.startswith(_UTF_32):
        return "UTF-32"
    if data.startswith(_UTF_16):
        return "UTF-16"
    head = data[:64]
    if len(head) >= 4 and head.count(0) * 3 >= len(head):
        return "UTF-32" if head.count(0) * 3 >= 2 * len(head) else "UTF-16"
    return ""


def _not_utf8(data: bytes, offset: int, file: str) -> Diagnostic:
    line_start = data.rfind(b"\n", 0, offset) + 1
    line = data.count(b"\n", 0, offset) + 1
    before = data[line_start:offset].decode("utf-8").removeprefix("\ufeff")
    column = len(before) + 1
    guess = data[offset : offset + 1].decode("cp1252", "replace")
    advice = f"in the old Windows and Latin-1 encodings this byte is `{guess}`; save the file as UTF-8"
    return Diagnostic.of(
        "F106",
        Span(file, line, column, line, column + 1),
        byte=f"0x{data[offset]:02X}",
        advice=advice if guess.isprintable() and guess != "\ufffd" else "",
    )


def _forbidden(text: str, file: str) -> tuple[str, list[Diagnostic]]:
    faults: list[Diagnostic] = []
    clean: list[str] = []
    position = found = 0
    beyond = Span(file)
    for hit in _SUSPECT.finditer(text):
        code = _judge(text, hit.start())
        if not code:
            continue
        found += 1
        if found <= REPORTED:
            span = span_between(file, text, hit.start(), hit.end())
            faults.append(Diagnostic.of(code, span, character=character_name(hit.group())))
        elif found == REPORTED + 1:
            beyond = span_between(file, text, hit.start(), hit.end())
        if code not in _TOLERATED:
            clean += (text[position : hit.start()], "\ufffd")
            position = hit.end()
    if found > REPORTED:
        faults.append(Diagnostic.of("F115", beyond, count=found - REPORTED))
    clean.append(text[position:])
    return "".join(clean), faults


def _judge(text: str, index: int) -> str:
    """Return the code for the character at `index`, or "" where it is at home."""
    character = text[index]
    for members, code in _RULES:
        if members.match(character):
            return code
    before = text[index - 1] if index else "\n"
    after = text[index + 1] if index + 1 < len(text) else "\n"
    if character in "\u200c\u200d\u034f" or "\u180b" <= character <= "\u180f":
        return "" if _joins(before) and _joins(after) else "F111"
    if "\U000e0100" <= character <= "\U000e01ef":
        return "" if unicodedata.category(before) == "Lo" else "F111"
    if "\U000e0020" <= character <= "\U000e007f":
        start = text.rfind("\U0001f3f4", max(0, index - 32), index)
        flag = _FLAG.match(text, start) if start >= 0 else None
        return "" if flag and index < flag.end() else "F113"
    return "F111"


def _joins(character: str) -> bool:
    return unicodedata.category(character)[0] in "LMS" or character == "\ufe0f"
