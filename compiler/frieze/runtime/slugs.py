"""Which model record answers for a name that a service asks for.

Vendors date their models and offer many under one beginning, so a record answers for every name that begins with its
own name, its slug or one of its `slugs`; the longest beginning wins. A name with one namespace in front, as in
`openai/gpt-5.5`, is looked for again without it. What no record answers for goes to the fallback record, if there is
one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, NewType

from .patterns import matching

LIBRARY = "std/"
_is_namespace = matching(r"[A-Za-z0-9_-]+")


Slug = NewType("Slug", str)
"""A name of a model that a record answers for besides its own, for packages that know the records' names as types."""


class Answer(NamedTuple):
    """The record that answers for a name.

    `slug` is the name to send to the vendor where that is not the record's own; `guessed` says that the record is the
    fallback.
    """

    record: str
    slug: str | None = None
    guessed: bool = False


def record_for(asked: str, models: Mapping[str, Mapping[str, Any]], allowed: Iterable[str]) -> Answer | None:
    """Return which of the allowed records answers for a name, None where none does.

    Args:
        asked: the name that was asked for.
        models: the bundle's records by name.
        allowed: the names of the records that may answer.
    """
    names = tuple(allowed)
    own = _own(asked, models, names) or _own(asked.removeprefix(LIBRARY), models, names)
    if own is not None:
        return Answer(own)
    found = _longest(asked, models, names)
    namespace, _, rest = asked.partition("/")
    if found is None and rest and "/" not in rest and _is_namespace(namespace):
        found = _longest(rest, models, names)
    if found is not None:
        return Answer(found, asked)
    fallback = next((name for name in names if models[name].get("fallback")), None)
    return None if fallback is None else Answer(fallback, asked, guessed=True)


def _own(asked: str, models: Mapping[str, Mapping[str, Any]], names: tuple[str, ...]) -> str | None:
    if asked in names:
        return asked
    return next((name for name in names if models[name]["slug"] == asked), None)


def _longest(asked: str, models: Mapping[str, Mapping[str, Any]], names: tuple[str, ...]) -> str | None:
    """Return the record with the longest beginning of a name."""
    best, length = None, 0
    for name in names:
        for start in (name, models[name]["slug"], *models[name].get("slugs", ())):
            if len(start) > length and asked.startswith(start):
                best, length = name, len(start)
    return best
