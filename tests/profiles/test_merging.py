"""Merge patch: the RFC's own examples, its laws, and where each merged value came from."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.profiles.merging import Merged, MergedOrigin, Owner, merge_patch, overlay
from support.plain import Plain

APPENDIX_A = [
    # RFC 7396, appendix A: original, patch, result
    ('{"a":"b"}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'),
    ('{"a":"b"}', '{"a":null}', "{}"),
    ('{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'),
    ('{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'),
    ('{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'),
    ('{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'),
    ('{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'),
    ('["a","b"]', '["c","d"]', '["c","d"]'),
    ('{"a":"b"}', '["c"]', '["c"]'),
    ('{"a":"foo"}', "null", "null"),
    ('{"a":"foo"}', '"bar"', '"bar"'),
    ('{"e":null}', '{"a":1}', '{"e":null,"a":1}'),
    ("[1,2]", '{"a":"b","c":null}', '{"a":"b"}'),
    ("{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'),
]

KEYS = st.sampled_from(["a", "b", "c", "d"])
SCALARS = st.none() | st.booleans() | st.integers(0, 3) | st.sampled_from(["x", "y"])
JSON: st.SearchStrategy[Any] = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=2) | st.dictionaries(KEYS, inner, max_size=3), max_leaves=12
)
MAPS = st.dictionaries(KEYS, JSON, max_size=4)


@pytest.mark.parametrize(("original", "patch", "result"), APPENDIX_A)
def test_examples_of_the_rfc(original: str, patch: str, result: str) -> None:
    assert merge_patch(json.loads(original), json.loads(patch)) == json.loads(result)


def test_example_of_section_3() -> None:
    original = {
        "title": "Goodbye!",
        "author": {"givenName": "John", "familyName": "Doe"},
        "tags": ["example", "sample"],
        "content": "This will be unchanged",
    }
    patch = {
        "title": "Hello!",
        "phoneNumber": "+01-123-456-7890",
        "author": {"familyName": None},
        "tags": ["example"],
    }
    assert merge_patch(original, patch) == {
        "title": "Hello!",
        "author": {"givenName": "John"},
        "tags": ["example"],
        "content": "This will be unchanged",
        "phoneNumber": "+01-123-456-7890",
    }


def without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_nulls(item) for key, item in value.items() if item is not None}
    return value


@settings(max_examples=100)
@given(JSON, JSON)
def test_a_patch_applied_twice_is_the_patch_applied_once(target: Any, patch: Any) -> None:
    once = merge_patch(target, patch)
    assert merge_patch(once, patch) == once


@settings(max_examples=100)
@given(MAPS)
def test_nothing_to_change_changes_nothing(target: dict[str, Any]) -> None:
    assert merge_patch(target, {}) == target


@settings(max_examples=100)
@given(MAPS, MAPS)
def test_a_patch_without_nulls_is_contained_in_the_result(target: dict[str, Any], patch: dict[str, Any]) -> None:
    wanted = without_nulls(patch)
    assert merge_patch(merge_patch(target, wanted), wanted) == merge_patch(target, wanted)
    assert set(wanted) <= set(merge_patch(target, wanted))


@settings(max_examples=100)
@given(MAPS, MAPS, MAPS)
def test_patches_to_different_keys_commute(target: dict[str, Any], left: dict[str, Any], right: dict[str, Any]) -> None:
    right = {key.upper(): value for key, value in right.items()}
    assert merge_patch(merge_patch(target, left), right) == merge_patch(merge_patch(target, right), left)


@settings(max_examples=100)
@given(JSON, JSON)
def test_arguments_are_left_alone(target: Any, patch: Any) -> None:
    before = copy.deepcopy((target, patch))
    merge_patch(target, patch)
    assert (target, patch) == before


def paths(value: Any, at: tuple[str | int, ...] = ()) -> list[tuple[tuple[str | int, ...], Any]]:
    found = [(at, value)]
    if isinstance(value, dict):
        for key, item in value.items():
            found += paths(item, (*at, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            found += paths(item, (*at, index))
    return found


def at(value: Any, path: tuple[str | int, ...]) -> Any:
    for key in path:
        value = value[key]
    return value


@settings(max_examples=150)
@given(MAPS, st.lists(MAPS, min_size=1, max_size=3))
def test_each_value_stands_in_the_file_that_it_is_said_to_come_from(base: dict[str, Any], patches: list[Any]) -> None:
    files = {"base": base}
    merged = Merged(base, Owner(Plain("base")))
    for number, patch in enumerate(patches):
        files[f"patch{number}"] = patch
        merged = overlay(merged, patch, Plain(f"patch{number}"))
    expected: Any = base
    for patch in patches:
        expected = merge_patch(expected, patch)
    assert merged.data == expected
    for path, value in paths(merged.data):
        there = at(files[merged.owner.at(path).file], path)
        if isinstance(value, dict):
            assert isinstance(there, dict)
        else:
            assert there == value


def test_origin_answers_with_the_places_of_the_owning_file() -> None:
    merged = overlay(Merged({"a": {"x": 1, "y": 2}, "b": [1]}, Owner(Plain("base"))), {"a": {"x": 3}}, Plain("patch"))
    origin = MergedOrigin("patch", merged.owner)
    assert origin.span("a", "x").file == "patch#a/x"
    assert origin.key("a", "y").file == "base#a/y:key"
    assert origin.span("b", 0).file == "base#b/0"
    assert origin.span("a").file == "patch#a"
    text = origin.text("2", "a", "y")
    assert text.file == "base"
    assert {text.span.file, text.locate(0, 1).file, text.affine[0]} == {"base#a/y"}
    assert origin.span("unheard", "of").file == "patch#unheard/of"
