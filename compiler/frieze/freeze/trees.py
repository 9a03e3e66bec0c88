"""Variant trees: a block frozen once for every path of outcomes of the known expressions that it evaluates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from frieze.freeze.questions import Asked, Questions
from frieze.freeze.targets import Targets
from frieze.template import Outcome, Unanswered

L = TypeVar("L")


@dataclass(frozen=True, slots=True)
class Branch(Generic[L]):
    """A question and, by the number of its outcome, what follows."""

    question: Asked
    to: Mapping[int, Tree[L]]


@dataclass(frozen=True, slots=True)
class Leaf(Generic[L]):
    """What holds for `targets`, all of which gave the same answers."""

    value: L
    targets: Targets


Tree: TypeAlias = "Branch[L] | Leaf[L]"


def grow(
    specialise: Callable[[Mapping[str, Outcome]], L],
    targets: Targets,
    questions: Questions,
    answers: Mapping[str, Outcome] | None = None,
) -> Tree[L]:
    """Run `specialise` with the answers so far; where it asks, branch on the distinct outcomes and go on.

    A question that all remaining targets answer alike makes no branch.
    """
    known = dict(answers or {})
    while True:
        try:
            return Leaf(specialise(known), targets)
        except Unanswered as unanswered:
            question = unanswered.question
        parts = list(questions.split(question, targets))
        if len(parts) > 1:
            break
        entry, number, _ = parts[0]
        known[question.key] = entry.outcomes[number]
    return Branch(
        parts[0][0],
        {
            number: grow(specialise, part, questions, {**known, question.key: entry.outcomes[number]})
            for entry, number, part in parts
        },
    )
