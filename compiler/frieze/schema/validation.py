"""A document against the schema of its kind: every fault once, at the key or value to mend.

A complaint about a union is replaced by those of the branch that the author meant; a missing key and an
unknown one of nearly the same name are one slip.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic, Span, nearest
from frieze.schema import wording
from frieze.schema.files import Schema, flat_schema
from frieze.schema.sieve import Parts, Sieve, UnsupportedSchemaError, anchored, divided, sieve
from frieze.sources import DataPath, Document

_JSON_TYPES = {str: "string", bool: "boolean", int: "integer", float: "number", list: "array", dict: "object"}
_FEW = 6
"""So many choices fit into a message; more of them stand in the help."""
_TRUTHS = {"yes": "true", "on": "true", "no": "false", "off": "false"}


Seen: TypeAlias = dict[tuple[str, bool, str, int], Any]
"""Maps and lists that fit: their kind, whether in a patch, their key, and which they are."""


def validate(document: Document, kind: str, seen: Seen | None = None) -> list[Diagnostic]:
    """Check one file against the schema of its kind; the patch form where it has `extends`.

    `seen` is what fitted in other files: values that several documents share are looked at once.

    Raises:
        FileNotFoundError: there is no such kind.
    """
    data = document.data
    patch = kind != "project" and isinstance(data, dict) and "extends" in data
    faults: list[Diagnostic] = []
    errors = [] if seen is not None and _fits_in_parts(data, kind, patch, seen) else _errors(data, kind, patch)
    if errors:
        places = _Places(document.span, document.key_span, document.raw)
        faults = _Report(places, kind, data, patch).diagnose(errors)
    if document.doubtful:
        blamed = {fault.span for fault in faults}
        faults += [_doubtful(document, span) for span in document.doubtful if span not in blamed]
    return sorted(faults, key=lambda fault: fault.span)


def validate_merged(
    data: Any,
    kind: str,
    span_of: Callable[[DataPath], Span],
    key_span_of: Callable[[DataPath], Span] | None = None,
) -> list[Diagnostic]:
    """Check what `extends` made of several files against the full schema of a kind.

    `span_of` gives the span of the value at a path, or of its nearest parent; `key_span_of` that of a key.
    """
    errors = _errors(data, kind, False)
    if not errors:
        return []
    places = _Places(span_of, key_span_of or span_of, None)
    return sorted(_Report(places, kind, data, patch=False).diagnose(errors), key=lambda fault: fault.span)


def _fits_in_parts(data: Any, kind: str, patch: bool, seen: Seen) -> bool:
    """Tell whether a file fits, from what is known of its values; it may fit where the answer is no."""
    parts = _parts(kind, patch)
    if parts is None or type(data) is not dict or not parts.rest(data):
        return False
    for name, value in data.items():
        is_shared = type(value) in (dict, list)
        key = (kind, patch, name, id(value))
        if is_shared and key in seen:
            continue
        if not parts.fields.get(name, parts.other)(value):
            return False
        if is_shared:
            seen[key] = value
    return True


@lru_cache(maxsize=64)
def _parts(kind: str, patch: bool) -> Parts | None:
    try:
        return divided(flat_schema(kind, patch))
    except UnsupportedSchemaError:
        return None


def _errors(data: Any, kind: str, patch: bool) -> list[Any]:
    """Return the validator's complaints; it is only asked where there are some."""
    sound = _sieve(kind, patch)
    if sound is not None and sound(data):
        return []
    return list(_validator(kind, patch).iter_errors(data))


@lru_cache(maxsize=64)
def _sieve(kind: str, patch: bool) -> Sieve | None:
    try:
        return sieve(flat_schema(kind, patch))
    except UnsupportedSchemaError:
        return None


@lru_cache(maxsize=64)
def _validator(kind: str, patch: bool) -> Any:
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    # JSON Schema takes 10.0 for an integer. Here it would be a float where sizes are counted.
    whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)

    def pattern(_validator: Any, wanted: str, value: Any, _schema: Schema) -> Iterator[ValidationError]:
        if isinstance(value, str) and not re.search(anchored(wanted), value):
            yield ValidationError("pattern")

    checker: Any = extend  # its stubs leave it untyped
    return checker(Draft202012Validator, {"pattern": pattern}, type_checker=whole)(flat_schema(kind, patch))


