"""F850, F851, F852: a text forbids something that the agent's policy lets happen, or names a rule that there is not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, Related, did_you_mean
from frieze.freeze import Frozen
from frieze.policy.cells import settled
from frieze.profiles import layout_for
from frieze.profiles.declarations import Agent, Block, Graph, RuleText
from frieze.profiles.naming import LIBRARY, bare, is_library, listed
from frieze.runtime.guard.vocabulary import ACTIONS

_VERBS: Mapping[str, str] = {
    "delete": "delete|remove|erase|wipe",
    "move": "move|rename",
    "edit": "edit|modify|change|overwrite|write|create|touch",
    "run": "run|execute|launch",
    "install": "install|upgrade|add",
    "network": "download|fetch|connect|access",
    "push": "push|force-push",
    "commit": "commit",
    "pull-request": "merge|open",
    "deploy": "deploy|publish|release",
    "secrets": "print|show|reveal|read|log",
}
"""Action -> verbs that may mean it, where one of its objects follows."""

_OBJECTS: Mapping[str, str] = {
    "delete": r"files?|folders?|director\w+|data|databases?|tables?|branch\w*|anything|code|tests?",
    "move": r"files?|folders?|director\w+|anything|code",
    "edit": r"files?|code|configurations?|config|tests?|folders?|director\w+|workspace|repositor\w+",
    "run": r"commands?|programs?|scripts?|code|migrations?|shell|anything",
    "install": r"packages?|dependenc\w+|librar\w+|software|anything",
    "network": r"internet|network|web|urls?|hosts?|servers?",
    "push": r"branch\w*|commits?|main|master|remote|changes?|code|anything|history",
    "commit": r"changes?|files?|code|anything|branch\w*",
    "pull-request": r"pull requests?|merge requests?|branch\w*",
    "deploy": r"production|staging|packages?|services?|anything|releases?|versions?",
    "secrets": r"secrets?|passwords?|credentials?|tokens?|api keys?|private keys?|\.env",
}
"""Action -> what its verbs are about when they mean it; a verb alone is mostly something else."""

_FORBIDDEN = r"\b(?:do not|don't|never|must not|mustn't|may not|must never)\s+(?:\w+ly\s+|ever\s+|just\s+)?"
_NEAR = r"\b(?=[^.;:!?\n]{0,60}?\b"

_PROHIBITIONS: Mapping[str, re.Pattern[str]] = {
    action: re.compile(rf"{_FORBIDDEN}(?:{verbs}){_NEAR}(?:{_OBJECTS[action]})\b)", re.IGNORECASE)
    for action, verbs in _VERBS.items()
}

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)

PATH_RULES = ("paths.deny", "paths.protected", "paths.generated", "paths.catastrophic", "paths.outside")
"""What `enforced_by` may name besides rules of the policy."""


def unenforced_prohibition(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield, for every text of the project that an agent with a policy shows, what it forbids and nothing enforces."""
    told: set[tuple[str, str]] = set()
    shown: set[str] = set()
    for agent in frozen.graph.agents.values():
        table = frozen.graph.tables.get(agent.permissions or "")
        if table is None:
            continue
        records: list[Block | RuleText] = [*_own_blocks(frozen, agent)]
        records += (frozen.graph.rules[name] for name in agent.rules)
        for record in records:
            shown.add(record.origin.file)
            yield from _unknown(record, agent, table)
            written = record.body if isinstance(record, Block) else record.text
            if written is None or record.advice or record.enforced_by:
                continue
            text = _TAG.sub(lambda tag: " " * len(tag[0]), written.value)
            for action, pattern in _PROHIBITIONS.items():
                found = pattern.search(text)
                key = (written.span.file, action)
                if found and key not in told and not _enforced(action, agent, table):
                    told.add(key)
                    policy = bare(table["name"])
                    related = (Related(agent.origin.span("permissions"), f"the policy of `{bare(agent.name)}`"),)
                    place = written.locate(*found.span())
                    yield Diagnostic.of("F850", place, action=action, policy=policy, related=related)
    yield from _nowhere(frozen, shown)


def _own_blocks(frozen: Frozen, agent: Agent) -> Iterator[Block]:
    """Yield the agent's instructions and the project's blocks in its layouts, each once."""
    if agent.instructions:
        yield agent.instructions
    names: dict[str, None] = {}
    for platform in agent.allows["platform"] or (None,):
        slots, _ = layout_for(frozen.graph, agent.name, platform)
        names |= dict.fromkeys(block for _, block in slots)
    yield from (frozen.graph.blocks[name] for name in names if not is_library(name))


def _enforced(action: str, agent: Agent, table: Mapping[str, Any]) -> bool:
    """Tell whether the policy stops or asks about an action in every mode of the agent, or has a rule for it."""
    modes = [table["modes"][mode]["cells"][action]["effect"] for mode in agent.allows["mode"]]
    ruled = any(entry["action"] == action and entry["effect"] != "allow" for entry in table["entries"])
    closed = action == "secrets" and bool(table["paths"]["deny"])
    return ruled or closed or "allow" not in modes


def _nowhere(frozen: Frozen, shown: set[str]) -> Iterator[Diagnostic]:
    """Yield each name in `enforced_by` that no policy has, of texts that no agent with a policy shows."""
    graph = frozen.graph
    records: list[Block | RuleText] = [agent.instructions for agent in graph.agents.values() if agent.instructions]
    records += [*graph.blocks.values(), *graph.rules.values()]
    named = [record for record in records if record.enforced_by and record.origin.file not in shown]
    if not named:
        return
    rules = {rule for policy in graph.policies.values() for rule in policy.data.get("rules", {})}
    known = {*rules, *PATH_RULES, *_ids(graph)}
    for record in named:
        for index, name in enumerate(record.enforced_by):
            place = record.origin.span("enforced_by", index)
            if name not in known and not place.file.startswith(LIBRARY):
                advice = did_you_mean(name, sorted(rules), "rules stand under `rules` of a permission policy")
                yield Diagnostic.of("F852", place, what="rule of a permission policy", name=name, advice=advice)


def _ids(graph: Graph) -> Iterator[str]:
    """Yield the ids of a floor's rules as those above it have them, and of what modes say of actions."""
    for policy in graph.policies.values():
        yield from (f"{bare(policy.name)}/{rule}" for rule in policy.data.get("rules", {}))
        for name, mode in policy.data.get("modes", {}).items():
            yield from (settled(name, mode, action, policy.data)[1] for action in ACTIONS)


def _unknown(record: Block | RuleText, agent: Agent, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    rules = {entry["id"] for entry in table["entries"]}
    cells = {cell["rule"] for mode in table["modes"].values() for cell in mode["cells"].values()}
    for index, name in enumerate(record.enforced_by):
        if name not in rules | cells | {*PATH_RULES}:
            policy = bare(table["name"])
            advice = did_you_mean(name, sorted(rules), f"its rules are {listed(sorted(rules))}")
            related = (Related(agent.origin.span("permissions"), f"the policy of `{bare(agent.name)}`"),)
            place = record.origin.span("enforced_by", index)
            yield Diagnostic.of("F851", place, name=name, policy=policy, related=related, advice=advice)
