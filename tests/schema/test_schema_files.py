"""The schema files themselves: complete, closed, explained, and the same to old and new readers of JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from jsonschema import Draft7Validator, Draft202012Validator

from frieze.resources import schema_folder
from frieze.schema import KINDS, load_schema
from support.golden import UPDATE
from support.schema_files import with_patch, written_form

SAME_IN_DRAFT_07 = {
    "$ref", "type", "enum", "const", "pattern", "minLength", "minimum", "minItems", "minProperties", "maxProperties", "items", "properties",
    "required", "additionalProperties", "propertyNames", "allOf", "anyOf", "if", "then", "else", "title", "description", "examples",
}  # fmt: skip
OF_EDITORS = {"patternErrorMessage"}
ANNOTATIONS = {"title", "description", "examples"}
LITERAL = {"examples", "enum", "const", "required"}


def parts(schema: Any, pointer: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (pointer, subschema) of a whole file."""
    yield pointer, schema
    for keyword, value in schema.items():
        if keyword in {"$defs", "properties"}:
            for name, part in value.items():
                yield from parts(part, f"{pointer}/{keyword}/{name}")
        elif keyword in {"allOf", "anyOf"}:
            for index, part in enumerate(value):
                yield from parts(part, f"{pointer}/{keyword}/{index}")
        elif keyword not in LITERAL and isinstance(value, dict):
            yield from parts(value, f"{pointer}/{keyword}")


def properties(kind: str) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Yield (pointer, property, file) of every property that is written by hand."""
    schema = load_schema(kind)
    for pointer, part in parts(schema):
        if "/if" in pointer or "/patch" in pointer or "_patch" in pointer:
            continue
        for name, value in part.get("properties", {}).items():
            yield f"{pointer}/properties/{name}", value, schema


def resolved(part: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return a subschema that can validate on its own."""
    return {"$defs": schema["$defs"], **part}


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_is_valid_by_both_drafts(kind: str) -> None:
    schema = load_schema(kind)
    Draft202012Validator.check_schema(schema)
    Draft7Validator.check_schema({**schema, "$schema": "http://json-schema.org/draft-07/schema#"})


@pytest.mark.parametrize("kind", KINDS)
def test_only_keywords_that_mean_the_same_in_draft_07(kind: str) -> None:
    for pointer, part in parts(load_schema(kind)):
        allowed = SAME_IN_DRAFT_07 | OF_EDITORS | ({"$schema", "$defs"} if pointer == "#" else set())
        assert set(part) <= allowed, pointer
        assert "$ref" not in part or set(part) == {"$ref"}, f"{pointer}: draft-07 ignores what stands beside $ref"


@pytest.mark.parametrize("kind", KINDS)
def test_every_property_is_explained_with_examples_that_hold(kind: str) -> None:
    found = 0
    for pointer, part, schema in properties(kind):
        found += 1
        assert part.get("description", "").endswith((".", "?")), pointer
        assert part.get("examples"), pointer
        validator = Draft202012Validator(resolved(part, schema))
        for example in part["examples"]:
            assert list(validator.iter_errors(example)) == [], f"{pointer}: {example}"
    assert found >= 5


@pytest.mark.parametrize("kind", KINDS)
def test_every_map_is_closed_or_says_what_its_values_are(kind: str) -> None:
    for pointer, part in parts(load_schema(kind)):
        types = part.get("type", [])
        if pointer != "#" and ("object" in types) and "/if" not in pointer:
            is_free = pointer.endswith(("/properties/data", "/full/properties/input"))
            assert "additionalProperties" in part or is_free, pointer
            assert part.get("additionalProperties") is not True, pointer


@pytest.mark.parametrize("kind", KINDS)
def test_every_reference_stays_in_the_file(kind: str) -> None:
    schema = load_schema(kind)
    for pointer, part in parts(schema):
        if "$ref" in part:
            found: Any = schema
            assert part["$ref"].startswith("#/"), pointer
            for step in part["$ref"][2:].split("/"):
                found = found[step]
            assert isinstance(found, dict), pointer


@pytest.mark.parametrize("kind", KINDS)
def test_the_patch_form_follows_the_full_one(kind: str) -> None:
    """`make golden` writes the derived part anew; a file is laid out as the writer lays it out."""
    path = schema_folder() / f"{kind}.schema.json"
    expected = written_form(with_patch(load_schema(kind))) + "\n"
    if UPDATE:
        path.write_text(expected, encoding="utf-8", newline="\n")
    assert path.read_text(encoding="utf-8") == expected, "run `make golden`"


def test_what_is_shared_is_the_same_everywhere() -> None:
    definitions: dict[str, dict[str, Any]] = {}
    for kind in KINDS:
        for name, part in load_schema(kind)["$defs"].items():
            if name not in {"full", "patch"}:
                assert definitions.setdefault(name, part) == part, f"`{name}` of {kind}"


def test_every_file_names_its_kind() -> None:
    for kind in KINDS:
        schema = load_schema(kind)
        assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
        assert schema["$defs"]["full"]["properties"]["kind"]["const"] == kind
        assert schema["title"] == f"frieze {kind}"


def test_the_patch_form_can_be_had_alone() -> None:
    patch = load_schema("block", patch=True)
    validator = Draft202012Validator(patch)
    assert validator.is_valid({"kind": "block", "name": "x", "extends": "y", "heading": None})
    assert not validator.is_valid({"kind": "block", "name": "x", "heading": None})
    with pytest.raises(KeyError):
        load_schema("project", patch=True)
    with pytest.raises(FileNotFoundError):
        load_schema("nothing")


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"project"}))
def test_the_shipped_file_chooses_the_form_by_extends(kind: str) -> None:
    validator = Draft202012Validator(load_schema(kind))
    head = {"kind": kind, "name": "x"}
    assert validator.is_valid({**head, "extends": "y", "description": None})
    assert not validator.is_valid({**head, "description": None})
    assert not validator.is_valid({**head, "extends": None})


def test_the_layout_of_files_round_trips() -> None:
    value = {"a": [1, {"b": "c" * 200}], "d": {}, "e": []}
    assert json.loads(written_form(value)) == value
