"""What is asked of a guard, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .vocabulary import Finding

CONFIRMATION_UNAVAILABLE = "confirmation-unavailable"
"""The reason of a denial where a person would be asked and none can be."""

FAILURE = "guard.failure"
"""The rule of an answer that the guard gives when something in it fails."""

CONFIRMED = "A person has agreed to exactly this."


class Action(NamedTuple):
    """What somebody wants to do.

    Attributes:
        kind: an action of the policy's vocabulary, such as `read`; `run` for a command, `tool` for a call.
        command: a command line.
        path: a path, relative to `cwd`.
        tool: a tool's name.
        args: the tool's arguments.
        cwd: the folder that it starts in; without it the workspace.
    """

    kind: str
    command: str | None = None
    path: str | None = None
    tool: str | None = None
    args: Mapping[str, Any] | None = None
    cwd: str | None = None


class Decision(NamedTuple):
    """The guard's answer.

    Attributes:
        effect: `allow`, `ask` or `deny`.
        action: what kind of action it is.
        rule: the id of the rule that decided.
        risk: what may be lost.
        reason: one sentence, or `confirmation-unavailable` where nobody can be asked.
        confirmation: what to show a person where the effect is `ask`; for `Guard.approve` afterwards.
        findings: everything that was found, for a log.
    """

    effect: str
    action: str
    rule: str
    risk: str
    reason: str
    confirmation: dict[str, Any] | None = None
    findings: tuple[Finding, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """Return the decision without its findings, as JSON data."""
        return {name: value for name, value in zip(self._fields, self, strict=True) if name != "findings"}

    def message(self) -> str:
        """Say why in a sentence, also where the reason is that nobody can be asked."""
        if self.reason != CONFIRMATION_UNAVAILABLE:
            return self.reason
        asked = next((finding.reason for finding in self.findings if finding.effect == "ask"), "")
        return f"Nobody can be asked here. {asked}".strip()
