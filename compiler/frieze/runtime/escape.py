r"""Printing forms: how a cleaned value stands in a prompt so that nothing in it can be read as anything else.

| form | looks like | undone by |
|---|---|---|
| `escape` | inside a line, `<` and `>` as entities | `unescape` |
| `quoted` | one JSON string, `<`, `>` and `&` as `\u00xx` | `json.loads` |
| `prefixed` | several lines, each escaped and behind a fixed prefix | `unescape`, line by line |
| `number_text` | an integer or a float in its shortest form | `float` |

Chat-template control tokens (`<|im_start|>`) lose their `<` in every form. A role label (`System:`) is live only at
the start of a line: the forms never begin a line with the value's own text, and the compiler refuses a bare slot there.
"""

from __future__ import annotations

import re
from json.encoder import encode_basestring, encode_basestring_ascii
from math import isfinite

from .clean import is_mark, without_leading_marks
from .patterns import replacing

_mark_entities = replacing(r"&(?=(?:amp;)*(?:lt|gt|#0*6[02]|#x0*3[ce]);)", re.IGNORECASE)
_replace_entities = replacing(r"&(?:(lt|gt);|amp;((?:amp;)*(?:lt|gt|#0*6[02]|#x0*3[ce]);))", re.IGNORECASE)
_encode_unprintable = replacing("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def escape(text: str) -> str:
    """Escape a value for a place inside a line.

    `&` is touched only where it would otherwise look like the entity of `<` or `>`, so `R&D` stays as it is.
    """
    if "&" in text and ";" in text:
        text = _mark_entities("&amp;", text)
    if "<" in text:
        text = text.replace("<", "&lt;")
    if ">" in text:
        text = text.replace(">", "&gt;")
    return without_leading_marks(text) if text[:1] > "\u02ff" else text


def unescape(text: str) -> str:
    """Undo `escape` (but for dropped marks): a reader of prompts, and tests, get the value back."""
    return _replace_entities(lambda match: {"lt": "<", "gt": ">"}.get((match[1] or "").lower()) or "&" + match[2], text)


def quoted(text: str) -> str:
    """Return a value as one JSON string on one line, without `<`, `>`, `&`; `json.loads` gives the value back."""
    encoded = encode_basestring(text)
    if "<" in encoded or ">" in encoded or "&" in encoded:
        encoded = encoded.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    if encoded.isascii() and "\x7f" not in encoded:
        return encoded
    if is_mark(text[0]):
        encoded = '"' + encode_basestring_ascii(text[0])[1:-1] + encoded[2:]
    return _encode_unprintable(lambda match: f"\\u{ord(match[0]):04x}", encoded)


def prefixed(text: str, prefix: str = "> ") -> str:
    """Put every line of a value behind a prefix, escaped; an empty line keeps the prefix without trailing blanks.

    A prefix of blanks alone gets `> ` behind it: blanks do not keep a role label from starting the line.
    """
    if not prefix.strip():
        prefix += "> "
    return "\n".join((prefix + escape(line)).rstrip() for line in text.splitlines() or [""])


def number_text(value: float) -> str:
    """Return a number in its shortest form: `12` for 12.0, `0` for -0.0, `0.1`, `1e+20`.

    A number that is not finite gives empty text.
    """
    if not isinstance(value, float):
        return str(int(value))
    if not isfinite(value):
        return ""
    return str(int(value)) if value.is_integer() and abs(value) < 1e16 else repr(value)
