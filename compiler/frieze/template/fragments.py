"""Statements that are specialised by themselves, once for all templates that hold them.

A template whose statements leave nothing behind but what they print is cut into pieces. Tags and statements that are
written alike are one *fragment*: parsed once, and specialised once for every path of answers. The residual's statements
are then the same objects wherever the fragment stands, so later passes know them again by identity. What is wrong with
a template is never said from here: as soon as a fragment is not in order, the template is looked at as a whole.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from jinja2 import nodes

from frieze.diagnostics import Span
from frieze.runtime.nesting import first_too_deep
from frieze.template.budget import BUDGET, STEP_LIMIT, WORK_LIMIT, Budget, BudgetError
from frieze.template.builder import Builder, Entry
from frieze.template.cutting import cut
from frieze.template.ir import Mark, Residual
from frieze.template.parse import parse
from frieze.template.positions import Locate, Run, run_at, runs_of
from frieze.template.specialise import enter
from frieze.template.values import Exhausted, Halt, Outcome, Question, Unanswered
from frieze.template.walk import Walk

_BREAK = re.compile("\n")

Names: TypeAlias = "tuple[tuple[str, int], ...]"
"""How many locals of each name were taken so far."""


class Result(NamedTuple):
    """What a fragment gives: the locals taken behind it, and how much of the budget it took.

    Its marks count offsets in the fragment, where others have line and column.
    """

    entries: tuple[Entry, ...]
    names: Names
    steps: int
    work: int


@dataclass(slots=True)
class _Asked:
    """A question that a fragment asks, and what follows on each outcome, by identity."""

    key: str
    question: Question | None
    to: dict[int, tuple[Outcome, _Node]] = field(default_factory=dict)


_Node: TypeAlias = "_Asked | Result | None"
"""None: something is wrong with the fragment."""


class _Reading:
    """Answers that note which of them are read, in order."""

    __slots__ = ("_answers", "read")

    def __init__(self, answers: Mapping[str, Outcome]) -> None:
        self._answers = answers
        self.read: dict[str, tuple[Question | None, Outcome]] = {}

    def get(self, key: str) -> Outcome | None:
        return self._noted(key, None, self._answers.get(key))

    def settle(self, question: Question) -> Outcome | None:
        return self._noted(question.key, question, settled(self._answers, question))

    def _noted(self, key: str, question: Question | None, outcome: Outcome | None) -> Outcome | None:
        if outcome is not None:
            self.read.setdefault(key, (question, outcome))
        return outcome


class Fragment:
    """A tag or a statement by itself, and what it gave so far."""

    __slots__ = ("_nodes", "names", "parsed")

    def __init__(self, source: str) -> None:
        self.parsed = parse(source, name="", locate=_offsets)
        tree = self.parsed.tree
        self.names = frozenset(node.name for node in tree.find_all(nodes.Name)) if tree else frozenset[str]()
        self._nodes: dict[tuple[frozenset[str], Names], _Node] = {}

    def result(
        self, selectors: frozenset[str], answers: Mapping[str, Outcome], inputs: frozenset[str], names: Names
    ) -> Result | None:
        """Return what the fragment gives behind so many locals, None where something is wrong with it.

        `inputs` are the declared inputs, as far as the fragment names them.

        Raises:
            Unanswered: an answer is needed that is not there yet.
        """
        place = (inputs, names)
        if place not in self._nodes:
            return self._run(selectors, answers, place)
        node = self._nodes[place]
        while isinstance(node, _Asked):
            outcome = answers.get(node.key)
            if outcome is None and node.question is not None:
                outcome = settled(answers, node.question)
                if outcome is None:
                    raise Unanswered(node.question)
            found = node.to.get(id(outcome))
            if found is None:
                return self._run(selectors, answers, place)
            node = found[1]
        return node

    def asks(self, inputs: frozenset[str], names: Names) -> bool:
        """Tell whether what the fragment gives depends on answers."""
        return isinstance(self._nodes[inputs, names], _Asked)

    def _run(
        self, selectors: frozenset[str], answers: Mapping[str, Outcome], place: tuple[frozenset[str], Names]
    ) -> Result | None:
        reading = _Reading(answers)
        try:
            result = self._specialised(selectors, reading, *place)
        except Unanswered as unanswered:
            self._keep(place, reading, _Asked(unanswered.question.key, unanswered.question))
            raise
        self._keep(place, reading, result)
        return result

    def _specialised(
        self, selectors: frozenset[str], answers: Any, inputs: frozenset[str], names: Names
    ) -> Result | None:
        walk = Walk({}, selectors, answers, inputs, None, self.parsed.own_filters)
        walk.names = dict(names)
        budget = Budget()
        token = BUDGET.set(budget)
        try:
            entered = enter(walk, self.parsed)
            if entered is None:
                return None
            walk.run(*entered)
        except (Halt, Exhausted, BudgetError, RecursionError):
            return None
        finally:
            BUDGET.reset(token)
        entries = walk.builder.entries()
        if walk.diagnostics or first_too_deep([entry[0] for entry in entries]) is not None:
            return None
        taken = tuple(sorted(walk.names.items()))
        return Result(entries, taken, STEP_LIMIT - budget.steps, WORK_LIMIT - budget.work)

    def _keep(self, place: tuple[frozenset[str], Names], reading: _Reading, end: _Node) -> None:
        """Put what a run gave where the answers that it read lead to."""
        path = list(reading.read.items())
        for key, (_, outcome) in reversed(path):
            end = _Asked(key, reading.read[key][0], {id(outcome): (outcome, end)})
        self._nodes[place] = _joined(self._nodes.get(place), end)


def _joined(known: _Node, more: _Node) -> _Node:
    """Return what is known with one path more."""
    if not isinstance(known, _Asked) or not isinstance(more, _Asked):
        return more
    known.question = known.question or more.question
    for number, (outcome, node) in more.to.items():
        known.to[number] = (outcome, _joined(known.to[number][1], node) if number in known.to else node)
    return known


def settled(answers: Mapping[str, Outcome], question: Question) -> Outcome | None:
    """Ask for an answer that is not there; None where it depends on the target."""
    settle = getattr(answers, "settle", None)
    found: Outcome | None = settle(question) if settle else None
    return found


class Fragments:
    """The fragments of all templates, by how they are written."""

    __slots__ = ("_known",)

    def __init__(self) -> None:
        self._known: dict[str, Fragment] = {}

    def of(self, source: str, locate: Locate) -> Fragmented | None:
        """Return a template in fragments, None where it is to be looked at as a whole."""
        pieces = cut(source)
        if pieces is None:
            return None
        known = self._known
        found: list[tuple[int, str, Fragment | None]] = []
        for start, text, is_text in pieces:
            fragment = None
            if not is_text:
                fragment = known.get(text)
                if fragment is None:
                    fragment = known[text] = Fragment(text)
                if fragment.parsed.tree is None:
                    return None
            found.append((start, text, fragment))
        return Fragmented(source, found, locate)


@dataclass(slots=True)
class _Step:
    """A fragment of a template, the inputs that it names, and what it certainly gives behind so many locals."""

    fragment: Fragment
    inputs: frozenset[str]
    names: Names = ()
    result: Result | None = None


class Fragmented:
    """A template in fragments, and where it stands."""

    __slots__ = ("_locate", "_pieces", "_placed", "_source", "_steps", "_texts", "_work")

    def __init__(self, source: str, pieces: list[tuple[int, str, Fragment | None]], locate: Locate) -> None:
        self._source = source
        self._pieces = pieces
        self._locate = locate
        self._texts: dict[int, list[Run]] = {}
        self._placed: dict[tuple[int, int], tuple[Result, tuple[Entry, ...]]] = {}
        self._steps: dict[frozenset[str], list[_Step]] = {}
        self._work = sum(len(text) for _, text, fragment in pieces if fragment is None)

    def trees(self) -> Iterator[nodes.Template]:
        """Yield the syntax trees of the fragments."""
        for _, _, fragment in self._pieces:
            if fragment is not None and fragment.parsed.tree is not None:
                yield fragment.parsed.tree

    def pieces(self) -> Iterator[tuple[str, nodes.Template, Locate]]:
        """Yield each tag or statement as it is written, with its tree and with where its offsets stand."""
        for start, source, fragment in self._pieces:
            if fragment is not None and fragment.parsed.tree is not None:
                yield source, fragment.parsed.tree, _from(start, self._locate)

    def specialise(
        self, selectors: frozenset[str], answers: Mapping[str, Outcome], inputs: frozenset[str]
    ) -> Residual | None:
        """Decide everything that can be decided; None where the template is to be looked at as a whole.

        Raises:
            Unanswered: an answer is needed that is not there yet.
        """
        results: list[Result] = []
        names: Names = ()
        steps, work = 0, self._work
        for step in self._steps_of(inputs):
            if step.result is not None and step.names == names:
                result = step.result
            else:
                found = step.fragment.result(selectors, answers, step.inputs, names)
                if found is None:
                    return None
                result = found
                if not step.fragment.asks(step.inputs, names):
                    step.names, step.result = names, result
            results.append(result)
            names = result.names
            steps += result.steps
            work += result.work
        if steps > STEP_LIMIT or work > WORK_LIMIT:
            return None
        builder = Builder()
        following = iter(results)
        for number, (_, text, piece) in enumerate(self._pieces):
            if piece is None:
                builder.text(text, self._runs(number))
            else:
                builder.repeat(self._entries(number, next(following)))
        return Residual(*builder.close())

    def _steps_of(self, inputs: frozenset[str]) -> list[_Step]:
        """Return the fragments in order."""
        found = self._steps.get(inputs)
        if found is None:
            fragments = [fragment for _, _, fragment in self._pieces if fragment is not None]
            found = self._steps[inputs] = [_Step(fragment, inputs & fragment.names) for fragment in fragments]
        return found

    def _runs(self, number: int) -> list[Run]:
        """Return where the lines of a text come from."""
        found = self._texts.get(number)
        if found is None:
            start, text, _ = self._pieces[number]
            found = self._texts[number] = runs_of(self._source, start, text, self._locate)
        return found

    def _entries(self, number: int, result: Result) -> tuple[Entry, ...]:
        """Return what a fragment gives, with the marks of this template."""
        found = self._placed.get((number, id(result)))
        if found is None:
            move = _mover(self._source, self._pieces[number][0], self._locate)
            entries = tuple(
                (node, move(mark), tuple([move(each) for each in marks] for marks in inside))
                for node, mark, inside in result.entries
            )
            found = self._placed[number, id(result)] = (result, entries)
        return found[1]


def straight(source: str, file: str, line: int, column: int) -> Locate:
    """Return where offsets stand in a text whose lines are lines of a file, all from one column on."""
    starts = [0, *(found.end() for found in _BREAK.finditer(source))]

    def locate(start: int, end: int) -> Span:
        first, last = bisect_right(starts, start) - 1, bisect_right(starts, end) - 1
        return Span(file, line + first, column + start - starts[first], line + last, column + end - starts[last])

    return locate


def _from(base: int, locate: Locate) -> Locate:
    return lambda start, end: locate(base + start, base + end)


def _offsets(start: int, end: int) -> Span:
    """Note offsets where a span has line and column, until it is known where the fragment stands."""
    return Span("", start, end)


def _mover(source: str, base: int, locate: Locate) -> Callable[[Mark], Mark]:
    """Return the function that gives marks with offsets their place in a template."""

    def move(mark: Mark) -> Mark:
        first = mark[0]
        if isinstance(first, list):
            return [move(each) for each in mark]
        if isinstance(first, str):
            return list(locate(base + mark[1], base + mark[2]))
        at = base + mark[2]
        return [*run_at(source, at, at + 1, first, locate)]

    return move
