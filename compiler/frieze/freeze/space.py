"""The space of targets: which names each selector may have, and what a template sees of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from frieze.freeze.questions import Answered, Questions
from frieze.freeze.targets import SELECTORS, Choice, Combination, Targets
from frieze.freeze.templates import Templates
from frieze.freeze.voice import prints_personality
from frieze.policy import mode_data
from frieze.profiles import personality_data, unset_data
from frieze.profiles.declarations import Graph
from frieze.profiles.naming import bare

ALLOWED = SELECTORS[1:]


@dataclass(frozen=True, slots=True)
class Space:
    """Names as services write them: bare, and qualified only where the project has its own of the same name.

    `records` maps selector and name to the qualified name of the declaration; `choices` maps each agent to what
    it allows; `defaults` to what it takes by itself; `personalities` each model to its default
    personality. `voices` holds which agents and models print the personality themselves, as far as somebody asked,
    `seen` what templates see of the other selectors, `answered` what was found out about targets.
    """

    graph: Graph
    records: Mapping[str, Mapping[str, str]]
    choices: Mapping[str, Mapping[str, tuple[str, ...]]]
    defaults: Mapping[str, Mapping[str, str]]
    personalities: Mapping[str, str]
    templates: Templates
    voices: dict[str, bool] = field(default_factory=dict)
    seen: dict[tuple[str, Choice, Choice], Mapping[str, Any]] = field(default_factory=dict)
    alone: dict[tuple[str, Choice], dict[str, Any]] = field(default_factory=dict)
    answered: Answered = field(default_factory=Answered)

    @classmethod
    def of(cls, graph: Graph, templates: Templates) -> Space:
        """Work out the names of a project."""
        declared = {"platform": graph.platforms, "model": graph.models, "personality": graph.personalities}
        shown = {selector: _shown(names) for selector, names in declared.items()}
        records = {selector: {short: long for long, short in names.items()} for selector, names in shown.items()}

        def name(selector: str, qualified: str) -> str:
            return shown.get(selector, {}).get(qualified, qualified)

        choices = {
            agent.name: {
                selector: tuple(name(selector, value) for value in agent.allows.get(selector, ()))
                for selector in ALLOWED
            }
            for agent in graph.agents.values()
        }
        defaults = {
            agent.name: {selector: name(selector, value) for selector, value in agent.defaults.items()}
            for agent in graph.agents.values()
        }
        personalities = {
            model: name("personality", default)
            for model, qualified in records["model"].items()
            if (default := graph.models[qualified].default_personality) in shown["personality"]
        }
        return cls(graph, records, choices, defaults, personalities, templates)

    def targets(self) -> Targets:
        """Return every valid target: one box for each group of agents that allow the same."""
        groups: dict[tuple[tuple[Choice, ...], ...], list[str]] = {}
        for agent in sorted(self.choices):
            allowed = tuple(self.choices[agent][selector] or (None,) for selector in ALLOWED)
            groups.setdefault(allowed, []).append(agent)
        return Targets(
            tuple(
                {"agent": tuple(agents), **dict(zip(ALLOWED, allowed, strict=True))}
                for allowed, agents in groups.items()
            )
        )

    def questions(self) -> Questions:
        """Return the questions of trees that are numbered by themselves."""
        return Questions(self.data, answered=self.answered)

    def data(self, selectors: tuple[str, ...], combination: Combination) -> dict[str, Any]:
        """Return what a template sees of one combination: selector to its data."""
        if len(selectors) == 1:
            alone = (selectors[0], combination[0])
            if alone not in self.alone:
                self.alone[alone] = {selectors[0]: self._data(*alone, {})}
            return self.alone[alone]
        chosen = dict(zip(selectors, combination, strict=True))
        return {selector: self._data(selector, value, chosen) for selector, value in chosen.items()}

    def voice(self, agent: str) -> bool:
        """Tell whether an agent's instructions print the personality themselves."""
        if agent not in self.voices:
            own = self.graph.agents[agent].instructions
            self.voices[agent] = prints_personality(self.templates, own.body if own else None)
        return self.voices[agent]

    def model_voice(self, model: str) -> bool:
        """Tell whether a model's base instructions print the personality; `model` is its qualified name."""
        key = f"model {model}"
        if key not in self.voices:
            self.voices[key] = prints_personality(self.templates, self.graph.models[model].template)
        return self.voices[key]

    def _data(self, selector: str, value: Choice, chosen: Mapping[str, Choice]) -> Mapping[str, Any]:
        if value is None:
            return unset_data(selector)
        if selector == "agent":
            own = (selector, value, None)
            if own not in self.seen:
                self.seen[own] = {**self.graph.agents[value].data, "prints_personality": self.voice(value)}
            return self.seen[own]
        if selector == "audience":
            return {"name": value}
        if selector == "mode":
            model = chosen.get("model")
            return mode_data(self.graph, chosen.get("agent"), value, self.records["model"][model] if model else None)
        key = (selector, value, chosen.get("model"))
        if key not in self.seen:
            self.seen[key] = self._record(selector, value, chosen)
        return self.seen[key]

    def _record(self, selector: str, value: str, chosen: Mapping[str, Choice]) -> Mapping[str, Any]:
        qualified = self.records[selector][value]
        if selector == "platform":
            return self.graph.platforms[qualified].data
        if selector == "model":
            return {**self.graph.models[qualified].data, "prints_personality": self.model_voice(qualified)}
        model = chosen.get("model")
        record = self.graph.models[self.records["model"][model]] if model else None
        return personality_data(self.graph.personalities[qualified], record)


def _shown(names: Mapping[str, Any]) -> dict[str, str]:
    """Map qualified names to the names that services write."""
    own = {name for name in names if bare(name) == name}
    return {name: name if name in own or bare(name) in own else bare(name) for name in names}
