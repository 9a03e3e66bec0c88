"""Whether the text about a policy is true: the guard has to keep every sentence of every mode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, Span
from frieze.policy.probing import Broken, broken_claims, guard_of
from frieze.policy.text import permissions_text
from frieze.policy.wording import Wording
from frieze.profiles.declarations import Policy

ATTENDANCE: Mapping[str, bool] = {"attended": True, "unattended": False}
"""The two texts of a mode, and whether a person can be asked."""


def claim_faults(policy: Policy, table: Mapping[str, Any], wording: Wording) -> Iterator[Diagnostic]:
    """Yield each sentence that the guard does not keep, with what it did; one fault a sentence and mode."""
    for mode in table["modes"]:
        for name, interactive in ATTENDANCE.items():
            text = permissions_text(table, mode, wording, interactive=interactive)
            told = set()
            for broken in broken_claims(text, guard_of(table, mode, interactive=interactive)):
                if broken.sentence.line not in told:
                    told.add(broken.sentence.line)
                    yield _fault(policy, broken, mode, name)


def _fault(policy: Policy, broken: Broken, mode: str, attendance: str) -> Diagnostic:
    return Diagnostic.of(
        "F848",
        _place(policy, broken.sentence.rules),
        sentence=broken.sentence.text.removeprefix("- "),
        mode=mode,
        attendance=attendance,
        probe=broken.probe.shown,
        wanted=" or ".join(sorted(broken.probe.effects)),
        effect=broken.decision.effect,
        advice=f"the guard says: {broken.decision.reason}",
    )


def _place(policy: Policy, rules: tuple[str, ...]) -> Span:
    own = next((rule for rule in rules if rule in policy.data.get("rules", {})), None)
    return policy.origin.key("rules", own) if own else policy.origin.span("name")
