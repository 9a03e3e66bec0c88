"""The joined look at a request's texts against a look at each."""

from __future__ import annotations

import sys
from unicodedata import combining, decomposition

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frieze.runtime.clean import clean_beyond_ascii, clean_line, is_plain
from frieze.runtime.escape import escape
from frieze.runtime.joined import UNMARKED, escaped_texts, joined_if_clean
from frieze.runtime.signs import line_signs, masked
from support.values import CALM, texts

TEXTS = (
    texts(6)
    | st.text(alphabet="ab <>&;lgtR", min_size=1, max_size=8)
    | st.text(alphabet="iI\u0130\u0131<> ![](:/\u017fdatscriptmo", min_size=1, max_size=14)
    | st.sampled_from(["&lt;", "R&D", "a<b", "&amp;gt;", "sk-0123456789abcdefghij", "javascript:x", "data:a/b"])
)


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4), st.integers(3, 30))
@settings(CALM, max_examples=600)
@example(["![a][b]"], [], 30)
@example(["x <\u0131mg>"], [], 30)
@example(["java\u017fcript:"], [], 30)
def test_a_yes_means_that_each_text_is_clean_and_within_the_cap(lines: list[str], members: list[str], cap: int) -> None:
    found = joined_if_clean([*lines, *members], cap)
    if found is None:
        return
    for text in (*lines, *members):
        assert text == clean_line(text, cap) == masked(text)
        assert not line_signs(text)
    joined, only = found
    escaped = list(map(escape, [*lines, *members]))
    assert (escaped_texts(joined) if joined else [*lines, *members]) == escaped
    if only >= 0:
        texts_with_one = [*lines, *members]
        texts_with_one[only] = texts_with_one[only].replace("<", "&lt;")
        assert texts_with_one == escaped


@pytest.mark.parametrize(
    "text",
    [
        "",
        " a",
        "a ",
        "a  b",
        "a\nb",
        "\u200b",
        "x" * 20,
        "http://a",
        "a: javascript:x",
        "[a](b)",
        "<i>",
        "< Img",
        "a\x7f",
    ],
)
def test_one_text_that_is_not_clean_is_enough(text: str) -> None:
    assert joined_if_clean(["Aiko", "Acme"], 30) == UNMARKED
    for texts_with_one in (["Aiko", text, "Acme"], [text, "Aiko", "Acme"], ["Aiko", "Acme", text], [text]):
        assert joined_if_clean(texts_with_one, 30) is None


def test_the_cap_holds_for_each_text() -> None:
    assert joined_if_clean(["a bc"] * 18, 4) == UNMARKED
    for place in range(18):
        assert joined_if_clean([*["a bc"] * place, "a bcd", *["a bc"] * (17 - place)], 4) is None
    assert joined_if_clean(["abcd"], 4) == UNMARKED
    assert joined_if_clean(["abcde"], 4) is None


def test_an_ampersand_alone_keeps_its_place() -> None:
    assert joined_if_clean(["Groß & Söhne", "田中", "a & b"], 100) == UNMARKED
    assert joined_if_clean(["b", "a <3", "c: d"], 100) == ("\nb\na <3\nc: d\n", 1)
    assert joined_if_clean(["a <3", "5 <3"], 100) == ("\na <3\n5 <3\n", -1)
    assert joined_if_clean(["b > c", "&lt;"], 100) == ("\nb > c\n&lt;\n", -1)


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(TypeError):
        joined_if_clean([5], 100)  # type: ignore[list-item]  # that is the point


def test_plain_characters_are_clean_whatever_stands_beside_them() -> None:
    """A character is so if it is in no composition but with a mark or a vowel of Hangul behind it, and it is neither."""
    second = {
        int(parts[1], 16)
        for code in range(sys.maxunicode + 1)
        if len(parts := decomposition(chr(code)).split()) == 2 and not parts[0].startswith("<")
    }
    plain = [chr(code) for code in range(0x80, 0xD800) if is_plain(chr(code))]
    plain += [chr(code) for code in range(0xE000, 0x10000) if is_plain(chr(code))]
    assert len(plain) > 30_000
    for char in plain:
        assert clean_beyond_ascii(char)
        assert not combining(char)
        assert ord(char) not in second
        assert not "\u1100" <= char < "\u1200"
