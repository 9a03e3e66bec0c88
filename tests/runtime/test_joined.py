"""The joined look at a request's texts against a look at each."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.clean import clean_line
from frieze.runtime.joined import escaped_value, joined_if_clean, printed
from frieze.runtime.signs import line_signs, masked, member_signs
from support.values import CALM, texts

TEXTS = (
    texts(6)
    | st.text(alphabet="ab <>&;lgtR", min_size=1, max_size=8)
    | st.sampled_from(["&lt;", "R&D", "a<b", "&amp;gt;"])
)


@given(st.lists(TEXTS, max_size=4), st.lists(TEXTS, max_size=4), st.integers(3, 12))
@settings(CALM, max_examples=400)
def test_a_yes_means_that_each_text_is_clean_and_within_the_cap(lines: list[str], members: list[str], cap: int) -> None:
    if joined_if_clean(lines, members, cap) is None:
        return
    for text in (*lines, *members):
        assert text == clean_line(text, cap) == masked(text)
    assert not any(map(line_signs, lines))
    assert not any(map(member_signs, members))


@given(st.lists(TEXTS, max_size=3), st.lists(st.tuples(TEXTS, TEXTS), max_size=3), st.lists(TEXTS, max_size=3))
@settings(CALM, max_examples=400)
def test_what_is_printed_is_each_text_escaped(lines: list[str], rows: list[tuple[str, str]], tags: list[str]) -> None:
    members = [*(one for one, _ in rows), *(other for _, other in rows), *tags]
    found = joined_if_clean(lines, members, 100)
    values: dict[str, Any] = {f"line{number}": text for number, text in enumerate(lines)}
    values |= {"rows": [{"a": one, "b": other} for one, other in rows], "tags": tags}
    if found is None:
        return
    widths = {name: {"rows": 2, "tags": 1}.get(name, 0) for name in values}
    before = repr(values)
    shown = printed(values, widths, found[0]) if found[1] else values
    assert shown == {name: escaped_value(value) for name, value in values.items()}
    assert repr(values) == before


def test_an_ampersand_alone_keeps_its_place() -> None:
    assert joined_if_clean(["Groß & Söhne", "田中"], [], 100) == ("\nGroß & Söhne\n田中\n", False)
    assert joined_if_clean(["a <3"], [], 100) == ("\na <3\n", True)
