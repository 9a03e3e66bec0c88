"""Which platforms, models, personalities and audiences an agent may be asked for, and which it takes by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic, Related
from frieze.profiles.building import UNSET, plain
from frieze.profiles.declarations import Agent, DataPath, Model, Personality, Platform, Policy, Text
from frieze.profiles.extending import Declaration, Names
from frieze.profiles.fields import selector_data
from frieze.profiles.naming import bare, is_library, listed
from frieze.profiles.policies import choose_modes

LISTS: Mapping[str, str] = MappingProxyType(
    {"platform": "platforms", "model": "models", "personality": "personalities"}
)
"""Selector that a profile declares to its list under `allows:`."""

AUDIENCES = ("direct", "group")


Settled: TypeAlias = tuple[Mapping[str, tuple[str, ...]], Mapping[str, str]]
"""What an agent allows and takes by itself, by selector."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Everything that can be chosen, by qualified name. Broken declarations have a name but stand in no map."""

    names: Names
    platforms: Mapping[str, Platform]
    models: Mapping[str, Model]
    personalities: Mapping[str, Personality]
    mentioned: Mapping[str, tuple[str, ...]]
    policies: Mapping[str, Policy] = field(default_factory=dict)
    settled: dict[tuple[str, ...], Settled] = field(default_factory=dict)
    """What was settled for agents that write the same; those of whom there is anything to say are not among them."""

    def built(self, selector: str) -> Mapping[str, Any]:
        """Return the records of one selector."""
        return {"platform": self.platforms, "model": self.models, "personality": self.personalities}[selector]


def mentioned_names(
    names: Names, agents: Iterable[Declaration], models: Iterable[Declaration]
) -> dict[str, tuple[str, ...]]:
    """Return for each selector what the project itself declares, then what its files name of the library."""
    written: dict[str, set[str]] = {selector: set() for selector in LISTS}
    for agent in agents:
        for selector, plural in LISTS.items():
            tasks = (agent.at(("tasks",)) or {}) if selector == "model" else {}
            given = [agent.at(("defaults", selector)), *(agent.at(("allows", plural)) or []), *tasks.values()]
            written[selector] |= {name for name in given if isinstance(name, str)}
    for model in models:
        default = model.at(("defaults", "personality"))
        written["personality"] |= {default} if default else set()
    found: dict[str, tuple[str, ...]] = {}
    for selector, wanted in written.items():
        own = {name for name in names.choices(selector) if not is_library(name)}
        linked = {names.find(selector, name, in_library=False) for name in wanted}
        found[selector] = tuple(sorted(own | {name for name in linked if name}, key=_own_first))
    return found


def choose(agent: Agent, declaration: Declaration, choices: Choices, faults: list[Diagnostic]) -> Agent | None:
    """Return the agent with `defaults` and `allows` settled: selector to qualified names, in the order to list them.

    Nothing is allowed for a selector of which neither the agent nor the rest of the project speaks; its
    fields are then those of `unset_data`. None when all that could be chosen is broken.
    """
    key = _written(declaration)
    found = choices.settled.get(key) if key else None
    if found is None:
        before = len(faults)
        found = _settled(agent, declaration, choices, faults)
        if found is None:
            return None
        if key and len(faults) == before:
            choices.settled[key] = found
    allows, defaults = found
    tasks = {task: choices.models[model].slug for task, model in agent.tasks.items() if model in choices.models}
    return replace(agent, defaults=defaults, allows=allows, tasks=tasks)


def _written(declaration: Declaration) -> tuple[str, ...] | None:
    """Return all that choices depend on, None where it comes from several files."""
    if declaration.origin.owner.children:
        return None
    data = declaration.data
    given = repr(data.get("defaults")), repr(data.get("allows")), repr(data.get("permissions"))
    return (*given, declaration.unit_at(()).prefix)


def _settled(agent: Agent, declaration: Declaration, choices: Choices, faults: list[Diagnostic]) -> Settled | None:
    allows: dict[str, tuple[str, ...]] = {}
    defaults: dict[str, str] = {}
    for selector in LISTS:
        chosen = _Chooser(selector, declaration, choices, faults)
        default = chosen.default()
        allowed = chosen.allowed(allows.get("model", ()))
        if default and default not in allowed:
            chosen.not_allowed(default, allowed)
        if default:
            defaults[selector] = default
        allows[selector] = tuple(name for name in allowed if name in choices.built(selector))
        if allowed and not allows[selector]:
            return None
    _audience(declaration, allows, defaults, faults)
    choose_modes(choices.policies.get(agent.permissions or ""), declaration, allows, defaults, faults)
    return allows, {selector: name for selector, name in defaults.items() if name in allows[selector]}


def personality_text(personality: Personality, model: Model | None) -> Text | None:
    """Return the text that holds for a personality on a model: the model's own, else the fallback, else None."""
    own = model.personalities.get(personality.name) if model else None
    return own or personality.text


