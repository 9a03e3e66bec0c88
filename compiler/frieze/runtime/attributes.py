"""Attribute maps of a request: names and values that somebody else chose, merged, checked and turned into text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, TypeAlias
from unicodedata import category, normalize

from .clean import bounded_line, clean_line, is_mark
from .context import kind_name, plain_name
from .escape import number_text
from .graphemes import CUT_MARK
from .missing import ABSENT
from .notes import Refusal, Report
from .signs import MASK, is_secret_key, masked, prose_signs
from .types import LARGEST_INTEGER, TYPES, Options, Parser, has_surrogates, plain_text, scalar_parser, text_parser

KEY_CAP = 64
VALUE_CAP = 500
LOOKED_AT = 1_000
"""Members of one map that are looked at; a larger map is read up to here."""

DEEPEST = 4
MOST_MEMBERS = 64

_FOREIGN_TO_PROGRAMS = frozenset(("constructor", "prototype"))
_SEPARATORS_IN_KEYS = frozenset("_-. \u30fb\u200c\u200d")
_LOOK_ALIKES = str.maketrans("аеорсухіјѕԁһкмαορνικτυı", "aeopcyxijsdhkmaopviktui")

Sources: TypeAlias = Iterable[tuple[Any, Report]]


def folded_key(key: str) -> str:
    """Return what is left of a name when its spelling is set aside: for comparing names, never for printing.

    Compatibility forms, case, invisible code points, blanks, hyphens, underscores and look-alikes of Latin letters
    make no difference.
    """
    folded = normalize("NFKC", normalize("NFKC", key).casefold()).translate(_LOOK_ALIKES)
    return "".join(char for char in folded if char.isalnum())


def attribute_key(key: Any, reserved: frozenset[str], headings: frozenset[str] = frozenset()) -> str | Refusal:
    """Return the name of an attribute, cleaned, or why it is refused.

    `reserved` and `headings` hold folded names: of inputs of their own, and of the prompt's headings.
    """
    if not isinstance(key, str):
        return Refusal("invalid-key", f"found {kind_name(key)}")
    key = plain_text(key)
    if len(key) > 4 * KEY_CAP:
        return Refusal("invalid-key", f"over {KEY_CAP} code points")
    folded = folded_key(key)
    if folded in reserved:
        return Refusal("reserved-key", plain_name(key))
    name = clean_line(key, 4 * KEY_CAP)
    if not name or len(name) > KEY_CAP:
        return Refusal("invalid-key", f"over {KEY_CAP} code points" if name else "empty")
    if (name[0] != "_" and not name[0].isalnum()) or name.startswith("__") or not all(map(_may_stand_in_key, name)):
        return Refusal("invalid-key", "not made of letters, digits and separators")
    if masked(name) != name:
        return Refusal("invalid-key", "looks like a secret")
    if folded in headings or name in _FOREIGN_TO_PROGRAMS:
        return Refusal("invalid-key", "a name with a meaning of its own")
    return name


def attribute_text(value: Any, limit: int, report: Report) -> Any:
    """Return one attribute's value as a line of text, `ABSENT` for one that says nothing, or a `Refusal`.

    Booleans are `true` and `false`, numbers stand in their shortest form, nested values as one line of JSON.
    """
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        parsed = text_parser(bounded_line, limit, prose_signs)(value, report)
    elif isinstance(value, int | float):
        number = scalar_parser("number", {})(value, report)
        parsed = number if isinstance(number, Refusal) else number_text(number)
    elif isinstance(value, Mapping | list | tuple):
        parsed = _nested_text(value, limit, report)
    else:
        parsed = Refusal("wrong-type", f"found {kind_name(value)}")
    return parsed


def attributes_reader(options: Options, expected: frozenset[str] = frozenset()) -> Callable[[Sources], Any]:
    """Return the function that merges the maps of several sources: for each name, the first valid value wins.

    It takes pairs of a map and the report of its source, and gives name -> text sorted by name, or `ABSENT`.
    `options` hold what the profile says of the map, and two lists of the project: `reserved` names, which are inputs of
    their own, and `headings`, which no attribute may look like. `expected` are the reserved names that stand in such a
    map rightly: they are left out without a note.
    """
    reserved = frozenset(map(folded_key, options.get("reserved") or ()))
    headings = frozenset(map(folded_key, options.get("headings") or ()))
    limit = options.get("max_length") or VALUE_CAP
    most = options.get("max_items") or TYPES["attributes"].cap
    closed = options.get("keys")
    parsers = {key: _typed(key, dict(entry or {}), limit) for key, entry in closed.items()} if closed else {}

    def member(name: str, value: Any, report: Report) -> Any:
        if closed is None:
            return _hidden(name, attribute_text(value, limit, report), report)
        if name not in parsers:
            return Refusal("unknown-attribute", plain_name(name))
        return parsers[name](value, report)

    def read(sources: Sources) -> Any:
        merged: dict[str, str] = {}
        for value, report in sources:
            _merge(_without(expected, value), merged, (reserved, headings), member, report)
            if len(merged) > most:
                report("too-many", f"at {most} members", "")
        return dict(sorted(merged.items())[:most]) if merged else ABSENT

    return read


def _merge(
    value: Any,
    merged: dict[str, str],
    refused: tuple[frozenset[str], frozenset[str]],
    member: Callable[[str, Any, Report], Any],
    report: Report,
) -> None:
    if value is None:
        return
    if not isinstance(value, Mapping):
        report("wrong-type", f"expected a map, found {kind_name(value)}", "")
        return
    if len(value) > LOOKED_AT:
        report("too-many", f"at {LOOKED_AT} members", "")
    seen: set[str] = set()
    for key, raw in islice(value.items(), LOOKED_AT):
        name = attribute_key(key, *refused)
        _note_surrogates(key, KEY_CAP, lambda code, detail, _: report(code, detail, "[]"))
        if isinstance(name, Refusal):
            report(name.code, name.detail, "[]")
            continue
        if name in seen:
            report("duplicate-key", plain_name(name), "[]")
        seen.add(name)
        if name in merged:
            continue
        text = member(name, raw, lambda code, detail, _: report(code, detail, "[]"))
        if isinstance(text, Refusal):
            report(text.code, text.detail, "[]")
        elif text is not ABSENT:
            merged[name] = text


def _without(expected: frozenset[str], value: Any) -> Any:
    if isinstance(value, Mapping) and not expected.isdisjoint(value):
        return {key: value[key] for key in islice(value, LOOKED_AT + len(expected) + 1) if key not in expected}
    return value


def _typed(name: str, entry: dict[str, Any], limit: int) -> Parser:
    """Return the parser of one key of a closed set: checked by its type, then text.

    `mask: true` hides every value, `mask: false` shows also those of a name that looks secret.
    """
    entry.setdefault("max_length", limit)
    parse = scalar_parser(entry.get("type") or "line", entry, member=True)

    def text_of(value: Any, report: Report) -> Any:
        if entry.get("visible") is False or value is None:
            return ABSENT
        checked = parse(value, report)
        if checked is ABSENT or isinstance(checked, Refusal):
            return checked
        if entry.get("mask"):
            return MASK
        text = checked.isoformat() if isinstance(checked, datetime) else attribute_text(checked, limit, _ignore)
        return text if entry.get("mask") is False else _hidden(name, text, report)

    return text_of


def _hidden(name: str, value: Any, report: Report) -> Any:
    if value is ABSENT or isinstance(value, Refusal) or not is_secret_key(name.casefold()):
        return value
    report("secret-masked", "", "")
    return MASK


def _nested_text(value: Any, limit: int, report: Report) -> Any:
    data = _bounded(value, 1, [MOST_MEMBERS], limit, report)
    if not data:
        return ABSENT
    text = json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    line, was_cut = bounded_line(text, limit)
    if was_cut:
        report("cut", f"at {limit} code points", "")
    return line


def _bounded(value: Any, depth: int, left: list[int], limit: int, report: Report) -> Any:
    """Return the plain data of a nested value: clean, at most `DEEPEST` deep and `MOST_MEMBERS` large in all.

    Null says nothing in a list or map either, and is left out.
    """
    if isinstance(value, Mapping | list | tuple) and depth > DEEPEST:
        report("too-deep", f"at {DEEPEST} levels", "")
        return CUT_MARK
    if isinstance(value, Mapping):
        return _bounded_map(value, depth, left, limit, report)
    if isinstance(value, list | tuple):
        members = []
        for item in value:
            if _none_left(left, report):
                members.append(CUT_MARK)
                break
            inner = _bounded(item, depth + 1, left, limit, report)
            if inner is not None:
                members.append(inner)
        return members
    return _bounded_scalar(value, limit, report)


def _bounded_map(value: Mapping[Any, Any], depth: int, left: list[int], limit: int, report: Report) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for key, item in value.items():
        if _none_left(left, report):
            members[CUT_MARK] = CUT_MARK
            break
        name = _nested_name(key, report)
        if not name:
            report("invalid-key", "empty" if isinstance(key, str) else f"found {kind_name(key)}", "")
        elif name not in members:
            inner = _bounded(item, depth + 1, left, limit, report)
            if inner is not None:
                members[name] = _hidden(name, inner, report)
    return members


def _nested_name(key: Any, report: Report) -> str:
    name = clean_line(plain_text(key), KEY_CAP) if isinstance(key, str) else ""
    _note_surrogates(key, KEY_CAP, report)
    shown = masked(name)
    if shown != name:
        report("secret-masked", "", "")
    return shown


def _bounded_scalar(value: Any, limit: int, report: Report) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        _note_surrogates(value, limit, report)
        return _noted(clean_line(plain_text(value), limit), report)
    if isinstance(value, int) and abs(value) <= LARGEST_INTEGER:
        return int(value)
    number = scalar_parser("number", {})(value, report)
    if isinstance(number, Refusal):
        report(number.code, number.detail, "")
        return None
    return int(number) if number.is_integer() and abs(number) < 1e16 else float(number)


def _noted(text: str, report: Report) -> str:
    shown = masked(text)
    if shown != text:
        report("secret-masked", "", "")
    for sign in prose_signs(shown):
        report(sign, "", "")
    return shown


def _note_surrogates(text: Any, limit: int, report: Report) -> None:
    if isinstance(text, str) and has_surrogates(plain_text(text), limit):
        report("not-utf8", "removed", "")


def _none_left(left: list[int], report: Report) -> bool:
    left[0] -= 1
    if left[0] < 0:
        report("too-deep", f"at {MOST_MEMBERS} members", "")
    return left[0] < 0


def _may_stand_in_key(char: str) -> bool:
    return char.isalnum() or char in _SEPARATORS_IN_KEYS or is_mark(char) or category(char) == "Pc"


def _ignore(_code: str, _detail: str, _place: str) -> None:
    """Report nothing: the value was looked at before."""
