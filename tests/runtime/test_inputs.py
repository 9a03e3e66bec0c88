"""Source chains: the first valid value, conditions, defaults, lists, records, documents."""

from __future__ import annotations

import copy
from datetime import UTC, datetime, timedelta, timezone
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime import inputs
from frieze.runtime.inputs import input_reader
from frieze.runtime.missing import ABSENT
from frieze.runtime.notes import MOST_NOTES, NOTES, Note, record
from frieze.runtime.types import TYPES
from support.values import CALM, values

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
FROM_CONSOLE = ["attr", ["input", "message"], "from_console"]
CONTRACT = {"message.from_console": {"type": "boolean"}, "request.accept_language": {"type": "accept-language"}}


def read(spec: dict[str, Any], context: dict[str, Any], contract: Any = CONTRACT) -> tuple[Any, list[Note]]:
    notes: list[Note] = []
    return input_reader({"name": "it", **spec}, contract)(context, NOW, notes), notes


def line(*paths: str, **options: Any) -> dict[str, Any]:
    return {"type": "line", "sources": [{"path": path} for path in paths], **options}


def test_the_first_valid_source_wins_and_the_refused_one_is_noted() -> None:
    context = {"member": {"name": 5}, "contact": {"name": "Aiko"}}
    value, notes = read(line("member.name", "contact.name"), context)
    assert value == "Aiko"
    assert notes == [Note("wrong-type", "it", "member.name", "expected text, found a number")]


@pytest.mark.parametrize("nothing", [None, "", "  ", "\n"])
def test_nothing_is_absent_without_a_note(nothing: Any) -> None:
    assert read(line("a", "b"), {"a": nothing, "b": "x"}) == ("x", [])
    assert read(line("a"), {"a": nothing}) == (ABSENT, [])


def test_what_is_lost_by_cleaning_is_noted() -> None:
    assert read(line("a"), {"a": "\u200b\u2060"}) == (ABSENT, [Note("empty", "it", "a")])
    cut = [Note("cut", "it", "a", "at 5 code points")]
    assert read(line("a", max_length=5), {"a": "abcdefgh"}) == ("abcd…", cut)
    assert read({**line("a", max_length=5), "type": "text"}, {"a": "ab\ncdefgh"}) == ("ab\nc…", cut)


def test_sections_that_are_missing_or_no_maps_are_absent() -> None:
    for context in ({}, {"a": None}, {"a": {}}, {"a": {"b": {}}}, {"a": "text"}, {"a": [1]}):
        assert read(line("a.b.c"), context) == (ABSENT, [])


def test_absent_values_in_any_case() -> None:
    spec = line("a", "b", absent_values=["anonymous"])
    assert read(spec, {"a": "Anonymous ", "b": "Aiko"}) == ("Aiko", [])
    assert read(spec, {"a": "Null"}) == ("Null", [])


def test_defaults() -> None:
    assert read(line("a", default="friend"), {"a": 5})[0] == "friend"
    assert read(line("a", default=""), {})[0] == ""
    assert read({"type": "language", "sources": [], "default": "ja_JP"}, {})[0] == "ja-JP"
    assert read({"type": "attributes", "sources": [{"path": "a"}], "default": {"b": True}}, {"a": {}})[0] == {
        "b": "true"
    }
    assert read({"type": "integer", "sources": [{"path": "a"}], "default": 0}, {"a": "1"})[0] == 0
    assert read({"type": "boolean", "sources": [{"path": "a"}], "default": False}, {})[0] is False


def test_a_known_value_is_a_source_like_any_other() -> None:
    spec = {"type": "timezone", "sources": [{"path": "tz"}, {"value": "Asia/Tokyo", "path": "platform.timezone"}]}
    assert read(spec, {"tz": "utc"}) == ("Asia/Tokyo", [Note("unknown-timezone", "it", "tz")])
    assert read({"type": "timezone", "sources": [{"value": None}]}, {}) == (ABSENT, [])


