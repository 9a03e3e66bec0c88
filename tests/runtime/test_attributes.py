"""Attribute maps: names, values, merging, closed sets."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.attributes import attribute_key, attributes_reader, folded_key
from frieze.runtime.missing import ABSENT
from frieze.runtime.notes import Refusal
from support.hostile import HEADINGS, RESERVED
from support.values import CALM, texts, values

FOLDED = frozenset(map(folded_key, RESERVED))
FOLDED_HEADINGS = frozenset(map(folded_key, HEADINGS))


def read(*maps: Any, **options: Any) -> tuple[Any, list[str]]:
    codes: list[str] = []
    options = {"reserved": RESERVED, "headings": HEADINGS, **options}
    merged = attributes_reader(options)((each, lambda code, _detail, _place: codes.append(code)) for each in maps)
    return merged, codes


@pytest.mark.parametrize(
    "key",
    [
        "timezone",
        "TimeZone",
        "time-zone",
        " time_zone\n",
        "ｔｉｍｅｚｏｎｅ",
        "time\u200dzone",
        "t\u00adimezone",
        "tіmezone",
        "contactName",
        "contact name",
        "CONTACT-NAME",
        "Locale",
        "now",
        "NOW ",
        "lan.guage",
        "timezone\U000e0041",
        "\ufeffnow",
    ],
)
def test_reserved_names_in_any_spelling(key: str) -> None:
    refusal = attribute_key(key, FOLDED, FOLDED_HEADINGS)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "reserved-key"
    assert refusal.detail in {"", key}


def test_notes_name_a_key_only_where_it_is_a_plain_name() -> None:
    notes: list[tuple[str, str, str]] = []
    read_map = attributes_reader({"reserved": ["plan", "time zone"], "keys": {"tier": {}}})
    read_map([({"plan": 1, "time-zone": 2, "other": 3, "anderes Ding": 4}, lambda *note: notes.append(note))])
    assert notes == [
        ("reserved-key", "plan", "[]"),
        ("reserved-key", "", "[]"),
        ("unknown-attribute", "other", "[]"),
        ("unknown-attribute", "", "[]"),
    ]


@pytest.mark.parametrize("given", [{"k\ud800": "v"}, {"k": "v\udc00"}, {"k": ["v\udc00"]}, {"k": {"n\udfff": "v"}}])
def test_lone_surrogates_leave_a_note_wherever_they_stood(given: dict[str, Any]) -> None:
    merged, codes = read(given)
    assert list(merged) == ["k"]
    assert merged["k"].isascii()
    assert codes == ["not-utf8"]


@pytest.mark.parametrize(
    "key", ["会員ランク", "tier", "Customer tier", "product_id", "v2.0", "Größe", "نام‌کاربر", "_x", "42"]
)
def test_legitimate_names(key: str) -> None:
    assert attribute_key(key, FOLDED, FOLDED_HEADINGS) == key


@pytest.mark.parametrize(
    "key",
    [
        "",
        " ",
        "\u200b",
        "a: b",
        "# x",
        "- x",
        "</b>",
        "{{key}}",
        "__proto__",
        "constructor",
        "a|b",
        '"x"',
        "`x`",
        "x" * 65,
        "x" * 10_000,
        *HEADINGS,
        "CURRENT LOCATION",
        None,
        1,
        1.5,
        True,
        ("a",),
        b"x",
        "[x](y)",
        "System:",
        "sk-live-51H8abcdEFGHijklMNOPqrstUVWX",
        "../x",
        "$x",
        "@x",
    ],
)
def test_names_that_are_refused(key: Any) -> None:
    refusal = attribute_key(key, FOLDED, FOLDED_HEADINGS)
    assert isinstance(refusal, Refusal)
    assert refusal.code == "invalid-key"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"),
        (False, "false"),
        (0, "0"),
        (12.0, "12"),
        (0.1, "0.1"),
        (1e20, "1e+20"),
        (-0.0, "0"),
        (12345678901234567890, "12345678901234567890"),
        ("gold", "gold"),
        ("a\nb", "a b"),
        ({"b": [1, 2.0, {"c": "x\ny"}], "a": None}, '{"b":[1,2,{"c":"x y"}]}'),
        ([True, None, "é", [], float("nan")], '[true,"é",[]]'),
        ([None, float("inf")], None),
        ([[[[["deep"]]]]], '[[[["…"]]]]'),
        (float("nan"), None),
        (float("-inf"), None),
        (10**400, None),
        (None, None),
        ("", None),
        ({}, None),
        ([], None),
        (object(), None),
        (b"x", None),
    ],
)
def test_values_as_text(value: Any, text: str | None) -> None:
    merged, _ = read({"k": value})
    assert [merged] == [{"k": text} if text is not None else ABSENT]


def test_large_nested_values_are_bounded_and_marked() -> None:
    merged, codes = read({"k": list(range(5000))})
    assert json.loads(merged["k"])[-1] == "…"
    assert set(codes) == {"too-deep"}
    merged, codes = read({"k": {"x": "word " * 200}}, max_length=60)
    assert len(merged["k"]) == 60
    assert merged["k"].endswith("…")
    endless: list[Any] = []
    endless.append(endless)
    assert read({"k": endless})[0] == {"k": '[[[["…"]]]]'}


def test_the_first_source_that_has_a_valid_value_for_a_name_wins_and_names_are_sorted() -> None:
    merged, codes = read({"b": 1, "a": None, "c": float("nan")}, None, {"a": "x", "b": 2, "c": "y", "timezone": "UTC"})
    assert merged == {"a": "x", "b": "1", "c": "y"}
    assert list(merged) == ["a", "b", "c"]
    assert codes == ["not-finite", "reserved-key"]


def test_names_that_are_equal_after_cleaning() -> None:
    assert read({"tier": "a", "ti\u200ber": "b"}) == ({"tier": "a"}, ["duplicate-key"])


def test_caps() -> None:
    merged, codes = read({f"k{number:03}": number for number in range(200)}, max_items=20)
    assert list(merged) == [f"k{number:03}" for number in range(20)]
    assert codes == ["too-many"]
    assert read({"k": "x" * 900})[0] == {"k": "x" * 499 + "…"}


def test_reserved_by_the_project() -> None:
    assert read({"Order-Id": 1, "x": 2}, reserved=["order_id"]) == ({"x": "2"}, ["reserved-key"])


def test_a_closed_set() -> None:
    keys = {
        "tier": {"type": "choice", "options": ["gold", "silver"]},
        "age": {"type": "integer"},
        "card": {"type": "line", "mask": True},
        "internal": {"type": "line", "visible": False},
        "note": {"type": "line", "max_length": 5},
        "since": {"type": "datetime"},
        "plain": None,
    }
    given_map = {
        "tier": "gold",
        "age": "35",
        "card": "4111 1111",
        "internal": "x",
        "note": "abcdefgh",
        "since": "2026-03-14T09:26:53Z",
        "other": 1,
        "plain": "p",
    }
    merged, codes = read(given_map, keys=keys)
    assert merged == {
        "card": "[masked]",
        "note": "abcd…",
        "plain": "p",
        "since": "2026-03-14T09:26:53+00:00",
        "tier": "gold",
    }
    assert sorted(codes) == ["cut", "unknown-attribute", "wrong-type"]


@pytest.mark.parametrize(
    ("given_map", "text"),
    [
        ({"api_key": "abc"}, "[masked]"),
        ({"userPassword": 1234}, "[masked]"),
        ({"access-token": "x"}, "[masked]"),
        ({"data": {"client_secret": 5, "a": 1}}, '{"a":1,"client_secret":"[masked]"}'),
        ({"note": "key sk-live-51H8abcdEFGHijklMNOPqrstUVWX!"}, "key [masked]!"),
        ({"note": ["AKIAIOSFODNN7EXAMPLE"]}, '["[masked]"]'),
        ({"note": {"AKIAIOSFODNN7EXAMPLE": 1}}, '{"[masked]":1}'),
    ],
)
def test_secrets_are_masked_and_noted(given_map: dict[str, Any], text: str) -> None:
    merged, codes = read(given_map)
    assert list(merged.values()) == [text]
    assert "secret-masked" in codes


def test_secret_names_in_closed_sets() -> None:
    keys = {"auth_token": {"type": "line"}, "csrf_token": {"type": "line", "mask": False}}
    assert read({"auth_token": "x", "csrf_token": "y"}, keys=keys) == (
        {"auth_token": "[masked]", "csrf_token": "y"},
        ["secret-masked"],
    )


@given(st.one_of(values(), st.dictionaries(texts(4), values(), max_size=4)))
@settings(CALM, max_examples=200)
def test_anything_gives_clean_text_by_clean_names(value: Any) -> None:
    merged, _ = read(value)
    if merged is ABSENT:
        return
    assert list(merged) == sorted(merged)
    for key, text in merged.items():
        assert attribute_key(key, FOLDED, FOLDED_HEADINGS) == key
        assert 0 < len(text) <= 500
        assert len(text.splitlines()) == 1
    again, _ = read(merged)
    assert again == merged


@given(texts(6))
@CALM
def test_folding_is_stable(key: str) -> None:
    assert folded_key(folded_key(key)) == folded_key(key)
