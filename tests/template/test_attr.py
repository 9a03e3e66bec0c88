"""The filter `attr`, which looks at attributes alone: what an unknown value may have of Python's own is refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.template import UnsupportedTemplate, freeze
from support.oracle import RAISES, REFUSED, frozen, jinja

VALUES: dict[str, Any] = {
    "map": {"k": 1, "items": "key", "upper": "key"},
    "empty": {},
    "list": ["x", "y"],
    "text": "abc",
    "whole": 3,
    "number": 2.5,
    "truth": True,
    "nothing": None,
}
METHODS = sorted({name for value in [*VALUES.values(), ()] for name in dir(value)})
USES = [
    "{{ a | attr(NAME) }}",
    "{{ a | attr(name=NAME) }}",
    "{{ a | attr(NAME) | string }}",
    "{{ (a | attr(NAME)) is defined }}",
    "{{ (a | attr(NAME)) is callable }}",
    "{{ (a | attr(NAME))() }}",
    "{{ a | attr(NAME) | default('d') }}",
    "{{ (a | attr(NAME)) or 'd' }}",
    "{{ (a | attr(NAME)) == (a | attr(NAME)) }}",
    "{% set f = a | attr(NAME) %}{% if f is defined %}{{ f }}{% endif %}",
    "{{ [a] | map('attr', NAME) | join }}",
    "{{ [a] | map('attr', name=NAME) | map('string') | join }}",
    "{{ [a] | attr(NAME) }}",
]


@pytest.mark.parametrize("use", USES)
def test_no_method_is_printed(use: str) -> None:
    for name in [*METHODS, "k", "nope", "1", ""]:
        source = use.replace("NAME", repr(name))
        codes = refusals(source)
        if name in METHODS:
            assert set(codes) & {"F403", "F410", "F414"}, source
            continue
        for value in VALUES.values():
            found = frozen(source, {}, {"a": value})
            assert found in (jinja(source, {"a": value}), REFUSED), (source, value)


def refusals(source: str, known: dict[str, Any] | None = None) -> list[str]:
    try:
        freeze(source, known or {}, hardening=False)
    except UnsupportedTemplate as refused:
        return [each.code for each in refused.diagnostics]
    return []


@pytest.mark.parametrize(
    "source",
    ["{{ a | attr(b) }}", "{{ a | attr(name=b) }}", "{{ a | attr('it' ~ b) }}", "{{ [a] | map('attr', b) | list }}"],
)
@pytest.mark.parametrize("known", [{}, {"a": {"k": 1}}, {"a": "text"}])
def test_an_unknown_name_is_refused(source: str, known: dict[str, Any]) -> None:
    assert refusals(source, known) == ["F403"]


def test_the_advice_says_what_to_write() -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze("Hi\n{{ a | attr('items') }}", {}, hardening=False)
    assert caught.value.line == 2
    assert "`attr('items')`" in caught.value.diagnostics[0].message
    assert "value['items']" in caught.value.advice


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(USES), st.sampled_from([*METHODS, "k", "nope"]), st.sampled_from(sorted(VALUES)), st.booleans())
def test_any_split_is_right_or_refused(use: str, name: str, value: str, name_known: bool) -> None:
    source = use.replace("NAME", "n")
    values = {"a": VALUES[value], "n": name}
    known = {"n": name} if name_known else {"a": VALUES[value]}
    found = frozen(source, known, {key: item for key, item in values.items() if key not in known})
    expected = jinja(source, values)
    if found != REFUSED and "0x" not in str(expected):
        assert found in (expected, RAISES if name[:1] == "_" else expected), (source, values)
