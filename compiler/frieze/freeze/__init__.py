"""From the linked graph to frozen blocks: one variant tree for each block of some layout."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from frieze.diagnostics import Diagnostic
from frieze.freeze.arranging import arrange
from frieze.freeze.blocks import Freezer
from frieze.freeze.findings import findings
from frieze.freeze.model import Frozen, FrozenBlock, FrozenLayout
from frieze.freeze.questions import Questions
from frieze.freeze.space import Space
from frieze.freeze.templates import Templates
from frieze.freeze.trees import Tree, grow
from frieze.profiles.declarations import Graph
from frieze.profiles.naming import is_library

__all__ = ["Frozen", "FrozenBlock", "FrozenLayout", "freeze_project"]


def freeze_project(
    graph: Graph, progress: Callable[[str, int, int], None] | None = None
) -> tuple[Frozen, list[Diagnostic]]:
    """Freeze every block for every target that has it.

    `progress` is told the stage, how many blocks are done and how many there are.
    """
    space = Space.of(graph)
    questions = Questions(space.data)
    (layout, layouts, placed), faults = arrange(space, questions)
    templates = Templates(graph)
    freezer = Freezer(graph, templates, _headings(graph), _tags(graph))
    trees: dict[str, Tree[FrozenBlock]] = {}
    for number, (name, targets) in enumerate(sorted(placed.items())):
        if progress:
            progress("freeze", number, len(placed))
        trees[name] = grow(partial(freezer.freeze, graph.blocks[name]), targets, questions)
        faults += findings(trees[name], targets)
    included = frozenset(templates.included)
    faults += _unplaced(graph, freezer, placed.keys(), space)
    asked = tuple(sorted(questions.asked.values(), key=lambda entry: entry.index))
    return Frozen(space, layout, layouts, asked, trees, included), faults


def _unplaced(graph: Graph, freezer: Freezer, placed: Collection[str], space: Space) -> list[Diagnostic]:
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
            tree = grow(partial(freezer.freeze, block), space.targets(), Questions(space.data))
            found[name] = findings(tree, space.targets())
    return faults + [each for name, more in found.items() if name not in freezer.templates.included for each in more]


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
