"""Inputs of a request: for each, the chain of sources in the context; the first valid value wins.

A value that is not valid counts as absent, the next source is tried, and a note says so without the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from .attributes import attributes_reader
from .clock import aware
from .conditions import Condition, condition, value_at
from .context import CLOCK, Contract
from .lists import parser
from .missing import ABSENT
from .notes import Note, Refusal, Report, record
from .rules import settling
from .types import Options

Context: TypeAlias = Mapping[str, Any]
Reader: TypeAlias = "Callable[[Context, datetime, list[Note]], Any]"


def input_reader(spec: Options, contract: Contract) -> Reader:
    """Return the function that reads one input from a request.

    Args:
        spec: `name`, `type`, `sources` (each `{path, type?, when?}` or `{value, path?}`), `default`, and the options
            of the type. The sources of `attributes` are merged, all others are tried in order.
        contract: context path -> its row of the context contract.

    The reader takes the context, the time of the request and the list that notes are added to; it never raises on
    what the context holds. It gives the cleaned value, or `ABSENT`.
    """
    sources = [_Source(source, spec, contract) for source in spec.get("sources") or ()]
    if spec["type"] == "attributes":
        return _merging_reader(spec, sources, contract)
    meaningless = meaningless_of(spec)
    default = default_of(spec)
    known = spec.get("settle_with")

    def read(context: Context, now: datetime, notes: list[Note]) -> Any:
        for source in sources:
            raw = source.raw(context, now, notes)
            if raw is None:
                continue
            value = source.parse(raw, _Reporter(notes, source))
            if value is ABSENT:
                continue
            if isinstance(value, Refusal):
                record(notes, Note(value.code, source.input, source.path, value.detail))
            elif not (meaningless and isinstance(value, str) and value.casefold() in meaningless):
                return value if known is None else settling(known, source.input, source.path)(value, notes)
        return default

    return read


class _Source:
    """One place of an input's value."""

    __slots__ = ("_steps", "_value", "_when", "input", "parse", "path")

    def __init__(self, source: Options, spec: Options, contract: Contract) -> None:
        self.input: str = spec["name"]
        self.path: str = source.get("path") or ""
        self._value = source.get("value")
        self._steps = () if "value" in source else tuple(self.path.split("."))
        self._when: Condition | None = None
        if source.get("when") is not None:
            self._when = condition(source["when"], contract, self.input, self.path)
        kind = source.get("type") or contract.get(self.path, {}).get("type")
        self.parse = parser("accept-language" if kind == "accept-language" else spec["type"], spec)

    def raw(self, context: Context, now: datetime, notes: list[Note]) -> Any:
        """Return what stands there, unchecked; None where nothing does or the source does not count now."""
        if self._when is not None and not self._when(context, now, notes):
            return None
        if not self._steps:
            return self._value
        if self.path == CLOCK:
            return aware(now)
        return value_at(context, self._steps)


def _merging_reader(spec: Options, sources: list[_Source], contract: Contract) -> Reader:
    maps_read = {source.path for source in sources}
    rows = (path.rpartition(".") for path in contract)
    reserved = set(spec.get("reserved") or ())
    expected = frozenset(name for above, _, name in rows if above in maps_read and name in reserved)
    merge = attributes_reader(spec, expected)
    default = default_of(spec)

    def read(context: Context, now: datetime, notes: list[Note]) -> Any:
        def maps() -> Iterator[tuple[Any, Report]]:
            for source in sources:
                yield source.raw(context, now, notes), _Reporter(notes, source)

        merged = merge(maps())
        return default if merged is ABSENT else merged

    return read


def meaningless_of(spec: Options) -> frozenset[str]:
    """Return the case-folded texts that stand for no value in this input."""
    return frozenset(text.casefold() for text in spec.get("absent_values") or ())


def default_of(spec: Options) -> Any:
    """Return the declared default in its cleaned form; one that says nothing, such as empty text, as it is."""
    default = spec.get("default")
    if default is None:
        return ABSENT
    parsed = parser(spec["type"], spec)(default, lambda _code, _detail, _place: None)
    return default if parsed is ABSENT or isinstance(parsed, Refusal) else parsed


class _Reporter:
    """Records notes about one source."""

    __slots__ = ("_input", "_notes", "_path")

    def __init__(self, notes: list[Note], source: _Source) -> None:
        self._notes = notes
        self._input = source.input
        self._path = source.path

    def __call__(self, code: str, detail: str, place: str) -> None:
        record(self._notes, Note(code, self._input, self._path + place, detail))
