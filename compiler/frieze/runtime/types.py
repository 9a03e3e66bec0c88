"""The input types: what the compiler needs to know of each, and how a value of a request becomes one.

Types are checked, not coerced: a number where a name should be is refused. A parser never raises; it gives the
cleaned value, `ABSENT` for a value that says nothing, or a `Refusal`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, NamedTuple, TypeAlias

from .base import VERBATIM_CAP
from .clean import LINE_CAP, TEXT_CAP, bounded_line, bounded_text
from .clock import instant, timezone_key
from .context import kind_name
from .graphemes import cut
from .languages import canonical_language, preferred_language
from .missing import ABSENT
from .notes import Refusal, Report
from .signs import line_signs, masked, member_signs, prose_signs

DOCUMENT_CAP = 32_768
LARGEST_INTEGER = 10**40
"""Integers beyond it are refused: no prompt has room for numbers of any length."""


class InputType(NamedTuple):
    """Facts about one input type.

    Attributes:
        textual: a value is text.
        untrusted: a value may say anything, so neighbours and line starts matter where it is printed.
        has_false_values: 0, false or empty are values, so truth does not tell presence.
        iterable: a value can stand in a `for`.
        printable: a value may stand bare in an output.
        multiline: a value may have several lines; printed `quoted`, `prefixed` or, a document, verbatim.
        cap: the default cap: code points of text, members of a list or map; 0 where none applies.
    """

    textual: bool = False
    untrusted: bool = False
    has_false_values: bool = False
    iterable: bool = False
    printable: bool = False
    multiline: bool = False
    cap: int = 0


TYPES: Mapping[str, InputType] = {
    "line": InputType(textual=True, untrusted=True, printable=True, cap=LINE_CAP),
    "text": InputType(textual=True, untrusted=True, multiline=True, cap=TEXT_CAP),
    "integer": InputType(has_false_values=True, printable=True),
    "number": InputType(has_false_values=True, printable=True),
    "boolean": InputType(has_false_values=True),
    "choice": InputType(textual=True, printable=True, cap=LINE_CAP),
    "datetime": InputType(),
    "timezone": InputType(textual=True, printable=True),
    "language": InputType(textual=True, printable=True),
    "accept-language": InputType(textual=True, printable=True),
    "latitude": InputType(has_false_values=True, printable=True),
    "longitude": InputType(has_false_values=True, printable=True),
    "attributes": InputType(untrusted=True, has_false_values=True, iterable=True, cap=50),
    "list": InputType(untrusted=True, has_false_values=True, iterable=True, cap=50),
    "document": InputType(textual=True, untrusted=True, multiline=True, printable=True, cap=DOCUMENT_CAP),
    "verbatim": InputType(textual=True, multiline=True, printable=True, cap=VERBATIM_CAP),
}

Options: TypeAlias = Mapping[str, Any]
Parser: TypeAlias = Callable[[Any, Report], Any]
Signs: TypeAlias = Callable[[str], list[str]]

_surrogates = re.compile("[\ud800-\udfff]")


def scalar_parser(kind: str, options: Options, *, member: bool = False) -> Parser:
    """Return the parser of every type but `attributes` and `list`.

    `member` marks a member of a list or record, whose lines are looked at more closely.
    """
    if kind == "line":
        return _line_parser(options, member_signs if member else line_signs)
    return _MAKERS[kind](options)


def wrong_type(expected: str, value: Any) -> Refusal:
    """Refuse a value of another kind."""
    return Refusal("wrong-type", f"expected {expected}, found {kind_name(value)}")


def plain_text(value: str) -> str:
    """Return the text itself for a member of a text enumeration or another subclass of `str`."""
    return value if type(value) is str else str.__str__(value)


def has_surrogates(text: str, limit: int) -> bool:
    """Tell whether lone surrogates stand in the part of a text that may be shown, its first `limit` code points."""
    return not text.isascii() and _surrogates.search(text, 0, limit) is not None


def _line_parser(options: Options, signs: Signs) -> Parser:
    return text_parser(bounded_line, options.get("max_length") or LINE_CAP, signs)


def _text_parser(options: Options) -> Parser:
    return text_parser(bounded_text, options.get("max_length") or TEXT_CAP, prose_signs)


def text_parser(bounded: Callable[[str, int], tuple[str, bool]], limit: int, signs: Signs) -> Parser:
    """Return the parser of free text, from how it is cleaned and cut and what is noted of it."""

    def parse(value: Any, report: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        text = plain_text(value)
        cleaned, was_cut = bounded(text, limit)
        if has_surrogates(text, limit):
            report("not-utf8", "removed", "")
        if not cleaned:
            return Refusal("empty") if value.strip() else ABSENT
        if was_cut:
            report("cut", f"at {limit} code points", "")
        shown = masked(cleaned)
        if shown != cleaned:
            report("secret-masked", "", "")
        for sign in signs(shown):
            report(sign, "", "")
        return shown

    return parse


def _integer_parser(_: Options) -> Parser:
    def parse(value: Any, _: Report) -> Any:
        if isinstance(value, bool) or not isinstance(value, int):
            return wrong_type("an integer", value)
        return int(value) if abs(value) <= LARGEST_INTEGER else Refusal("out-of-range")

    return parse


def _number_parser(_: Options) -> Parser:
    def parse(value: Any, _: Report) -> Any:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return wrong_type("a number", value)
        if isinstance(value, float):
            return float(value) if isfinite(value) else Refusal("not-finite")
        return int(value) if abs(value) <= LARGEST_INTEGER else Refusal("out-of-range")

    return parse


def _degrees_parser(largest: int) -> Parser:
    number = _number_parser({})

    def parse(value: Any, report: Report) -> Any:
        degrees = number(value, report)
        return degrees if isinstance(degrees, Refusal) or abs(degrees) <= largest else Refusal("out-of-range")

    return parse


def _boolean_parser(_: Options) -> Parser:
    return lambda value, _: value if isinstance(value, bool) else wrong_type("a boolean", value)


def _choice_parser(options: Options) -> Parser:
    choices = tuple(options.get("options") or ())

    def parse(value: Any, _: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        if value in choices:
            return plain_text(value)
        return Refusal("not-an-option") if value.strip() else ABSENT

    return parse


def _datetime_parser(_: Options) -> Parser:
    return lambda value, _: instant(value)


def _timezone_parser(_: Options) -> Parser:
    def parse(value: Any, _: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        return timezone_key(plain_text(value)) if value else ABSENT

    return parse


def _language_parser(_: Options) -> Parser:
    def parse(value: Any, _: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        if not value:
            return ABSENT
        return canonical_language(plain_text(value)) or Refusal("invalid-language")

    return parse


def _accept_language_parser(options: Options) -> Parser:
    supported = tuple(options.get("supported") or ())

    def parse(value: Any, _: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        return preferred_language(plain_text(value), supported) if value.strip() else ABSENT

    return parse


def _document_parser(options: Options) -> Parser:
    limit = options.get("max_length") or DOCUMENT_CAP
    markers = tuple(options.get("markers") or ())

    def parse(value: Any, report: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        text = plain_text(value)[: limit + 1]
        if not text.strip():
            return ABSENT
        if _surrogates.search(text):
            report("not-utf8", "replaced", "")
            text = _surrogates.sub("\ufffd", text)
        neutral = neutralise(text, markers)
        if neutral != text:
            report("marker-in-document", "", "")
        if len(neutral) > limit:
            report("cut", f"at {limit} code points", "")
        return cut(neutral, limit)

    return parse


def neutralise(text: str, markers: tuple[str, ...]) -> str:
    """Break every occurrence of a prompt's own markers in a document, in any case and with blanks inside.

    A tag loses its `<` to `&lt;`; before any other marker stands a backslash.
    """
    for marker in markers:
        words = re.findall(r"\w+|[^\w\s]", marker)
        if words:
            found = re.compile(r"\s*".join(map(re.escape, words)), re.IGNORECASE)
            text = found.sub(lambda match: _broken(match[0]), text)
    return text


def _broken(marker: str) -> str:
    return "&lt;" + marker[1:] if marker[0] == "<" else "\\" + marker


def _verbatim_parser(options: Options) -> Parser:
    limit = options.get("max_length") or VERBATIM_CAP

    def parse(value: Any, _: Report) -> Any:
        if not isinstance(value, str):
            return wrong_type("text", value)
        if len(value) > limit:
            return Refusal("too-long", f"over {limit} code points")
        return Refusal("not-utf8", "refused") if _surrogates.search(value) else plain_text(value)

    return parse


_MAKERS: Mapping[str, Callable[[Options], Parser]] = {
    "text": _text_parser,
    "integer": _integer_parser,
    "number": _number_parser,
    "boolean": _boolean_parser,
    "choice": _choice_parser,
    "datetime": _datetime_parser,
    "timezone": _timezone_parser,
    "language": _language_parser,
    "accept-language": _accept_language_parser,
    "latitude": lambda _: _degrees_parser(90),
    "longitude": lambda _: _degrees_parser(180),
    "document": _document_parser,
    "verbatim": _verbatim_parser,
}
