"""Filters from text to text, and from anything to text or a number, with Jinja2's meaning.

They take and give `str`: Jinja2's Markup never arises here. Names of parameters are Jinja2's, since templates may
use them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .access import text_of
from .arithmetic import bounded, modulo
from .errors import RenderError
from .missing import Missing

MAX_DIGITS = 10_000

_word_start = re.compile(r"([-\s({\[<]+)")
_word = re.compile(r"\w+")
_bad_attribute = re.compile(r"[\s/>=]", re.ASCII)


def capitalize(s: Any) -> str:
    """Return the text with its first character upper case and the others lower case."""
    return text_of(s).capitalize()


def center(value: Any, width: int = 80) -> str:
    """Return the text in the middle of a field of blanks."""
    text = text_of(value)
    if isinstance(width, int):
        bounded(width)
    return text.center(width)


def escape(s: Any, /) -> str:
    """Return HTML text: `&`, `<`, `>` and both quotes as entities. Jinja2's result is Markup."""
    return (
        text_of(s)
        .replace("&", "&amp;")
        .replace(">", "&gt;")
        .replace("<", "&lt;")
        .replace("'", "&#39;")
        .replace('"', "&#34;")
    )


def forceescape(value: Any) -> str:
    """Return HTML text of a text that may be HTML already. Jinja2's result is Markup."""
    return escape(value)


def safe(value: Any) -> str:
    """Return the text as it is. Jinja2's result is Markup."""
    return text_of(value)


def filesizeformat(value: Any, binary: bool = False) -> str:
    """Return a number of bytes as people read it: `4.1 MB`."""
    size = float(value)
    base = 1024 if binary else 1000
    if size == 1:
        return "1 Byte"
    if size < base:
        return f"{int(size)} Bytes"
    for power, letter in enumerate("kMGTPEZY", 2):
        unit = base**power
        if size < unit or letter == "Y":
            break
    return f"{base * size / unit:.1f} {f'{letter.upper()}iB' if binary else f'{letter}B'}"


def format(value: Any, *args: Any, **kwargs: Any) -> str:  # noqa: A001 - Jinja2's name
    """Return printf-style formatting of the arguments."""
    if args and kwargs:
        raise RenderError("FilterArgumentError", "can't handle positional and keyword arguments at the same time")
    text: str = modulo(text_of(value), kwargs or args)
    return text


def indent(s: Any, width: int | str = 4, first: bool = False, blank: bool = False) -> str:
    """Return the lines of a text indented: but the first and blank ones, unless asked for."""
    if isinstance(width, int):
        bounded(width)
    margin = width if isinstance(width, str) else " " * width
    # A line break is added so that a last empty line counts; text is all that can take one.
    lines = (s + "\n").splitlines()
    bounded(len(margin) * len(lines) + len(s))
    if blank:
        text = ("\n" + margin).join(lines)
    else:
        text = "\n".join([lines[0], *(margin + line if line else line for line in lines[1:])])
    return margin + text if first else text


def lower(s: Any) -> str:
    """Return the text in lower case."""
    return text_of(s).lower()


def pprint(value: Any) -> str:
    """Return a value as Python's pprint shows it."""
    from pprint import pformat

    if not isinstance(value, Missing):
        text_of(value)
    return pformat(value)


def replace(s: Any, old: Any, new: Any, count: int | None = None) -> str:
    """Return the text with `old` replaced by `new`, `count` times at most."""
    text, old, new = text_of(s), text_of(old), text_of(new)
    if len(new) > len(old):
        hits = text.count(old) if count is None or count < 0 else min(text.count(old), count)
        bounded(len(text) + hits * (len(new) - len(old)))
    return text.replace(old, new, -1 if count is None else count)


def string(s: Any, /) -> str:
    """Return the text of a value."""
    return text_of(s)


def striptags(value: Any) -> str:
    """Return HTML text without comments and tags, blanks folded and entities decoded."""
    from html import unescape

    text = text_of(value)
    for opening, closing in (("<!--", "-->"), ("<", ">")):
        while (start := text.find(opening)) != -1 and (end := text.find(closing, start)) != -1:
            text = text[:start] + text[end + len(closing) :]
    return unescape(" ".join(text.split()))


def title(s: Any) -> str:
    """Return the text with every word capitalised."""
    return "".join(part[0].upper() + part[1:].lower() for part in _word_start.split(text_of(s)) if part)


def trim(value: Any, chars: str | None = None) -> str:
    """Return the text without blanks, or without `chars`, at both ends."""
    return text_of(value).strip(chars)


