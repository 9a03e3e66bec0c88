"""Shares: what only one agent decides, its own instructions, frozen apart from everything else.

A share depends on its agent and on what all agents have in common, never on another agent. So shares can be made in
any order, in other processes, or be kept from an earlier run. Each asks questions of its own; `adopted` gives them
the numbers that they would have had, had everything been frozen one after the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from frieze.freeze.blocks import AGENT, Freezer
from frieze.freeze.model import FrozenBlock
from frieze.freeze.questions import Asked, Questions
from frieze.freeze.space import Space
from frieze.freeze.targets import Targets
from frieze.freeze.trees import Branch, Leaf, Tree, grow
from frieze.template import Outcome


@dataclass(frozen=True, slots=True)
class Part:
    """One block of a share: its tree, and the questions that the tree asks, in the order in which they came up."""

    tree: Tree[FrozenBlock]
    asked: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """What one agent decides alone.

    `parts` are its blocks by name, `voice` tells whether they print the personality, `included` names the blocks that
    they include, and `notes` holds what checks found in them, by check, as JSON data.
    """

    agent: str
    parts: Mapping[str, Part]
    voice: bool
    included: frozenset[str]
    notes: Mapping[str, Any] = field(default_factory=dict)


def freeze_share(space: Space, freezer: Freezer, agent: str, own: Mapping[str, Targets]) -> Share:
    """Freeze the blocks that an agent fills, each for the targets that have it."""
    templates = freezer.templates
    before = templates.included
    templates.included = set()
    parts = {}
    for name, targets in own.items():
        questions = space.questions()
        block = freezer.graph.blocks[name]
        tree = grow(partial(freezer.freeze, block), targets, questions, {AGENT.key: Outcome(agent)})
        parts[name] = Part(tree, tuple(questions.asked.values()))
    included, templates.included = templates.included, before
    return Share(agent, parts, space.voice(agent), frozenset(included))


def adopted(part: Part, questions: Questions) -> Tree[FrozenBlock]:
    """Return a part's tree with the questions of the whole project in the place of its own."""
    places: dict[str, tuple[Asked, dict[int, int]]] = {}
    for own in part.asked:
        entry = questions.entry(own.key, own.selectors)
        numbers: dict[int, int] = {}
        for combination, number in own.table.items():
            if combination not in entry.table:
                entry.table[combination] = entry.number(own.outcomes[number])
            numbers[number] = entry.table[combination]
        places[own.key] = (entry, numbers)
    return _renumbered(part.tree, places)


def _renumbered(tree: Tree[FrozenBlock], places: Mapping[str, tuple[Asked, dict[int, int]]]) -> Tree[FrozenBlock]:
    if isinstance(tree, Leaf):
        return tree
    entry, numbers = places[tree.question.key]
    return Branch(entry, {numbers[number]: _renumbered(below, places) for number, below in tree.to.items()})
