"""Boxes of targets and variant trees, against the plain list of all combinations."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.freeze.questions import Questions, encode
from frieze.freeze.targets import SELECTORS, Targets
from frieze.freeze.trees import Branch, grow
from frieze.template import Outcome, Question, Unanswered

NAMES = ("a", "b", "c")


@st.composite
def boxes(draw: st.DrawFn) -> Targets:
    """A few boxes that do not overlap, because each has agents of its own."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        rest = {name: tuple(draw(st.sets(st.sampled_from(NAMES), min_size=1))) for name in SELECTORS[1:]}
        found.append({"agent": tuple(f"agent{number}{index}" for index in range(draw(st.integers(1, 3)))), **rest})
    return Targets(tuple(found))


def listed(targets: Targets) -> list[tuple]:
    return [row for box in targets.boxes for row in product(*(box[name] for name in SELECTORS))]


subsets = st.lists(st.sampled_from(SELECTORS), min_size=1, max_size=3, unique=True).map(
    lambda names: tuple(name for name in SELECTORS if name in names)
)


@given(boxes(), subsets, st.integers(1, 5))
def test_parts_hold_exactly_the_matching_targets_once(targets: Targets, selectors: tuple, modulus: int) -> None:
    def number(row: tuple) -> int:
        return sum(map(ord, "".join(row))) % modulus

    indices = [SELECTORS.index(name) for name in selectors]
    parts = targets.parted(selectors, number)
    for found in range(modulus):
        expected = [row for row in listed(targets) if number(tuple(row[index] for index in indices)) == found]
        kept = listed(parts[found]) if found in parts else []
        assert sorted(kept) == sorted(expected)
        assert len(set(kept)) == len(kept)


@given(boxes())
def test_apart_is_one_part_for_each_value(targets: Targets) -> None:
    parts = targets.apart("agent")
    assert {value: sorted(listed(part)) for value, part in parts.items()} == {
        value: sorted(row for row in listed(targets) if row[0] == value)
        for (value,) in targets.combinations(("agent",))
    }


@given(boxes(), subsets)
def test_combinations_are_the_projection(targets: Targets, selectors: tuple) -> None:
    indices = [SELECTORS.index(name) for name in selectors]
    expected = {tuple(row[index] for index in indices) for row in listed(targets)}
    found = list(targets.combinations(selectors))
    assert set(found) == expected
    assert len(found) == len(expected)


programs = st.lists(st.tuples(subsets, st.integers(1, 4)), min_size=1, max_size=5)


@settings(max_examples=150)
@given(boxes(), programs)
def test_every_target_finds_the_leaf_that_it_would_have_computed(targets: Targets, program: list) -> None:
    """A program asks one question after the other; which comes next depends on the answer before."""
    questions = Questions(lambda selectors, row: dict(zip(selectors, row, strict=True)))

    def question(number: int) -> Question:
        selectors, modulus = program[number]
        return Question(
            f"q{number}", selectors, lambda data: sum(map(ord, "".join(data[name] for name in selectors))) % modulus
        )

    def run(answers: dict) -> tuple:
        path, number = [], 0
        while number < len(program):
            asked = question(number)
            if asked.key not in answers:
                raise Unanswered(asked)
            value = answers[asked.key].value
            path.append((number, value))
            number += 1 + value % 2
        return tuple(path)

    tree = grow(run, targets, questions)
    encoded = [encode(entry) for entry in sorted(questions.asked.values(), key=lambda entry: entry.index)]
    for row in listed(targets):
        target = dict(zip(SELECTORS, row, strict=True))
        node = tree
        while isinstance(node, Branch):
            entry = encoded[node.question.index]
            level = entry["table"]
            for name in entry["of"]:
                level = level.get(target[name]) if isinstance(level, dict) else level
                if level is None:
                    break
            node = node.to[entry["else"] if level is None else level]
        answers = {}
        for number in range(len(program)):
            asked = question(number)
            answers[asked.key] = Outcome(asked.evaluate(target))
        assert node.value == run(answers)
        assert row in listed(node.targets)
