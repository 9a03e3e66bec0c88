"""F705: a name that may belong to something outside of the project, and is nearly one that is declared in it.

An agent's `attachments` may name tools that only the service knows, and a personality's `removes` headings of base
instructions that a request brings. So only what is nearly a declared one is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, nearest
from frieze.freeze import Frozen
from frieze.profiles.declarations import Graph
from frieze.profiles.naming import LIBRARY, bare

CUTOFF = 0.8
"""The least ratio of difflib for a slip; a name of its own is mostly further away."""


def near_name(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such name."""
    yield from _attachments(frozen.graph)
    yield from _headings(frozen.graph)


def _attachments(graph: Graph) -> Iterator[Diagnostic]:
    tools = {bare(name) for name in graph.tools}
    known: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for agent in graph.agents.values():
        for name in agent.data["attachments"]:
            if not agent.tools or name in tools:
                continue
            # Agents mostly offer the same tools, and to look for a slip takes its time.
            key = (name, agent.tools)
            if key not in known:
                known[key] = nearest(name, map(bare, agent.tools), 1, CUTOFF)
            if known[key]:
                place = agent.origin.key("attachments", name)
                yield Diagnostic.of("F705", place, name=name, what="the agent's tool", near=known[key][0])


def _headings(graph: Graph) -> Iterator[Diagnostic]:
    there = dict.fromkeys(
        line.removesuffix("\r").removeprefix("# ")
        for model in graph.models.values()
        for line in (model.instructions.value if model.instructions else "").split("\n")
        if line.startswith("# ")
    )
    for personality in graph.personalities.values():
        for index, name in enumerate(personality.removes):
            place = personality.origin.span("removes", index)
            near = nearest(name, there, 1, CUTOFF) if name not in there and not place.file.startswith(LIBRARY) else []
            if near:
                yield Diagnostic.of("F705", place, name=name, what="the heading", near=near[0])
