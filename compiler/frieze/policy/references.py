"""What a policy names and nothing declares: programs, roles of arguments, grammars, tables, and modes of a floor."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.profiles.declarations import DataPath, Graph, Policy
from frieze.profiles.naming import LIBRARY, bare, listed
from frieze.runtime.guard.grammars import GRAMMARS
from frieze.runtime.guard.programs import ROLES, spread

TABLES = ("programs", "wrappers", "assignments", "aliases", "executables")
"""What a policy holds that others may name under `programs`."""

SHORTEST_SWAPPED = 4
"""Letters of a word from which on two in the wrong order are a slip."""

SHORTEST_LACKING = 6
"""Letters of a word from which on one that is not there is a slip."""

GROUND = ("rules", "paths", "actions", "secrets", "cannot", "hints", "wording", "floor")
"""What a policy holds that counts in those that stand on it."""


def reference_faults(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield each name in a policy that means nothing."""
    yield from _tools(graph, policy)
    yield from _programs(policy, table)
    known = _known(table)
    for section in ("programs", "wrappers"):
        rows = policy.data.get(section)
        for names, row in rows.items() if isinstance(rows, Mapping) else ():
            yield from _row(policy, (section, names), row, known)
    yield from _misspelt(policy, table)
    yield from _sorts(graph, policy)
    yield from _floor_modes(graph, policy)


def _tools(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield what in rules about tools no call of a tool can match; that a tool does not exist is said before."""
    for name, rule in policy.data.get("rules", {}).items():
        tools = rule.get("tools", ())
        beside = next((key for key in ("commands", "paths") if rule.get(key)), None)
        if tools and beside:
            why = f"tools are compared by their names alone, and the rule `{name}` has `{beside}` as well"
            place = policy.origin.key("rules", name, "tools")
            yield Diagnostic.of("F837", place, why=why, advice="write two rules")
        for index, written in enumerate(tools):
            tool = graph.tools.get(written) or graph.tools.get(LIBRARY + bare(written))
            if tool and tool.action is None:
                why = f"the tool `{written}` has no `action`, so no rule is about it"
                place = policy.origin.span("rules", name, "tools", index)
                yield Diagnostic.of("F837", place, why=why, advice="say in the tool's profile which `action` it is")


def _known(table: Mapping[str, Any]) -> frozenset[str]:
    """Return the programs of a table."""
    return frozenset(name for key in ("programs", "wrappers") for name, _ in spread(table[key]))


def _programs(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield what aliases and paths stand for, where no table has a program of this name and no rule speaks of it."""
    others = _known(table) | table["aliases"].keys()
    ruled = {name for entry in table["entries"] for shape in entry["commands"] for name in _first(shape)}
    for key, known in (("aliases", others), ("executables", others | ruled)):
        for name, program in policy.data.get(key, {}).items():
            if program not in known:
                yield _no_program(policy, (key, name), program, known - {name})


def _first(shape: list[Any]) -> list[str]:
    return [shape[0]] if isinstance(shape[0], str) else shape[0]


def _misspelt(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield programs and verbs in rules that no table knows and that are a known one with a slip in it.

    Any program may be ruled about, so only slips count that hardly any name of another program would be.
    """
    known: dict[str, Mapping[str, Any]] = {}
    for key in ("programs", "wrappers"):
        known.update(spread(table[key]))
    names = known.keys() | table["aliases"].keys()
    for name, rule in policy.data.get("rules", {}).items():
        for number, shape in enumerate(rule.get("commands", ())):
            place = policy.origin.span("rules", name, "commands", number)
            for program in _first(shape):
                near = slip_of(program, names)
                verbs = dict(spread(known.get(program, {}).get("commands", {})))
                following = _first(shape[1:]) if shape[1:] and verbs else []
                found = [(program, near)] if near else [(verb, slip_of(verb, verbs)) for verb in following]
                for word, other in found:
                    if other:
                        yield Diagnostic.of("F854", place, name=name, word=word, near=other)


def slip_of(word: str, known: Collection[str]) -> str | None:
    """Return the known word in which one letter was left out or two stand in the wrong order; None where there is none.

    Short words, and letters at either end, are mostly no slips: `top` is not `stop`, `docker` is not `dockerd`.
    """
    if word in known or not word.isalpha():
        return None
    for at in range(len(word) - 1):
        swapped = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
        if len(word) >= SHORTEST_SWAPPED and swapped in known:
            return swapped
    longer = (each for each in known if len(each) == len(word) + 1 >= SHORTEST_LACKING and each.isalpha())
    return next((other for other in sorted(longer) if word in _lacking(other)), None)


def _lacking(word: str) -> set[str]:
    return {word[:at] + word[at + 1 :] for at in range(1, len(word) - 1)}


def _row(policy: Policy, path: DataPath, row: Mapping[str, Any], known: Collection[str]) -> Iterator[Diagnostic]:
    """Yield what a row of a table of programs names, and what its verbs name."""
    for role in row.get("arguments", "").split():
        name = role.removesuffix("*")
        if name not in ROLES:
            yield _nothing(policy, (*path, "arguments"), "role of an argument", name, ROLES, "the roles are")
    grammar = row.get("grammar")
    if grammar and grammar not in GRAMMARS:
        yield _nothing(policy, (*path, "grammar"), "grammar of arguments", grammar, GRAMMARS, "the grammars are")
    for name in row.get("modules", "").split():
        if name not in known:
            yield _no_program(policy, (*path, "modules"), name, known)
    for verbs, inner in row.get("commands", {}).items():
        yield from _row(policy, (*path, "commands", verbs), inner, known)


def _no_program(policy: Policy, path: DataPath, name: str, known: Collection[str]) -> Diagnostic:
    advice = did_you_mean(name, sorted(known), "programs are declared under `programs`, in this policy or in its table")
    return Diagnostic.of("F852", policy.origin.span(*path), what="program", name=name, advice=advice)


def _nothing(
    policy: Policy, path: DataPath, what: str, name: str, choices: Collection[str], introduced: str
) -> Diagnostic:
    advice = did_you_mean(name, choices, f"{introduced} {listed(choices, len(choices))}")
    return Diagnostic.of("F852", policy.origin.span(*path), what=what, name=name, advice=advice)


def _sorts(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield the policies that are named as a table or as a floor and hold nothing of the sort."""
    for key, named, wanted, what in (
        ("programs", policy.programs, TABLES, "no table of programs"),
        ("floor", policy.floor, GROUND, "nothing that counts below another policy"),
    ):
        other = graph.policies.get(named or "")
        if other and isinstance(policy.data.get(key), str) and not any(other.data.get(part) for part in wanted):
            fitting = [name for name, each in graph.policies.items() if any(each.data.get(part) for part in wanted)]
            place = policy.origin.span(key)
            advice = f"such policies are {listed(name for name in fitting if name != policy.name)}"
            yield Diagnostic.of("F853", place, key=key, name=bare(other.name), what=what, advice=advice)


def _floor_modes(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield the modes in rules of a floor that none of the policies has which stand on it."""
    above = [each for each in graph.policies.values() if each.floor == policy.name]
    modes = list(dict.fromkeys(mode for each in above for mode in each.data.get("modes", {})))
    if policy.data.get("modes") or not modes:
        return
    for name, rule in policy.data.get("rules", {}).items():
        for index, mode in enumerate(rule.get("modes") or ()):
            if mode not in modes:
                advice = did_you_mean(mode, modes, f"the policies that stand on it have {listed(modes)}")
                place = policy.origin.span("rules", name, "modes", index)
                yield Diagnostic.of("F831", place, name=name, mode=mode, advice=advice)