def personality_data(personality: Personality, model: Model | None) -> dict[str, Any]:
    """Return what templates see of a personality on a model; `text` is empty where nothing gives one."""
    text = personality_text(personality, model)
    return {**personality.data, "text": plain(text) if text else ""}


def unset_data(selector: str) -> dict[str, Any]:
    """Return what templates see of a selector that nothing chooses: no name, and every field as if not given."""
    return selector_data(selector, {"text": ""})


def fallback_faults(agents: Mapping[str, Agent], models: Mapping[str, Model]) -> list[Diagnostic]:
    """Return the fallback records that an agent may use besides the first."""
    faults: dict[str, Diagnostic] = {}
    for agent in agents.values():
        found = [models[name] for name in agent.allows["model"] if models[name].fallback]
        for model in found[1:]:
            related = (
                Related(found[0].origin.key("fallback"), "the other one"),
                Related(agent.origin.key("name"), f"`{agent.name}` allows both"),
            )
            names = {"agent": agent.name, "other": bare(found[0].name)}
            faults.setdefault(model.name, Diagnostic.of("F368", model.origin.key("fallback"), related=related, **names))
    return list(faults.values())


def missing_texts(
    agents: Mapping[str, Agent], models: Mapping[str, Model], personalities: Mapping[str, Personality]
) -> list[Diagnostic]:
    """Warn of every personality that some agent allows although neither it nor an allowed model gives a text."""
    faults: dict[str, Diagnostic] = {}
    for agent in agents.values():
        for name in agent.allows["personality"]:
            allowed = [models[model] for model in agent.allows["model"]]
            personality = personalities[name]
            if name in faults or any(personality_text(personality, model) for model in [*allowed, None]):
                continue
            related = (Related(agent.origin.key("name"), f"`{agent.name}` allows it"),)
            faults[name] = Diagnostic.of("F362", personality.origin.span("name"), name=bare(name), related=related)
    return list(faults.values())


@dataclass(frozen=True, slots=True)
class _Chooser:
    selector: str
    declaration: Declaration
    choices: Choices
    faults: list[Diagnostic]

    def default(self) -> str:
        written = self.declaration.at(("defaults", self.selector))
        return self._linked(written, ("defaults", self.selector)) if written else ""

    def allowed(self, models: Iterable[str]) -> tuple[str, ...]:
        listed_names = self.declaration.at(("allows", LISTS[self.selector]))
        if listed_names is not None:
            plural = LISTS[self.selector]
            found = (self._linked(name, ("allows", plural, index)) for index, name in enumerate(listed_names))
            names = dict.fromkeys(name for name in found if name)
        else:
            names = dict.fromkeys(self.choices.mentioned[self.selector])
        if self.selector == "personality":
            of_models = (self.choices.models[model].default_personality for model in models)
            chosen = self.declaration.at(("defaults", "personality")) is not None
            names |= dict.fromkeys(
                name for name in of_models if name and (not chosen if bare(name) == UNSET else listed_names is None)
            )
        return tuple(names)

    def not_allowed(self, default: str, allowed: tuple[str, ...]) -> None:
        plural = LISTS[self.selector]
        origin = self.declaration.origin
        self.faults.append(
            Diagnostic.of(
                "F360",
                origin.span("defaults", self.selector),
                selector=self.selector,
                name=bare(default),
                plural=plural,
                choices=_told(listed(map(bare, allowed))),
                related=(Related(origin.key("allows", plural), f"the {plural} that it allows"),),
            )
        )

    def _linked(self, written: str, path: DataPath) -> str:
        unit = self.declaration.unit_at(path)
        where = partial(self.declaration.origin.span, *path)
        found, faults = self.choices.names.link(self.selector, written, where, in_library=bool(unit.prefix))
        self.faults.extend(faults)
        return found


def _audience(
    declaration: Declaration,
    allows: dict[str, tuple[str, ...]],
    defaults: dict[str, str],
    faults: list[Diagnostic],
) -> None:
    origin = declaration.origin
    allows["audience"] = tuple(dict.fromkeys(declaration.at(("allows", "audiences")) or AUDIENCES))
    default = declaration.at(("defaults", "audience"))
    if default and default not in allows["audience"]:
        faults.append(
            Diagnostic.of(
                "F360",
                origin.span("defaults", "audience"),
                selector="audience",
                name=default,
                plural="audiences",
                choices=_told(listed(allows["audience"])),
                related=(Related(origin.key("allows", "audiences"), "the audiences that it allows"),),
            )
        )
    defaults["audience"] = default or AUDIENCES[0]


def _told(names: str) -> str:
    return f": {names}" if names else "; it allows none"


def _own_first(name: str) -> tuple[bool, str]:
    return is_library(name), name
