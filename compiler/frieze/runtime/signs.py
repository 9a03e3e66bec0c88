"""What a value looks like: a secret, a link, an image, a rule about access. Seen, masked or noted, never judged.

A secret is masked, because no prompt needs it. Everything else stays as it is and gets a note, so that a reader of
the notes can find where it came from. These are signs, not proofs: no permission may depend on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .patterns import replacing, searching

MASK = "[masked]"
SHORTEST_SECRET = 20
"""A word of letters, digits, `_` and `-` below this length is not taken for a secret."""

_link = searching(r"\b[a-z][a-z0-9+.\-]{1,20}://|\]\(|(?:java|vb)script:|data:[a-z]+/[a-z]|mailto:", re.IGNORECASE)
_image = searching(r"!\[[^\]]*\]\s*[(\[]|<\s*img\b|data:image/", re.IGNORECASE)

_mask_secrets = replacing(
    r"(?<![A-Za-z0-9])(?:"
    r"(?:sk|pk|rk|ak)[-_][A-Za-z0-9_\-]{17,}"
    r"|gh[oprsu]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|glpat-[A-Za-z0-9_\-]{16,}"
    r"|xox[a-z]-[A-Za-z0-9\-]{16,}|xapp-[A-Za-z0-9\-]{16,}"
    r"|A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]{16,}|AIza[A-Za-z0-9_\-]{30,}|ya29\.[A-Za-z0-9_\-]{20,}"
    r"|eyJ[A-Za-z0-9_\-]{17,}(?:\.[A-Za-z0-9_\-]+){0,4}"
    r"|hf_[A-Za-z0-9]{20,}|npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_\-]{20,}|SG\.[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_\-]{16,}"
    r"|dop_v1_[a-f0-9]{20,}|shp(?:at|ss)_[A-Fa-f0-9]{20,}|whsec_[A-Za-z0-9]{20,}"
    r"|[Bb]earer [A-Za-z0-9_\-]{20,}[A-Za-z0-9_\-.=+/]*"
    r")|-----BEGIN [A-Z ]*PRIVATE KEY-----(?:.*?-----END [A-Z ]*PRIVATE KEY-----|.*)",
    re.DOTALL,
)
_long_word = searching(rf"[A-Za-z0-9_\-]{{{SHORTEST_SECRET}}}")

_secret_key = searching(
    r"password|passwd|passphrase|passcode|api_?key|secret(?!ar)|access_?key|private_?key|signing_?key|credential"
    r"|authori[sz]ation|(?:token|pwd|otp|cvv|cvc|cookie|bearer)$"
)

_MISSING = ("undefined", "null", "none", "nil", "nan", "n/a", "[object object]", "(null)", "unknown", "todo")
PLACEHOLDERS = frozenset(
    (*_MISSING, *map(str.upper, _MISSING), *map(str.capitalize, _MISSING), "NaN", "N/a", "[object Object]")
)
"""Texts that spell a missing value, in the ways in which programs print it."""

_access_rule = searching(
    r"\bonly (?:for|to) (?:\w+ )?(?:members?|admins?|staff|employees?|managers?|vips?|customers?|premium|internal)\b"
    r"|\b(?:members?|admins?|staff|employees?|vips?)[- ]only\b"
    r"|\b(?:do not|don't|never|must not) (?:tell|share|reveal|show|give|disclose|mention)\b"
    r"|\b(?:confidential|internal use|not for customers)\b",
    re.IGNORECASE,
)
_shouting = searching(r"!{2,}|\b[A-Z]{3,}(?:[^A-Za-z]+[A-Z]{3,}){2,}\b")
_path_like = searching(r"(?:^|[\s\"'(/\\])\.\.[/\\]|^~?/|^[A-Za-z]:\\|^file:", re.IGNORECASE)


def has_link(text: str) -> bool:
    """Tell whether a text holds a link or the address of a script, as Markdown, HTML or by itself."""
    return (":" in text or "](" in text) and _link(text) is not None


def masked(text: str) -> str:
    """Replace what looks like a key, a token or a password of a known form by `MASK`."""
    return _mask_secrets(MASK, text) if len(text) >= SHORTEST_SECRET and _long_word(text) else text


def is_secret_key(key: str) -> bool:
    """Tell whether the value of an attribute with this name is better not shown. `key` is folded to lower case."""
    return _secret_key(key.replace("-", "_").replace(" ", "_")) is not None


def line_signs(text: str) -> list[str]:
    """Return the codes of what a short value on its own shows: `link`, `image`."""
    signs = ["link"] if has_link(text) else []
    if ("[" in text or "<" in text or ":" in text) and _image(text):
        signs.append("image")
    return signs


def member_signs(text: str) -> list[str]:
    """Return the codes of what a line in a list or record shows: those of a line, and what makes a row stand out."""
    signs = line_signs(text)
    if not text.islower() and _shouting(text):
        signs.append("shouting")
    if ("/" in text or "\\" in text or ":" in text) and _path_like(text):
        signs.append("path-like")
    if text in PLACEHOLDERS:
        signs.append("placeholder")
    return signs


def prose_signs(text: str) -> list[str]:
    """Return the codes of what a text or an attribute shows: those of a member, and rules about access."""
    return [*member_signs(text), *(["access-rule"] if _access_rule(text) else [])]


def all_unremarkable(values: Sequence[str]) -> bool:
    """Tell in one joined check that `member_signs` has nothing to say of lines in which `line_signs` finds nothing."""
    joined = "|".join(("", *values))
    if "!" in joined and "!!" in joined:
        return False
    if not PLACEHOLDERS.isdisjoint(values):
        return False
    if b"AAA" in joined.encode().translate(_CAPITALS) and any(map(_shouting, values)):
        return False
    return not (_may_be_path_like(joined) and any(map(_path_like, values)))


def _may_be_path_like(joined: str) -> bool:
    """Tell whether a member behind a `|` can be path-like."""
    plain = ".." in joined or "|/" in joined or "|~/" in joined
    return plain or (":" in joined and (":\\" in joined or "|file:" in joined.lower()))


_CAPITALS = bytes(ord("A") if 65 <= byte <= 90 else ord(".") for byte in range(256))
