"""Which record answers for a name, against the rules written once more over all beginnings of all names."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from frieze.runtime.slugs import Answer, record_for

NAMES = st.text("ab-", min_size=1, max_size=4)
RECORDS = st.dictionaries(
    NAMES,
    st.fixed_dictionaries(
        {"slug": NAMES}, optional={"slugs": st.lists(NAMES, max_size=3), "fallback": st.sampled_from([True])}
    ),
    max_size=4,
)
ASKED = st.text("ab-/.", max_size=7)


def beginnings(name: str, record: dict[str, Any]) -> list[str]:
    return [name, record["slug"], *record.get("slugs", [])]


def expected(asked: str, records: dict[str, dict[str, Any]]) -> set[Answer | None]:
    """Every answer that the rules allow; two records with the same beginning are equally good."""
    if asked in records:
        return {Answer(asked)}
    by_slug = {Answer(name) for name, record in records.items() if record["slug"] == asked}
    if by_slug:
        return by_slug
    shortened = [asked]
    if asked.count("/") == 1 and asked.split("/")[0] and all(sign in "ab-" for sign in asked.split("/")[0]):
        shortened.append(asked.split("/")[1])
    for text in shortened:
        fitting = {
            (len(start), name)
            for name, record in records.items()
            for start in beginnings(name, record)
            if text[: len(start)] == start
        }
        if fitting:
            longest = max(length for length, _ in fitting)
            return {Answer(name, asked) for length, name in fitting if length == longest}
    fallbacks = {Answer(name, asked, guessed=True) for name, record in records.items() if record.get("fallback")}
    return fallbacks or {None}


@settings(max_examples=400, deadline=None)
@given(asked=ASKED, records=RECORDS)
@example(asked="abb", records={"ab": {"slug": "x"}, "a": {"slug": "y"}})
@example(asked="abb", records={"a": {"slug": "y"}, "ab": {"slug": "x"}})
@example(asked="b/abb", records={"ab": {"slug": "x"}, "a": {"slug": "y"}})
@example(asked="b/a/b", records={"a": {"slug": "y"}, "x": {"slug": "x", "fallback": True}})
def test_the_answer_is_one_of_those_that_the_rules_allow(asked: str, records: dict[str, dict[str, Any]]) -> None:
    assert record_for(asked, records, records) in expected(asked, records)


def test_only_allowed_records_answer_and_the_library_has_no_namespace() -> None:
    records = {"a": {"slug": "a-1"}, "b": {"slug": "b", "fallback": True}}
    assert record_for("a-2", records, ["b"]) == Answer("b", "a-2", guessed=True)
    assert record_for("a-2", records, []) is None
    assert record_for("std/a", records, records) == Answer("a")
    assert record_for("std/a-1", records, records) == Answer("a")
