"""Values as Python source: text that reads back as the very value, whatever it holds, and can be nothing else."""

from __future__ import annotations

import re

_plain = re.compile(
    '[^\\\\"\x20\x21\x23-\x7e\xa1-\xac\xae-\u024f\u0391-\u03a1\u03a3-\u03ff\u0400-\u0482\u048a-\u04ff\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac'
    '\u3001-\u3003\u3005-\u3029\u3041-\u3096\u309b-\u30ff\u4e00-\u9fa5\uac00-\ud7a3\uff01-\uff5e]|[\\\\"]'
)
"""Finds what is written as an escape: everything but characters of common scripts that are seen and stand alone."""

_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
LARGE = 10**60


def text_literal(text: str) -> str:
    """Return a text as one string literal in double quotes; the same on every machine and version of Python."""
    line = text.removesuffix("\n")
    if line.isascii() and line.isprintable() and '"' not in line and "\\" not in line:
        return f'"{line}"' if len(line) == len(text) else f'"{line}\\n"'
    return f'"{_plain.sub(_escaped, text)}"'


def text_literals(text: str) -> list[str]:
    """Return a text as string literals to stand below each other, one for each of its lines."""
    return [text_literal(line) for line in text.splitlines(keepends=True)] or ['""']


def number_literal(value: float) -> str:
    """Return a number (finite, if it is a float) as an expression that may stand next to any operator."""
    text = hex(value) if isinstance(value, int) and abs(value) >= LARGE else repr(value)
    return f"({text})" if text[0] == "-" else text


def _escaped(match: re.Match[str]) -> str:
    char = match[0]
    if char in _SHORT:
        return _SHORT[char]
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
