"""What a plain scalar means: frieze's own table of YAML 1.2, smaller than any parser's.

`true`, `false`, `null`, `~` and decimal numbers mean what they say. What other tools or older versions of
YAML read differently (`017`, `1_000`, `0x1F`, `.inf`) is a fault. Dates, times, `yes` and `no` are text.
"""

from __future__ import annotations

import re
from typing import TypeAlias

Scalar: TypeAlias = str | int | float | bool | None

CONSTANTS: dict[str, bool | None] = {"": None, "~": None, "null": None, "true": True, "false": False}
VARIANTS: dict[str, bool | None] = {
    "Null": None, "NULL": None, "True": True, "TRUE": True, "False": False, "FALSE": False,
}  # fmt: skip
DOUBTFUL = frozenset(word for base in ("yes", "no", "on", "off") for word in (base, base.capitalize(), base.upper()))
"""Words that YAML 1.1 reads as booleans; here they are text."""

STARTERS = frozenset("0123456789+-.~tTfFnNyYoO")
"""First characters of everything that is not simply text."""

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?")
_NEARLY = re.compile(
    r"""[-+]?(?:
        0[0-9_]+(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?   # leading zero
      | 0[xX][0-9a-fA-F_]+ | 0[oO][0-7_]+ | 0[bB][01_]+
      | [0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)? | \.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?
      | \.(?:inf|Inf|INF|nan|NaN|NAN)
    )""",
    re.VERBOSE,
)
_LIKE_TEXT = re.compile(r"[ \t]*(#[^\s#!][^\s]*)")
_ITEM = re.compile(r" *([-*+•]|[0-9]{1,3}[.)]|#{1,6}) +\S")
_DIGITS = 18


class MisspeltError(ValueError):
    """A plain scalar that looks like a number and is none here; `advice` says what to write."""

    def __init__(self, advice: str) -> None:
        super().__init__(advice)
        self.advice = advice


def resolve(text: str) -> Scalar:
    """Return the value of a plain scalar.

    Raises:
        MisspeltError: the spelling is a number in some versions of YAML and not in this one.
    """
    if text[:1] not in STARTERS and text:
        return text
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text in VARIANTS:
        return VARIANTS[text]
    match = _NUMBER.fullmatch(text)
    if match is None:
        if _NEARLY.fullmatch(text):
            raise MisspeltError(_advice(text))
        return text
    if sum(map(str.isdigit, text)) > _DIGITS:
        raise MisspeltError(f'write "{text}" in quotes: a number has at most {_DIGITS} digits here')
    if match.group(1) is None and match.group(2) is None:
        return int(text)
    number = float(text)
    if number in {float("inf"), float("-inf")}:
        raise MisspeltError(f'write "{text}" in quotes: the number is out of range')
    return number


def comment_behind(text: str, end: int) -> tuple[int, int] | None:
    """Return where a comment stands behind a plain scalar that ends at `end`, if it looks like more of its text."""
    found = _LIKE_TEXT.match(text, end)
    return found.span(1) if found else None


def folded_item(written: str) -> tuple[int, int] | None:
    """Return where a text under `>` first has the mark of a list or a heading that folding puts into a line."""
    margin = ""
    before = ""
    start = written.find("\n") + 1
    while 0 < start < len(written):
        end = written.find("\n", start) + 1 or len(written) + 1
        line = written[start : end - 1]
        indent = line[: len(line) - len(line.lstrip(" "))]
        margin = margin or (indent if line.strip() else "")
        if before.strip() and indent == margin and not before[len(margin) :].startswith(" "):
            found = _ITEM.match(line)
            if found:
                return start + found.start(1), start + found.end(1)
        before, start = line, end
    return None


def _advice(text: str) -> str:
    quoted = f'"{text}" for the text'
    plain = _plain_number(text)
    return f"write {plain} for the number, or {quoted}" if plain else f"write {quoted}"


def _plain_number(text: str) -> str:
    body = text.replace("_", "").lower()
    sign = "-" if body.startswith("-") else ""
    body = body.lstrip("+-")
    if body in {".inf", ".nan"}:
        return ""
    if body[:2] in {"0x", "0o", "0b"}:
        return f"{sign}{int(body, 0)}"
    whole, point, rest = body.partition(".")
    whole = whole.lstrip("0") or "0"
    if point and not rest:
        return sign + whole
    return f"{sign}{whole}{point}{rest}"
