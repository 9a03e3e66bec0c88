"""What a residual asks for, line by line and each statement once, against a look at every sentence of every text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.checks.unfit_formatting import _NEGATION, _SENTENCE, FORMATTINGS, Glance, _words, asked_for

WORDS = (
    "Use a ta",
    "ble",
    "table",
    "put it in bold",
    " never",
    "Markdown",
    "見出し",
    "表格",
    "ſection",
    "Add SECTION titles",
)
SIGNS = (". ", "; ", "。", "\n", "\n\n", " ", "! ", "v1.2", "#")
PIECES = st.lists(st.sampled_from((*WORDS, *SIGNS)), min_size=1, max_size=5).map("".join)
OUT = st.just(["out", ["input", "x"], "escape"])


def body(below: st.SearchStrategy[list[Any]]) -> st.SearchStrategy[list[Any]]:
    branch = st.tuples(st.lists(below, min_size=1, max_size=2), below).map(
        lambda found: ["if", [[["input", "x"], arm] for arm in found[0]], found[1]]
    )
    loop = st.tuples(below, below).map(lambda found: ["for", "y#1", ["input", "x"], None, *found, None])
    capture = below.map(lambda found: ["capture", "z#1", found])
    return st.lists(
        st.one_of(PIECES, PIECES, PIECES, OUT, branch, loop, capture, st.just(["let", "z#2", 1])), max_size=5
    ).map(merged)


def merged(nodes: list[Any]) -> list[Any]:
    """Put texts that stand next to each other together, as residuals have them."""
    found: list[Any] = []
    for node in nodes:
        if found and isinstance(node, str) and isinstance(found[-1], str):
            found[-1] += node
        else:
            found.append(node)
    return found


BODIES = st.recursive(st.lists(PIECES, max_size=1), body, max_leaves=6)


def every_text(nodes: list[Any]) -> Iterator[str]:
    yield "".join(
        node if isinstance(node, str) else "\0" for node in nodes if isinstance(node, str) or node[0] == "out"
    )
    for node in nodes:
        if node[0] == "if":
            for _, arm in node[1]:
                yield from every_text(arm)
            yield from every_text(node[2])
        elif node[0] == "for":
            yield from every_text(node[4])
            yield from every_text(node[5])
        elif node[0] == "capture":
            yield from every_text(node[2])


def every_sentence(nodes: list[Any]) -> list[Any]:
    asked = []
    for text in every_text(nodes):
        for found in _SENTENCE.finditer(text):
            sentence = found[0].strip()
            for formatting in FORMATTINGS if not _NEGATION.search(sentence) else ():
                words = _words(formatting, sentence)
                if words:
                    asked.append((formatting, sentence, *words.span()))
    return asked


@settings(max_examples=300, deadline=None)
@given(st.lists(BODIES, min_size=1, max_size=3), st.randoms(use_true_random=False))
def test_lines_ask_for_what_every_sentence_asks_for(bodies: list[list[Any]], random: Any) -> None:
    glance = Glance()
    shared = [node for nodes in bodies for node in nodes if not isinstance(node, str)]
    variants = [*bodies, merged(random.sample(bodies[0], len(bodies[0])) + shared)]
    for nodes in variants:
        asked = [found for line in glance.lines(nodes) for found in asked_for(line)]
        assert asked == every_sentence(nodes)
