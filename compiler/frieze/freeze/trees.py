"""Variant trees: a block frozen once for every path of outcomes of the known expressions that it evaluates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from frieze.freeze.questions import Asked, Questions
from frieze.freeze.targets import Targets
from frieze.template import Outcome, Question, Unanswered

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


class _Answers(dict[str, Outcome]):
    """The answers so far; a question that all targets answer alike is settled while it is asked.

    `last` is the question asked last, and `parts` are its outcomes and the targets that give them.
    """

    def __init__(self, answers: Mapping[str, Outcome], targets: Targets, questions: Questions) -> None:
        super().__init__(answers)
        self.targets = targets
        self.questions = questions
        self.parts: list[tuple[Asked, int, Targets]] = []
        self.last: Question | None = None

    def settle(self, question: Question) -> Outcome | None:
        """Return the answer of all targets, None where they differ."""
        self.last = question
        self.parts = list(self.questions.split(question, self.targets))
        if len(self.parts) > 1:
            return None
        entry, number, _ = self.parts[0]
        self[question.key] = entry.outcomes[number]
        return self[question.key]


def grow(
    specialise: Callable[[Mapping[str, Outcome]], L],
    targets: Targets,
    questions: Questions,
    answers: Mapping[str, Outcome] | None = None,
) -> Tree[L]:
    """Run `specialise` with the answers so far; where it asks, branch on the distinct outcomes and go on.

    A question that all remaining targets answer alike makes no branch.
    """
    known = _Answers(answers or {}, targets, questions)
    while True:
        try:
            return Leaf(specialise(known), targets)
        except Unanswered as unanswered:
            question = unanswered.question
        if known.last is question or known.settle(question) is None:
            break
    parts = known.parts
    return Branch(
        parts[0][0],
        {
            number: grow(specialise, part, questions, {**known, question.key: entry.outcomes[number]})
            for entry, number, part in parts
        },
    )
