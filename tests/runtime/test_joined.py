"""The joined look at a request's texts against a look at each."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from frieze.runtime.clean import clean_line
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
    found = joined_if_clean(lines, members, cap)
    if found is None:
        return
    for text in (*lines, *members):
        assert text == clean_line(text, cap) == masked(text)
        assert not line_signs(text)
    for joined, group in zip(found, (lines, members), strict=True):
        escaped = list(map(escape, group))
        assert (escaped_texts(joined) if joined else group) == escaped


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
    assert joined_if_clean(["Aiko"], ["Acme"], 30) == UNMARKED
    assert joined_if_clean(["Aiko", text], ["Acme"], 30) is None
    assert joined_if_clean(["Aiko"], [text, "Acme"], 30) is None


def test_the_cap_holds_for_each_text() -> None:
    assert joined_if_clean(["a bc"] * 9, ["a bc"] * 9, 4) == UNMARKED
    assert joined_if_clean([*["a bc"] * 9, "a bcd"], ["a bc"] * 9, 4) is None
    assert joined_if_clean(["a bc"] * 9, [*["a bc"] * 9, "a bcd"], 4) is None
    assert joined_if_clean(["a bcd", *["a bc"] * 9], [], 4) is None


def test_an_ampersand_alone_keeps_its_place() -> None:
    assert joined_if_clean(["Groß & Söhne", "田中"], ["a & b"], 100) == UNMARKED
    assert joined_if_clean(["a <3", "b"], ["c: d"], 100) == ("a <3\nb", "")
    assert joined_if_clean(["a"], ["b > c", "&lt;"], 100) == ("", "b > c\n&lt;")


def test_what_is_no_text_is_an_error() -> None:
    with pytest.raises(TypeError):
        joined_if_clean([5], [], 100)  # type: ignore[list-item]
