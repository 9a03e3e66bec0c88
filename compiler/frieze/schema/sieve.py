"""A schema as one function that only says whether data is valid.

Most documents are; the validator, which can say what is wrong, takes thirty times as long and is only asked about those
that are not. What the function does not know it refuses to be made of, so it can be slow to come, never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeAlias

from frieze.schema.files import Schema

Sieve: TypeAlias = Callable[[Any], bool]

_NOTES = frozenset(
    {"$schema", "$id", "$comment", "title", "description", "examples", "default", "patternErrorMessage", "deprecated"}
)
"""Keywords that decide nothing."""


class UnsupportedSchemaError(Exception):
    """The schema has a keyword that is not known here."""


def sieve(schema: Schema | bool) -> Sieve:
    """Return the function for a schema without references.

    Raises:
        UnsupportedSchemaError: it has a keyword that is not known here.
    """
    if isinstance(schema, bool):
        return (lambda _: True) if schema else (lambda _: False)
    checks: list[Sieve] = []
    for keyword, wanted in schema.items():
        if keyword in _NOTES or keyword.startswith("x-") or keyword in _BESIDE:
            continue
        make = _KEYWORDS.get(keyword)
        if make is None:
            raise UnsupportedSchemaError(keyword)
        checks.append(make(wanted, schema))
    if "properties" in schema or "additionalProperties" in schema:
        checks.append(_properties(schema))
    if "if" in schema:
        checks.append(_conditional(schema))
    return _all(checks)


class Parts(NamedTuple):
    """A schema's sieve in parts: one for each property, one for any other property, one for the rest."""

    fields: Mapping[str, Sieve]
    other: Sieve
    rest: Sieve


def divided(schema: Schema) -> Parts:
    """Return the sieve of a schema in parts, all of which say yes where `sieve` does.

    Raises:
        UnsupportedSchemaError: it has a keyword that is not known here.
    """
    fields = {name: sieve(field) for name, field in schema.get("properties", {}).items()}
    rest = {keyword: wanted for keyword, wanted in schema.items() if keyword not in _PROPERTIES}
    return Parts(fields, sieve(schema.get("additionalProperties", True)), sieve(rest))


def anchored(pattern: str) -> str:
    """Return a pattern for Python, whose `$` also matches before a line break at the end; JSON Schema's does not."""
    return re.sub(r"\$$", r"\\Z", pattern)


def _all(checks: list[Sieve]) -> Sieve:
    if not checks:
        return lambda _: True
    if len(checks) == 1:
        return checks[0]
    if len(checks) == 2:
        first, second = checks
        return lambda value: first(value) and second(value)

    def every(value: Any) -> bool:
        for check in checks:  # noqa: SIM110 - a generator costs as much as the checks
            if not check(value):
                return False
        return True

    return every


_TYPES: Mapping[str, Sieve] = {
    "string": lambda value: type(value) is str,
    "boolean": lambda value: type(value) is bool,
    "integer": lambda value: type(value) is int,
    "number": lambda value: type(value) is int or type(value) is float,
    "array": lambda value: type(value) is list,
    "object": lambda value: type(value) is dict,
    "null": lambda value: value is None,
}


def _type(wanted: Any, _: Schema) -> Sieve:
    names = [wanted] if isinstance(wanted, str) else wanted
    if any(name not in _TYPES for name in names):
        raise UnsupportedSchemaError("type")
    tests = [_TYPES[name] for name in names]
    return tests[0] if len(tests) == 1 else (lambda value: any(test(value) for test in tests))


def _enum(wanted: Any, _: Schema) -> Sieve:
    if not all(choice is None or type(choice) in (str, bool) for choice in wanted):
        raise UnsupportedSchemaError("enum")
    texts = frozenset(choice for choice in wanted if type(choice) is str)
    others = [choice for choice in wanted if type(choice) is not str]
    return lambda value: value in texts if type(value) is str else any(value is choice for choice in others)


def _pattern(wanted: Any, _: Schema) -> Sieve:
    search = re.compile(anchored(wanted)).search
    return lambda value: type(value) is not str or search(value) is not None


def _required(wanted: Any, _: Schema) -> Sieve:
    names = tuple(wanted)
    return lambda value: type(value) is not dict or all(name in value for name in names)


def _items(wanted: Any, _: Schema) -> Sieve:
    inner = sieve(wanted)
    return lambda value: type(value) is not list or all(map(inner, value))


def _names(wanted: Any, _: Schema) -> Sieve:
    inner = sieve(wanted)
    return lambda value: type(value) is not dict or all(map(inner, value))


def _size(kind: type[str | list[Any] | dict[str, Any]], *, least: bool) -> Callable[[Any, Schema], Sieve]:
    def make(wanted: Any, _: Schema) -> Sieve:
        if least:
            return lambda value: type(value) is not kind or len(value) >= wanted
        return lambda value: type(value) is not kind or len(value) <= wanted

    return make


def _bound(*, least: bool) -> Callable[[Any, Schema], Sieve]:
    def make(wanted: Any, _: Schema) -> Sieve:
        if least:
            return lambda value: type(value) not in (int, float) or value >= wanted
        return lambda value: type(value) not in (int, float) or value <= wanted

    return make


def _any_of(wanted: Any, _: Schema) -> Sieve:
    branches = [sieve(branch) for branch in wanted]
    return lambda value: any(branch(value) for branch in branches)


def _all_of(wanted: Any, _: Schema) -> Sieve:
    return _all([sieve(branch) for branch in wanted])


def _properties(schema: Schema) -> Sieve:
    fields, other, _ = divided({key: value for key, value in schema.items() if key in _PROPERTIES})

    def check(value: Any) -> bool:
        if type(value) is dict:
            for name, field in value.items():
                if not fields.get(name, other)(field):
                    return False
        return True

    return check


def _conditional(schema: Schema) -> Sieve:
    test, then, otherwise = sieve(schema["if"]), sieve(schema.get("then", True)), sieve(schema.get("else", True))
    return lambda value: then(value) if test(value) else otherwise(value)


_PROPERTIES = frozenset({"properties", "additionalProperties"})
_BESIDE = _PROPERTIES | {"if", "then", "else"}
"""Keywords that are read together with others."""

_KEYWORDS: Mapping[str, Callable[[Any, Schema], Sieve]] = {
    "type": _type,
    "enum": _enum,
    "const": lambda wanted, schema: _enum([wanted], schema),
    "pattern": _pattern,
    "required": _required,
    "items": _items,
    "propertyNames": _names,
    "minLength": _size(str, least=True),
    "maxLength": _size(str, least=False),
    "minItems": _size(list, least=True),
    "maxItems": _size(list, least=False),
    "minProperties": _size(dict, least=True),
    "maxProperties": _size(dict, least=False),
    "minimum": _bound(least=True),
    "maximum": _bound(least=False),
    "anyOf": _any_of,
    "allOf": _all_of,
}
