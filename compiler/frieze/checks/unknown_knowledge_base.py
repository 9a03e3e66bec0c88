"""F721: a limit of the search that names a knowledge base which no agent has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.freeze import Frozen
from frieze.profiles.declarations import Agent, Data, Platform
from frieze.profiles.naming import bare, listed


def unknown_knowledge_base(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such name: in an agent's own limit, or in that of a platform that agents are on."""
    agents = frozen.graph.agents.values()
    for agent in agents:
        yield from _found(agent, agent.data["knowledge_bases"], f"the agent `{agent.name}` does not have")
    for name, platform in frozen.graph.platforms.items():
        there = [agent for agent in agents if name in agent.allows["platform"]]
        bases = [base for agent in there for base in agent.data["knowledge_bases"]]
        yield from _found(platform, bases, f"no agent on the platform `{bare(name)}` has")


def foreign(written: Data | None, bases: Sequence[str]) -> list[tuple[int, str]]:
    """Return the knowledge bases of a limit that are none of `bases`, each with its place in the list."""
    named = (written or {}).get("knowledge_bases", ())
    return [(place, name) for place, name in enumerate(named) if name not in bases]


def _found(record: Agent | Platform, bases: Sequence[str], who: str) -> Iterator[Diagnostic]:
    known = list(dict.fromkeys(bases))
    some = f"the knowledge bases there are {listed(known)}" if known else "list them in `knowledge_bases`"
    for place, name in foreign(record.retrieval, known):
        span = record.origin.span("retrieval", "knowledge_bases", place)
        yield Diagnostic.of("F721", span, name=name, who=who, advice=did_you_mean(name, known, some))