def test_a_condition_sees_checked_values_of_the_context() -> None:
    spec = {"type": "line", "sources": [{"path": "member.name", "when": FROM_CONSOLE}, {"path": "contact.name"}]}
    names = {"member": {"name": "Mei"}, "contact": {"name": "Aiko"}}
    assert read(spec, {**names, "message": {"from_console": True}}) == ("Mei", [])
    assert read(spec, {**names, "message": {"from_console": False}}) == ("Aiko", [])
    assert read(spec, {**names, "message": {}}) == ("Aiko", [])
    assert read(spec, names) == ("Aiko", [])
    value, notes = read(spec, {**names, "message": {"from_console": "false"}})
    assert value == "Aiko"
    assert notes == [Note("wrong-type", "it", "message.from_console", "expected a boolean, found text")]


def test_a_condition_that_fails_skips_its_source() -> None:
    condition = ["cmp", ["input", "count"], ["<", 3]]
    spec = {"type": "line", "sources": [{"path": "a", "when": condition}, {"path": "b"}]}
    context = {"a": "A", "b": "B"}
    assert read(spec, {**context, "count": 2}) == ("A", [])
    assert read(spec, {**context, "count": "many"}) == ("B", [Note("condition-failed", "it", "a")])


def test_conditions_over_a_map_and_a_path_inside_of_it() -> None:
    contract = {"message.metadata": {"type": "attributes"}, "message.metadata.language": {"type": "language"}}
    metadata = ["attr", ["input", "message"], "metadata"]
    both = [
        "and",
        ["cmp", ["attr", metadata, "language"], ["==", "ja-JP"]],
        ["cmp", ["item", metadata, "vip"], ["==", 1]],
    ]
    spec = {"type": "line", "sources": [{"path": "a", "when": ["and", both, metadata]}]}
    context = {"a": "A", "message": {"metadata": {"language": "ja_jp", "vip": 1}}}
    before = copy.deepcopy(context)
    assert read(spec, context, contract) == ("A", [])
    assert context == before


def test_reserved_names_that_the_contract_lists_are_left_out_without_a_note() -> None:
    contract = {
        "m.meta": {"type": "attributes"},
        "m.meta.timezone": {"type": "timezone"},
        "m.meta.house": {"type": "line"},
    }
    spec = {"type": "attributes", "sources": [{"path": "m.meta"}, {"path": "c"}], "reserved": ["timezone", "locale"]}
    context = {"m": {"meta": {"timezone": "UTC", "house": "Kamo", 5: 1}}, "c": {"locale": "ja"}}
    value, notes = read(spec, context, contract)
    assert value == {"house": "Kamo"}
    assert notes == [
        Note("invalid-key", "it", "m.meta[]", "found a number"),
        Note("reserved-key", "it", "c[]", "locale"),
    ]


def test_the_clock_is_the_time_of_the_request() -> None:
    spec = {"name": "now", "type": "datetime", "sources": [{"path": "clock"}]}
    reader = input_reader(spec, {})
    assert reader({"clock": "2000-01-01T00:00:00Z"}, NOW, []) == NOW
    tokyo = NOW.astimezone(timezone(timedelta(hours=9)))
    assert reader({}, tokyo, []).utcoffset() == timedelta(0)
    assert reader({}, NOW.replace(tzinfo=None), []) == NOW


def test_a_condition_sees_the_same_clock_as_an_input() -> None:
    when = ["test", "defined", ["input", "clock"], [], []]
    spec = {"name": "now", "type": "datetime", "sources": [{"path": "clock", "when": when}]}
    reader = input_reader(spec, {"clock": {"type": "datetime"}})
    notes: list[Note] = []
    assert reader({}, NOW.replace(tzinfo=None), notes) == NOW
    assert notes == []


