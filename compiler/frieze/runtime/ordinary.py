"""Ordinary requests: which inputs can be read without their readers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .clean import LINE_CAP
from .context import Contract
from .inputs import default_of, meaningless_of
from .missing import ABSENT
from .readers import caps_of_members, plain_paths
from .rows import Slot
from .types import TYPES, Options


class Direct(NamedTuple):
    """An input whose texts are printed as they stand in the context, once all of them are found clean.

    `fields` are the fields of a list's records, empty for a line and for a list of lines. `caps` are those of the
    fields, in code points, or the one of its lines.
    """

    paths: tuple[tuple[str, ...], ...]
    caps: tuple[int, ...]
    is_list: bool
    fields: tuple[str, ...]
    most: int
    default: str
    meaningless: tuple[str, ...]
    required: bool


def slots_of(direct: Mapping[str, Direct]) -> dict[str, Slot]:
    """Return where each input stands."""
    slots: dict[str, Slot] = {}
    number = 0
    for name, each in direct.items():
        slots[name] = Slot(number, each.is_list, each.fields)
        number += 2 if each.is_list else 1
    return slots


class Looks:
    """What is asked of inputs and statements to know which inputs can be read directly."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract

    def direct(self, spec: Options) -> Direct | None:
        """Return how an input can be read directly, whatever a body does with it; None where it needs its reader."""
        return _direct(spec, self.contract)

    def targets(self, node: Any, name: str) -> frozenset[str | None]:
        """Return the targets of the loops over an input in a statement; None for a target that is unpacked."""
        return frozenset(_loops(node, name))

    def is_harmless(self, node: Any, name: str, rows: frozenset[str | None], fields: tuple[str, ...]) -> bool:
        """Tell whether a statement asks a list for nothing but its rows, and these, by their names, for fields."""
        return _is_harmless(node, name, rows, fields)


def direct_inputs(content: Mapping[str, Any], looks: Looks) -> dict[str, Direct]:
    """Return how the inputs of a residual can be read directly, lines before lists; others need their readers."""
    found = {name: looks.direct(spec) for name, spec in content["inputs"].items()}
    known = [
        (name, each)
        for name, each in found.items()
        if each is not None and (not each.fields or _reads_fields_alone(content, name, each.fields, looks))
    ]
    return dict(sorted(known, key=lambda entry: entry[1].is_list))


def _direct(spec: Options, contract: Contract) -> Direct | None:
    paths = plain_paths(spec)
    kinds = {contract.get(".".join(path), {}).get("type") for path in paths}
    default = default_of(spec)
    required = bool(spec.get("required"))
    if not paths or "accept-language" in kinds:
        return None
    if spec["type"] == "line":
        text = "" if default is ABSENT else default
        if not isinstance(text, str) or (default is not ABSENT and not text):
            return None
        cap = spec.get("max_length") or LINE_CAP
        return Direct(paths, (cap,), False, (), 0, text, tuple(sorted(meaningless_of(spec))), required)
    caps = caps_of_members(spec.get("of") or "line")
    if spec["type"] != "list" or len(paths) != 1 or caps is None or default is not ABSENT or "settle_with" in spec:
        return None
    fields = tuple(caps) if isinstance(caps, dict) else ()
    own = tuple(caps.values()) if isinstance(caps, dict) else (caps,)
    return Direct(paths, own, True, fields, spec.get("max_items") or TYPES["list"].cap, "", (), required)


def _reads_fields_alone(content: Mapping[str, Any], name: str, fields: tuple[str, ...], looks: Looks) -> bool:
    """Tell whether a list is only looped over, and its rows only asked for their fields: other keys go unseen."""
    nodes = [node for node in content["body"] if not isinstance(node, str)]
    rows: frozenset[str | None] = frozenset().union(*(looks.targets(node, name) for node in nodes))
    harmless = None not in rows and all(looks.is_harmless(node, name, rows, fields) for node in nodes)
    return harmless and _is_harmless_test(content.get("when"), name, rows, fields)


def _loops(node: Any, name: str) -> Iterator[str | None]:
    """Yield the targets of the loops over an input; None for a target that is unpacked."""
    if isinstance(node, list):
        if len(node) == 7 and node[0] == "for" and node[2] == ["input", name]:
            yield node[1] if isinstance(node[1], str) else None
        for part in node:
            yield from _loops(part, name)


def _is_harmless(node: Any, name: str, rows: frozenset[str | None], fields: tuple[str, ...]) -> bool:
    if not isinstance(node, list):
        return True
    match node:
        case ["input", str(other)]:
            return other != name
        case ["local", str(other)]:
            return other not in rows
        case ["attr", ["local", other], str(field)] if other in rows:
            return field in fields
        case ["for", target, ["input", other], test, body, orelse, loop] if other == name and target in rows:
            return loop is None and all(_is_harmless(part, name, rows, fields) for part in (test, *body, *orelse))
        case ["if", arms, orelse]:
            inner = [node for _, arm in arms for node in arm]
            tests = all(_is_harmless_test(test, name, rows, fields) for test, _ in arms)
            return tests and all(_is_harmless(part, name, rows, fields) for part in (*inner, *orelse))
    return all(_is_harmless(part, name, rows, fields) for part in node)


def _is_harmless_test(node: Any, name: str, rows: frozenset[str | None], fields: tuple[str, ...]) -> bool:
    """Tell the same of a condition, which may also ask whether the list has anything in it."""
    match node:
        case ["input", str(other)] if other == name:
            return True
        case ["not" | "and" | "or", *parts]:
            return all(_is_harmless_test(part, name, rows, fields) for part in parts)
    return _is_harmless(node, name, rows, fields)
