"""The C parser and the pure one: the same data, positions and faults, and no exception, whatever the bytes."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.diagnostics.catalogue import CODES
from frieze.resources import profiles_folder
from frieze.sources import parse_document
from frieze.sources.reading import _DISAGREEMENT, _may_disagree

CHECKOUT = Path(__file__).parents[2]
FILES = sorted(chain(profiles_folder().rglob("*.yaml"), (CHECKOUT / "examples").rglob("*.yaml")))

SEEDS = [
    *(text for code in CODES.values() for text in (code.bad, code.good) if text and len(text) < 800),
    'kind: agent\nb: "x\\\n  y"\na: &x |2-\n   foo\nc: *x\nd: {e: [1, 2], ? f, g: }\nf:\nl:\n  - a\n  -\n  - b: c\n',
    "a: >+\n  foo\n  bar\n\n   more\n\n\nb: 'it''s\n\n  ok'\nc: plain\n  text\n\n  more # c\nd: - x\n",
    "? a\n: b\n? - c\n: d\n",
    "--- \na: b\n...\n",
    "a: # c\n  - 1 # x\n  # y\n  - # z\n  - [a, , b]\n",
    "a: {{ x }} hi\nb: [{{ y }}, z]\nc: {% if %}\nd: ok\n",
]
PIECES = [
    *" \n\t:-?[]{},#&*!|>'\"%@`\\~=<x1.", "\n  ", "\n    ", ": ", "- ", "&a ", "*a", "&a: ", "{{ x }}", "\u3042", "\u2028", "\u00a0", "\ufeff", "---",
    "...", "%YAML 1.1\n", "|\n", "|2-\n", ">+\n", "\\u00e9", "\\ud800", "\\UFFFFFFFF", "<<: ", "null", "\r\n", "\r", "? ", "!t ", "# c", "\U0001f600", "",
]  # fmt: skip
EDIT = st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 2, 5]), st.sampled_from(PIECES))


def outcome(data: bytes, pure: bool) -> tuple[Any, ...]:
    document, faults = parse_document(data, "x.yaml", pure=pure)
    return (document and (repr(document.data), repr(document.root), document.doubtful), faults)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_they_agree_on_every_shipped_file(path: Path) -> None:
    data = path.read_bytes()
    assert outcome(data, False) == outcome(data, True)
    assert outcome(data, False)[0] is not None


@pytest.mark.parametrize("seed", SEEDS, ids=range(len(SEEDS)))
def test_they_agree_on_every_example_of_the_catalogue(seed: str) -> None:
    assert outcome(seed.encode(), False) == outcome(seed.encode(), True)


def mutated(seed: str, edits: list[tuple[float, int, str]]) -> str:
    for place, length, piece in edits:
        at = int(place * len(seed))
        seed = seed[:at] + piece + seed[at + length :]
    return seed


@given(st.lists(st.sampled_from(["a: ", "|", ">", "-", "+", "2", " ", "\n", "#", "%", "...", "\t", "b"])).map("".join))
def test_where_they_may_disagree_is_seen_at_a_glance(text: str) -> None:
    assert _may_disagree(text) == bool(_DISAGREEMENT.search(text))


@settings(max_examples=1500, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(EDIT, min_size=1, max_size=5))
def test_they_agree_on_mutated_profiles(seed: str, edits: list[tuple[float, int, str]]) -> None:
    data = mutated(seed, edits).encode()
    assert outcome(data, False) == outcome(data, True)


@pytest.mark.slow
@settings(max_examples=15_000, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(EDIT, min_size=1, max_size=6))
def test_they_agree_on_many_mutated_profiles(seed: str, edits: list[tuple[float, int, str]]) -> None:
    data = mutated(seed, edits).encode()
    assert outcome(data, False) == outcome(data, True)


@settings(max_examples=500, deadline=None)
@given(st.sampled_from(SEEDS), st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3)), min_size=1, max_size=4))
def test_mutated_bytes_give_data_or_faults(seed: str, edits: list[tuple[float, bytes]]) -> None:
    data = seed.encode()
    for place, piece in edits:
        at = int(place * len(data))
        data = data[:at] + piece + data[at + len(piece) :]
    document, faults = outcome(data, False)
    assert document is not None or faults
    assert all(fault.message for fault in faults)
    assert outcome(data, True) == (document, faults)


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=60))
def test_arbitrary_bytes_give_data_or_faults(data: bytes) -> None:
    document, faults = outcome(data, False)
    assert document is not None or faults
