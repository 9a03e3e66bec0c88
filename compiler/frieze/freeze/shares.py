"""Shares: what only one agent decides, its own instructions, frozen apart from everything else.

A share depends on its agent and on what all agents have in common, never on another agent. So shares can be made in
any order, in other processes, or be kept from an earlier run. Each asks questions of its own; `adopt` gives them
the numbers that they would have had, had everything been frozen one after the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from frieze.freeze.blocks import AGENT, Freezer
from frieze.freeze.findings import leaves
from frieze.freeze.model import FrozenBlock
from frieze.freeze.questions import Asked, Questions
from frieze.freeze.space import Space
from frieze.freeze.targets import Targets
from frieze.freeze.trees import Branch, Leaf, Tree, grow
from frieze.template import Outcome


class Part(Protocol):
    """One block of a share, in memory or where it is kept.

    Whoever needs no more than its outline leaves its tree alone: one that is kept is read when it is first looked at.
    """

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The questions that the tree asks, in the order in which they came up, which is their index."""

    @property
    def variants(self) -> int:
        """How many leaves the tree has."""

    @property
    def has_findings(self) -> bool:
        """Whether there is anything to say of some leaf."""

    @property
    def tree(self) -> Tree[FrozenBlock]:
        """The tree, with the part's own questions."""


class FreshPart(NamedTuple):
    """A part that was just frozen."""

    tree: Tree[FrozenBlock]
    asked: tuple[Asked, ...]

    @property
    def variants(self) -> int:
        """How many leaves the tree has."""
        return len(leaves(self.tree))

    @property
    def has_findings(self) -> bool:
        """Whether there is anything to say of some leaf."""
        return any(leaf.value.diagnostics for leaf in leaves(self.tree))


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
        parts[name] = FreshPart(tree, tuple(questions.asked.values()))
    included, templates.included = templates.included, before
    return Share(agent, parts, space.voice(agent), frozenset(included))


Adopted: TypeAlias = tuple[tuple[Asked, Mapping[int, int]], ...]
"""For each question of a part the project's own, and the project's numbers of its outcomes."""


def adopt(part: Part, questions: Questions) -> Adopted:
    """Ask a part's questions on behalf of the project."""
    rows: list[tuple[Asked, Mapping[int, int]]] = []
    for own in part.asked:
        entry = questions.entry(own.key, own.selectors)
        numbers: dict[int, int] = {}
        for combination, number in own.table.items():
            if combination not in entry.table:
                entry.table[combination] = entry.number(own.outcomes[number])
            numbers[number] = entry.table[combination]
        rows.append((entry, numbers))
    return tuple(rows)


class Filled(NamedTuple):
    """A part in the project: the agent that fills a block with it, and what its questions are there."""

    agent: str
    part: Part
    adopted: Adopted

    def tree(self) -> Tree[FrozenBlock]:
        """Return the part's tree with the questions of the whole project in the place of its own."""
        return _renumbered(self.part.tree, self.adopted)


class FilledTrees(Mapping[int, "Tree[FrozenBlock]"]):
    """What agents fill a block with, by the number of the agent; a tree is put together when it is looked at."""

    def __init__(self, filled: Mapping[int, Filled]) -> None:
        self.filled = filled

    def __getitem__(self, number: int) -> Tree[FrozenBlock]:
        return self.filled[number].tree()

    def __iter__(self) -> Iterator[int]:
        return iter(self.filled)

    def __len__(self) -> int:
        return len(self.filled)

    def with_findings(self) -> dict[int, Tree[FrozenBlock]]:
        """Return the trees of which there is anything to say."""
        return {number: filled.tree() for number, filled in self.filled.items() if filled.part.has_findings}


def filled_trees(tree: Tree[FrozenBlock]) -> FilledTrees | None:
    """Return the trees of a block's agents, None where the block is frozen for all at once."""
    return tree.to if isinstance(tree, Branch) and isinstance(tree.to, FilledTrees) else None


def _renumbered(tree: Tree[FrozenBlock], adopted: Adopted) -> Tree[FrozenBlock]:
    if isinstance(tree, Leaf):
        return tree
    entry, numbers = adopted[tree.question.index]
    return Branch(entry, {numbers[number]: _renumbered(below, adopted) for number, below in tree.to.items()})
