"""F5, inputs and what may be printed."""

from __future__ import annotations

from frieze.diagnostics.catalogue import absence, printing
from frieze.diagnostics.model import Code, Severity

ENTRIES: tuple[Code, ...] = (
    *absence.ENTRIES,
    *printing.ENTRIES,
    Code(
        code="F560",
        name="wrong-known-value",
        severity=Severity.ERROR,
        message="the value of `{path}` is not a valid {type}",
        meaning="An input takes its value from a field of a platform, a model or an agent. That value is known when "
        "compiling, so it is checked now and not at the first request.",
        help="correct the value where it is declared",
        bad="""# file: profiles/clock.yaml
kind: block
name: clock
inputs:
  zone: {type: timezone, from: agent.data.zone, default: UTC}
body: "Time zone: {{ zone }}"
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
data: {zone: Mars/Olympus}
layout: {insert: {clock: {after: instructions}}}
instructions: You answer questions.
""",
        good="""# file: profiles/clock.yaml
kind: block
name: clock
inputs:
  zone: {type: timezone, from: agent.data.zone, default: UTC}
body: "Time zone: {{ zone }}"
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
data: {zone: Asia/Tokyo}
layout: {insert: {clock: {after: instructions}}}
instructions: You answer questions.
""",
    ),
)
