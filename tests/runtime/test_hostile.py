"""The published hostile values, each with the properties that it is there to show."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.escape import unescape
from frieze.runtime.graphemes import CUT_MARK
from frieze.runtime.missing import ABSENT
from support.hostile import AFTER, BEFORE, HEADINGS, SLOTS, Page, load, materialise, page
from support.values import CALM, texts, values

CASES = [
    (slot, case["n"], materialise(case["value"]), tuple(case["keep"]))
    for slot, cases in load("hostile_values.json").items()
    for case in cases
]
ROLE_LABEL = re.compile(
    r"\s*(?:\[?\s*(?:system|assistant|user|human|developer|tool)\b[^\]\n:]{0,20}\]?\s*:|<\s*[|/]?\s*\w|\[/?INST)",
    re.IGNORECASE,
)
CANONICAL = {
    ("attr_value", 7): '- tier: "true"',
    ("attr_value", 9): '- tier: "false"',
    ("language", 1): "Language: ja",
    ("language", 3): "Language: ja-JP",
    ("language", 5): "Language: en-US",
    ("language", 7): "Language: he",
}
CONTROLS = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def decoded(slot: str, row: str) -> str:
    """Return the value that a reader gets back from what a slot printed."""
    printed = row.split(": ", 1)[1] if ": " in row else row.split("Knowledge base ", 1)[1]
    return json.loads(printed) if printed.startswith('"') else unescape(printed)


def always(slot: str, shown: Page) -> None:
    """P2, P3, P4, P6, P9, and that the text can be sent: for every value."""
    shown.text.encode()
    rows = shown.rows.split("\n")
    for char in shown.rows.replace("\n", ""):
        assert unicodedata.category(char) not in CONTROLS or char in "\u200c\u200d", hex(ord(char))
    assert [line for line in shown.text.splitlines() if line in HEADINGS] == list(HEADINGS)
    assert re.findall(r"<[^>]*>", shown.text) == ["<turn_context>", "</turn_context>"]
    assert re.search(r"<\s*/?\s*turn_context", shown.rows, re.IGNORECASE) is None
    assert not any(ROLE_LABEL.match(row) for row in rows)
    members = shown.value.values() if isinstance(shown.value, dict) else [shown.value]
    for text in members:
        if isinstance(text, str):
            assert len(text) <= SLOTS[slot].cap
    assert len(shown.rows) <= 6 * 60 * SLOTS[slot].cap


def keeps_one_line(slot: str, value: Any, shown: Page) -> None:
    assert len(shown.rows.splitlines()) <= 1


def keeps_the_cap(slot: str, value: Any, shown: Page) -> None:
    text = decoded(slot, shown.rows) if shown.rows else ""
    assert len(text) <= SLOTS[slot].cap
    if isinstance(value, str) and len(unicodedata.normalize("NFC", value)) > 2 * SLOTS[slot].cap and text:
        assert text.endswith(CUT_MARK) or unicodedata.category(value[-1])[0] == "M"


def is_refused(slot: str, value: Any, shown: Page) -> None:
    assert shown.value is ABSENT
    assert shown.rows == ""
    if isinstance(value, str) and len(value) > 3:
        assert value not in shown.text.replace(BEFORE, "").replace(AFTER, "")


def is_reserved(slot: str, value: Any, shown: Page) -> None:
    assert shown.value is ABSENT
    assert {note.code for note in shown.notes} == {"reserved-key"}


def stays_quoted(slot: str, value: Any, shown: Page) -> None:
    assert decoded(slot, shown.rows) == unicodedata.normalize("NFC", value.strip())


def counts_as_absent(slot: str, value: Any, shown: Page) -> None:
    assert shown.value is ABSENT
    assert shown.text == BEFORE + AFTER


def is_canonical(slot: str, value: Any, shown: Page) -> None:
    assert shown.rows in CANONICAL.values()


def is_not_unnoticed(slot: str, value: Any, shown: Page) -> None:
    assert {note.code for note in shown.notes} & {"secret-masked", "link", "image"}


def is_noted(slot: str, value: Any, shown: Page) -> None:
    assert shown.notes
    assert not (isinstance(value, str) and value and value in repr(shown.notes))


def stays_literal(slot: str, value: Any, shown: Page) -> None:
    assert shown.value is ABSENT or decoded(slot, shown.rows) == value


def is_legitimate(slot: str, value: Any, shown: Page) -> None:
    text = shown.rows.removeprefix("- ").split(": ")[0] if slot == "attr_key" else decoded(slot, shown.rows)
    assert text == unicodedata.normalize("NFC", value)


KEPT = {
    "P1": keeps_one_line,
    "P5": stays_literal,
    "P6": keeps_the_cap,
    "P7": is_refused,
    "P8": is_reserved,
    "P11": stays_quoted,
    "P12": counts_as_absent,
    "P13": is_legitimate,
    "P14": is_canonical,
    "P15": is_not_unnoticed,
    "P16": is_noted,
}


@pytest.mark.parametrize(
    ("slot", "number", "value", "keep"), CASES, ids=lambda part: str(part)[:20] if isinstance(part, str | int) else ""
)
def test_published_values(slot: str, number: int, value: Any, keep: tuple[str, ...]) -> None:
    shown = page(slot, value)
    always(slot, shown)
    for code in keep:
        if code in KEPT:
            KEPT[code](slot, value, shown)
    if (slot, number) in CANONICAL:
        assert shown.rows == CANONICAL[slot, number]


@pytest.mark.parametrize("slot", SLOTS)
@given(value=st.one_of(texts(), values()))
@settings(CALM, max_examples=120)
def test_any_value_keeps_what_every_value_keeps(slot: str, value: Any) -> None:
    shown = page(slot, value)
    always(slot, shown)
    if SLOTS[slot].lines:
        keeps_one_line(slot, value, shown)


MARKED = "Zq7Xk"


@pytest.mark.parametrize("slot", SLOTS)
@given(text=texts(10), wrap=st.sampled_from([lambda v: v, lambda v: [v], lambda v: {"a": v}, lambda v: {v: 1}]))
@settings(CALM, max_examples=60)
def test_notes_never_hold_the_value(slot: str, text: str, wrap: Any) -> None:
    shown = page(slot, wrap(f"{MARKED}{text}{MARKED}"))
    assert MARKED not in repr(shown.notes)
