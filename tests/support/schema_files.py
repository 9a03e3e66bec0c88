"""The part of a schema file that is derived: `$defs.patch` and its helpers, made from `$defs.full`.

A profile with `extends` is a merge patch: nothing is required, `null` removes. `FRIEZE_UPDATE_GOLDEN=1`
writes the derived part into the files.
"""

from __future__ import annotations

import json
from typing import Any

SUFFIX = "_patch"
WIDTH = 118


def with_patch(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema with its patch definitions derived anew, after the written ones."""
    written = {name: part for name, part in schema["$defs"].items() if not is_derived(name)}
    if "then" not in schema:
        return {**schema, "$defs": written}
    derived: dict[str, Any] = {}
    maker = _Maker(written, derived)
    full = written["full"]
    properties = {
        key: {"$ref": _pointer("full", key)}
        if key in {"kind", "name", "extends"}
        else maker.patched(part, _pointer("full", key))
        for key, part in full["properties"].items()
    }
    patch = {
        "type": "object",
        "required": ["kind", "name", "extends"],
        "properties": properties,
        "additionalProperties": False,
    }
    return {**schema, "$defs": {**written, "patch": patch, **derived}}


def is_derived(name: str) -> bool:
    """Whether a definition is made here, not written by hand."""
    return name == "patch" or name.endswith(SUFFIX)


class _Maker:
    def __init__(self, written: dict[str, Any], derived: dict[str, Any]) -> None:
        self.written = written
        self.derived = derived

    def patched(self, part: dict[str, Any], pointer: str) -> dict[str, Any]:
        """Return the patch form of one subschema; `pointer` is where its full form stands."""
        target = _target(part)
        if target is not None:
            if not _is_structure(self.written[target]):
                return _nullable(part, pointer)
            name = target + SUFFIX
            if name not in self.derived:
                self.derived[name] = {}
                self.derived[name] = self._structure(self.written[target], f"#/$defs/{target}")
            return (
                {**_shown(part), "allOf": [{"$ref": f"#/$defs/{name}"}]}
                if "allOf" in part
                else {"$ref": f"#/$defs/{name}"}
            )
        return self._structure(part, pointer) if _is_structure(part) else _nullable(part, pointer)

    def _structure(self, part: dict[str, Any], pointer: str) -> dict[str, Any]:
        types = part["type"] if isinstance(part["type"], list) else [part["type"]]
        kept = {key: part[key] for key in ("pattern", "patternErrorMessage", "propertyNames") if key in part}
        result: dict[str, Any] = {**_shown(part), "type": [*types, "null"], **kept}
        if "properties" in part:
            result["properties"] = {
                key: self.patched(value, f"{pointer}/properties/{key}") for key, value in part["properties"].items()
            }
        below = part["additionalProperties"]
        result["additionalProperties"] = (
            self.patched(below, f"{pointer}/additionalProperties") if isinstance(below, dict) else below
        )
        return result


def _target(part: dict[str, Any]) -> str | None:
    """Return the definition that a part only wraps."""
    reference = part.get("$ref") or (part["allOf"][0].get("$ref") if "allOf" in part and "type" not in part else None)
    return reference.removeprefix("#/$defs/") if reference else None


def _is_structure(part: dict[str, Any]) -> bool:
    """Whether a merge patch goes on inside: a map, or a union with one that asks for no key."""
    if part.get("type") == "object":
        return "additionalProperties" in part and "minProperties" not in part
    return isinstance(part.get("type"), list) and "object" in part["type"] and "required" not in part


def _nullable(part: dict[str, Any], pointer: str) -> dict[str, Any]:
    # Editors show the description of the branch that matches, and `null` has none: it stands outside as well.
    shown = {"description": part["description"]} if "description" in part else {}
    return {**shown, "anyOf": [{"$ref": pointer}, {"type": "null"}]}


def _shown(part: dict[str, Any]) -> dict[str, Any]:
    return {key: part[key] for key in ("description", "examples") if key in part}


def _pointer(definition: str, key: str) -> str:
    return f"#/$defs/{definition}/properties/{key}"


def written_form(value: Any, indent: int = 0, column: int = 0) -> str:
    """Return JSON that people can read: what fits into a line stands in one."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, (dict, list)) or not value or (column + len(flat) < WIDTH and _is_small(value)):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        rows = [_row(inner + json.dumps(key) + ": ", item, indent + 2) for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + "\n" + " " * indent + "}"
    rows = [_row(inner, item, indent + 2) for item in value]
    return "[\n" + ",\n".join(rows) + "\n" + " " * indent + "]"


def _row(start: str, value: Any, indent: int) -> str:
    return start + written_form(value, indent, len(start))


def _is_small(value: Any) -> bool:
    return not (isinstance(value, dict) and ("description" in value or len(value) > 2))
