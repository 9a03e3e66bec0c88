"""The table of operations on unknown values.

Three things Jinja2 has are not here, because their result is not a function of the value: `random` and the tests
`filter` and `test`. `urlize` is not here either.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .access import attribute
from .list_filters import LIST_FILTERS
from .profile_filters import PROFILE_FILTERS
from .tests import TESTS
from .text_filters import TEXT_FILTERS

__all__ = [
    "CLASSES",
    "FILTERS",
    "JINJA_FILTERS",
    "LAZY_FILTERS",
    "MARKUP_CONSUMERS",
    "MARKUP_FILTERS",
    "METHODS",
    "OBSERVING_FILTERS",
    "OBSERVING_TESTS",
    "TESTS",
]

JINJA_FILTERS: Mapping[str, Callable[..., Any]] = {
    **TEXT_FILTERS,
    **LIST_FILTERS,
    "tojson": PROFILE_FILTERS["tojson"],
}
"""The filters that Jinja2 has as well, with its meaning on JSON data."""

FILTERS: Mapping[str, Callable[..., Any]] = {**PROFILE_FILTERS, **JINJA_FILTERS}
"""Filter name -> function of the value and the filter's arguments.

In profiles `tojson` is another name for `json`: whoever specialises a template with declared inputs writes `json`
into the residual; here `tojson` gives the text of Jinja2's.
"""

OBSERVING_FILTERS = frozenset({"count", "d", "default", "length"})
"""Filters that may be given an absent value; every other one raises."""

OBSERVING_TESTS = frozenset({"defined", "none", "undefined"})
"""Tests that may be given an absent value; every other one raises."""

LAZY_FILTERS = frozenset(
    {"batch", "items", "map", "reject", "rejectattr", "reverse", "select", "selectattr", "slice", "unique"}
)
"""Filters whose result can be walked once and has no text, no length and no truth of its own.

`reverse` of a text is a text.
"""

MARKUP_FILTERS = frozenset({"e", "escape", "forceescape", "safe", "tojson"})
"""Filters whose result is Markup in Jinja2, which escapes what it meets; the text given here is the same.

Exact where the result is printed, captured, concatenated with `~`, compared, or given to one of
`MARKUP_CONSUMERS`. Everything else (`+`, `%`, `trim`, `format`, `escape` again, a place in a list that is printed,
...) may give another text than Jinja2 does and is for the evaluator to refuse. So are `map`, `select` and their
like with a name that is not a constant: it could be one of these.
"""

MARKUP_CONSUMERS = frozenset(
    {"count", "d", "default", "forceescape", "int", "float", "join", "length", "list", "replace", "tojson", "wordcount"}
)
"""Filters that treat a Markup like the text it holds; of `default`, the value must not be used further."""


def _method(name: str) -> Callable[..., Any]:
    return lambda value, *arguments: attribute(value, name)(*arguments)


METHODS: Mapping[str, Callable[..., Any]] = {name: _method(name) for name in ("get", "items", "keys", "values")}
"""Methods of maps that may be called on unknown values."""

_GROUPS = {
    "same": (
        "attr batch center d default dictsort first fitted groupby items join last list local map max min reject "
        "rejectattr replace select selectattr slice sort string sum trim truncate unique"
    ),
    "re-check": "capitalize lower reverse title upper urlencode",
    "number": ("abs count date filesizeformat float int iso_week length round time utc_offset weekday wordcount yesno"),
    "lines": "indent wordwrap",
    "form": "json prefixed quoted tojson",
    "refused": "e escape forceescape format pprint safe striptags xmlattr",
}

CLASSES: Mapping[str, str] = {name: group for group, names in _GROUPS.items() for name in names.split()}
"""Filter name -> what it does to a cleaned value.

| class | meaning |
|---|---|
| `same` | clean in, clean out: parts of the value and of clean arguments; cut and capped again at output |
| `re-check` | may become longer or lose its normal form: cleaned again |
| `number` | a number, or ASCII text of a fixed form: needs no hardening |
| `lines` | has line breaks of its own: printable only through a form |
| `form` | a printing form: already safe inside a line (`prefixed`: over whole lines) |
| `refused` | not on untrusted values |

`join` and `replace` are `lines` where an argument holds a line break. An argument that is not a constant counts like
the value. `yesno` is a `number` with constant arguments.
"""
