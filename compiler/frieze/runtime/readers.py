"""All inputs of a request at once: one joined check passes what is clean, the rest is read one by one.

Most values of most requests are clean lines. `request_reader` gives the same values and notes as the `input_reader`
of each input, and spends a fraction of the time where nothing is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from sys import maxsize
from typing import Any, TypeAlias

from .clean import LINE_CAP
from .context import CLOCK, Contract
from .inputs import Context, default_of, input_reader, meaningless_of
from .joined import Odd, escape_if_clean
from .notes import Note
from .signs import all_unremarkable
from .types import TYPES, Options

RequestReader: TypeAlias = "Callable[[Context, datetime, list[Note]], dict[str, Any]]"
Look: TypeAlias = "Callable[[Context, list[str]], Any]"
"""Returns an input's raw value after adding its texts to a list; None where there is none, `ODD` where it is not
plain text in plain containers, within its caps, from a source without conditions."""

ODD = object()
NO_CAP = maxsize
"""Each look has checked the caps of its own texts."""


def request_reader(specs: Mapping[str, Options], contract: Contract) -> RequestReader:
    """Return the function that reads several inputs of a request.

    Args:
        specs: key -> specification, as `input_reader` takes it.
        contract: context path -> its row of the context contract.

    The reader gives key -> value in the order of the specifications, `ABSENT` where an input has none.
    """
    readers = {key: input_reader(spec, contract) for key, spec in specs.items()}
    lines = _looks(specs, lambda spec: _line_look(spec, contract))
    lists = _looks(specs, _list_look)

    def read(context: Context, now: datetime, notes: list[Note]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        texts: list[str] = []
        members: list[str] = []
        for looks, found in ((lines, texts), (lists, members)):
            for key, look, default in looks:
                value = look(context, found)
                if value is not ODD:
                    values[key] = default if value is None else value
        try:
            escape_if_clean(texts + members, NO_CAP)
        except Odd:
            values = {}
        if values and not all_unremarkable(members):
            values = {}
        return {key: values[key] if key in values else reader(context, now, notes) for key, reader in readers.items()}

    return read


def _looks(specs: Mapping[str, Options], look_of: Callable[[Options], Look | None]) -> list[tuple[str, Look, Any]]:
    looks = ((key, look_of(spec), default_of(spec)) for key, spec in specs.items())
    return [(key, look, default) for key, look, default in looks if look is not None]


def _line_look(spec: Options, contract: Contract) -> Look | None:
    """Look for a line: the first source that holds something."""
    paths = plain_paths(spec)
    if spec["type"] != "line" or not paths:
        return None
    if any(contract.get(path, {}).get("type") == "accept-language" for path in map(".".join, paths)):
        return None
    cap = spec.get("max_length") or LINE_CAP
    meaningless = meaningless_of(spec)

    def look(context: Context, texts: list[str]) -> Any:
        for path in paths:
            value = _at(context, path)
            if value is None or (type(value) is str and not value):
                continue
            if type(value) is not str or len(value) > cap or (meaningless and value.casefold() in meaningless):
                return ODD
            texts.append(value)
            return value
        return None

    return look


def _list_look(spec: Options) -> Look | None:
    """Look for a list of lines, or of records of lines."""
    paths = plain_paths(spec)
    caps = caps_of_members(spec.get("of") or "line")
    if spec["type"] != "list" or len(paths) != 1 or caps is None or "settle_with" in spec:
        return None
    most = spec.get("max_items") or TYPES["list"].cap

    def look(context: Context, texts: list[str]) -> Any:
        rows = _at(context, paths[0])
        if rows is None:
            return None
        if type(rows) is not list or len(rows) > most:
            return ODD
        kept = [_record(row, caps, texts) if isinstance(caps, dict) else _text(row, caps, texts) for row in rows]
        return ODD if any(row is ODD for row in kept) else kept

    return look


def _text(value: Any, cap: int, texts: list[str]) -> Any:
    if type(value) is not str or not value or len(value) > cap:
        return ODD
    texts.append(value)
    return value


def _record(row: Any, caps: Mapping[str, int], texts: list[str]) -> Any:
    if type(row) is not dict:
        return ODD
    record = {}
    for name, cap in caps.items():
        value = row.get(name)
        if value is None:
            continue
        if type(value) is not str or not value or len(value) > cap:
            return ODD
        texts.append(value)
        record[name] = value
    return record if len(record) == len(caps) else ODD


def caps_of_members(of: Any) -> int | dict[str, int] | None:
    """Return the cap of each member, or of each field of a record; None where something else than lines is in it."""
    if isinstance(of, str) or "fields" not in of:
        return _cap_of_line(of)
    caps = {name: _cap_of_line(field or "line") for name, field in of["fields"].items()}
    known = {name: cap for name, cap in caps.items() if cap is not None}
    return known if known and len(known) == len(caps) else None


def _cap_of_line(of: Any) -> int | None:
    if isinstance(of, str):
        return LINE_CAP if of == "line" else None
    plain = (of.get("type") or "line") == "line"
    return (of.get("max_length") or LINE_CAP) if plain else None


def plain_paths(spec: Options) -> tuple[tuple[str, ...], ...]:
    """Return the paths of the sources, none where one is conditional, known beforehand, or the clock."""
    sources = spec.get("sources") or ()
    if any("value" in source or source.get("when") is not None or source["path"] == CLOCK for source in sources):
        return ()
    if any(source.get("type") == "accept-language" for source in sources):
        return ()
    return tuple(tuple(source["path"].split(".")) for source in sources)


def _at(context: Any, path: tuple[str, ...]) -> Any:
    for name in path:
        if type(context) is not dict:
            return None if context is None else ODD
        context = context.get(name)
    return context
