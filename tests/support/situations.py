"""Real situations of the support desk: which prompt is asked for with which context, at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from frieze.runtime import Prompt, Result
from support import examples

PROJECT = "support-desk"
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
CACHED = "claude-sonnet-4-6"
UNCACHED = "gemma-3-4b-it"


@dataclass(frozen=True, slots=True)
class Situation:
    """A target, and the name of the context that is passed."""

    context: str
    target: dict[str, str]

    @property
    def prompt(self) -> Prompt:
        """The prompt that is asked for."""
        return examples.bundle(PROJECT).prompt(**self.target)

    @property
    def given(self) -> dict[str, Any]:
        """The context that is passed."""
        return examples.given_contexts(PROJECT)[self.context]

    def render(self) -> Result:
        """Render it."""
        return self.prompt.render(self.given, NOW)


def _concierge(context: str, platform: str, **more: str) -> Situation:
    return Situation(context, {"agent": "concierge", "platform": platform, "model": CACHED, **more})


SITUATIONS = {
    "web-visitor": _concierge("web-visitor", "web-chat"),
    "web-visitor-inline": _concierge("web-visitor", "web-chat", model=UNCACHED),
    "web-opening": _concierge("web-opening", "web-chat"),
    "web-opening-in-chat": Situation("web-opening", {"agent": "greeter", "platform": "web-chat", "model": CACHED}),
    "line-opening-in-chat": Situation("web-opening", {"agent": "greeter", "platform": "line", "model": UNCACHED}),
    "line-guest": _concierge("line-tokyo", "line"),
    "line-group": _concierge("line-group", "line", audience="group"),
    "slack-group": _concierge("slack-group", "slack", audience="group", personality="pragmatic"),
    "console-member": _concierge("console-member", "console"),
    "knowledge-down": _concierge("knowledge-down", "line"),
    "knowledge-partly-down": _concierge("knowledge-partly-down", "line"),
    "forced-tool": _concierge("forced-tool", "web-chat"),
    "reference-documents": _concierge("reference-documents", "console", personality="formal"),
    "limited-role": _concierge("limited-role", "console"),
    "ranking-degraded": _concierge("ranking-degraded", "api"),
    "more-skills": _concierge("more-skills", "slack"),
    "api-with-nothing": _concierge("api-empty", "api", model=UNCACHED),
    "hostile-values": _concierge("hostile", "web-chat"),
    "hostile-values-in-the-console": _concierge("hostile", "console"),
    "hostile-values-in-a-group": _concierge("hostile", "line", audience="group", model=UNCACHED),
}
"""Situation by name."""
