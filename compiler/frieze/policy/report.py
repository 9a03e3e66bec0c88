"""What can be said of a policy as a whole: its matrix, how its modes differ, how well its examples cover it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

from frieze.policy.probing import HOME, WORKSPACE, decide, guard_of
from frieze.policy.sentences import Probe
from frieze.policy.shapes import instance, path_instance
from frieze.profiles.declarations import Policy
from frieze.runtime.guard.vocabulary import ACTIONS, EFFECTS, PATH_LISTS, RANK

ANY = frozenset(EFFECTS)
PATH_ACTIONS = ("read", "search", "edit", "delete", "move")
PLACES = ("src/app.py", "/elsewhere/file.txt", f"{HOME}/notes.txt", WORKSPACE, "/")
"""Paths of every kind that the lists of a policy do not name: inside, outside, at home, the workspace, the root."""


class Difference(NamedTuple):
    """A case that one mode answers more permissively than another."""

    case: str
    looser: str
    stricter: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two modes. `looser` holds what the first one answers more permissively than the second."""

    first: str
    second: str
    cases: int
    looser: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """A rule, its effect, and how many examples it has of what it takes and of what it does not."""

    rule: str
    effect: str
    match: int
    not_match: int


@dataclass(frozen=True, slots=True)
class PolicyReport:
    """The report of one policy."""

    name: str
    hash: str
    matrix: Mapping[str, Mapping[str, tuple[str, str]]]
    """Action -> mode -> (effect, rule)."""
    comparisons: tuple[Comparison, ...]
    coverage: tuple[Coverage, ...]
    cannot: tuple[str, ...]

    @property
    def modes(self) -> tuple[str, ...]:
        """The names of the modes."""
        return tuple(next(iter(self.matrix.values())))

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        return {
            "name": self.name,
            "hash": self.hash,
            "matrix": {
                action: {mode: {"effect": effect, "rule": rule} for mode, (effect, rule) in row.items()}
                for action, row in self.matrix.items()
            },
            "comparisons": [
                {
                    "first": each.first,
                    "second": each.second,
                    "cases": each.cases,
                    "no_more_permissive": not each.looser,
                    "looser": [difference._asdict() for difference in each.looser],
                }
                for each in self.comparisons
            ],
            "coverage": [
                {"rule": each.rule, "effect": each.effect, "match": each.match, "not_match": each.not_match}
                for each in self.coverage
            ],
            "cannot": list(self.cannot),
        }


def policy_report(policy: Policy, table: Mapping[str, Any]) -> PolicyReport:
    """Return the report of a policy with modes."""
    modes = sorted(table["modes"])
    matrix = {
        action: {
            mode: (cell["effect"], cell["rule"]) for mode in modes for cell in [table["modes"][mode]["cells"][action]]
        }
        for action in ACTIONS
    }
    rules: Mapping[str, Any] = policy.data.get("rules", {})
    coverage = tuple(
        Coverage(name, rule["effect"], len(rule.get("match", ())), len(rule.get("not_match", ())))
        for name, rule in sorted(rules.items())
    )
    return PolicyReport(
        table["name"], table["hash"], matrix, tuple(_comparisons(table, modes)), coverage, tuple(table["cannot"])
    )


def cases(table: Mapping[str, Any]) -> list[Probe]:
    """Return the finite abstraction of a table: every action, each on every kind of path, every rule, every program."""
    found: dict[Probe, None] = {Probe(ANY, action): None for action in ACTIONS}
    places = list(PLACES)
    for key in PATH_LISTS:
        places += [path_instance(path) for path in table["paths"][key]]
    for entry in table["entries"]:
        places += [path_instance(path) for path in entry.get("paths", ())]
        for shape in entry["commands"]:
            found[Probe(ANY, "run", command=instance(shape, entry.get("flags", ())))] = None
            found[Probe(ANY, "run", command=instance(shape))] = None
    found |= {Probe(ANY, action, path=path): None for path in places for action in PATH_ACTIONS}
    found |= {Probe(ANY, "run", command=name): None for names in table["programs"] for name in names.split()}
    return list(found)


def _comparisons(table: Mapping[str, Any], modes: list[str]) -> Iterator[Comparison]:
    probes = cases(table)
    answers = {}
    for mode in modes:
        guard = guard_of(table, mode, interactive=True)
        answers[mode] = [decide(guard, probe).effect for probe in probes]
    for first, second in permutations(modes, 2):
        looser = tuple(
            Difference(f"`{probe.command}`" if probe.command else probe.shown, one, other)
            for probe, one, other in zip(probes, answers[first], answers[second], strict=True)
            if RANK[one] < RANK[other]
        )
        yield Comparison(first, second, len(probes), looser)
