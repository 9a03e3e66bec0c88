"""What a policy leaves open: actions that a mode does not settle, secrets that a pattern just misses, open siblings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.policy.cells import UNDECIDED, flags
from frieze.policy.layers import floors
from frieze.policy.probing import guard_of
from frieze.policy.shapes import instance, path_instance
from frieze.policy.wording import quoted
from frieze.profiles.declarations import Graph, Policy
from frieze.runtime.guard.decisions import Action
from frieze.runtime.guard.patterns import PatternError, PatternSet
from frieze.runtime.guard.vocabulary import EDITING


def mode_faults(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield what modes leave undecided, and what they say that has no effect."""
    for name, mode in policy.data.get("modes", {}).items():
        cells = table["modes"][name]["cells"]
        open_ones = [action for action, cell in cells.items() if cell["rule"].endswith(f".{UNDECIDED}")]
        if open_ones:
            place = policy.origin.key("modes", name)
            yield Diagnostic.of("F840", place, mode=name, actions=quoted(open_ones))
        able = flags(mode)
        for index, action in enumerate(mode.get("requires_confirmation_for", ())):
            field = _denying(action, able)
            given = mode.get("actions", {}).get(action)
            if field or given == "deny":
                place = policy.origin.span("modes", name, "requires_confirmation_for", index)
                why = f"`{field}: false`" if field else f"`actions.{action}: deny`"
                yield Diagnostic.of("F845", place, mode=name, action=action, why=why)


def _denying(action: str, able: Mapping[str, bool]) -> str:
    if action in EDITING and not able["can_edit"]:
        return "can_edit"
    return "can_run_tests" if action == "test" and not able["can_run_tests"] else ""


def secret_faults(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield secrets that the policy just misses: it closes one of their kind and not them."""
    closed = policy.data.get("paths", {}).get("deny", ())
    try:
        everything = PatternSet([*table["paths"]["deny"], *table["paths"]["except"]])
        own = [(index, PatternSet([pattern])) for index, pattern in enumerate(closed)]
    except PatternError:
        return
    for kind in _hints(graph, policy, "secrets"):
        missed = [name for name in kind if everything.first(path_instance(name).split("/")) is None]
        hits = [index for index, pattern in own if any(pattern.first(path_instance(name).split("/")) for name in kind)]
        if missed and hits:
            place = policy.origin.span("paths", "deny", hits[0])
            yield Diagnostic.of("F846", place, pattern=closed[hits[0]], missed=quoted(missed))


def sibling_faults(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield programs that do what a rule denies of another one, and that are not denied."""
    guards = [guard_of(table, mode, interactive=True) for mode in table["modes"]]
    for name, rule in policy.data.get("rules", {}).items():
        if rule["effect"] != "deny" or rule.get("modes") is not None:
            continue
        for number, shape in enumerate(rule.get("commands", ())):
            programs = [shape[0]] if isinstance(shape[0], str) else list(shape[0])
            covered = {_program(other) for row in rule["commands"] for other in _heads(row)}
            for program in programs:
                for sibling in sorted(_siblings(graph, policy, program) - covered):
                    command = instance([*sibling.split(), *shape[1:]], rule.get("flags", ()))
                    if any(guard.decide(Action("run", command=command)).effect != "deny" for guard in guards):
                        place = policy.origin.span("rules", name, "commands", number)
                        yield Diagnostic.of("F847", place, name=name, program=program, command=command)


def _heads(shape: list[Any]) -> list[list[Any]]:
    first = [shape[0]] if isinstance(shape[0], str) else shape[0]
    return [[word, *shape[1:]] for word in first]


def _program(shape: list[Any]) -> str:
    return str(shape[0])


def _siblings(graph: Graph, policy: Policy, program: str) -> set[str]:
    return {other for group in _hints(graph, policy, "siblings") if program in group for other in group} - {program}


def _hints(graph: Graph, policy: Policy, key: str) -> list[list[str]]:
    return [group for source in (policy, *floors(graph, policy)) for group in source.data.get("hints", {}).get(key, ())]
