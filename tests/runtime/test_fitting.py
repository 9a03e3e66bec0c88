"""Lists of named texts in a bounded room: what fits, who gives first, and that everybody gives the same."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.escape import quoted
from frieze.runtime.fitting import LONGEST, fitted
from frieze.runtime.graphemes import CUT_MARK

WORDS = st.text('ab <&"é日', max_size=30)
RECORDS = st.lists(
    st.fixed_dictionaries({"name": st.text("xyz<", min_size=1, max_size=8)}, optional={"description": WORDS}),
    max_size=8,
)


def line(record: dict[str, Any]) -> str:
    text = record.get("description")
    return f"- {quoted(record['name'])}: {quoted(text)}\n" if text else f"- {quoted(record['name'])}\n"


@given(records=RECORDS, room=st.integers(0, 400))
def test_lines_fit_and_texts_give_before_names(records: list[dict[str, Any]], room: int) -> None:
    before = [dict(record) for record in records]
    shown = fitted(records, room)
    assert records == before
    assert sum(map(len, map(line, shown))) <= room
    assert [record["name"] for record in shown] == [record["name"] for record in records[: len(shown)]]
    if len(shown) < len(records):
        assert not any(record.get("description") for record in shown) or _names(records[: len(shown) + 1]) > room
        assert _names(records[: len(shown) + 1]) > room


def _names(records: list[dict[str, Any]]) -> int:
    return sum(len(f"- {quoted(record['name'])}: \n") for record in records)


@given(records=RECORDS, room=st.integers(0, 400))
def test_all_are_cut_at_one_length_and_it_is_the_largest(records: list[dict[str, Any]], room: int) -> None:
    shown = fitted(records, room)
    pairs = [(old.get("description") or "", new.get("description") or "") for old, new in zip(records, shown)]  # noqa: B905 - the rest has gone
    shortened = [new for old, new in pairs if new != old]
    whole = [old for old, new in pairs if new == old]
    if not shortened:
        return
    longest = max(map(len, shortened))
    assert all(new == "" or new.endswith(CUT_MARK) for new in shortened)
    assert all(len(old) <= longest + 1 for old in whole if old)
    # One more code point for everybody does not fit.
    more = [fitted([record], 10**6)[0] for record in records[: len(shown)]]
    grown = sum(
        len(quoted(text)) for text in (_cut(each.get("description") or "", longest + 2) for each in more) if text
    )
    assert grown >= room - _names(records[: len(shown)]) - 12 * len(shown)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + CUT_MARK


def test_everything_fits() -> None:
    records = [{"name": "a", "description": "x"}, {"name": "b"}]
    shown = fitted(records, 8000)
    assert shown == records
    assert all(new is old for new, old in zip(shown, records, strict=True))


def test_names_alone_then_fewer() -> None:
    records = [{"name": f"s{number}", "description": "long " * 10} for number in range(10)]
    width = len('- "s0": \n')
    assert fitted(records, 10 * width) == [{**record, "description": ""} for record in records]
    assert [record["name"] for record in fitted(records, 3 * width + 1)] == ["s0", "s1", "s2"]
    assert fitted(records, 0) == []


def test_one_text_never_takes_more_than_its_share() -> None:
    [shown] = fitted([{"name": "a", "description": "x" * 5000}], 10**6)
    assert len(shown["description"]) == LONGEST


def test_other_fields() -> None:
    assert fitted([{"id": "a", "use": "xxxx"}], len('- "a": "x…"\n'), text="use", name="id") == [
        {"id": "a", "use": "x" + CUT_MARK}
    ]
