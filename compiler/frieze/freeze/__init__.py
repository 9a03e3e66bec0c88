"""From the linked graph to frozen blocks: one variant tree for each block of some layout."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from frieze.diagnostics import Diagnostic
from frieze.freeze.arranging import Arrangement, arrange
from frieze.freeze.blocks import AGENT, Freezer, is_placeholder
from frieze.freeze.findings import findings
from frieze.freeze.model import Frozen, FrozenBlock, FrozenLayout
from frieze.freeze.questions import Questions
from frieze.freeze.shares import Filled, FilledTrees, Share, adopt, freeze_share
from frieze.freeze.space import Space
from frieze.freeze.targets import Targets
from frieze.freeze.templates import Templates
from frieze.freeze.trees import Branch, Tree, grow
from frieze.profiles.declarations import Graph
from frieze.profiles.naming import is_library

__all__ = ["Frozen", "FrozenBlock", "FrozenLayout", "Plan", "Share", "Shares", "freeze_project", "plan_project"]


Shares: TypeAlias = Callable[["Plan"], Mapping[str, Share]]
"""Makes the shares of a plan's agents, by whatever means."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is settled before anything is frozen.

    `placed` holds the targets that have each block, `apart` for each agent the blocks that it fills itself, with its
    own targets; their agent is the answer to the first question of their trees.
    """

    space: Space
    freezer: Freezer
    questions: Questions
    arrangement: Arrangement
    faults: tuple[Diagnostic, ...]
    apart: Mapping[str, Mapping[str, Targets]]

    @property
    def placed(self) -> Mapping[str, Targets]:
        """For each block the targets that have it."""
        return self.arrangement[2]

    def share(self, agent: str) -> Share:
        """Freeze what one agent decides alone."""
        return freeze_share(self.space, self.freezer, agent, self.apart[agent])


def plan_project(graph: Graph) -> Plan:
    """Settle names, layouts and who has which block."""
    templates = Templates(graph)
    space = Space.of(graph, templates)
    questions = space.questions()
    arrangement, faults = arrange(space, questions)
    apart: dict[str, dict[str, Targets]] = {}
    for name, targets in sorted(arrangement[2].items()):
        agents = targets.values("agent")
        if len(agents) > 1 and is_placeholder(graph.blocks[name]):
            for agent, own in targets.apart("agent").items():
                apart.setdefault(str(agent), {})[name] = own
    freezer = Freezer(graph, templates, _headings(graph), _tags(graph))
    return Plan(space, freezer, questions, arrangement, tuple(faults), apart)


def freeze_project(
    graph: Graph, progress: Callable[[str, int, int], None] | None = None, shares: Shares | None = None
) -> tuple[Frozen, list[Diagnostic]]:
    """Freeze every block for every target that has it.

    `progress` is told the stage, how many agents and blocks are done and how many there are. `shares` makes what
    agents decide alone, where that is not to happen here and now.
    """
    plan = plan_project(graph)
    made = shares(plan) if shares else _shares(plan, progress)
    space, freezer, questions = plan.space, plan.freezer, plan.questions
    space.voices.update({share.agent: share.voice for share in made.values()})
    (layout, layouts, placed), faults = plan.arrangement, list(plan.faults)
    trees: dict[str, Tree[FrozenBlock]] = {}
    apart = {name for own in plan.apart.values() for name in own}
    for number, (name, targets) in enumerate(sorted(placed.items())):
        if progress:
            progress("freeze", number, len(placed))
        if name in apart:
            trees[name], found = _filled(name, targets, made, questions)
        else:
            tree = trees[name] = grow(partial(freezer.freeze, graph.blocks[name]), targets, questions)
            found = findings(tree, targets)
        faults += found
    included = frozenset(freezer.templates.included.union(*(share.included for share in made.values())))
    faults += _unplaced(graph, freezer, included, placed.keys(), space)
    asked = tuple(sorted(questions.asked.values(), key=lambda entry: entry.index))
    return Frozen(space, layout, layouts, asked, trees, included, made), faults


def _filled(
    name: str, targets: Targets, made: Mapping[str, Share], questions: Questions
) -> tuple[Tree[FrozenBlock], list[Diagnostic]]:
    """Return the tree of a block that agents fill, and what there is to say of it."""
    agent = questions.entry(AGENT.key, AGENT.selectors)
    filled: dict[int, Filled] = {}
    for entry, number, _ in questions.split(AGENT, targets):
        own = str(entry.outcomes[number].value)
        part = made[own].parts[name]
        filled[number] = Filled(own, part, adopt(part, questions))
    trees = FilledTrees(filled)
    return Branch(agent, trees), findings(Branch(agent, trees.with_findings()), targets)


def _shares(plan: Plan, progress: Callable[[str, int, int], None] | None) -> dict[str, Share]:
    made = {}
    for number, agent in enumerate(plan.apart):
        if progress:
            progress("agents", number, len(plan.apart))
        made[agent] = plan.share(agent)
    return made


def _unplaced(
    graph: Graph, freezer: Freezer, used: frozenset[str], placed: Collection[str], space: Space
) -> list[Diagnostic]:
    """Return what is wrong with the project's blocks that stand in no layout, as if they stood in all.

    A block that is included sees the names of whoever includes it, so by itself only its syntax can be looked at.
    """
    faults: list[Diagnostic] = []
    found: dict[str, list[Diagnostic]] = {}
    included = _included(graph, freezer.templates)
    for name, block in graph.blocks.items():
        if name in placed or is_library(name):
            continue
        if name in included:
            faults += freezer.templates.syntax(block)
        else:
            # Questions of its own: what is asked here is no part of the bundle.
            tree = grow(partial(freezer.freeze, block), space.targets(), space.questions())
            found[name] = findings(tree, space.targets())
    return faults + [
        each for name, more in found.items() if name not in used | freezer.templates.included for each in more
    ]


def _included(graph: Graph, templates: Templates) -> frozenset[str]:
    """Return the blocks that some template names in an `include`."""
    texts = [block.body for block in graph.blocks.values()]
    texts += [agent.instructions.body for agent in graph.agents.values() if agent.instructions]
    return frozenset(name for text in texts if text for name in templates.includes(text))


def _headings(graph: Graph) -> frozenset[str]:
    return frozenset(block.heading for block in graph.blocks.values() if block.heading)


def _tags(graph: Graph) -> frozenset[str]:
    of_blocks = {block.tag for block in graph.blocks.values() if block.tag}
    return frozenset(of_blocks | {tag for layout in graph.layouts.values() for tag in layout.tags.values()})