def test_languages_from_three_kinds_of_sources() -> None:
    sources = [{"path": "message.metadata.language"}, {"path": "request.accept_language"}, {"value": "en"}]
    spec = {"type": "language", "sources": sources}
    header = {"request": {"accept_language": "fr-CH, de;q=0.9"}}
    assert read(spec, {"message": {"metadata": {"language": "JA_jp"}}, **header})[0] == "ja-JP"
    assert read(spec, header)[0] == "fr-CH"
    assert read({**spec, "supported": ["de", "ja"]}, header)[0] == "de"
    value, notes = read({**spec, "supported": ["ko"]}, header)
    assert value == "en"
    assert [note.code for note in notes] == ["unsupported-language"]


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("integer", [0, -5, 2**64], [True, 1.0, "1", 10**41, 10**400, None, [], float("nan")]),
        ("number", [0, 1.5, -0.0, 1e300], [True, "1", float("inf"), float("nan"), 10**400, None]),
        ("boolean", [True, False], [0, 1, "true", None, []]),
        ("latitude", [-90, 90, 0, 35.6], [90.1, -91, True, "35", float("nan")]),
        ("longitude", [-180, 180.0, 139.7], [180.5, "x", False]),
        ("choice", ["a", "b"], ["A", "c", "a ", 1, True, ["a"]]),
        ("timezone", ["Asia/Tokyo", "UTC"], ["utc", " UTC", "PST", 9, None, ["UTC"], "Asia/Tokyo\0"]),
        ("verbatim", ["a\r\n\u202e", ""], ["\ud800", 5, None]),
    ],
)
def test_types_are_checked_not_coerced(kind: str, good: list[Any], bad: list[Any]) -> None:
    spec = {"type": kind, "sources": [{"path": "v"}], "options": ["a", "b"]}
    for value in good:
        found, notes = read(spec, {"v": value})
        assert found == value
        assert type(found) is type(value)
        assert notes == []
    for value in bad:
        found, notes = read(spec, {"v": value})
        assert found is ABSENT
        assert len(notes) == (value is not None)


def test_members_of_enumerations_become_plain_values() -> None:
    class Tier(str, Enum):  # noqa: UP042 -- a StrEnum would print as its value anyway
        GOLD = "gold"

    for kind in ("line", "text", "choice", "document", "verbatim"):
        value, _ = read({"type": kind, "options": ["gold"], "sources": [{"path": "v"}]}, {"v": Tier.GOLD})
        assert type(value) is str
        assert value == "gold"


def test_lists() -> None:
    spec = {"type": "list", "sources": [{"path": "v"}, {"path": "w"}], "max_items": 3}
    assert read(spec, {"v": ["a", " b\n", None]}) == (["a", "b"], [])
    assert read(spec, {"v": []}) == ([], [])
    value, notes = read(spec, {"v": ["a", 5, "", 6, "\u200b"]})
    assert value == ["a"]
    assert [(note.code, note.source) for note in notes] == [("wrong-type", "v[]"), ("empty", "v[]")]
    assert read(spec, {"v": [5], "w": ["x"]})[0] == ["x"]
    assert read(spec, {"v": "a"})[0] is ABSENT
    value, notes = read(spec, {"v": ["a", "b", "c", "d"]})
    assert value == ["a", "b", "c"]
    assert notes == [Note("too-many", "it", "v", "at 3 members")]
    assert read({**spec, "of": "integer"}, {"v": [1, True, 0]})[0] == [1, 0]
    assert read({**spec, "of": {"type": "line", "max_length": 3}}, {"v": ["abcdef"]})[0] == ["ab…"]


def test_records() -> None:
    fields = {"name": {"type": "line", "required": True}, "status": {"type": "choice", "options": ["ok", "failed"]}}
    spec = {"type": "list", "of": {"fields": fields}, "sources": [{"path": "v"}]}
    rows = [
        {"name": "FAQ", "status": "ok", "x": 1},
        {"name": "HR", "status": "?"},
        {"status": "ok"},
        {"name": ""},
        "FAQ",
    ]
    value, notes = read(spec, {"v": rows})
    assert value == [{"name": "FAQ", "status": "ok"}, {"name": "HR"}]
    assert {(note.code, note.source) for note in notes} == {
        ("not-an-option", "v[].status"),
        ("empty", "v[]"),
        ("empty", "v[].name"),
        ("wrong-type", "v[]"),
    }


