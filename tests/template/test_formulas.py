"""Satisfiability against truth tables."""

from __future__ import annotations

from itertools import product
from typing import TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.template import formulas
from frieze.template.formulas import (
    FALSE,
    TRUE,
    Formula,
    TooInvolvedError,
    atom,
    both,
    choose,
    counter_model,
    either,
    negate,
)

NAMES = "pqrs"
Tree: TypeAlias = str | tuple[str, *tuple["Tree", ...]]

TREES = st.recursive(
    st.sampled_from([*NAMES, "true", "false"]),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), inner, inner),
        st.tuples(st.just("if"), inner, inner, inner),
    ),
    max_leaves=12,
)


def build(tree: Tree) -> Formula:
    match tree:
        case "true" | "false":
            return TRUE if tree == "true" else FALSE
        case str():
            return atom(tree, "holds", tree)
        case ("not", operand):
            return negate(build(operand))
        case ("and", left, right):
            return both(build(left), build(right))
        case ("or", left, right):
            return either(build(left), build(right))
        case (_, condition, then, otherwise):
            return choose(build(condition), build(then), build(otherwise))


def value(tree: Tree, facts: dict[str, bool]) -> bool:
    match tree:
        case "true" | "false":
            return tree == "true"
        case str():
            return facts[tree]
        case ("not", operand):
            return not value(operand, facts)
        case ("and", left, right):
            return value(left, facts) and value(right, facts)
        case ("or", left, right):
            return value(left, facts) or value(right, facts)
        case (_, condition, then, otherwise):
            return value(then, facts) if value(condition, facts) else value(otherwise, facts)


WORLDS = [dict(zip(NAMES, row, strict=True)) for row in product((False, True), repeat=len(NAMES))]


@settings(max_examples=300, deadline=None)
@given(TREES, TREES)
def test_a_counter_model_exists_exactly_where_the_truth_table_has_one(premise: Tree, conclusion: Tree) -> None:
    against = [world for world in WORLDS if value(premise, world) and not value(conclusion, world)]
    model = counter_model(build(premise), build(conclusion))
    assert (model is None) == (not against)
    if model is None:
        return
    facts = {fact.key: holds for fact, holds in model.items()}
    agreeing = [world for world in WORLDS if facts.items() <= world.items()]
    assert all(world in against for world in agreeing), "what the model says is enough"
    for dropped in facts:
        rest = {name: holds for name, holds in facts.items() if name != dropped}
        assert not all(world in against for world in WORLDS if rest.items() <= world.items()), "and nothing too much"


def chain(length: int) -> Formula:
    formula = FALSE
    for index in range(length):
        formula = choose(atom(f"c{index}", "holds", "c"), atom(f"x{index}", "given", "x"), formula)
    return formula


def test_a_long_chain_of_joins_is_no_burden() -> None:
    assert counter_model(TRUE, chain(3_000)) is not None
    assert counter_model(chain(20), chain(20)) is None


def test_what_takes_too_many_splits_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "SPLITS", 50)
    pigeons = TRUE
    for pigeon in range(5):
        pigeons = both(pigeons, _any(atom(f"{pigeon}{hole}", "holds", "") for hole in range(4)))
    for hole in range(4):
        for one in range(5):
            for other in range(one):
                pigeons = both(
                    pigeons,
                    negate(both(atom(f"{one}{hole}", "holds", ""), atom(f"{other}{hole}", "holds", ""))),
                )
    with pytest.raises(TooInvolvedError):
        counter_model(pigeons, FALSE)


def _any(parts: object) -> Formula:
    whole = FALSE
    for part in parts:
        whole = either(whole, part)
    return whole
