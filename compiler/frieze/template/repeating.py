"""Statements that were specialised before with the same answers: variants of a template have most of it in common.

Only templates whose tags are `if` and `for` are run this way: there a statement leaves nothing but what it prints,
so what it gave can be given again. What it found wrong, or a failure in it, is never repeated from here: then the rest
is run as it always is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import nodes

from frieze.template.budget import BUDGET
from frieze.template.builder import Builder, Entry
from frieze.template.scopes import Frame
from frieze.template.values import Halt, Outcome, Question
from frieze.template.walk import Walk

SIMPLE = frozenset({"if", "for"})
"""Tags that leave nothing behind."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a statement gave: with which answers and which locals taken before, how much it took."""

    answers: Mapping[str, Outcome]
    before: Mapping[str, int]
    after: Mapping[str, int]
    entries: tuple[Entry, ...]
    steps: int
    work: int

    def holds(self, walk: Walk) -> bool:
        """Tell whether the statement would give the same again."""
        return walk.names == self.before and all(
            walk.answers.get(key) is outcome for key, outcome in self.answers.items()
        )


class _Reading:
    """Answers that note which of them are read."""

    __slots__ = ("_answers", "read")

    def __init__(self, answers: Mapping[str, Outcome]) -> None:
        self._answers = answers
        self.read: dict[str, Outcome] = {}

    def get(self, key: str) -> Outcome | None:
        return self._noted(key, self._answers.get(key))

    def settle(self, question: Question) -> Outcome | None:
        settle = getattr(self._answers, "settle", None)
        return self._noted(question.key, settle(question) if settle else None)

    def _noted(self, key: str, outcome: Outcome | None) -> Outcome | None:
        if outcome is not None:
            self.read[key] = outcome
        return outcome


def run_template(walk: Walk, body: Sequence[nodes.Node], frame: Frame) -> None:
    """Run the statements of a whole template.

    Raises:
        Halt: one of them certainly fails.
    """
    parsed = frame.parsed
    if walk.inputs is None or walk.known or not parsed.tags <= SIMPLE:
        walk.run(body, frame)
        return
    for position, node in enumerate(body):
        if not (_repeated(walk, node, frame) or _noted(walk, node, frame)):
            walk.run(body[position:], frame)
            return


def _repeated(walk: Walk, node: nodes.Node, frame: Frame) -> bool:
    for earlier in frame.parsed.earlier.get((id(node), walk.inputs), ()):
        if earlier.holds(walk):
            budget = BUDGET.get()
            budget.steps -= earlier.steps - 1
            budget.step(earlier.work)
            walk.names.update(earlier.after)
            walk.builder.repeat(earlier.entries)
            return True
    return False


def _noted(walk: Walk, node: nodes.Node, frame: Frame) -> bool:
    """Run a statement and note what it gives; False, and nothing done, where anything is wrong with it."""
    answers, found, names, consumed = walk.answers, len(walk.diagnostics), dict(walk.names), set(walk.consumed)
    budget = BUDGET.get()
    steps, work = budget.steps, budget.work
    builder, reading = Builder(), _Reading(answers)
    reader: Any = reading  # it answers to all that is asked of answers
    walk.answers = reader
    whole = True
    try:
        with walk.swapped(builder):
            walk.run([node], frame)
    except Halt:
        whole = False
    finally:
        walk.answers = answers
    if not whole or len(walk.diagnostics) > found:
        del walk.diagnostics[found:]
        walk.names, walk.consumed = names, consumed
        budget.steps, budget.work = steps, work
        return False
    entries = builder.entries()
    earlier = Earlier(reading.read, names, dict(walk.names), entries, steps - budget.steps, work - budget.work)
    frame.parsed.earlier.setdefault((id(node), walk.inputs), []).append(earlier)
    walk.builder.repeat(entries)
    return True