def test_a_long_list_of_faults_gives_few_notes_and_is_not_read_to_its_end() -> None:
    spec = {"type": "list", "sources": [{"path": "v"}], "max_items": 10}
    value, notes = read(spec, {"v": [5] * 1_000_000})
    assert value is ABSENT
    assert len(notes) == 2
    endless = {f"k{number}": 1 for number in range(MOST_NOTES * 2)}
    assert len(read({"type": "attributes", "sources": [{"path": "v"}]}, {"v": endless})[1]) <= MOST_NOTES


def test_notes_are_few_however_many_there_could_be() -> None:
    notes: list[Note] = []
    for number in range(10 * MOST_NOTES):
        record(notes, Note("cut", f"input {number}"))
    assert len(notes) == MOST_NOTES


def test_documents_stay_as_they_are_but_for_the_prompts_own_markers() -> None:
    spec = {
        "type": "document",
        "sources": [{"path": "v"}],
        "markers": ["<turn_context>", "</turn_context>", "--- docs ---"],
    }
    text = "# Current location\r\nSystem: x\u202e\t{{ y }} <b>\n"
    assert read(spec, {"v": text}) == (text, [])
    value, notes = read(spec, {"v": "a </Turn_Context > b < turn_context> c ---DOCS--- d \ud800"})
    assert value == "a &lt;/Turn_Context > b &lt; turn_context> c \\---DOCS--- d \ufffd"
    assert {note.code for note in notes} == {"marker-in-document", "not-utf8"}
    value, notes = read({**spec, "max_length": 10}, {"v": "x" * 50})
    assert value == "x" * 9 + "…"
    assert [note.code for note in notes] == ["cut"]
    assert read(spec, {"v": " \n"})[0] is ABSENT


@pytest.mark.parametrize("kind", ["line", "text"])
def test_lone_surrogates_go_and_leave_a_note(kind: str) -> None:
    spec = {"type": kind, "sources": [{"path": "v"}]}
    assert read(spec, {"v": "a\ud800b"}) == ("ab", [Note("not-utf8", "it", "v", "removed")])
    assert read({**spec, "type": "list", "of": kind}, {"v": ["a\ud800b"]}) == (
        ["ab"],
        [Note("not-utf8", "it", "v[]", "removed")],
    )


def spec_of(kind: str) -> dict[str, Any]:
    options: dict[str, Any] = {
        "options": ["a"],
        "of": {"fields": {"name": "line", "n": "number", "more": {"type": "list"}}},
    }
    return {"type": kind, "sources": [{"path": "a.b"}, {"path": "c"}], **options}


@pytest.mark.parametrize("kind", TYPES)
@given(
    context=st.dictionaries(
        st.sampled_from(["a", "c", "message"]), st.one_of(values(), st.dictionaries(st.just("b"), values()))
    )
)
@settings(CALM, max_examples=60)
def test_no_context_breaks_any_type(kind: str, context: dict[str, Any]) -> None:
    value, notes = read(spec_of(kind), context)
    assert all(note.code in NOTES for note in notes)
    again, _ = read({**spec_of(kind), "sources": [{"path": "c"}]}, {"c": value})
    if value is not ABSENT and kind != "accept-language":
        assert again == value
    if TYPES[kind].textual and value is not ABSENT:
        assert type(value) is str


def test_every_code_of_a_note_is_given_somewhere_and_explained() -> None:
    folder = Path(inputs.__file__).parent
    sources = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py") if path.name != "notes.py")
    assert [code for code in NOTES if f'"{code}"' not in sources] == []
    assert all(sentence.endswith(".") for sentence in NOTES.values())
