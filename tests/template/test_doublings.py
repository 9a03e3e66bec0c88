"""Values that double at every step end quickly: with Jinja2's text, or with the finding for too large values."""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.template import Outcome, Unanswered, UnsupportedTemplate, freeze, parse, specialise
from frieze.template.budget import Budget
from support.oracle import REFUSED, frozen, jinja

SECONDS = 20
"""Far more processor time than any of these templates needs, and far less than 2**30 of anything takes."""

GROWING = [
    "[x, x]",
    "(x, x)",
    "{'k': x, 'l': x}",
    "dict(k=x, l=[x])",
    "[[x], x]",
    "[x] + [x]",
    "[x] * 2",
    "([x] + [x]) * 1",
    "[x, x] | list",
    "[x, x] | batch(2) | list",
    "[x, x][0:2]",
    "[x, x] or b",
    "[x, x] if b else [x]",
    "[x, x] | default(b)",
    "{'k': (x, x)}.get('k')",
]
TEXTS = ["x ~ x", "[x, x] | join('-')", "x | string ~ x"]
CARRIERS: list[Callable[[str, str], str]] = [
    lambda step, rest: f"{{% set x = {step} %}}{rest}",
    lambda step, rest: f"{{% with x = {step} %}}{rest}{{% endwith %}}",
    lambda step, rest: f"{{% macro m(x) %}}{rest}{{% endmacro %}}{{{{ m({step}) }}}}",
    lambda step, rest: f"{{% macro m() %}}{{% set x = varargs %}}{rest}{{% endmacro %}}{{{{ m(x, {step}) }}}}",
    lambda step, rest: f"{{% macro m() %}}{{% set x = kwargs %}}{rest}{{% endmacro %}}{{{{ m(k=x, l={step}) }}}}",
    lambda step, rest: f"{{% set n = namespace(x={step}) %}}{{% set x = n.x %}}{rest}",
    lambda step, rest: f"{{% if b %}}{{% set x = {step} %}}{{% endif %}}{rest}",
    lambda step, rest: f"{{% set y = ({step}, 1) %}}{{% set x = y[0] %}}{rest}",
]
LOOPS: list[Callable[[str, str], str]] = [
    lambda step, rest: f"{{% for x in [{step}] %}}{rest}{{% endfor %}}",
    lambda step, rest: f"{{% for x, _ in [({step}, 1)] %}}{rest}{{% endfor %}}",
    lambda step, rest: f"{{% for x in [{step}, 0] if x %}}{rest}{{% endfor %}}",
]
STARTS = ["[a]", "[1]", "a", "[a, {'k': b}]", "'t'"]
ENDS = ["{{ x }}", "{{ x | length }}", "{{ x == x }}", "{{ [x, x] == [x] }}", "{{ x is eq x }}", "{{ 0 in [x] }}"]
VALUES = {"a": "A", "b": True}


def chain(start: str, steps: list[tuple[int, str]], end: str) -> str:
    """A template that puts the steps around each other; few loops, since Jinja2 takes twenty at most."""
    body = end
    for carrier, step in reversed(steps):
        body = (CARRIERS + LOOPS)[carrier](step, body)
    return f"{{% set x = {start} %}}{body}"


def chains(steps: list[str], least: int, most: int) -> st.SearchStrategy[str]:
    carriers = st.one_of(
        st.integers(0, len(CARRIERS) - 1), st.integers(0, len(CARRIERS) + len(LOOPS) - 1).filter(lambda n: n % 3 != 1)
    )
    pairs = st.lists(st.tuples(carriers, st.sampled_from(steps)), min_size=least, max_size=most)
    return st.builds(chain, st.sampled_from(STARTS), pairs, st.sampled_from(ENDS))


class Endless(BaseException):
    """Something took longer than it ever should."""


def soon(function: Callable[[], Any]) -> Any:
    """What a function gives, as long as it needs no more of the processor than `SECONDS`."""

    def stop(*_: Any) -> None:
        raise Endless

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return function()
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ends(source: str, known: dict[str, Any]) -> list[str]:
    """The codes that freezing gives."""
    try:
        freeze(source, known, hardening=False)
    except UnsupportedTemplate as refused:
        return [each.code for each in refused.diagnostics]
    return []


@settings(max_examples=250, deadline=None)
@given(chains(GROWING + TEXTS, 0, 5), st.booleans())
def test_short_chains_are_right(source: str, known: bool) -> None:
    given_known, given_unknown = (VALUES, {}) if known else ({}, VALUES)
    found = frozen(source, given_known, given_unknown)
    assert found in (jinja(source, VALUES), REFUSED), source


@settings(max_examples=60, deadline=None)
@given(chains(GROWING + TEXTS, 18, 40), st.booleans())
def test_long_chains_end(source: str, known: bool) -> None:
    codes = soon(lambda: ends(source, VALUES if known else {}))
    assert not known or codes in ([], ["F407"]), source
    assert set(codes) <= {"F407", "F403", "F416"}, source


