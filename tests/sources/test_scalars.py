"""What a plain scalar means, and that its spelling can be had back."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.sources import parse_document
from frieze.sources.scalars import MisspeltError, resolve

MEANING = {
    "": None, "~": None, "null": None, "true": True, "false": False,
    "0": 0, "-0": 0, "7": 7, "-12": -12, "123456789012345678": 123456789012345678,
    "1.10": 1.1, "0.5": 0.5, "-2.50": -2.5, "1e3": 1000.0, "2E-1": 0.2, "1.5e+2": 150.0,
    "no": "no", "yes": "yes", "on": "on", "off": "off", "Yes": "Yes", "NO": "NO", "y": "y", "n": "n",
    "2024-01-01": "2024-01-01", "2024-13-45": "2024-13-45", "2001-12-14t21:59:43.10-05:00": "2001-12-14t21:59:43.10-05:00",
    "1:30": "1:30", "12:30:45": "12:30:45", "1.4.0": "1.4.0", "v1": "v1", "1st": "1st", "007-bond": "007-bond",
    "=": "=", "-": "-", "+": "+", ".": ".", "...x": "...x", "-x": "-x", "tRue": "tRue", "nil": "nil", "none": "none",
    "0x": "0x", "0xZZ": "0xZZ", "1e": "1e", "e3": "e3", "1 000": "1 000", "1,000": "1,000", "٣": "٣", "１": "１", "inf": "inf", "nan": "nan",
    "True": True, "FALSE": False, "Null": None,
}  # fmt: skip

MISSPELT = [
    "017", "00", "0_1", "1_000", "1_000.5", "0x1F", "0o17", "0b101", "+1", "+1.5", ".5", "-.5", "1.", "01.5", "-017", "1.e3",
    ".inf", "-.inf", ".Inf", ".NAN", "1234567890123456789", "0.1234567890123456789", "1e400", "-1e999", "9" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("text", MEANING)
def test_a_plain_scalar_means(text: str) -> None:
    value = resolve(text)
    assert value == MEANING[text]
    assert type(value) is type(MEANING[text])


@pytest.mark.parametrize("text", MISSPELT, ids=lambda text: text[:20])
def test_a_doubtful_number_is_refused_with_advice(text: str) -> None:
    with pytest.raises(MisspeltError) as caught:
        resolve(text)
    assert f'"{text}"' in caught.value.advice


@given(st.one_of(st.integers(-(10**17), 10**17), st.floats(-1e6, 1e6).map(lambda number: round(number, 6))))
def test_what_json_writes_is_read_back(number: float) -> None:
    assert resolve(json.dumps(number)) == number


@given(st.text(st.sampled_from("0123456789_+-.eExXobinfa~"), max_size=8))
def test_every_spelling_is_text_a_finite_number_or_refused(text: str) -> None:
    try:
        value = resolve(text)
    except MisspeltError:
        return
    assert value is None or isinstance(value, str) or math.isfinite(value)
    if isinstance(value, str):
        assert value == text


def test_the_spelling_is_kept() -> None:
    document, faults = parse_document(b"a: 1.10\nb: &x 2.50\nc: [*x, 'y']\nd:\n", "x.yaml")
    assert document is not None, faults
    assert document.data == {"a": 1.1, "b": 2.5, "c": [2.5, "y"], "d": None}
    assert document.raw(("a",)) == "1.10"
    assert document.raw(("b",)) == "2.50"
    assert document.raw(("c", 0)) == "2.50"
    assert document.raw(("c", 1)) == "'y'"
    assert document.raw(("d",)) == ""


@pytest.mark.parametrize("pure", [False, True], ids=["C", "pure"])
def test_quoted_words_are_text_and_plain_ones_are_remembered(pure: bool) -> None:
    document, faults = parse_document(b"a: no\nb: 'no'\nc: [On, x]\nno: 1\nd: &x yes\ne: *x\n", "x.yaml", pure=pure)
    assert not faults
    assert document is not None
    assert document.data == {"a": "no", "b": "no", "c": ["On", "x"], "no": 1, "d": "yes", "e": "yes"}
    assert [span[1:3] for span in document.doubtful] == [(1, 4), (3, 5), (5, 7)]
