"""Lists of a request: members of one type, or records of typed fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .attributes import attributes_reader
from .missing import ABSENT
from .notes import Refusal, Report
from .types import TYPES, Options, Parser, scalar_parser, wrong_type

LOOKED_AT_FOR_EACH = 10
"""How many members are looked at for each one that a list may keep."""


def parser(kind: str, options: Options, *, member: bool = False) -> Parser:
    """Return the parser of any input type; `member` marks what stands inside a list or record."""
    if kind == "list":
        return _list_parser(options)
    if kind == "attributes":
        read = attributes_reader(options)
        return lambda value, report: read([(value, report)])
    return scalar_parser(kind, options, member=member)


def _list_parser(options: Options) -> Parser:
    parse = _member_parser(options.get("of") or "line")
    most = options.get("max_items") or TYPES["list"].cap

    def parse_all(value: Any, report: Report) -> Any:
        if not isinstance(value, list | tuple):
            return wrong_type("a list", value)
        kept: list[Any] = []
        for looked_at, item in enumerate(value):
            if len(kept) == most or looked_at == LOOKED_AT_FOR_EACH * most:
                report("too-many", f"at {most} members", "")
                break
            parsed = _parsed(parse, item, report, "[]")
            if parsed is not ABSENT:
                kept.append(parsed)
        return kept if kept or not value else ABSENT

    return parse_all


def _member_parser(of: Any) -> Parser:
    if isinstance(of, str):
        return parser(of, {}, member=True)
    if "fields" in of:
        return _record_parser(of["fields"])
    return parser(of.get("type") or "line", of, member=True)


def _record_parser(fields: Mapping[str, Any]) -> Parser:
    parsers = []
    for name, field in fields.items():
        options: Options = {"type": field} if isinstance(field, str) else field or {}
        parsers.append((name, parser(options.get("type") or "line", options, member=True), options.get("required")))

    def parse(value: Any, report: Report) -> Any:
        if not isinstance(value, Mapping):
            return wrong_type("a map", value)
        record = {}
        for name, parse_field, required in parsers:
            parsed = _parsed(parse_field, value.get(name), report, f".{name}")
            if parsed is not ABSENT:
                record[name] = parsed
            elif required:
                return ABSENT
        return record or ABSENT

    return parse


def _parsed(parse: Parser, value: Any, report: Report, place: str) -> Any:
    """Parse a member; whatever is left out is reported, but for null, which says that it is not there."""
    if value is None:
        return ABSENT
    reported = False

    def inside(code: str, detail: str, deeper: str) -> None:
        nonlocal reported
        reported = True
        report(code, detail, place + deeper)

    parsed = parse(value, inside)
    if isinstance(parsed, Refusal):
        inside(parsed.code, parsed.detail, "")
        return ABSENT
    if parsed is ABSENT and not reported:
        inside("empty", "", "")
    return parsed
