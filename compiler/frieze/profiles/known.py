"""Values that a profile gives once and for all, checked by the same types that check a request's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.profiles.declarations import DataPath
from frieze.profiles.extending import Declaration
from frieze.runtime.lists import parser
from frieze.runtime.notes import Refusal

_MACHINE = frozenset({"tz-data-missing"})
"""Refusals that speak of this machine, not of the value."""


def refused(kind: str, options: Mapping[str, Any], value: Any) -> Refusal | None:
    """Return why a value is none of an input type, None where it is one."""
    parsed = parser(kind, options)(value, lambda _code, _detail, _place: None)
    return parsed if isinstance(parsed, Refusal) and parsed.code not in _MACHINE else None


def platform_faults(declaration: Declaration) -> Iterator[Diagnostic]:
    """Yield what is wrong with a platform's time zone and languages."""
    zone = declaration.at(("timezone",))
    if isinstance(zone, str) and refused("timezone", {}, zone):
        from zoneinfo import available_timezones

        advice = did_you_mean(zone, sorted(available_timezones()))
        yield Diagnostic.of("F364", declaration.origin.span("timezone"), zone=zone, advice=advice)
    places: list[DataPath] = [("language",)]
    places += [("languages", index) for index, _ in enumerate(declaration.at(("languages",)) or [])]
    for place in places:
        tag = declaration.at(place)
        if isinstance(tag, str) and refused("language", {}, tag):
            yield Diagnostic.of("F365", declaration.origin.span(*place), tag=tag)
