"""The texts that what templates see can be: names, closed words of the schemas, options of inputs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from frieze.freeze.space import Space
from frieze.profiles.declarations import Graph, Input
from frieze.profiles.known import refused
from frieze.profiles.naming import bare
from frieze.profiles.selectors import AUDIENCES
from frieze.runtime.guard.vocabulary import ACTIONS
from frieze.schema import load_schema
from frieze.template.comparisons import EACH, Path


class Allowed(NamedTuple):
    """What something can be: one of `texts`; with a `form`, everything of that type of input besides."""

    texts: Collection[str]
    form: str = ""

    def __contains__(self, text: object) -> bool:
        """Tell whether it can be this text; what differs from a declared one in its capitals alone is a slip."""
        if text in self.texts or not self.form:
            return text in self.texts
        folded = {known.casefold() for known in self.texts}
        return str(text).casefold() not in folded and refused(self.form, {}, text) is None


Values: TypeAlias = Mapping[Path, Allowed]

OF_AGENTS = frozenset({("agent", "name"), ("agent", "knowledge_bases", EACH), ("agent", "attachments", EACH)})
"""What hangs on all agents together. All else here is settled by what the project declares besides."""


def values_of(space: Space) -> Values:
    """Return what the parts of selectors can be that are names or closed words; free texts and data are not there."""
    looked = space.templates.looked
    if "values" not in looked:
        looked["values"] = _values(space.graph)
    found: Values = looked["values"]
    return found


def values_in_sources(space: Space) -> Values:
    """Return the same for conditions of sources, which see the paths of the context: those that are choices."""
    looked = space.templates.looked
    if "sources" not in looked:
        choices = {
            tuple(path.split(".")): Allowed(_texts(row.options["options"]))
            for path, row in space.graph.project.context.items()
            if row.type == "choice" and row.options.get("options")
        }
        looked["sources"] = {**choices, **values_of(space)}
    found: Values = looked["sources"]
    return found


def allowed(path: Path, inputs: Mapping[str, Input], values: Values) -> Allowed | None:
    """Return what a path of a template can be; None where anything may stand there."""
    declared = inputs.get(path[0])
    if declared is None:
        return values.get(path)
    return _of_type({"type": declared.type, **declared.options}, path[1:])


def _of_type(spec: Any, path: Path) -> Allowed | None:
    """Return what stands at a path below an input, by its type."""
    given: Mapping[str, Any] = {"type": spec} if isinstance(spec, str) else spec or {}
    if not path:
        options = given.get("options")
        return Allowed(_texts(options)) if given.get("type") == "choice" and options else None
    if given.get("type") == "list" and path[0] == EACH:
        members = given.get("of") or "line"
        if isinstance(members, str) or "fields" not in members:
            return _of_type(members, path[1:])
        return _of_type(members["fields"].get(path[1]), path[2:]) if path[1:] else None
    if given.get("type") == "attributes" and path[0] in (given.get("keys") or {}):
        return _of_type(given["keys"][path[0]], path[1:])
    return None


def _values(graph: Graph) -> Values:
    members, platform = graph.members, _fields("platform")
    rule, agents = _fields("rule"), [agent.data for agent in graph.agents.values()]
    policies = [policy for policy in graph.policies.values() if policy.data.get("modes")]
    names = {
        selector: Allowed(_texts(row["name"] for row in members[selector]))
        for selector in ("platform", "model", "personality", "skill")
    }
    rules = Allowed(_texts(row["id"] for row in members["rule"]))
    languages = Allowed(_texts(_languages(members["platform"])), "language")
    return {
        ("agent", "name"): Allowed(_texts(row["name"] for row in agents)),
        ("agent", "interaction"): _words(_fields("agent")["interaction"]),
        ("agent", "knowledge_bases", EACH): Allowed(_texts(name for row in agents for name in row["knowledge_bases"])),
        ("agent", "attachments", EACH): Allowed(_texts(name for row in agents for name in row["attachments"])),
        ("agent", "tools", EACH): Allowed(_texts(map(bare, graph.tools))),
        ("agent", "skills", EACH, "name"): names["skill"],
        ("agent", "rules", EACH, "id"): rules,
        ("agent", "rules", EACH, "topic"): Allowed(_texts(row["topic"] for row in members["rule"])),
        **{("agent", "rules", EACH, key): _words(rule[key]) for key in ("authority", "strength", "effect")},
        ("platform", "name"): names["platform"],
        ("platform", "language"): languages,
        ("platform", "languages", EACH): languages,
        ("platform", "timezone"): Allowed(_texts(row["timezone"] for row in members["platform"]), "timezone"),
        ("platform", "gives", EACH): _words(platform["gives"]["items"]),
        ("platform", "markup"): _words(platform["markup"]),
        ("platform", "limits", "length_unit"): _words(platform["limits"]["properties"]["length_unit"]),
        ("model", "name"): names["model"],
        ("model", "vendor"): Allowed(_texts(row["vendor"] for row in members["model"])),
        ("personality", "name"): names["personality"],
        ("audience", "name"): Allowed(AUDIENCES),
        ("mode", "name"): Allowed(_texts(mode for policy in policies for mode in policy.data["modes"])),
        ("mode", "policy"): Allowed(_texts(bare(policy.name) for policy in policies)),
        ("mode", "requires_confirmation_for", EACH): Allowed(ACTIONS),
    }


def _languages(platforms: Iterable[Mapping[str, Any]]) -> Iterable[Any]:
    return (tag for row in platforms for tag in (row["language"], *row["languages"]))


def _fields(kind: str) -> Mapping[str, Any]:
    """Return the schemas of a kind's fields."""
    fields: Mapping[str, Any] = load_schema(kind)["$defs"]["full"]["properties"]
    return fields


def _words(schema: Mapping[str, Any]) -> Allowed:
    return Allowed(_texts(schema["enum"]))


def _texts(found: Iterable[Any]) -> Collection[str]:
    return dict.fromkeys(text for text in found if isinstance(text, str) and text).keys()
