"""Values, types and fields as a reader would name them."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from frieze.diagnostics import did_you_mean, nearest
from frieze.sources import DataPath

_TYPES = {
    "string": "text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "`true` or `false`",
    "array": "a list",
    "object": "a map",
}
_CALLED_ELSEWHERE = {
    "string": ("line", "text"),
    "str": ("line", "text"),
    "int": ("integer",),
    "float": ("number",),
    "double": ("number",),
    "bool": ("boolean",),
    "date": ("datetime",),
    "time": ("datetime",),
    "timestamp": ("datetime",),
    "enum": ("choice",),
    "array": ("list",),
    "map": ("attributes",),
    "dict": ("attributes",),
    "object": ("attributes",),
}
"""What other languages call the input types."""

_PLAIN = re.compile(r"[A-Za-z_./][\w./ -]*")
_SHOWN = 60


def expected(types: Collection[str], schema: dict[str, Any]) -> str:
    """Return "text or a map with `file`" for the types that a schema accepts."""
    words = [word for name, word in _TYPES.items() if name in types]
    if "object" in types and schema.get("required"):
        words[-1] = f"a map with {listed(schema['required'])}"
    return alternatives(words)


def alternatives(words: list[str], last: str = "or") -> str:
    """Return "a, b or c"."""
    return f" {last} ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def listed(names: Iterable[str]) -> str:
    """Return "`a`, `b` and `c`"."""
    return alternatives([f"`{name}`" for name in names], "and")


def found(value: Any) -> str:
    """Say what stands there, without the value of long texts."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, (int, float)):
        return f"the number {value}"
    if isinstance(value, str):
        return f"the text `{value}`" if _is_short(value) else "a text"
    return "a list" if isinstance(value, list) else "a map"


def shown(value: Any) -> str:
    """Return a value as it is written in YAML, on one line and cut where it is long."""
    text = as_yaml(value)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 3] + "..."


def as_yaml(value: Any) -> str:
    """Return a value as YAML on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{as_yaml(key)}: {as_yaml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(as_yaml, value)) + "]"
    if isinstance(value, str) and _PLAIN.fullmatch(value) and not value.endswith(" "):
        return value
    return json.dumps(value, ensure_ascii=False)


def subject(path: DataPath, kind: str) -> str:
    """Name a value by its path: "`limits.max_length`", "item 2 of `languages`", "this platform"."""
    if not path:
        return "this permission policy" if kind == "permissions" else f"this {kind}"
    if isinstance(path[-1], int):
        return f"item {path[-1] + 1} of {subject(path[:-1], kind)}"
    items = [index for index, step in enumerate(path) if isinstance(step, int)]
    start = items[-1] + 1 if items else 0
    dotted = f"`{'.'.join(str(step) for step in path[start:])}`"
    return f"{dotted} in {subject(path[:start], kind)}" if start else dotted


def about(schema: dict[str, Any]) -> str:
    """Return a field's own description, with an example where there is one."""
    parts = [schema["description"]] if "description" in schema else []
    if schema.get("examples"):
        parts.append(f"For example: `{shown(schema['examples'][0])}`")
    return " ".join(parts)


def meant(word: str, choices: Collection[str]) -> str:
    """Return "did you mean ...?" for a slip, or for what other languages call one of the choices; else ""."""
    other = [choice for choice in _CALLED_ELSEWHERE.get(word.casefold(), ()) if choice in choices]
    if other:
        return f"did you mean {alternatives([f'`{choice}`' for choice in other])}?"
    return did_you_mean(word, choices)


def field_below(key: str, fields: Mapping[str, Any]) -> tuple[str, str] | None:
    """Return the field of a map, and the key inside, that an unknown key on the level above could be meant for."""
    below = {field: schema.get("properties", {}) for field, schema in fields.items()}
    exact = [(field, key) for field, inner in below.items() if key in inner]
    near = [(field, hit) for field, inner in below.items() for hit in nearest(key, inner, 1)]
    return next(iter((*exact, *near)), None)


def _is_short(value: str) -> bool:
    return len(value) <= _SHOWN and "\n" not in value and value.isprintable()
