"""All inputs at once, against each input on its own."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime import readers
from frieze.runtime.inputs import input_reader
from frieze.runtime.notes import Note
from frieze.runtime.readers import request_reader
from frieze.runtime.signs import PLACEHOLDERS, all_unremarkable, member_signs
from support.clean import all_clean
from support.values import CALM, texts, values

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
RECORD = {"fields": {"name": "line", "when": {"type": "line", "max_length": 20}}}
SPECS: dict[str, dict[str, Any]] = {
    "name": {
        "name": "name",
        "type": "line",
        "sources": [{"path": "m.name"}, {"path": "c.name"}],
        "absent_values": ["anonymous"],
    },
    "city": {"name": "city", "type": "line", "sources": [{"path": "c.city"}], "max_length": 12, "default": "nowhere"},
    "console": {"name": "console", "type": "line", "sources": [{"path": "c.name", "when": ["input", "flag"]}]},
    "known": {"name": "known", "type": "line", "sources": [{"path": "c.x"}, {"value": "Acme"}]},
    "language": {"name": "language", "type": "language", "sources": [{"path": "c.language"}]},
    "skills": {"name": "skills", "type": "list", "of": RECORD, "sources": [{"path": "skills"}], "max_items": 4},
    "tags": {"name": "tags", "type": "list", "sources": [{"path": "c.tags"}]},
    "attributes": {"name": "attributes", "type": "attributes", "sources": [{"path": "c"}]},
}

SHORT = st.one_of(
    st.sampled_from(
        [
            "Aiko",
            "Acme Corp.",
            "anonymous",
            "",
            " ",
            "日本",
            "R&D",
            "a\nb",
            "null",
            "!!",
            "FAQ",
            "GET OUT NOW ALL",
            "../x",
        ]
    ),
    texts(3),
)
ANY = st.one_of(SHORT, st.none(), values())
ROW = st.one_of(
    st.fixed_dictionaries({"name": SHORT, "when": SHORT}), st.dictionaries(st.sampled_from(["name", "when", "x"]), ANY)
)
CONTEXTS = st.fixed_dictionaries(
    {},
    optional={
        "m": st.one_of(st.dictionaries(st.just("name"), ANY), ANY),
        "c": st.fixed_dictionaries(
            {},
            optional={
                "name": ANY,
                "city": SHORT,
                "language": SHORT,
                "tags": st.one_of(st.lists(SHORT, max_size=4), ANY),
                "x": ANY,
            },
        ),
        "skills": st.one_of(st.lists(ROW, max_size=5), ANY),
        "flag": st.booleans(),
    },
)


@given(CONTEXTS)
@settings(CALM, max_examples=300)
def test_together_and_alone_give_the_same(context: dict[str, Any]) -> None:
    together: list[Note] = []
    alone: list[Note] = []
    found = request_reader(SPECS, {})(context, NOW, together)
    expected = {key: input_reader(spec, {})(context, NOW, alone) for key, spec in SPECS.items()}
    assert list(found) == list(expected)
    assert [repr(value) for value in found.values()] == [repr(value) for value in expected.values()]
    assert together == alone


@pytest.mark.parametrize(
    "context",
    [
        {"m": {"name": "Anonymous"}, "c": {"name": "Aiko"}},
        {"c": {"city": "far beyond the cap"}},
        {"skills": [{"name": "a", "when": "b"}] * 5},
        {"skills": [{"name": "a"}]},
        {"skills": [{"name": "a", "when": "x" * 21}]},
        {"c": {"tags": ["a", "NEVER SAY NO"]}},
        {"c": {"tags": ["a", "null"]}},
        {"c": {"tags": ["a", "!!"]}},
        {"c": {"tags": ["a", "../b"]}},
        {"c": {"name": "Aiko"}, "flag": True},
        {"c": {"name": "Aiko"}, "flag": False},
    ],
)
def test_clean_requests_that_are_not_plain(context: dict[str, Any]) -> None:
    test_together_and_alone_give_the_same.hypothesis.inner_test(context)


def test_a_clean_request_is_read_without_the_readers_of_its_lines(monkeypatch: Any) -> None:
    called: list[str] = []

    def reader(spec: dict[str, Any], contract: Any) -> Any:
        return lambda *_: called.append(spec["name"])

    monkeypatch.setattr(readers, "input_reader", reader)
    context = {"c": {"name": "Aiko", "tags": ["a", "b"]}, "skills": [{"name": "refunds", "when": "asked"}]}
    found = request_reader(SPECS, {})(context, NOW, [])
    assert called == ["console", "known", "language", "attributes"]
    assert (found["name"], found["city"], found["tags"]) == ("Aiko", "nowhere", ["a", "b"])
    assert found["skills"] == [{"name": "refunds", "when": "asked"}]


@given(st.lists(st.one_of(SHORT, st.sampled_from(sorted(PLACEHOLDERS))), max_size=5))
@settings(CALM, max_examples=300)
def test_unremarkable_members_have_no_signs(members: list[str]) -> None:
    clean = [text for text in members if all_clean([text])]
    if all_unremarkable(clean):
        assert [member_signs(text) for text in clean] == [[] for _ in clean]
