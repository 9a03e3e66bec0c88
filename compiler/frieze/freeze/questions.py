"""What the variant trees ask: known expressions over selectors, and their outcomes by selector value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from frieze.freeze.targets import SELECTORS, Combination, Targets
from frieze.template import Outcome, Question
from frieze.template.ir import constant

TEXT_LIMIT = 80
"""Longest outcome, in characters of JSON, that a bundle keeps for `explain`."""


@dataclass(slots=True)
class Asked:
    """One question and every answer that some target gave so far."""

    index: int
    key: str
    selectors: tuple[str, ...]
    outcomes: list[Outcome] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    table: dict[Combination, int] = field(default_factory=dict)
    met: dict[int, tuple[Outcome, int]] = field(default_factory=dict)
    """Outcomes by identity, with their number."""

    def number(self, outcome: Outcome) -> int:
        """Return the outcome's index, giving it one when it is new."""
        same = self.met.get(id(outcome))
        if same is not None:
            return same[1]
        identity = _identity(outcome)
        found = self.numbers.get(identity)
        if found is None:
            found = self.numbers[identity] = len(self.outcomes)
            self.outcomes.append(outcome)
        self.met[id(outcome)] = (outcome, found)
        return found


@dataclass(slots=True)
class Answered:
    """What was answered so far, whoever asked: no question is evaluated twice for the same selector values.

    Equal outcomes of one question are one object, so that they can be told apart by identity.
    """

    given: dict[str, dict[Combination, Outcome]] = field(default_factory=dict)
    outcomes: dict[tuple[str, str], Outcome] = field(default_factory=dict)
    met: dict[tuple[str, int], tuple[Any, Outcome]] = field(default_factory=dict)
    """Outcomes by the identity of texts and tuples that were their value."""
    alike: dict[tuple[str, tuple[Any, ...]], Outcome] = field(default_factory=dict)
    """Outcomes by what a question reads of the selectors' data."""

    def outcome(self, question: Question, data: Mapping[str, Any], parts: Parts) -> Outcome:
        """Return the answer for some selector values, of which `data` is what a template sees."""
        read = _read(parts, data)
        if read is None:
            return self._settled(question, data)
        found = self.alike.get((question.key, read))
        if found is None:
            found = self.alike[question.key, read] = self._settled(question, data)
        return found

    def _settled(self, question: Question, data: Mapping[str, Any]) -> Outcome:
        try:
            value = question.evaluate(data)
            same = self.met.get((question.key, id(value)))
            if same is not None:
                return same[1]
            outcome = Outcome(value)
            found = self.outcomes.setdefault((question.key, _identity(outcome)), outcome)
            if isinstance(value, str | tuple):
                self.met[question.key, id(value)] = (value, found)
        except Exception as error:  # noqa: BLE001 # whatever the author's expression raises is its outcome
            outcome = Outcome(None, (type(error).__name__, str(error)))
            return self.outcomes.setdefault((question.key, _identity(outcome)), outcome)
        return found


_PLAIN = frozenset({str, bool, int, type(None)})
_CONTAINERS = frozenset({list, tuple, dict})


Parts: TypeAlias = "tuple[tuple[str, str], ...] | None"
"""Selector and name of each part that a question reads; None where it may read more."""


def _parts_of(parts: frozenset[str]) -> Parts:
    return tuple((selector, name) for selector, _, name in (part.partition(".") for part in sorted(parts)))


def _read(parts: Parts, data: Mapping[str, Any]) -> tuple[Any, ...] | None:
    """Return what stands for all that a question reads of the data, None where nothing does."""
    if parts is None:
        return None
    read: list[Any] = []
    for selector, name in parts:
        value = data[selector].get(name, parts)
        kind = type(value)
        if kind in _CONTAINERS:
            if value is parts:
                return None
            try:
                value = json.dumps(constant(value)) if value else ""
            except TypeError:
                return None
        elif kind not in _PLAIN:
            return None
        # 1 and true are equal, and print differently.
        read += (kind, value)
    return tuple(read)


