"""F730: a rule of an agent that never holds, because another one of its rules overrules it."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, Related
from frieze.freeze import Frozen
from frieze.profiles.naming import bare
from frieze.runtime.rules import settled_rows


def overruled_rule(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such rule, at the place where the agent names it."""
    graph = frozen.graph
    for agent in graph.agents.values():
        names = {bare(name): name for name in agent.rules}
        rows = {row["id"]: row for row in settled_rows(agent.data["rules"])}
        for place, (name, qualified) in enumerate(names.items()):
            row = rows.get(name, {})
            if "overruled_by" in row and "elsewhere" not in row:
                other = row["overruled_by"]
                asked = ((other, graph.rules[names[other]]), (name, graph.rules[qualified]))
                related = tuple(Related(rule.origin.span("text"), f"`{each}` asks this") for each, rule in asked)
                span = agent.origin.span("rules", place)
                yield Diagnostic.of("F730", span, name=name, other=other, because=row["because"], related=related)
