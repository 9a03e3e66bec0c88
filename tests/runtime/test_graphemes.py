"""Where characters end. Each case gives the characters one by one."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.graphemes import CUT_MARK, cut, is_boundary
from support.values import CALM, texts

CHARACTERS = [
    ["a", "b"],
    ["\r\n", "\n", "\r", "a"],
    ["e\u0301\u0302", "x"],
    ["각", "\u1112\u1161\u11ab", "가\u11a8", "가\u1161\u11a8", "\u1100\u1100\u1161"],
    ["\u11a8", "\u1100"],
    ["👨\u200d👩\u200d👧", "👨"],
    ["👩🏽\u200d❤\ufe0f\u200d👨🏽", "a"],
    ["🇯🇵", "🇹🇼", "🇯"],
    ["1\ufe0f\u20e3", "#\u20e3"],
    ["क\u094dषि", "म"],
    ["ที\u0e48", "กำ"],
    ["நி", "க"],
    ["ﾊ\uff9e", "ﾊ"],
    ["a\u200d", "👩"],
    ["a\u200cb"[:2], "b"],
]


def boundaries(text: str) -> list[int]:
    return [index for index in range(len(text) + 1) if is_boundary(text, index)]


@pytest.mark.parametrize("characters", CHARACTERS)
def test_boundaries(characters: list[str]) -> None:
    ends = [0]
    for character in characters:
        ends.append(ends[-1] + len(character))
    assert boundaries("".join(characters)) == ends


@given(texts(), st.integers(1, 60))
@CALM
def test_a_cut_is_within_the_limit_at_a_boundary_and_marked(text: str, limit: int) -> None:
    shortened = cut(text, limit)
    if len(text) <= limit:
        assert shortened == text
        return
    assert len(shortened) <= limit
    assert shortened.endswith(CUT_MARK)
    kept = shortened[:-1]
    assert text.startswith(kept)
    blanks = len(text) - len(text[len(kept) :].lstrip().lstrip("\u200c\u200d"))
    assert any(is_boundary(text, index) for index in range(len(kept), blanks + 1))


@given(texts(20))
@CALM
def test_nothing_separates_a_mark_from_its_base(text: str) -> None:
    for index in boundaries(text)[1:-1]:
        if unicodedata.category(text[index])[0] == "M":
            assert unicodedata.category(text[index - 1]) in ("Cc", "Zl", "Zp")


def test_one_character_longer_than_the_limit_leaves_only_the_mark() -> None:
    assert cut("👨" + "\u200d👩" * 300, 100) == CUT_MARK
    assert cut("\u1100" * 300, 100) == CUT_MARK
    assert cut("ab", 1) == CUT_MARK


def test_no_blank_and_no_joiner_stands_before_the_mark() -> None:
    assert cut("abc   defgh", 6) == "abc" + CUT_MARK
    assert cut("می\u200cخواهم", 4) == "می" + CUT_MARK


def test_time_grows_no_faster_than_the_text() -> None:
    assert len(cut("🇯" * 20_000, 10_001)) == 10_001
    assert cut("e" + "\u0301" * 20_000, 19_000) == CUT_MARK
