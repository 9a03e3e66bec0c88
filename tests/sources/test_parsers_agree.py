"""The C parser and the pure one: the same data, positions and faults, and no exception, whatever the bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.sources import parse_document
from frieze.sources.reading import _DISAGREEMENT, _may_disagree
from support.yaml_files import CHECKOUT, EDIT, FILES, SEEDS, mutated


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
