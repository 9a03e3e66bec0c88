"""The joined look at a request's texts against a look at each."""

from __future__ import annotations

import sys
from unicodedata import combining, decomposition

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frieze.runtime.clean import clean_beyond_ascii, clean_line, is_plain
from frieze.runtime.escape import escape
from frieze.runtime.joined import Odd, escape_if_clean
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
    escaped = [*lines, *members]
    try:
        changed = escape_if_clean(escaped, cap)
    except Odd:
        assert escaped == [*lines, *members]
        return
    for text in (*lines, *members):
        assert text == clean_line(text, cap) == masked(text)
        assert not line_signs(text)
    assert escaped == list(map(escape, [*lines, *members]))
    assert changed or escaped == [*lines, *members]


def checked(*texts: str, cap: int) -> list[str] | bool | None:
    """Return the texts as they are escaped, False where none may have changed, None where each has to be looked at."""
    escaped = [*texts]
    try:
        return escape_if_clean(escaped, cap) and escaped
    except Odd:
        return None


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
    assert checked("Aiko", "Acme", cap=30) is False
    for texts_with_one in (["Aiko", text, "Acme"], [text, "Aiko", "Acme"], ["Aiko", "Acme", text], [text]):
        assert checked(*texts_with_one, cap=30) is None


def test_the_cap_holds_for_each_text() -> None:
    assert checked(*["a bc"] * 18, cap=4) is False
    for place in range(18):
        assert checked(*["a bc"] * place, "a bcd", *["a bc"] * (17 - place), cap=4) is None
    assert checked("abcd", cap=4) is False
    assert checked("abcde", cap=4) is None


def test_what_holds_a_mark_is_escaped_in_its_place() -> None:
    assert checked("Groß & Söhne", "田中", "a & b", cap=100) is False
    assert checked("a; b", "c] d", cap=100) is False
    assert checked("b", "a <3", "c: d", cap=100) == ["b", "a &lt;3", "c: d"]
    assert checked("a <3", "5 <3", cap=100) == ["a &lt;3", "5 &lt;3"]
    assert checked("b > c", "&lt;", cap=100) == ["b &gt; c", "&amp;lt;"]
    assert checked("a <3", "x; y", cap=100) == ["a &lt;3", "x; y"]
    assert checked("&lt; & co", cap=100) == ["&amp;lt; & co"]
    assert checked(cap=100) is False


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(TypeError):
        escape_if_clean([5], 100)  # type: ignore[list-item]  # that is the point


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
