"""Declared inputs: their sources in order, each checked against the context contract and the selectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic, Related, did_you_mean, nearest
from frieze.profiles.contract import Contract, context_type, row_above
from frieze.profiles.declarations import DataPath, Input, Origin, Source
from frieze.profiles.extending import Declaration
from frieze.profiles.fields import OPEN, SELECTORS, selector_paths, selector_type
from frieze.profiles.known import refused
from frieze.profiles.naming import listed
from frieze.runtime.notes import NOTES
from frieze.runtime.retrieval import LIMIT_TYPE
from frieze.runtime.rules import SETTLED

_ONE_LINE = frozenset({"line", "choice", "timezone", "language", "accept-language"})
_NUMBERS = frozenset({"number", "integer", "latitude", "longitude"})
READS: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "line": _ONE_LINE,
        "text": _ONE_LINE | {"text"},
        "document": _ONE_LINE | {"text", "document"},
        "choice": _ONE_LINE,
        "timezone": frozenset({"timezone", "line"}),
        "language": frozenset({"language", "accept-language", "line"}),
        "accept-language": frozenset({"accept-language", "line"}),
        "integer": frozenset({"integer"}),
        "number": _NUMBERS,
        "latitude": _NUMBERS - {"longitude"},
        "longitude": _NUMBERS - {"latitude"},
        "boolean": frozenset({"boolean"}),
        "datetime": frozenset({"datetime"}),
        "attributes": frozenset({"attributes"}),
        "list": frozenset({"list"}),
        "verbatim": frozenset({"verbatim"}),
    }
)
"""Input type to the types that a source of it may have; a free value (`open`) fits every type."""

_TAKEN: Mapping[str, str] = {
    **dict.fromkeys(SELECTORS, "the selector"),
    **dict.fromkeys(("true", "false", "none", "True", "False", "None"), "a constant"),
    **dict.fromkeys(("and", "or", "not", "in", "is", "if", "else", "elif"), "a word of the language"),
    **dict.fromkeys(("loop", "self", "super", "caller", "varargs", "kwargs"), "a name that tags give"),
    **dict.fromkeys(("range", "dict", "namespace", "lipsum", "cycler", "joiner"), "a function"),
}
"""Names that have a meaning in every template, and what they mean there."""

_NOT_FOR_PROMPTS = "a limit of the search is data for `prompt.retrieval`; no prompt shows it"
_NOT_IN_OPTIONS = frozenset({"type", "from", "merge", "required", "description"})


Known: TypeAlias = dict[int | str, tuple[Any, Mapping[str, Input]]]
"""Inputs without a fault and without conditions, by the identity of what declares them, which is kept with them, and
by what it says."""


class Placed(Mapping[str, Input]):
    """Inputs that another declaration has in the same words, with their places here once somebody looks at them."""

    __slots__ = ("_found", "_origin", "_rows")

    def __init__(self, rows: Mapping[str, Input], origin: Origin) -> None:
        self._rows = rows
        self._origin = origin
        self._found: dict[str, Input] = {}

    def __getitem__(self, name: str) -> Input:
        found = self._found.get(name)
        if found is None:
            found = self._found[name] = self._placed(self._rows[name])
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def _placed(self, row: Input) -> Input:
        span = self._origin.span
        sources = tuple([Source(path, None, partial(span, *where.args)) for path, _, where in row.sources])
        where = partial(self._origin.key, *row.where.args)
        return Input(row.name, row.type, sources, row.required, row.options, where)


@dataclass(frozen=True, slots=True)
class InputReader:
    """Builds the inputs of one declaration."""

    declaration: Declaration
    contract: Contract
    reserved: tuple[str, ...] = ()
    known: Known = field(default_factory=dict)

    def inputs(self, faults: list[Diagnostic]) -> Mapping[str, Input]:
        """Return the declared inputs by name, in the order in which they are written.

        What another declaration says in the same words is not built again; only its places are others.
        """
        declared = self.declaration.at(("inputs",)) or {}
        found = self.known.get(id(declared)) or self.known.get(repr(declared))
        if found is not None:
            return Placed(found[1], self.declaration.origin)
        before = len(faults)
        built = {name: self._input(name, spec, faults) for name, spec in declared.items()}
        if len(faults) == before and not any(source.when for row in built.values() for source in row.sources):
            self.known[id(declared)] = self.known[repr(declared)] = declared, built
        return built

    def _input(self, name: str, spec: Mapping[str, Any], faults: list[Diagnostic]) -> Input:
        where = partial(self.declaration.origin.key, "inputs", name)
        taken = _taken(name)
        if taken:
            advice = f"call it `{name.strip('_')}_value`, for example"
            faults.append(Diagnostic.of("F334", where(), name=name, what=taken, advice=advice))
        field = "merge" if spec["type"] == "attributes" else "from"
        other = "from" if field == "merge" else "merge"
        if other in spec:
            place = self.declaration.origin.key("inputs", name, other)
            faults.append(Diagnostic.of("F335", place, name=name, type=spec["type"], there=other, expected=field))
        elif field not in spec and spec.get("default") is None:
            faults.append(Diagnostic.of("F336", where(), name=name, expected=field))
        self._check_default(name, spec, faults)
        self._check_supported(name, spec, faults)
        return Input(
            name=name,
            type=spec["type"],
            sources=tuple(self._sources(name, spec, field, faults)),
            required=bool(spec.get("required", False)),
            options=self._options(spec),
            where=where,
        )

    def _options(self, spec: Mapping[str, Any]) -> dict[str, Any]:
        """Return what the type understands; an attribute map refuses the project's reserved keys besides its own."""
        options = {key: value for key, value in spec.items() if key not in _NOT_IN_OPTIONS}
        if spec["type"] == "attributes":
            options["reserved"] = sorted({*self.reserved, *spec.get("reserved", ())})
        return options

    def _sources(self, name: str, spec: Mapping[str, Any], field: str, faults: list[Diagnostic]) -> list[Source]:
        given = spec.get(field)
        here: DataPath = ("inputs", name, field)
        rows = [] if given is None else [(given, here)]
        if isinstance(given, list):
            rows = [(item, (*here, index)) for index, item in enumerate(given)]
        sources = []
        for item, place in rows:
            source = self._source(item, place)
            sources.append(source)
            fault = self._check_source(name, spec, source)
            if fault:
                faults.append(fault)
        return sources

    def _source(self, item: Any, place: DataPath) -> Source:
        origin = self.declaration.origin
        if isinstance(item, str):
            return Source(item, None, partial(origin.span, *place))
        when = item.get("when")
        condition = origin.text(when, *place, "when") if isinstance(when, str) else None
        return Source(item["path"], condition, partial(origin.span, *place, "path"))

    def _check_source(self, name: str, spec: Mapping[str, Any], source: Source) -> Diagnostic | None:
        selector = source.path.partition(".")[0] in SELECTORS
        found = selector_type(source.path) if selector else context_type(self.contract, source.path)
        if found is None:
            return self._unknown_path(source, selector=selector)
        row = self.contract.get(source.path)
        related = (Related(row.span, f"`{row.path}` is declared here as `{row.type}`"),) if row else ()
        if found != OPEN and found not in READS[spec["type"]]:
            readers = [kind for kind, types in READS.items() if found in types]
            advice = f"give the input a type that reads `{found}` ({listed(readers)}), or name another path"
            if found == LIMIT_TYPE:
                advice = _NOT_FOR_PROMPTS
            return Diagnostic.of(
                "F333",
                source.span,
                name=name,
                type=spec["type"],
                path=source.path,
                found=found,
                related=related,
                advice=advice,
            )
        return self._unknown_field(name, spec, source) if row and found == "list" else None

    def _unknown_path(self, source: Source, *, selector: bool) -> Diagnostic:
        above = None if selector else row_above(source.path, self.contract)
        if above:
            related = (Related(above.span, f"`{above.path}` is declared here as `{above.type}`"),)
            advice = f"read `{above.path}` itself, with an input of the type `{above.type}`"
            if above.type == "attributes":
                key = source.path.removeprefix(above.path + ".").partition(".")[0]
                advice = f"the keys of `{above.path}` hold single values: read `{above.path}.{key}`"
            elif above.type == LIMIT_TYPE:
                advice = _NOT_FOR_PROMPTS
            return Diagnostic.of("F332", source.span, path=source.path, related=related, advice=advice)
        name = source.path.partition(".")[0]
        choices = selector_paths() if selector else list(self.contract)
        near = nearest(source.path, choices, limit=1)
        fields = [path for path in choices if path.startswith(name + ".")]
        advice = f"did you mean `{near[0]}`?" if near else ""
        if not near and fields:
            advice = f"the paths there are {listed(fields)}"
        return Diagnostic.of("F332", source.span, path=source.path, advice=advice)

    def _unknown_field(self, name: str, spec: Mapping[str, Any], source: Source) -> Diagnostic | None:
        wanted, given = _record(spec.get("of")), _record(self.contract[source.path].options.get("of"))
        row = self.contract[source.path]
        if given is None or wanted is None:
            return None
        if "settle_with" in spec:
            given = [*given, *SETTLED]
        for key in wanted:
            if key not in given:
                place = self.declaration.origin.key("inputs", name, "of", "fields", key)
                related = (Related(row.span, f"`{row.path}` is declared here"),)
                advice = did_you_mean(key, given, f"its fields are {listed(given)}")
                return Diagnostic.of("F337", place, field=key, path=row.path, related=related, advice=advice)
        return None

    def _check_default(self, name: str, spec: Mapping[str, Any], faults: list[Diagnostic]) -> None:
        if spec.get("default") is None:
            return
        options = {key: value for key, value in self._options(spec).items() if key != "supported"}
        refusal = refused(spec["type"], options, spec["default"])
        if refusal:
            place = self.declaration.origin.span("inputs", name, "default")
            advice = NOTES[refusal.code].partition(";")[0].removesuffix(".") if refusal.detail == "" else refusal.detail
            faults.append(Diagnostic.of("F339", place, name=name, type=spec["type"], advice=advice))

    def _check_supported(self, name: str, spec: Mapping[str, Any], faults: list[Diagnostic]) -> None:
        supported = spec.get("supported")
        if isinstance(supported, str) and selector_type(supported) not in {"list", OPEN}:
            place = self.declaration.origin.span("inputs", name, "supported")
            advice = "write a list such as `[en, ja]`, or `platform.languages`"
            faults.append(Diagnostic.of("F338", place, path=supported, advice=advice))
        settled = spec.get("settle_with")
        if settled is not None and (spec["type"] != "list" or settled != RULES):
            place = self.declaration.origin.span("inputs", name, "settle_with")
            faults.append(Diagnostic.of("F369", place, path=settled, expected=RULES))


RULES = "agent.rules"
"""The rules that those of a request are settled with."""


def _record(of: Any) -> list[str] | None:
    """Return the field names of a list's records, None where it holds single values."""
    return list(of["fields"]) if isinstance(of, Mapping) and isinstance(of.get("fields"), Mapping) else None


def _taken(name: str) -> str:
    return "a name of Python's own" if name.startswith("__") else _TAKEN.get(name, "")
