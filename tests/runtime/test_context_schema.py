"""The schema of the context, checked with a real validator."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from frieze.emit.context_schema import context_schema
from frieze.runtime.types import TYPES

CONTRACT: dict[str, dict[str, Any]] = {
    "clock": {"type": "datetime"},
    "contact.name": {"type": "line", "description": "What the contact is called."},
    "contact.attributes": {"type": "attributes", "keys": {"tier": {"type": "choice", "options": ["gold"]}, "x": None}},
    "message.metadata": {"type": "attributes"},
    "message.metadata.timezone": {"type": "timezone"},
    "message.metadata.latitude": {"type": "latitude"},
    "retrieval.knowledge_bases": {
        "type": "list",
        "of": {"fields": {"name": {"type": "line", "required": True}, "status": {"type": "choice", "options": ["ok"]}}},
    },
    "tags": {"type": "list", "of": "line"},
    "numbers": {"type": "list", "of": {"type": "integer"}},
    "skills": {"type": "list"},
}
SCHEMA = context_schema(CONTRACT, "support-desk")
VALIDATORS = [jsonschema.Draft202012Validator(SCHEMA), jsonschema.Draft7Validator(SCHEMA)]


def faults(context: Any) -> list[str]:
    found = [sorted(error.json_path for error in validator.iter_errors(context)) for validator in VALIDATORS]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize(
    "context",
    [
        {},
        {"contact": None, "message": {"metadata": None}},
        {"contact": {"name": "Aiko", "attributes": {"tier": "gold", "x": "y", "other": [1]}}},
        {"message": {"metadata": {"timezone": "Asia/Tokyo", "latitude": 35.6, "custom": True}}},
        {"retrieval": {"knowledge_bases": [{"name": "FAQ"}, {"name": "HR", "status": None}]}},
        {"tags": ["a"], "numbers": [1], "skills": []},
    ],
)
def test_contexts_that_fit(context: Any) -> None:
    assert faults(context) == []


@pytest.mark.parametrize(
    ("context", "places"),
    [
        ([], ["$"]),
        ({"contact": []}, ["$.contact"]),
        ({"contct": {}}, ["$"]),
        ({"clock": "2026-03-14T09:26:53Z"}, ["$"]),
        ({"contact": {"name": 5, "attributes": {"tier": "lead"}}}, ["$.contact.attributes.tier", "$.contact.name"]),
        ({"message": {"metadata": {"latitude": 91}}}, ["$.message.metadata.latitude"]),
        ({"retrieval": {"knowledge_bases": [{"status": "ok"}]}}, ["$.retrieval.knowledge_bases[0]"]),
        ({"numbers": [1.5], "tags": [None]}, ["$.numbers[0]", "$.tags[0]"]),
    ],
)
def test_contexts_that_do_not(context: Any, places: list[str]) -> None:
    assert faults(context) == places


def test_the_order_of_rows_is_of_no_consequence_and_every_value_is_described() -> None:
    backwards = context_schema(dict(reversed(CONTRACT.items())), "support-desk")
    assert json.dumps(backwards) == json.dumps(SCHEMA)

    def described(schema: dict[str, Any]) -> bool:
        inner = [*schema.get("properties", {}).values(), *([schema["items"]] if "items" in schema else [])]
        return bool(schema.get("description")) and all(map(described, inner))

    assert described(SCHEMA)
    assert SCHEMA["properties"]["contact"]["properties"]["name"]["description"] == "What the contact is called."


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_has_a_schema(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(context_schema({"a.b": {"type": kind}}, "x"))
