"""A block's inputs as the resolver reads them for some targets: known sources decided, zones and trust derived."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from frieze.diagnostics import Diagnostic, Related
from frieze.freeze.templates import Answers, Templates
from frieze.profiles.contract import both_zones
from frieze.profiles.declarations import ContextPath, Input, Source
from frieze.profiles.fields import SELECTORS
from frieze.profiles.known import refused
from frieze.runtime.conditions import context_paths
from frieze.runtime.context import CLOCK
from frieze.runtime.inputs import meaningless_of
from frieze.runtime.lists import parser
from frieze.runtime.missing import ABSENT
from frieze.runtime.rules import settled_rows
from frieze.runtime.sending import ZONES
from frieze.runtime.walking import input_names
from frieze.template.ir import Body, Expression

NEVER = ("never", "never")

Zones = tuple[str, str]


_SIGNED = json.JSONEncoder(sort_keys=True, default=repr).encode


class Fixed(NamedTuple):
    """An input as the resolver reads it, the zones of what it reads, and whether a service answers for all of that.

    `declared` is kept, so that its identity stays taken; `signature` stands for all that passes know of the input.
    """

    declared: Input
    spec: dict[str, Any]
    zones: Zones
    trusted: bool
    signature: str


@dataclass(slots=True)
class Inputs:
    """The inputs of one block that its residual still reads, for one path of answers.

    `headings` and `tags` are those of the whole project: no attribute may look like the former, no document may hold
    the latter. `fixed` holds, by the identity of their declaration, inputs that are the same for every path.
    """

    templates: Templates
    contract: Mapping[str, ContextPath]
    answers: Answers
    headings: frozenset[str]
    tags: frozenset[str]
    fixed: dict[int, Fixed] = field(default_factory=dict)
    specs: dict[str, dict[str, Any]] = field(default_factory=dict)
    signatures: dict[str, str] = field(default_factory=dict)
    trusted: set[str] = field(default_factory=set)
    zones: Zones = NEVER
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _typed: dict[str, dict[str, Any]] = field(default_factory=dict)

    def add(self, declared: Input) -> None:
        """Decide what can be decided of one input."""
        self._typed = {}
        found = self.fixed.get(id(declared))
        if found is None:
            found = self._decided(declared)
            if _is_fixed(declared):
                self.fixed[id(declared)] = found
        self.specs[declared.name] = found.spec
        self.signatures[declared.name] = found.signature
        if found.trusted:
            self.trusted.add(declared.name)
        self.zones = later(self.zones, found.zones)

    def _decided(self, declared: Input) -> Fixed:
        options = {key: value for key, value in declared.options.items() if key != "supported"}
        supported = declared.options.get("supported")
        if isinstance(supported, str):
            supported = self.templates.known_path(supported, self.answers)
        if supported:
            options["supported"] = supported
        if "settle_with" in options:
            options["settle_with"] = self.templates.known_path(options["settle_with"], self.answers) or []
            options["default"] = settled_rows(options["settle_with"])
        spec = {"name": declared.name, "type": declared.type, **self._guarded(declared.type, options)}
        rows: list[ContextPath] = []
        sources = list(self._sources(declared, spec, rows))
        if declared.required:
            spec["required"] = True
        spec["sources"] = sources
        zones = NEVER
        for row in rows:
            zones = later(zones, zones_of(row, declared.options.get("of")))
        trusted = all(row.trust == "service" for row in rows)
        return Fixed(declared, spec, zones, trusted, f"{trusted} {_SIGNED(spec)}")

    def signature(self) -> tuple[str, ...]:
        """Return what stands for everything that the proof and the hardening know of the inputs."""
        return tuple(sorted(self.signatures.values()))

    def typed(self) -> dict[str, dict[str, Any]]:
        """Return the specifications with what the proof and the hardening need to know besides."""
        if not self._typed:
            self._typed = {
                name: {
                    **spec,
                    "trusted": name in self.trusted,
                    "required": bool(spec.get("required")) or _always(spec),
                }
                for name, spec in self.specs.items()
            }
        return self._typed

    def _guarded(self, kind: str, options: Mapping[str, Any]) -> dict[str, Any]:
        """Add to a type's options what its values must not pass for."""
        of = options.get("of")
        if kind == "attributes" and self.headings:
            return {**options, "headings": sorted(self.headings)}
        if kind == "document":
            return {**options, "markers": sorted(self._markers())}
        if kind == "list" and isinstance(of, Mapping):
            fields = of.get("fields")
            if not isinstance(fields, Mapping):
                return {**options, "of": self._member(of)}
            return {**options, "of": {**of, "fields": {name: self._member(field) for name, field in fields.items()}}}
        return {**options, "of": self._member(of)} if of == "document" else dict(options)

    def _markers(self) -> set[str]:
        """Return what no document may hold: the tags of the project, opening or closing, and other markers of parts."""
        others = (block.markers for block in self.templates.graph.blocks.values() if block.markers)
        tags = (f"{start}{tag}" for tag in self.tags for start in ("<", "</"))
        return {*tags, *(marker for pair in others for marker in pair)}

    def _member(self, of: Any) -> Any:
        kind = of if isinstance(of, str) else of["type"]
        if kind != "document":
            return of
        return {"type": kind, **self._guarded(kind, {} if isinstance(of, str) else of)}

    def _sources(self, declared: Input, spec: Mapping[str, Any], rows: list[ContextPath]) -> Iterator[dict[str, Any]]:
        for source in declared.sources:
            when = self._when(source)
            if when is False or when is None:
                continue
            condition = {} if when is True else {"when": when}
            if source.path.partition(".")[0] in SELECTORS:
                value = self.templates.known_path(source.path, self.answers)
                if value is None or value == "" or not self._valid(declared, spec, source, value):
                    continue
                yield {"value": value, "path": source.path, **condition}
                if not condition and declared.type != "attributes":
                    return
            else:
                row = self.row(source.path)
                rows.append(row)
                if declared.type == "attributes":
                    rows += self._members(source.path, declared.options)
                other = {"type": row.type} if row.path == source.path and row.type != declared.type else {}
                yield {"path": source.path, **other, **condition}

    def _when(self, source: Source) -> Expression:
        """Return a source's residual condition, True where it always counts, False or None where it never does."""
        if source.when is None:
            return True
        roots = frozenset(path.partition(".")[0] for path in self.contract)
        known, value, faults = self.templates.condition(source.when, roots, self.answers)
        self.diagnostics += faults
        if known:
            return bool(value)
        for path in context_paths(value):
            dotted = ".".join(path)
            if dotted in self.contract or self._below(dotted):
                row = self.row(dotted)
                self.zones = later(self.zones, zones_of(row, row.options.get("of")))
            else:
                self.diagnostics.append(Diagnostic.of("F332", source.when.span, path=dotted))
        return value

    def row(self, path: str) -> ContextPath:
        """Return the contract's row of a path, for a free key of an attribute map the map's."""
        return self.contract.get(path) or self.contract[path.rpartition(".")[0]]

    def _members(self, path: str, options: Mapping[str, Any]) -> Iterator[ContextPath]:
        """Yield the rows of single attributes that an input which reads their whole map may show."""
        shown, reserved = options.get("keys"), options.get("reserved", ())
        for row in self.contract.values():
            above, _, key = row.path.rpartition(".")
            if above == path and key not in reserved and (shown is None or key in shown):
                yield row

    def _below(self, path: str) -> bool:
        parent = self.contract.get(path.rpartition(".")[0])
        return parent is not None and parent.type == "attributes"

    def _valid(self, declared: Input, spec: Mapping[str, Any], source: Source, value: Any) -> bool:
        """Tell whether a known value says something; a wrong one is reported now, not by the first request."""
        wrong = refused(declared.type, spec, value) is not None
        if wrong or (declared.type == "attributes" and not isinstance(value, Mapping)):
            related = (Related(declared.span, f"read by the input `{declared.name}` of type `{declared.type}`"),)
            self.diagnostics.append(
                Diagnostic.of("F560", source.span, path=source.path, type=declared.type, related=related)
            )
            return False
        parsed = parser(declared.type, spec)(value, lambda _code, _detail, _place: None)
        return parsed is not ABSENT and not (isinstance(parsed, str) and parsed.casefold() in meaningless_of(spec))