def _with_fields(error: Any, root: Schema) -> Schema:
    """Return the schema around a complaint that describes the fields: a rule such as `then` names them only."""
    found: Schema = error.schema
    schema: Any = root
    for step in error.absolute_schema_path:
        schema = schema[step] if isinstance(schema, list) else schema.get(step, {})
        if isinstance(schema, dict) and "properties" in schema:
            found = schema
    return found


def _doubtful(document: Document, span: Span) -> Diagnostic:
    line = document.text.split("\n")[span.line - 1]
    word = line[span.column - 1 : span.end_column - 1]
    return Diagnostic.of("F213", span, word=word, boolean=_TRUTHS[word.lower()])


@dataclass(frozen=True, slots=True)
class _Places:
    span: Callable[[DataPath], Span]
    key_span: Callable[[DataPath], Span]
    raw: Callable[[DataPath], str] | None


@dataclass(slots=True)
class _Report:
    """Turns the complaints about one document into diagnostics."""

    places: _Places
    kind: str
    data: Any
    patch: bool
    faults: list[Diagnostic] = field(default_factory=list)
    missing: dict[DataPath, dict[str, Schema]] = field(default_factory=dict)
    extra: dict[DataPath, Schema] = field(default_factory=dict)

    def diagnose(self, errors: Iterable[Any]) -> list[Diagnostic]:
        for error in _meant(errors):
            self._sort(error)
        for path, schema in self.extra.items():
            self._report_extra(path, schema)
        for path, lacking in self.missing.items():
            for key, schema in lacking.items():
                self._report_missing(path, key, schema)
        return list(dict.fromkeys(self.faults))

    def _sort(self, error: Any) -> None:
        path = tuple(error.absolute_path)
        keyword = error.validator
        schema = error.schema
        if "propertyNames" in error.absolute_schema_path:
            wanted, advice = schema.get("patternErrorMessage", "a name"), ""
            if keyword == "enum":
                choices = schema["enum"]
                wanted = f"one of {len(choices)} words"
                every = f"It can be {wording.alternatives([f'`{choice}`' for choice in choices])}"
                advice = f"{wording.meant(str(error.instance), choices)} {every}".lstrip()
            place = self.places.key_span((*path, error.instance))
            self._add("F208", place, key=error.instance, wanted=wanted, advice=advice)
        elif keyword == "required":
            lacking = self.missing.setdefault(path, {})
            around = _with_fields(error, flat_schema(self.kind, self.patch))
            lacking.update({key: around for key in error.validator_value if key not in error.instance})
        elif keyword == "additionalProperties":
            self.extra[path] = schema
        elif keyword in {"type", "anyOf"}:
            self._report_type(path, error)
        elif keyword in {"enum", "const"}:
            self._report_choice(path, error)
        else:
            self._report_form(path, error)

    def _name(self, path: DataPath) -> str:
        return wording.subject(path, self.kind)

    def _add(self, code: str, span: Span, *, advice: str = "", **args: Any) -> None:
        self.faults.append(Diagnostic.of(code, span, advice=advice, **args))

    def _report_extra(self, path: DataPath, schema: Schema) -> None:
        given = self._at(path)
        fields = schema["properties"]
        free = [key for key in fields if key not in given]
        for key in given:
            if key in fields:
                continue
            near = nearest(key, free, 1) or nearest(key, fields, 1)
            inner = wording.field_below(key, fields)
            if inner and (inner[1] == key or not near):
                advice = f"`{inner[1]}` stands under `{inner[0]}:`"
            elif near:
                self.missing.get(path, {}).pop(near[0], None)
                advice = f"did you mean `{near[0]}`? {fields[near[0]].get('description', '')}".rstrip()
            else:
                advice = f"the fields here are {wording.listed(fields)}"
            self._add("F201", self.places.key_span((*path, key)), key=key, where=self._name(path), advice=advice)

    def _report_missing(self, path: DataPath, key: str, schema: Schema) -> None:
        target = schema.get("properties", {}).get(key, {})
        self._add("F202", self.places.key_span(path), key=key, where=self._name(path), advice=wording.about(target))

    def _report_type(self, path: DataPath, error: Any) -> None:
        value, schema = error.instance, error.schema
        types = _types(schema)
        span = self.places.span(path)
        name = self._name(path)
        if value is None:
            code = "F205" if path else "F204"
            self._add(code, self.places.key_span(path), field=name, advice=self._about_empty(schema))
        elif types <= {"boolean", "null"} and isinstance(value, str) and value.lower() in _TRUTHS:
            self._add("F207", span, field=name, word=value, boolean=_TRUTHS[value.lower()])
        elif "string" in types and isinstance(value, (int, float)):
            written = self._written(path, value)
            reads = wording.found(value)
            self._add("F206", span, field=name, written=written, reads=reads, advice=f'write "{written}" in quotes')
        else:
            wanted = wording.expected(types, schema)
            advice = wording.about(schema) or self._about_list(error)
            self._add("F204", span, field=name, wanted=wanted, found=wording.found(value), advice=advice)

    def _about_list(self, error: Any) -> str:
        """Return what the list is for in which an item is at fault that has no description of its own."""
        path = tuple(error.absolute_path)
        schema: Any = flat_schema(self.kind, self.patch)
        described = ""
        for step in error.absolute_schema_path:
            schema = schema[step]
            if isinstance(schema, dict) and isinstance(schema.get("description"), str):
                described = wording.about(schema)
        return described if path and isinstance(path[-1], int) else ""

    def _about_empty(self, schema: Schema) -> str:
        advice = "give it a value, or delete the line"
        return advice if self.patch else f"{advice}. {wording.about(schema)}".rstrip(". ")

    def _report_choice(self, path: DataPath, error: Any) -> None:
        value, schema = error.instance, error.schema
        choices = schema.get("enum") or [schema["const"]]
        if value is None:
            self._report_type(path, error)
            return
        written = self._written(path, value) if not isinstance(value, (dict, list)) else wording.shown(value)
        advice = wording.meant(value, choices) if isinstance(value, str) else ""
        advice = advice or wording.about(schema)
        wanted = wording.alternatives([f"`{choice}`" for choice in choices])
        if len(choices) > _FEW:
            stop = "" if advice[-1:] in {"", ".", "?"} else "."
            advice = f"{advice}{stop} It can be {wanted}".lstrip()
            wanted = f"one of {len(choices)} words"
        self._add("F203", self.places.span(path), field=self._name(path), wanted=wanted, written=written, advice=advice)

    def _report_form(self, path: DataPath, error: Any) -> None:
        schema, keyword, limit = error.schema, error.validator, error.validator_value
        name, span, advice = self._name(path), self.places.span(path), wording.about(error.schema)
        if "maxProperties" in schema and keyword in {"minProperties", "maxProperties"}:
            needed = schema.get("required", ())
            wanted = wording.alternatives([f"`{key}`" for key in schema["properties"] if key not in needed])
            self._add("F211", self.places.key_span(path), field=name, wanted=wanted, advice=advice)
        elif keyword == "pattern":
            wanted = schema.get("patternErrorMessage", "of another form")
            self._add(
                "F209", span, field=name, wanted=wanted, written=self._written(path, error.instance), advice=advice
            )
        elif keyword in {"minItems", "minLength", "minProperties"}:
            self._add("F210", span, field=name, advice=advice)
        else:
            side = "at least" if keyword == "minimum" else "at most"
            self._add(
                "F212", span, field=name, side=side, limit=limit, written=wording.shown(error.instance), advice=advice
            )

    def _written(self, path: DataPath, value: Any) -> str:
        raw = self.places.raw(path) if self.places.raw else ""
        return raw if raw and "\n" not in raw else wording.shown(value)

    def _at(self, path: DataPath) -> Any:
        value = self.data
        for step in path:
            value = value[step]
        return value


def _meant(errors: Iterable[Any]) -> Iterator[Any]:
    """Replace each complaint about a union by those about the branch that fits the value's type, if there is one."""
    for error in errors:
        if error.validator != "anyOf":
            yield error
            continue
        branches = error.validator_value
        chosen = next((at for at, branch in enumerate(branches) if _fits(error.instance, branch)), None)
        if chosen is None:
            yield error
        else:
            yield from _meant(inner for inner in error.context if inner.relative_schema_path[0] == chosen)


def _fits(value: Any, schema: Schema) -> bool:
    own = _JSON_TYPES.get(type(value), "null")
    types = _types(schema)
    return own in types or (own == "integer" and "number" in types)


def _types(schema: Schema) -> set[str]:
    """Return the JSON types that a subschema accepts."""
    if "anyOf" in schema:
        return set().union(*(_types(branch) for branch in schema["anyOf"]))
    if "type" in schema:
        return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])
    if "enum" in schema or "const" in schema:
        return {_JSON_TYPES.get(type(choice), "null") for choice in schema.get("enum", [schema.get("const")])}
    return {*_JSON_TYPES.values(), "null"}
