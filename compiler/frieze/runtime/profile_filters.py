"""Filters that frieze adds: printing forms of free text, and dates that no locale changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from json import JSONEncoder
from typing import Any

from . import clock, escape
from .arithmetic import bounded
from .errors import RenderError
from .fitting import fitted
from .output import format_number

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MAX_INDENT = 100

_in_html = str.maketrans({"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "'": "\\u0027"})
_unprintable = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_one_line = JSONEncoder(ensure_ascii=False, sort_keys=True, allow_nan=False).encode


def tojson(value: Any, indent: Any = None) -> str:
    r"""Return JSON as Jinja2's `tojson` writes it: ASCII, keys sorted, `<`, `>`, `&` and `'` as `\u00xx`.

    Jinja2's result is Markup.
    """
    if (isinstance(indent, int) and indent > MAX_INDENT) or (isinstance(indent, str) and len(indent) > MAX_INDENT):
        raise RenderError("ResultTooLarge", f"an indentation of more than {MAX_INDENT}")
    return JSONEncoder(sort_keys=True, indent=indent).encode(value).translate(_in_html)


def json(value: Any) -> str:
    r"""Return a value as one line of JSON: `{"a": 1, "b": [true, null]}`.

    Keys are sorted and text stays readable; `<`, `>`, `&`, `'` and what would break the line are `\u00xx`.
    """
    text = _one_line(value).translate(_in_html)
    return _unprintable.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def quoted(value: Any) -> str:
    r"""Return a text as one JSON string, with `<`, `>` and `&` as `\u00xx`; of a number, its text."""
    return escape.quoted(value if isinstance(value, str) else format_number(value))


def prefixed(value: Any, prefix: str = "> ") -> str:
    """Return the lines of a text, escaped, each behind the prefix."""
    text = value if isinstance(value, str) else format_number(value)
    bounded(len(text) + len(prefix) * (1 + len(text.splitlines())))
    return escape.prefixed(text, prefix)


def yesno(value: Any, yes: str = "yes", no: str = "no") -> str:
    """Return one of two texts for a boolean."""
    if not isinstance(value, bool):
        raise TypeError(f"a boolean was expected, not {type(value).__name__}")
    return yes if value else no


def local(value: Any, tz: str) -> datetime:
    """Return a moment as the clocks of a time zone show it; `tz` is an IANA key such as `Asia/Tokyo`."""
    moment, zone = _moment(value), clock.zone(tz)
    if moment.tzinfo is None:
        raise ValueError("a moment without a time zone has no local time")
    if zone is None:
        raise ValueError("there is no such time zone")
    return moment.astimezone(zone)


def date(value: Any) -> str:
    """Return the date: `2026-03-14`."""
    moment = _moment(value)
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}"


def time(value: Any) -> str:
    """Return the time of the day: `09:05`."""
    moment = _moment(value)
    return f"{moment.hour:02d}:{moment.minute:02d}"


def weekday(value: Any) -> str:
    """Return the day of the week, in English."""
    return WEEKDAYS[_moment(value).weekday()]


def iso_week(value: Any) -> str:
    """Return the week of ISO 8601 with its own year: `2026-W01`."""
    year, week, _ = _moment(value).isocalendar()
    return f"{year:04d}-W{week:02d}"


def utc_offset(value: Any) -> str:
    """Return the distance from UTC: `+09:00`, with seconds only where there are some."""
    offset = _moment(value).utcoffset()
    if offset is None:
        raise ValueError("a moment without a time zone has no offset")
    minutes, seconds = divmod(abs(offset) // timedelta(seconds=1), 60)
    sign = "-" if offset < timedelta(0) else "+"
    return f"{sign}{minutes // 60:02d}:{minutes % 60:02d}" + (f":{seconds:02d}" if seconds else "")


PROFILE_FILTERS: Mapping[str, Callable[..., Any]] = {
    "date": date,
    "fitted": fitted,
    "iso_week": iso_week,
    "json": json,
    "local": local,
    "prefixed": prefixed,
    "quoted": quoted,
    "time": time,
    "tojson": tojson,
    "utc_offset": utc_offset,
    "weekday": weekday,
    "yesno": yesno,
}


def _moment(value: Any) -> datetime:
    if not isinstance(value, datetime):
        raise TypeError(f"a moment was expected, not {type(value).__name__}")
    return value
