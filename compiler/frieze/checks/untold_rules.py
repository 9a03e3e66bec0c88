"""F731: an agent with rules whose layout has no block that tells them."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen
from frieze.profiles.declarations import Graph
from frieze.profiles.layouts import layout_for


def untold_rules(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such agent, at its rules."""
    graph = frozen.graph
    for agent in graph.agents.values():
        if agent.rules and not any(_tells(graph, agent.name, name) for name in agent.allows["platform"] or (None,)):
            yield Diagnostic.of("F731", agent.origin.key("rules"), agent=agent.name)


def _tells(graph: Graph, agent: str, platform: str | None) -> bool:
    slots, _ = layout_for(graph, agent, platform)
    blocks = [graph.blocks[block] for _, block in slots]
    settled = any("settle_with" in declared.options for block in blocks for declared in block.inputs.values())
    return settled or any("agent.rules" in block.body.value for block in blocks if block.body)
