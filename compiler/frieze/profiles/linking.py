"""From declarations to the linked graph. What is broken is left out, and whatever only refers to it stays silent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from frieze.diagnostics import Diagnostic, Related, Severity
from frieze.profiles.building import INSTRUCTIONS, Builder
from frieze.profiles.declarations import Agent, Block, Data, Graph, Layout, Project
from frieze.profiles.extending import Declaration, Key
from frieze.profiles.layouts import base_layout, layout_for
from frieze.profiles.naming import LIBRARY, bare, is_library
from frieze.profiles.policies import built_policy
from frieze.profiles.selectors import Choices, choose, fallback_faults, mentioned_names, missing_texts

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Linker:
    """Links the declarations of one project."""

    project: Project
    declarations: Mapping[Key, Declaration]
    builder: Builder
    faults: list[Diagnostic]

    def graph(self) -> Graph:
        """Build every record, settle what agents may choose, check every layout that can come up."""
        build = self.builder
        blocks = self._build("block", build.block)
        skills = self._build("skill", build.skill)
        rules = self._build("rule", build.rule)
        policies = self._build("permissions", partial(built_policy, names=build.names))
        choices = Choices(
            names=build.names,
            platforms=self._build("platform", build.platform),
            models=self._build("model", build.model),
            personalities=self._build("personality", build.personality),
            mentioned=mentioned_names(build.names, self._of("agent", own=True), self._of("model", own=True)),
            policies=policies,
        )
        placeholder = blocks.get(INSTRUCTIONS) or blocks.get(LIBRARY + INSTRUCTIONS)

        chosen: dict[str, Agent] = {}

        def agent(declaration: Declaration, faults: list[Diagnostic]) -> Agent | None:
            built = choose(build.agent(declaration, placeholder, skills, rules, faults), declaration, choices, faults)
            if built:
                chosen[built.name] = built
            return built

        agents = self._build("agent", agent, own=True)
        graph = Graph(
            project=self.project,
            agents=agents,
            platforms=_used(agents, "platform", choices.platforms),
            models=_used(agents, "model", choices.models),
            personalities=_used(agents, "personality", choices.personalities),
            blocks=blocks,
            layouts=self._build("layout", build.layout),
            skills=_kept(skills, (name for each in agents.values() for name in each.skills)),
            tools=self._build("tool", build.tool),
            rules=_kept(rules, (name for each in agents.values() for name in each.rules)),
            policies=policies,
            texts=build.texts.sources,
            members={
                "platform": _data(choices.platforms),
                "model": _data(choices.models),
                "personality": _data(choices.personalities),
                "skill": _data(skills),
                "rule": _data(rules),
            },
            readers=build.texts.readers,
            broken=frozenset(
                name for kind, name in (*build.names.units, *build.names.broken) if kind == "block"
            ).difference(blocks),
        )
        self.faults.extend(fallback_faults(graph.agents, graph.models))
        self.faults.extend(missing_texts(graph.agents, graph.models, graph.personalities))
        self.faults.extend(layout_faults(replace(graph, agents=chosen, platforms=choices.platforms)))
        return graph

    def policies(self) -> Graph:
        """Build the policies and the tools alone."""
        build = self.builder
        return Graph(
            project=self.project,
            agents={},
            platforms={},
            models={},
            personalities={},
            blocks={},
            layouts={},
            skills={},
            tools=self._build("tool", build.tool),
            policies=self._build("permissions", partial(built_policy, names=build.names)),
            texts=build.texts.sources,
        )

    def _build(
        self, kind: str, make: Callable[[Declaration, list[Diagnostic]], R | None], *, own: bool = False
    ) -> dict[str, R]:
        """Build all records of one kind; one with an error does not go on."""
        built: dict[str, R] = {}
        for declaration in self._of(kind, own=own):
            faults: list[Diagnostic] = []
            record = make(declaration, faults)
            self.faults.extend(faults)
            if record is not None and not any(fault.severity is Severity.ERROR for fault in faults):
                built[declaration.name] = record
        return built

    def _of(self, kind: str, *, own: bool = False) -> list[Declaration]:
        found = (self.declarations[key] for key in sorted(self.declarations) if key[0] == kind)
        return [declaration for declaration in found if not (own and is_library(declaration.name))]


def layout_faults(graph: Graph) -> list[Diagnostic]:
    """Return what is wrong with the layout of any agent on any platform that it allows, each fault once."""
    faults: dict[Diagnostic, None] = {}
    plain: set[str | None] = set()
    for agent in graph.agents.values():
        for platform in agent.allows["platform"] or (None,):
            if agent.layout is None:
                # Without an edit of their own all agents stand alike on a platform.
                if platform in plain:
                    continue
                plain.add(platform)
            slots, found = layout_for(graph, agent.name, platform)
            layout = graph.layouts.get(base_layout(graph, agent.name, platform))
            taken = _tags_taken(layout, [graph.blocks[block] for _, block in slots]) if layout else []
            faults |= dict.fromkeys([*found, *taken])
    return list(faults)


def _tags_taken(layout: Layout, blocks: list[Block]) -> list[Diagnostic]:
    related = (Related(layout.origin.span("tags"), f"the tags of the layout `{bare(layout.name)}`"),)
    return [
        Diagnostic.of("F352", block.origin.span("tag"), tag=block.tag, related=related)
        for block in blocks
        if block.tag in layout.tags.values()
    ]


def _data(records: Mapping[str, Any]) -> tuple[Data, ...]:
    return tuple(record.data for record in records.values())


def _used(agents: Mapping[str, Agent], selector: str, records: Mapping[str, R]) -> dict[str, R]:
    return _kept(records, (name for agent in agents.values() for name in agent.allows[selector]))


def _kept(records: Mapping[str, R], names: Iterable[str]) -> dict[str, R]:
    """Return the records of these names, in their own order."""
    wanted = frozenset(names)
    return {name: record for name, record in records.items() if name in wanted}