def truncate(
    s: Any,
    length: int = 255,
    killwords: bool = False,
    end: str = "...",
    leeway: int | None = None,
) -> Any:
    """Return a text that is cut to `length` where it is longer than that and `leeway` (5)."""
    slack = 5 if leeway is None else leeway
    if not length >= len(end):
        raise AssertionError(f"expected length >= {len(end)}, got {length}")
    if not slack >= 0:
        raise AssertionError(f"expected leeway >= 0, got {slack}")
    if len(s) <= length + slack:
        return s
    cut = s[: length - len(end)]
    return (cut if killwords else cut.rsplit(" ", 1)[0]) + end


def upper(s: Any) -> str:
    """Return the text in upper case."""
    return text_of(s).upper()


def urlencode(value: Any) -> str:
    """Return a text quoted for the path of a URL, or pairs as its query."""
    if isinstance(value, str) or not isinstance(value, Iterable):
        return _url_quoted(value)
    pairs = value.items() if isinstance(value, dict) else value
    return "&".join(f"{_url_quoted(key, query=True)}={_url_quoted(item, query=True)}" for key, item in pairs)


def wordcount(s: Any) -> int:
    """Return the number of words."""
    return len(_word.findall(text_of(s)))


def wordwrap(
    s: Any,
    width: int = 79,
    break_long_words: bool = True,
    wrapstring: str | None = None,
    break_on_hyphens: bool = True,
) -> str:
    """Return the text in lines of at most `width`; each of its own lines is a paragraph."""
    from textwrap import TextWrapper

    between = "\n" if wrapstring is None else wrapstring
    wrapper = TextWrapper(
        width=width,
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=break_long_words,
        break_on_hyphens=break_on_hyphens,
    )
    paragraphs = [wrapper.wrap(line) for line in s.splitlines()]
    if isinstance(between, str):
        bounded(len(s) + len(between) * sum(map(len, paragraphs)))
    return between.join(between.join(lines) for lines in paragraphs)


def xmlattr(d: Any, autospace: bool = True) -> str:
    """Return a map as attributes of an XML tag, without those that are none or undefined."""
    attributes = []
    for key, value in d.items():
        if value is None or isinstance(value, Missing):
            continue
        if _bad_attribute.search(key) is not None:
            raise ValueError(f"Invalid character in attribute name: {key!r}")
        attributes.append(f'{escape(key)}="{escape(value)}"')
    text = " ".join(attributes)
    return " " + text if autospace and text else text


def integer(value: Any, default: Any = 0, base: Any = 10) -> Any:
    """Return an integer, or `default` for what is none."""
    try:
        return int(value, base) if isinstance(value, str) else int(value)
    except (TypeError, ValueError):
        try:
            return int(float(value))
        except (TypeError, ValueError, OverflowError):
            return default


def real(value: Any, default: Any = 0.0) -> Any:
    """Return a float, or `default` for what is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return default


def rounded(value: Any, precision: Any = 0, method: Any = "common") -> Any:
    """Return a number rounded to `precision` digits: to the nearest, up (`ceil`) or down (`floor`)."""
    if method not in {"common", "ceil", "floor"}:
        raise RenderError("FilterArgumentError", "method must be common, ceil or floor")
    if isinstance(precision, int) and (precision < -MAX_DIGITS or (precision > MAX_DIGITS and method != "common")):
        raise RenderError("ResultTooLarge", f"rounding to more than {MAX_DIGITS} digits")
    if method == "common":
        return round(value, precision)
    return {"ceil": math.ceil, "floor": math.floor}[method](value * (10**precision)) / (10**precision)


TEXT_FILTERS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "capitalize": capitalize,
    "center": center,
    "e": escape,
    "escape": escape,
    "filesizeformat": filesizeformat,
    "float": real,
    "forceescape": forceescape,
    "format": format,
    "indent": indent,
    "int": integer,
    "lower": lower,
    "pprint": pprint,
    "replace": replace,
    "round": rounded,
    "safe": safe,
    "string": string,
    "striptags": striptags,
    "title": title,
    "trim": trim,
    "truncate": truncate,
    "upper": upper,
    "urlencode": urlencode,
    "wordcount": wordcount,
    "wordwrap": wordwrap,
    "xmlattr": xmlattr,
}


def _url_quoted(value: Any, *, query: bool = False) -> str:
    from urllib.parse import quote_from_bytes

    quoted = quote_from_bytes(text_of(value).encode(), b"" if query else b"/")
    return quoted.replace("%20", "+") if query else quoted
