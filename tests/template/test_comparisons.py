"""What templates compare with texts: any template can be looked at, and each text stands where it is said to stand."""

from __future__ import annotations

import ast

import pytest

from frieze.template import parse
from frieze.template.comparisons import Comparison, comparisons
from support.grammar import case


def compared(source: str) -> list[tuple[str, str, str, bool | None]]:
    tree = parse(source, name="x").tree
    assert tree is not None
    return [(".".join(each.path), each.how, each.text, each.outcome) for each in comparisons(tree)]


def test_any_template_can_be_looked_at() -> None:
    found: list[Comparison] = []
    for seed in range(2000):
        parsed = parse(case(seed)[0], name="x")
        for each in comparisons(parsed.tree) if parsed.tree else ():
            assert ast.literal_eval(parsed.places.source[each.start : each.end]) == each.text
            found.append(each)
    assert len(found) > 150
    assert {each.how for each in found} >= {"is", "holds"}


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("{{ a.b == 'x' }}", [("a.b", "is", "x", False)]),
        ("{{ 'x' != a['b'].c }}", [("a.b.c", "is", "x", True)]),
        ("{{ a in ('x', 1, 'y') }}", [("a", "is", "x", None), ("a", "is", "y", None)]),
        ("{{ 'x' in a.b | sort | list }}", [("a.b.[]", "holds", "x", False)]),
        ("{{ a == 'x' == b }}", []),
        ("{{ a == b }}{{ a < 'x' }}{{ 'x' == 'y' }}{{ a in 'xyz' }}{{ a[0] == 'x' }}", []),
        ("{{ (a ~ 'x') == 'y' }}{{ (a or b) == 'x' }}{{ a() == 'x' }}{{ a | round == 'x' }}", []),
        ("{{ a | trim | lower == 'x' }}", [("a", "is", "x", False)]),
        ("{{ a | lower(1) == 'x' }}{{ (a | lower).b == 'x' }}", []),
        ("{% set a = b %}{{ a == 'x' }}", [("b", "is", "x", False)]),
        ("{% set a = b %}{% set a = c %}{{ a == 'x' }}", []),
        ("{% for a in b %}{{ a.c == 'x' }}{% endfor %}", [("b.[].c", "is", "x", False)]),
        ("{% for a, c in b %}{{ a == 'x' }}{% endfor %}", []),
        ("{% macro m(a) %}{{ a == 'x' }}{% endmacro %}", []),
        ("{% with a = b %}{{ a == 'x' }}{% endwith %}", []),
        ("{{ a | map(attribute='b.c') | first == 'x' }}", [("a.[].b.c", "is", "x", False)]),
        ("{{ a | rejectattr('b', 'in', ['x']) | list }}", [("a.[].b", "is", "x", None)]),
        ("{{ a.startswith(('x', 'y')) }}", [("a", "begins", "x", None), ("a", "begins", "y", None)]),
        ("{{ a.endswith('x') }}", [("a", "ends", "x", False)]),
        ("{{ {'x': 1}.get(a.b) }}", [("a.b", "is", "x", None)]),
        ("{{ a.b not in {'x': 1} }}", [("a.b", "is", "x", True)]),
    ],
)
def test_shapes(source: str, wanted: list[tuple[str, str, str, bool | None]]) -> None:
    assert compared(source) == wanted
