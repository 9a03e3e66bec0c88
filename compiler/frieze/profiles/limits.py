"""What may be searched, as far as profiles say it: the limits of agents and of platforms."""

from __future__ import annotations

from frieze.profiles.declarations import Agent, Data, Platform
from frieze.runtime.retrieval import NOTHING, Limit, read_limit


def agent_limit(agent: Agent) -> Limit:
    """Return what an agent may search: its own knowledge bases, never all, narrowed by its `retrieval`."""
    return Limit(frozenset(agent.data["knowledge_bases"])).narrowed(_limit(agent.retrieval))


def platform_limit(platform: Platform) -> Limit:
    """Return what may be searched on a platform."""
    return _limit(platform.retrieval)


def has_limit(agent: Agent) -> bool:
    """Tell whether an agent says anything about the search; one that does not may search nothing."""
    return bool(agent.data["knowledge_bases"]) or agent.retrieval is not None


def _limit(written: Data | None) -> Limit:
    limit = read_limit(written)
    return limit if isinstance(limit, Limit) else NOTHING
