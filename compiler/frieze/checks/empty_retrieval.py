"""F720: limits of the search that have nothing in common, so nothing could ever be found."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.checks.unknown_knowledge_base import foreign
from frieze.diagnostics import Diagnostic, Related
from frieze.freeze import Frozen
from frieze.profiles.declarations import Agent, Data, Platform
from frieze.profiles.limits import agent_limit, platform_limit
from frieze.profiles.naming import bare


def empty_retrieval(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each agent whose limits exclude each other, by themselves or on one of its platforms."""
    for agent in frozen.graph.agents.values():
        if not agent.data["knowledge_bases"] or _shut(agent.retrieval):
            continue
        if agent_limit(agent).closed:
            if not foreign(agent.retrieval, agent.data["knowledge_bases"]):
                yield _found(agent, None)
            continue
        for name in agent.allows["platform"]:
            platform = frozen.graph.platforms[name]
            if not _shut(platform.retrieval) and agent_limit(agent).narrowed(platform_limit(platform)).closed:
                yield _found(agent, platform)


def _shut(written: Data | None) -> bool:
    """Tell whether an author wrote that nothing may be searched."""
    return written is not None and [] in (written.get("knowledge_bases"), written.get("documents"))


def _found(agent: Agent, platform: Platform | None) -> Diagnostic:
    own = agent.origin.key("retrieval" if agent.retrieval is not None else "knowledge_bases")
    if platform is None:
        return Diagnostic.of("F720", own, agent=agent.name, where="")
    where = f" on the platform `{bare(platform.name)}`"
    related = (Related(platform.origin.key("retrieval"), "the limit of the platform"),)
    return Diagnostic.of("F720", own, agent=agent.name, where=where, related=related)
