"""The overall shape of a context."""

from __future__ import annotations

from contextlib import suppress
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime import context
from frieze.runtime.context import check_context
from frieze.runtime.errors import ContextError
from frieze.runtime.notes import Note
from support.values import CALM, values

CONTRACT = {
    "clock": {"type": "datetime"},
    "contact.name": {"type": "line"},
    "message.metadata": {"type": "attributes"},
    "message.metadata.timezone": {"type": "timezone"},
    "skills": {"type": "list"},
}


def check(context: Any) -> list[Note]:
    notes: list[Note] = []
    check_context(context, CONTRACT, notes)
    return notes


@pytest.mark.parametrize(
    "context",
    [
        None,
        {},
        {"contact": None},
        {"contact": {}, "message": {}},
        {"contact": {"name": 5}, "skills": "x", "message": {"metadata": ["no map"]}},
        {"message": {"metadata": {"anything": 1, "timezone": []}}},
        MappingProxyType({"contact": MappingProxyType({"name": "Aiko"})}),
    ],
)
def test_shapes_that_pass(context: Any) -> None:
    assert check(context) == []


@pytest.mark.parametrize(
    ("context", "error"),
    [
        ([], ContextError("", "a map", "a list")),
        ("{}", ContextError("", "a map", "text")),
        (True, ContextError("", "a map", "a boolean")),
        ({"contact": "Aiko"}, ContextError("contact", "a map", "text")),
        ({"message": [1]}, ContextError("message", "a map", "a list")),
        ({"message": 1.5}, ContextError("message", "a map", "a number")),
    ],
)
def test_shapes_that_do_not(context: Any, error: ContextError) -> None:
    with pytest.raises(ContextError) as raised:
        check(context)
    assert raised.value == error


def test_unknown_keys_are_noted() -> None:
    context = {"contct": {}, "contact": {"nmae": "x"}, 5: 1, "clock": "2000", "<b>": 1}
    assert check(context) == [
        Note("unknown-path", "", "", "contct"),
        Note("unknown-path", "", "contact", "nmae"),
        Note("unknown-path", "", "", ""),
        Note("unknown-path", "", "", "clock"),
    ]


@given(st.one_of(values(), st.dictionaries(st.sampled_from(["contact", "message", "skills", "x"]), values())))
@CALM
def test_any_context_passes_or_raises_the_one_error(context: Any) -> None:
    before = repr(context)
    with suppress(ContextError):
        check(context)
    assert repr(context) == before


def test_two_contracts_are_told_apart() -> None:
    for number in range(40):
        notes: list[Note] = []
        check_context({f"k{number}": 1}, {f"k{number}": {"type": "integer"}}, notes)
        assert notes == []
    assert len(context._shapes) <= context._KEPT_SHAPES