@pytest.mark.parametrize("step", GROWING)
@pytest.mark.parametrize("start", ["[a]", "[1]"])
def test_every_doubling_meets_the_limit(start: str, step: str) -> None:
    source = chain(start, [(0, step)] * 40, "{{ x }}{{ a }}")
    assert soon(lambda: ends(source, {"b": True})) == ["F407"]


@pytest.mark.parametrize("carrier", range(len(CARRIERS)))
def test_every_way_of_handing_on_meets_the_limit(carrier: int) -> None:
    source = chain("[a]", [(carrier, "[x, x]")] * 36, "{{ x }}")
    assert soon(lambda: ends(source, {})) == ["F407"]


@pytest.mark.parametrize("carrier", range(len(CARRIERS), len(CARRIERS) + len(LOOPS)))
def test_loops_meet_the_limit(carrier: int) -> None:
    source = chain("[a]", [(carrier, "[[x, x], [x, x]]")] * 17, "{{ x }}")
    assert soon(lambda: ends(source, {})) == ["F407"]


@pytest.mark.parametrize("known", [{}, {"a": "A"}])
def test_a_namespace_written_in_a_loop_meets_the_limit(known: dict[str, Any]) -> None:
    source = "{% set n = namespace(x=[a]) %}{% for i in range(40) %}{% set n.x = [n.x, n.x] %}{% endfor %}{{ n.x }}"
    assert soon(lambda: ends(source, known)) == ["F407"]


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget whose end is reached in a moment."""
    monkeypatch.setattr(import_module("frieze.template.specialise"), "Budget", partial(Budget, work=5_000_000))


@pytest.mark.parametrize("compared", ["x == y", "x < y", "x is eq y", "y in [x]"])
@pytest.mark.usefixtures("little_work")
def test_comparing_large_known_values_is_work(compared: str) -> None:
    twice = "{% set x = (x, x) %}{% set y = (y, y) %}"
    source = f"{{% set x = (1, 2) %}}{{% set y = (1, 2) %}}{twice * 10}"
    often = f"{{% for i in range(5) %}}{{{{ {compared} }}}}{{% endfor %}}"
    assert ends(source + often, {}) == []
    assert ends(source + often.replace("5", "400"), {}) == ["F407"]


@pytest.mark.usefixtures("little_work")
def test_keys_are_weighed_before_they_are_hashed() -> None:
    source = "{% set x = (1, 2) %}" + "{% set x = (x, x) %}" * 10
    assert ends(source + "{% for i in range(5) %}{% set z = {x: 1} %}{% endfor %}", {}) == []
    assert ends(source + "{% for i in range(400) %}{% set z = {x: 1} %}{% endfor %}", {}) == ["F407"]


def test_long_lists_that_only_grow_are_fine() -> None:
    grow = "{% set n.xs = n.xs + [a ~ i] %}"
    source = f"{{% set n = namespace(xs=[]) %}}{{% for i in range(300) %}}{grow}{{% endfor %}}{{{{ n.xs | length }}}}"
    assert frozen(source, {}, {"a": "A"}) == "300"
    either = source.replace("n.xs + [a ~ i]", "(n.xs + [a]) if b else n.xs")
    assert frozen(either, {}, {"a": "A", "b": True}) == "300"


def test_numbers_that_double_are_no_lists() -> None:
    source = "{% set x = n %}" + "{% set x = x + x %}" * 40 + "{{ x }}"
    assert frozen(source, {}, {"n": 1}) == str(2**40)


def selected(source: str) -> tuple[list[str], list[str]]:
    """The questions that a template asks about a selector, all answered, and the codes that it ends with."""
    parsed = parse(source, name="t.yaml")
    answers: dict[str, Outcome] = {}
    while True:
        try:
            _, found = specialise(parsed, known={}, selectors=frozenset({"agent"}), answers=answers, inputs=frozenset())
        except Unanswered as unanswered:
            question = unanswered.question
            try:
                answers[question.key] = Outcome(question.evaluate({"agent": {"name": "concierge"}}))
            except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
                answers[question.key] = Outcome(None, (type(error).__name__, str(error)))
        else:
            return list(answers), [each.code for each in found]


@pytest.mark.parametrize("step", ["x ~ x", "x == x", "x | upper ~ x", "[x, x] | join", "x if x else x", "x and x"])
def test_expressions_over_selectors_do_not_grow_for_ever(step: str) -> None:
    source = "{% set x = agent.name %}" + f"{{% set x = {step} %}}" * 40 + "{{ x | string | length }}"
    asked, codes = soon(lambda: selected(source))
    assert max(map(len, asked)) < 10_000
    assert codes in ([], ["F407"])


def test_a_long_expression_over_selectors_is_asked_in_parts() -> None:
    source = "{% set x = agent.name %}" + "{% set x = x[-5:] ~ agent.name %}" * 200 + "{{ x | length }}"
    asked, codes = selected(source)
    assert codes == []
    assert len(asked) > 2
    assert max(map(len, asked)) < 5_000


def test_a_question_that_needs_too_much_is_the_finding_for_that() -> None:
    _, codes = selected("{{ (agent.name * 10000) | length }}{{ agent.name * 1000000 }}")
    assert codes == ["F407"]
