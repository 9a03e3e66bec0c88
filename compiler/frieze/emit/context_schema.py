"""The JSON Schema of the context that a service passes, made from the context contract.

It tells editors and validators what the resolver reads. The resolver itself is more lenient: a wrong value is a note,
a text over its cap is cut, an unknown key is ignored. So the schema has types and ranges but no lengths. Only limits of
the search are as strict there: one that is not of this form closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from frieze.runtime.context import GIVEN
from frieze.runtime.retrieval import LIMIT_TYPE

Schema: TypeAlias = dict[str, Any]

_SCALARS: Mapping[str, Schema] = {
    "line": {"type": "string"},
    "text": {"type": "string"},
    "document": {"type": "string"},
    "verbatim": {"type": "string"},
    "integer": {"type": "integer"},
    "number": {"type": "number"},
    "boolean": {"type": "boolean"},
    "choice": {"type": "string"},
    "datetime": {"type": "string", "format": "date-time"},
    "timezone": {"type": "string"},
    "language": {"type": "string"},
    "accept-language": {"type": "string"},
    "latitude": {"type": "number", "minimum": -90, "maximum": 90},
    "longitude": {"type": "number", "minimum": -180, "maximum": 180},
}

_MEANINGS: Mapping[str, str] = {
    "line": "One line of text.",
    "text": "Text of one or more lines.",
    "document": "A document, shown as it is.",
    "verbatim": "Text that is used byte for byte.",
    "integer": "A whole number.",
    "number": "A number.",
    "boolean": "True or false.",
    "choice": "One of the options.",
    "datetime": "An instant in ISO 8601 with its offset, such as 2026-03-14T09:26:53Z.",
    "timezone": "A key of the IANA time zone database, such as Asia/Tokyo.",
    "language": "A language tag (BCP 47), such as ja or zh-Hant-TW.",
    "accept-language": "The value of an Accept-Language header.",
    "latitude": "Degrees north of the equator.",
    "longitude": "Degrees east of Greenwich.",
    "attributes": "Attributes by name: texts, numbers, booleans.",
    "list": "A list.",
    "retrieval": "What may be searched.",
}

_NAMES: Schema = {"type": ["array", "null"], "items": {"type": "string", "pattern": "\\S"}}
_VALUES: Schema = {"type": "array", "minItems": 1, "items": {"type": "string", "pattern": "\\S"}}
_LIMIT: Schema = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "knowledge_bases": {"description": "The only knowledge bases that may be searched.", **_NAMES},
        "documents": {"description": "The only documents that may be searched.", **_NAMES},
        "tags": {
            "description": "Conditions on a document's tags; every one must hold.",
            "type": ["array", "null"],
            "items": {
                "description": "A tag, and one of `any`, `all` and `none` with its values.",
                "type": "object",
                "additionalProperties": False,
                "required": ["tag"],
                "minProperties": 2,
                "properties": {
                    "tag": {"description": "The tag's name.", "type": "string", "pattern": "\\S"},
                    "any": {"description": "The document carries at least one of these.", **_VALUES},
                    "all": {"description": "The document carries every one of these.", **_VALUES},
                    "none": {"description": "The document carries none of these.", **_VALUES},
                },
                "maxProperties": 2,
            },
        },
    },
}


def context_schema(contract: Mapping[str, Mapping[str, Any]], name: str) -> Schema:
    """Return the schema of the context.

    Args:
        contract: path -> `type`, `description` and the type's options, as in the bundle's manifest.
        name: the project's name, for the title.

    Only keywords that mean the same in draft-07 and 2020-12 occur, and the order of the contract's rows is of no
    consequence. The paths that `render` gives by arguments of its own, such as `clock`, are left out.
    """
    root = _section(f"What a service passes when it asks {name} for a prompt. Everything is optional.")
    for path in sorted(contract):
        if path not in GIVEN:
            _place(root, path.split("."), _value(contract[path]))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Context of {name}",
        **root,
        "type": "object",
    }


def _place(root: Schema, steps: list[str], schema: Schema) -> None:
    """Put a value's schema where its path says; what lies below an attribute map is one of its known names."""
    *sections, last = steps
    here = root
    for depth, section in enumerate(sections, start=1):
        members = here.setdefault("properties", {})
        here = members.setdefault(section, _section(f"The values under `{'.'.join(steps[:depth])}`."))
    here.setdefault("properties", {})[last] = schema


def _section(description: str) -> Schema:
    return {"description": description, "type": ["object", "null"], "additionalProperties": False, "properties": {}}


def _value(row: Mapping[str, Any], *, nullable: bool = True) -> Schema:
    kind = row.get("type") or "line"
    if kind == "list":
        schema: Schema = {"type": "array", "items": _member(row.get("of") or "line")}
    elif kind == "attributes":
        schema = _attributes(row)
    elif kind == LIMIT_TYPE:
        schema = dict(_LIMIT)
    else:
        schema = dict(_SCALARS[kind])
        if kind == "choice":
            schema["enum"] = [*(row.get("options") or ()), *([None] if nullable else [])]
    if nullable:
        schema["type"] = [schema["type"], "null"]
    return {"description": row.get("description") or _MEANINGS[kind], **schema}


def _attributes(row: Mapping[str, Any]) -> Schema:
    keys = row.get("keys") or {}
    schema: Schema = {"type": "object"}
    if keys:
        schema["properties"] = {key: _value(keys[key] or {}) for key in sorted(keys)}
    return schema


def _member(of: Any) -> Schema:
    if isinstance(of, str):
        return _value({"type": of}, nullable=False)
    if "fields" not in of:
        return _value(of, nullable=False)
    fields: dict[str, Mapping[str, Any]] = {
        field: {"type": row} if isinstance(row, str) else row or {} for field, row in of["fields"].items()
    }
    schema: Schema = {
        "description": "One entry of the list.",
        "type": "object",
        "properties": {field: _value(row, nullable=not row.get("required")) for field, row in sorted(fields.items())},
    }
    required = sorted(field for field, row in fields.items() if row.get("required"))
    return {**schema, "required": required} if required else schema