@dataclass(slots=True)
class Questions:
    """The questions of some trees. `data` gives what a template sees of one combination of selector values.

    `answered` is shared by all who ask about the same data.
    """

    data: Callable[[tuple[str, ...], Combination], Mapping[str, Any]]
    asked: dict[str, Asked] = field(default_factory=dict)
    answered: Answered = field(default_factory=Answered)

    def entry(self, key: str, selectors: tuple[str, ...]) -> Asked:
        """Return what is known of a question, noting it when it is new."""
        found = self.asked.get(key)
        if found is None:
            found = self.asked[key] = Asked(len(self.asked), key, _in_order(selectors))
        return found

    def split(self, question: Question, targets: Targets) -> Iterator[tuple[Asked, int, Targets]]:
        """Yield (question, outcome number, the targets that give it) for every distinct outcome."""
        entry = self.entry(question.key, question.selectors)
        parts_read = None if question.parts is None else _parts_of(question.parts)
        table, given = entry.table, self.answered.given.setdefault(question.key, {})
        present: dict[int, None] = {}
        last: Outcome | None = None
        number: int | None = None
        for combination in targets.combinations(entry.selectors):
            known = table.get(combination)
            if known is None:
                outcome = given.get(combination)
                if outcome is None:
                    data = self.data(entry.selectors, combination)
                    outcome = given[combination] = self.answered.outcome(question, data, parts_read)
                # Neighbours mostly answer alike, and equal outcomes are one object.
                known = number if outcome is last and number is not None else entry.number(outcome)
                table[combination] = known
                last, number = outcome, known
            present[known] = None
        parts = targets.parted(entry.selectors, entry.table.__getitem__) if len(present) > 1 else {}
        for number in present:
            yield entry, number, parts.get(number, targets)


_BEHIND = {"personality": ("model",), "mode": ("agent", "model")}


def _in_order(selectors: tuple[str, ...]) -> tuple[str, ...]:
    """Add what others depend on: a personality's text on the model, a mode on the agent's policy and the model."""
    wanted = {*selectors}.union(*(_BEHIND.get(name, ()) for name in selectors))
    return tuple(name for name in SELECTORS if name in wanted)


def _identity(outcome: Outcome) -> str:
    if outcome.error is not None:
        return "!" + json.dumps(outcome.error)
    return json.dumps(constant(outcome.value), ensure_ascii=False)


def encode(entry: Asked) -> dict[str, Any]:
    """Return a question as bundle data: the selectors it depends on, and a table without its most common outcome."""
    selectors, table = _reduce(entry.selectors, entry.table)
    counts: dict[int, int] = {}
    for number in table.values():
        counts[number] = counts.get(number, 0) + 1
    common = min(counts, key=lambda number: (-counts[number], number))
    nested: dict[str, Any] = {}
    for combination, number in table.items():
        if number != common:
            level = nested
            for value in combination[:-1]:
                level = level.setdefault(value or "", {})
            level[combination[-1] or ""] = number
    return {"ask": entry.key, "of": list(selectors), "else": common, "table": nested, "outcomes": _texts(entry)}


def _reduce(
    selectors: tuple[str, ...], table: Mapping[Combination, int]
) -> tuple[tuple[str, ...], dict[Combination, int]]:
    """Drop every selector that never changes the answer."""
    current = dict(table)
    position = 0
    while position < len(selectors) and len(selectors) > 1:
        merged: dict[Combination, int] = {}
        for combination, number in current.items():
            rest = combination[:position] + combination[position + 1 :]
            if merged.setdefault(rest, number) != number:
                position += 1
                break
        else:
            selectors, current = selectors[:position] + selectors[position + 1 :], merged
    return selectors, current


def _texts(entry: Asked) -> list[str]:
    texts = []
    for outcome in entry.outcomes:
        text = outcome.error[0] if outcome.error else json.dumps(outcome.value, ensure_ascii=False)
        texts.append(text if len(text) <= TEXT_LIMIT else text[: TEXT_LIMIT - 1] + "…")
    return texts
