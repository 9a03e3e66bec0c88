"""What cleaning leaves, against definitions that use `unicodedata` alone."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime import clean
from frieze.runtime.clean import MARKS_PER_BASE, clean_line, clean_text
from frieze.runtime.escape import escape
from frieze.runtime.graphemes import CUT_MARK
from frieze.runtime.signs import line_signs, masked
from support.clean import all_clean
from support.values import CALM, NASTY, texts

JOINERS = "\u200c\u200d"
INVISIBLE = {0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, 0xFFA0} | {
    *range(0xFE00, 0xFE0E),
    *range(0xE0100, 0xE01F0),
}


def faults(text: str, allowed: str = "") -> list[str]:
    """Return the code points of a cleaned text that may not be there (P2)."""
    return [
        hex(ord(char))
        for char in text
        if (unicodedata.category(char)[0] == "C" and char not in JOINERS + allowed)
        or unicodedata.category(char) in ("Zl", "Zp")
        or ord(char) in INVISIBLE
    ]


@given(texts())
@CALM
def test_a_line_is_one_clean_line(text: str) -> None:
    cleaned = clean_line(text)
    assert len(cleaned.splitlines()) <= 1
    assert faults(cleaned) == []
    assert unicodedata.is_normalized("NFC", cleaned)
    assert cleaned == cleaned.strip()
    cleaned.encode()


@given(texts())
@CALM
def test_a_text_has_no_line_separator_but_lf(text: str) -> None:
    cleaned = clean_text(text)
    assert cleaned.splitlines() == (cleaned.split("\n") if cleaned else [])
    assert faults(cleaned, allowed="\n") == []
    assert unicodedata.is_normalized("NFC", cleaned)
    cleaned.encode()


@given(texts(), st.integers(1, 90))
@settings(CALM, max_examples=300)
def test_cleaning_twice_changes_nothing_more(text: str, limit: int) -> None:
    line, several = clean_line(text, limit), clean_text(text, limit)
    assert clean_line(line, limit) == line
    assert clean_text(several, limit) == several
    assert max(len(line), len(several)) <= limit


@given(texts())
@CALM
def test_marks_stand_on_a_base_and_are_few(text: str) -> None:
    marks = 0
    for index, char in enumerate(clean_text(text)):
        previous = clean_text(text)[index - 1] if index else "\n"
        if unicodedata.category(char)[0] == "M" and char not in "\ufe0e\ufe0f":
            marks += 1
            assert previous != "\n"
            assert marks <= MARKS_PER_BASE
        elif char not in JOINERS + "\ufe0e\ufe0f":
            marks = 0


@given(texts())
@CALM
def test_a_joiner_stands_between_letters_or_emoji(text: str) -> None:
    cleaned = clean_line(text, 10_000)
    for index, char in enumerate(cleaned):
        if char in JOINERS:
            assert 0 < index < len(cleaned) - 1
            assert not cleaned[index - 1].isascii()
            assert not cleaned[index + 1].isascii()
            assert cleaned[index + 1] not in JOINERS


LEGITIMATE = [
    "Aiko Tanaka",
    "R&D <public>",
    "山田　太郎",
    "می‌خواهم",
    "क्‍ष",
    "র‍্যাব",
    "👨‍👩‍👧‍👦",
    "❤️ 1️⃣ 🏳️‍🌈",
    "🇯🇵",
    "Nguyễn Thị Ánh",
    "שָׁלוֹם",
    "བསྒྲུབས",
    "กำลัง",
    "C:\\docs\\kb",
    "100%",
    "{{ config }}",
    "5 × 3 = 15",
    "prix : 3 €",
    "𠮷野家",
    "Ǆ ﬁ Ω",
]


@pytest.mark.parametrize("text", LEGITIMATE)
def test_legitimate_text_stays(text: str) -> None:
    assert clean_line(text) == unicodedata.normalize("NFC", text)
    assert clean_text(text) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a\r\nb\u2028c\x85d\ve\x1cf", "a b c d e f"),
        ("a\tb", "a b"),
        ("a\u200bb\u2060c\ufeffd\u00ade", "abcde"),
        ("ad\u200dmin", "admin"),
        ("👨\u200c👩\u200d👧", "👨👩\u200d👧"),
        ("Refunds می\u200c\u200cخ", "Refunds می\u200cخ"),
        ("Refunds\u200b\u200c\u200d", "Refunds"),
        ("ok\ufe0f\U000e0101\U000e0102", "ok"),
        ("product\U000e0041Id", "productId"),
        ("\u202eniMdA\u202c", "niMdA"),
        ("\u0301a\u0301", "á"),
        ("A" + "\u0334" * 50, "A" + "\u0334" * 4),
        ("e\u200d\u0301", "é"),
        ("a\ue000b\U00100000c\ud800d\uffffe", "abcde"),
        ("< \u0338", "< \u0338"),
        ("<\u034f\u0338", "\u226e"),
        ("\u1161\u3164", "\u1161"),
    ],
)
def test_what_goes(text: str, line: str) -> None:
    assert clean_line(text) == line


def test_a_text_keeps_its_lines_and_first_indentation() -> None:
    assert clean_text("\n \n    code\r\n\u2028more  \n\n") == "    code\n\nmore"


def test_a_long_text_is_cut_with_a_mark_where_a_character_ends() -> None:
    family = "👨\u200d👩\u200d👧"
    assert clean_line(family * 200, 80) == family * 15 + CUT_MARK
    assert clean_line("x" * 5000, 80) == "x" * 79 + CUT_MARK
    assert clean_line("x" * 80, 80) == "x" * 80
    assert clean_text("A" * 50_000, 4000) == "A" * 3999 + CUT_MARK
    assert clean_line("ab" + "\u200b" * 5_000_000, 80) == "ab" + CUT_MARK


def test_the_quick_class_holds_every_mark_joiner_and_filler() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if clean.is_mark(char) or char in JOINERS or code in INVISIBLE:
            assert clean._has_notable(char), hex(code)


@given(st.lists(texts(6), max_size=6))
@settings(CALM, max_examples=400)
def test_a_joined_check_says_yes_only_where_each_value_is_clean(values: list[str]) -> None:
    if all_clean(values):
        for value in values:
            assert value
            assert clean_line(value, 10_000) == value
            assert escape(value) == value
            assert masked(value) == value
            assert line_signs(value) == []


@pytest.mark.parametrize(
    ("values", "verdict"),
    [
        (["Aiko Tanaka", "Acme Corp.", "2026-03-14 09:26"], True),
        (["日本語", "Zoë", "R&D"], True),
        (["日本語", "R&lt;D"], False),
        (["日本語", "Zoë", "Привет"], True),
        ([], True),
        ([""], False),
        (["a", ""], False),
        (["a "], False),
        ([" a", "b"], False),
        (["a\nb"], False),
        (["<"], False),
        (["a", 5], False),
        (["a", None], False),
        (["\ud800"], False),
        (["e\u0301"], False),
        (["e", "\u0301"], False),
        (["5 k\u2126"], False),
        (["\ufa10\ufa12"], False),
        (["sk-live-51H8abcdEFGHijklMNOPqrstUVWX"], False),
        (["see https://x.example"], False),
        (["[x](y)"], False),
    ],
)
def test_the_joined_check(values: list[str], verdict: bool) -> None:
    assert all_clean(values) is verdict


def test_every_awkward_code_point_alone() -> None:
    for char in NASTY:
        assert faults(clean_line(f"a{char}b")) == []