def _is_fixed(declared: Input) -> bool:
    """Tell whether nothing that is declared of an input depends on the target."""
    return (
        not isinstance(declared.options.get("supported"), str)
        and "settle_with" not in declared.options
        and all(source.when is None and source.path.partition(".")[0] not in SELECTORS for source in declared.sources)
    )


def zones_of(row: ContextPath, of: Any) -> Zones:
    """Return the zones of what is read of a row: its own, and of a list of records those of the fields in `of`."""
    zones = row.zones
    written = _fields(row.options.get("of"))
    for name in _fields(of):
        field = written.get(name)
        if isinstance(field, Mapping) and "zone" in field:
            zones = later(zones, both_zones(field["zone"]))
    return zones


def _fields(of: Any) -> Mapping[str, Any]:
    return of.get("fields", {}) if isinstance(of, Mapping) else {}


def _always(spec: Mapping[str, Any]) -> bool:
    """Tell whether an input has a value in every request."""
    if spec.get("default") is not None:
        return True
    return any("when" not in source and ("value" in source or source["path"] == CLOCK) for source in spec["sources"])


def later(one: Zones, other: Zones) -> Zones:
    """Return the faster-changing of two zones, for direct and for group conversations."""
    if one == other:
        return one
    direct, group = (max(pair, key=ZONES.index) for pair in zip(one, other, strict=True))
    return direct, group


def used_names(body: Body, condition: Expression) -> set[str]:
    """Return the names of the inputs that a residual body and the block's condition read."""
    return input_names([condition, *body])
