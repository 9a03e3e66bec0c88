"""What templates see of each selector: its fields, their types, and what stands there when a profile gives nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

Fields = Mapping[str, Any]
"""Field name to (type, value when absent), or to the fields below it."""

OPEN = "open"
"""The type of free data: any type of input may read it."""

COMMON: Fields = {"name": ("line", None), "description": ("text", None)}

SELECTORS: Mapping[str, Fields] = {
    "agent": {
        **COMMON,
        "interaction": ("choice", "agentic"),
        "inline_citations": ("boolean", False),
        "code_interpreter": ("boolean", False),
        "prints_personality": ("boolean", False),
        "reranker": ("boolean", False),
        "knowledge_bases": ("list", []),
        "attachments": ("attributes", {}),
        "tools": ("list", []),
        "skills": ("list", []),
        "rules": ("list", []),
        "data": (OPEN, {}),
    },
    "platform": {
        **COMMON,
        "language": ("language", None),
        "timezone": ("timezone", None),
        "languages": ("list", []),
        "use_default_language": ("boolean", False),
        "awareness": {
            "time": ("boolean", False),
            "sender_name": ("boolean", False),
            "location": ("boolean", False),
        },
        "gives": ("list", []),
        "notices": {"reference_documents": ("boolean", False), "disabled_features": ("boolean", False)},
        "group": {"instructions": ("text", None)},
        "opening_in_context": ("boolean", False),
        "limits": {"max_length": ("integer", None), "length_unit": ("choice", None)},
        "markup": ("choice", None),
        "tables": ("boolean", False),
        "checked": ("line", None),
        "data": (OPEN, {}),
    },
    "model": {
        **COMMON,
        "vendor": ("line", None),
        "context_window": ("integer", None),
        "has_instructions": ("boolean", False),
        "prints_personality": ("boolean", False),
        "texts": {"sandbox": (OPEN, {}), "approval": (OPEN, {})},
        "data": (OPEN, {}),
    },
    "personality": {**COMMON, "text": ("text", None), "removes": ("list", []), "data": (OPEN, {})},
    "audience": {"name": ("choice", None)},
    "mode": {
        **COMMON,
        "policy": ("line", None),
        "can_edit": ("boolean", False),
        "can_run_tests": ("boolean", False),
        "requires_confirmation_for": ("list", []),
        "permissions": {"attended": ("text", None), "unattended": ("text", None)},
    },
}


def selector_data(selector: str, declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a template sees of a declaration: every field of the selector, and nothing else."""
    return _filled(SELECTORS[selector], declared)


def selector_type(path: str) -> str | None:
    """Return the type of a selector's field by its dotted path, `open` for free data, None where there is none."""
    fields: Any = SELECTORS
    for part in path.split("."):
        if isinstance(fields, tuple):
            return OPEN if fields[0] == OPEN else None
        if part not in fields:
            return None
        fields = fields[part]
    return fields[0] if isinstance(fields, tuple) else None


def selector_paths() -> list[str]:
    """Return the dotted path of every field of every selector."""
    return [path for selector, fields in SELECTORS.items() for path in _paths(selector, fields)]


def _filled(fields: Fields, declared: Mapping[str, Any]) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for name, field in fields.items():
        given = declared.get(name)
        if isinstance(field, Mapping):
            data[name] = _filled(field, given if isinstance(given, Mapping) else {})
        else:
            data[name] = field[1] if given is None else given
    return data


def _paths(prefix: str, fields: Fields) -> Iterator[str]:
    for name, field in fields.items():
        if isinstance(field, Mapping):
            yield from _paths(f"{prefix}.{name}", field)
        else:
            yield f"{prefix}.{name}"
