"""The examples of rules, put before the real guard as they stand and changed a little."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, Span
from frieze.policy.probing import guard_of
from frieze.policy.view import RULE, View
from frieze.profiles.declarations import Policy
from frieze.runtime.guard.decisions import Action, Decision
from frieze.runtime.guard.guard import Guard
from frieze.runtime.guard.vocabulary import RANK

MUTATIONS: tuple[tuple[str, str], ...] = (
    ("{}; probe-of-permissions", "with another command behind it"),
    ("{} && probe-of-permissions", "with another command behind it"),
    ("{} | probe-of-permissions", "with a pipe into another command"),
    ("{} --probe-of-permissions", "with a flag that nothing knows"),
    ("LD_PRELOAD=./probe.so {}", "with an assignment in front of it"),
    ("{} $(id)", "with a substitution"),
    ("{} > /probe-of-permissions", "with its output written outside of the workspace"),
)
"""What is done to an allowed example so that nothing may allow it, and how a message says it."""


def example_faults(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield each example that the guard does not answer as its rule says, in the first mode that shows it."""
    told: set[tuple[str, Span]] = set()
    for fault in _in_all_modes(policy, table):
        if (fault.code, fault.span) not in told:
            told.add((fault.code, fault.span))
            yield fault


def _in_all_modes(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    for name, rule in policy.data.get("rules", {}).items():
        if not (rule.get("match") or rule.get("not_match")):
            continue
        for mode in _modes(rule, table):
            view = View(table, mode, interactive=True)
            yield from _Examples(policy, name, rule, view, guard_of(table, mode, interactive=True)).faults()


def _modes(rule: Mapping[str, Any], table: Mapping[str, Any]) -> list[str]:
    named = rule.get("modes")
    return [mode for mode in table["modes"] if named is None or mode in named]


class _Examples:
    """The examples of one rule in one mode."""

    def __init__(self, policy: Policy, name: str, rule: Mapping[str, Any], view: View, guard: Guard) -> None:
        self.policy = policy
        self.name = name
        self.rule = rule
        self.view = view
        self.guard = guard
        self.counts = rule["effect"] != "allow" or view.cell(rule["action"]) == "allow"

    def faults(self) -> Iterator[Diagnostic]:
        """Yield what is wrong; a mode in which the rule cannot count proves nothing of it."""
        for index, example in enumerate(self.rule.get("match", ())):
            if self.counts:
                yield from self._match(index, example)
        for index, example in enumerate(self.rule.get("not_match", ())):
            decision = self._decide(example)
            if self._takes(decision):
                yield self._fault(("not_match", index), example, decision, f"something else than {self._wanted}")

    def _match(self, index: int, example: str) -> Iterator[Diagnostic]:
        decision = self._decide(example)
        if not self._takes(decision):
            yield self._fault(("match", index), example, decision, self._wanted)
        elif self.rule["effect"] == "allow":
            for pattern, how in MUTATIONS:
                changed = self._decide(pattern.format(example))
                if changed.effect == "allow" and self.view.cell("run") != "allow":
                    place = self.policy.origin.span("rules", self.name, "match", index)
                    yield Diagnostic.of(
                        "F841", place, name=self.name, example=pattern.format(example), how=how, mode=self.view.mode
                    )

    @property
    def _wanted(self) -> str:
        return self.view.answer(self.rule["effect"], RULE)

    def _takes(self, decision: Decision) -> bool:
        """Tell whether the rule took the example: an allow by its effect, others by being among what was found."""
        if self.rule["effect"] == "allow":
            return decision.effect == "allow"
        found = any(finding.rule == self.name for finding in decision.findings)
        return found and RANK[decision.effect] >= RANK[self._wanted]

    def _decide(self, example: str) -> Decision:
        return self.guard.decide(Action("run", command=example))

    def _fault(self, path: tuple[str, int], example: str, decision: Decision, wanted: str) -> Diagnostic:
        place = self.policy.origin.span("rules", self.name, *path)
        return Diagnostic.of(
            "F836",
            place,
            name=self.name,
            example=example,
            wanted=wanted,
            effect=decision.effect,
            rule=decision.rule,
            mode=self.view.mode,
            advice=f"the guard says: {decision.reason}",
        )
