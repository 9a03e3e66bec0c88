"""The schema files: loaded once, and written out flat for the validator."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any, TypeAlias

from frieze.resources import schema_folder

Schema: TypeAlias = dict[str, Any]

KINDS = (
    "project",
    "agent",
    "platform",
    "personality",
    "model",
    "block",
    "layout",
    "skill",
    "tool",
    "permissions",
    "rule",
)
"""The kinds of declarations that have a schema."""

_EXAMPLES = frozenset({"examples", "default", "const", "enum"})


def load_schema(kind: str, patch: bool = False) -> Schema:
    """Return the JSON Schema of a kind, complete in itself.

    Without `patch` it is the shipped file, which serves both forms: it asks for the patch form where the
    profile has `extends`. With `patch` it is the patch form alone.

    Raises:
        FileNotFoundError: there is no such kind.
        KeyError: the kind has no patch form.
    """
    path = schema_folder() / f"{kind}.schema.json"
    schema: Schema = json.loads(path.read_text(encoding="utf-8"))
    if not patch:
        return schema
    head = {key: schema[key] for key in ("$schema", "title", "description")}
    return {**head, **schema["$defs"]["patch"], "$defs": schema["$defs"]}


@lru_cache(maxsize=64)
def flat_schema(kind: str, patch: bool) -> Schema:
    """Return one form of a kind's schema without references: each stands written out in its place.

    So the validator resolves nothing while it works, and what it complains with carries the description of
    the field. Profiles' schemas do not refer to themselves.
    """
    schema = load_schema(kind)
    definitions = schema["$defs"]
    form = definitions["patch" if patch else "full"]
    flat: Schema = _flat(form, schema)
    return flat


def _flat(part: Any, root: Schema) -> Any:
    if isinstance(part, list):
        return [_flat(item, root) for item in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _flat(_pointed(root, part["$ref"]), root)
    result: dict[str, Any] = {
        key: value if key in _EXAMPLES else _fields(value, root) if key == "properties" else _flat(value, root)
        for key, value in part.items()
    }
    wrapped = result.get("allOf")
    if wrapped is not None and "type" not in result and len(wrapped) == 1:
        del result["allOf"]
        return {**wrapped[0], **result}
    if "anyOf" in result:
        first = result["anyOf"][0]
        result = {**{key: first[key] for key in ("description", "examples") if key in first}, **result}
    return result


def _fields(fields: Schema, root: Schema) -> Schema:
    """Write out the schemas of fields, whose names may be keywords themselves: inputs have a `default`."""
    return {name: _flat(field, root) for name, field in fields.items()}


def _pointed(root: Schema, pointer: str) -> Any:
    found: Any = root
    for step in pointer.removeprefix("#/").split("/"):
        found = found[step]
    return found
