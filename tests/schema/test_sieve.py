"""The quick answer is the validator's, for every kind, on data that is nearly right."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.schema import validate
from frieze.schema.files import KINDS, flat_schema, load_schema
from frieze.schema.sieve import UnsupportedSchemaError, sieve
from frieze.schema.validation import Seen, _fits_in_parts, _sieve, _validator
from frieze.sources import parse_document

FORMS = [(kind, patch) for kind in KINDS for patch in (False, True) if not (patch and kind == "project")]

VALUES = st.recursive(
    st.sampled_from(
        [
            None,
            True,
            False,
            0,
            1,
            -3,
            1.0,
            1.5,
            2**70,
            "",
            "a",
            "no",
            "x\n",
            "std/x",
            "a.b",
            "line",
            "turn",
            "2026-01-01",
        ]
    ),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(["file", "path", "type", "from", "at", "of", "fields", "A b"]), below, max_size=3
        )
    ),
    max_leaves=5,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    rows = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in rows for found in ((*path, key), *places(item, (*path, key)))]


@st.composite
def nearly(draw: st.DrawFn) -> tuple[str, bool, Any]:
    kind, patch = draw(st.sampled_from(FORMS))
    fields = load_schema(kind)["$defs"]["full"]["properties"]
    names = draw(st.sets(st.sampled_from(sorted(fields)), min_size=len(fields) // 2))
    data = {name: draw(st.sampled_from(fields[name]["examples"])) for name in sorted(names)}
    data = json.loads(json.dumps(data))
    for _ in range(draw(st.integers(0, 3))):
        found = places(data)
        if not found:
            break
        *above, last = draw(st.sampled_from(found))
        target: Any = data
        for step in above:
            target = target[step]
        if draw(st.booleans()):
            target[last] = draw(VALUES)
        elif isinstance(target, dict):
            target[draw(st.sampled_from([f"{last}s", "type", "zzz", "A b"]))] = target.pop(last)
    return kind, patch, draw(st.sampled_from([data] * 9 + [[data]]))


@settings(max_examples=800, deadline=None)
@given(nearly())
def test_it_says_what_the_validator_says(case: tuple[str, bool, Any]) -> None:
    kind, patch, data = case
    quick = _sieve(kind, patch)
    assert quick is not None
    assert quick(data) == _validator(kind, patch).is_valid(data)


@settings(max_examples=400, deadline=None)
@given(st.lists(nearly(), min_size=1, max_size=3))
def test_what_fitted_before_fits_again(cases: list[tuple[str, bool, Any]]) -> None:
    seen: Seen = {}
    for kind, patch, data in [*cases, *cases]:
        quick = _sieve(kind, patch)
        assert quick is not None
        assert _fits_in_parts(data, kind, patch, seen) == (isinstance(data, dict) and quick(data))


def test_values_that_files_share_are_looked_at_once_for_each_kind_and_key() -> None:
    seen: Seen = {}
    shared = {"x": {"type": "line", "from": "user.name"}}
    data = {"kind": "agent", "name": "a", "instructions": "Help.", "inputs": shared}
    assert _fits_in_parts(data, "agent", False, seen)
    shared["x"]["type"] = "nothing that there is"
    assert _fits_in_parts({**data, "name": "b"}, "agent", False, seen)
    assert not _fits_in_parts({**data, "inputs": {**shared}}, "agent", False, seen)
    assert not _fits_in_parts({**data, "allows": shared}, "agent", False, seen)
    block = {"kind": "block", "name": "a", "body": "Help."}
    assert _fits_in_parts(block, "block", False, seen)
    assert not _fits_in_parts({**block, "inputs": shared}, "block", False, seen)


@pytest.mark.parametrize(("kind", "patch"), FORMS)
def test_every_form_has_a_quick_answer(kind: str, patch: bool) -> None:
    assert sieve(flat_schema(kind, patch))


@pytest.mark.parametrize("schema", [{"oneOf": []}, {"items": {"not": {}}}, {"enum": [[1]]}, {"type": "colour"}])
def test_what_it_does_not_know_it_refuses(schema: dict[str, Any]) -> None:
    with pytest.raises(UnsupportedSchemaError):
        sieve(schema)


@settings(max_examples=300, deadline=None)
@given(
    VALUES,
    st.sampled_from(
        [
            {"type": ["integer", "null"], "minimum": 0, "maximum": 5},
            {"type": "number"},
            {"enum": ["a", None, True]},
            {"const": False},
            {"maxLength": 2, "minLength": 1},
            {"items": {"type": "string"}, "maxItems": 2},
            {"additionalProperties": {"type": "string"}},
            {"properties": {"type": False}, "additionalProperties": False},
            {"propertyNames": {"pattern": "^[a-z]+$"}},
            {"if": {"type": "string"}, "then": {"pattern": "a$"}, "else": {"type": "object"}},
            {"allOf": [{"type": "object"}, {"minProperties": 1}]},
            {"anyOf": [{"type": "array"}, {"maxProperties": 1}]},
            True,
            False,
        ]
    ),
)
def test_each_keyword_means_what_it_means_to_the_validator(value: Any, schema: Any) -> None:
    from jsonschema import Draft202012Validator
    from jsonschema.validators import extend

    if isinstance(schema, dict) and "pattern" in json.dumps(schema) and "\n" in json.dumps(value):
        return  # the one difference, which `anchored` makes on both sides
    whole = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, each: type(each) is int)
    validator: Any = extend(Draft202012Validator, type_checker=whole)
    assert sieve(schema)(value) == validator(schema).is_valid(value)


def test_a_patch_may_change_the_default_of_an_input() -> None:
    data = {"kind": "agent", "name": "a", "extends": "b", "inputs": {"x": {"type": "line", "default": "y"}}}
    assert list(_validator("agent", True).iter_errors(data)) == []


@pytest.mark.parametrize("value", [10.0, -0.0, 1e3])
def test_a_number_with_a_point_is_no_whole_number(value: float) -> None:
    """JSON Schema would take it, but sizes are counted with it."""
    assert not sieve({"type": "integer"})(value)
    assert sieve({"type": "number"})(value)
    document, _ = parse_document(
        f"kind: agent\nname: a\ninputs: {{n: {{type: line, max_length: {value}}}}}\n".encode(), "a"
    )
    assert document
    assert "F204" in [fault.code for fault in validate(document, "agent")]
