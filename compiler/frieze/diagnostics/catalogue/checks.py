"""F7, checks on what compiles."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F701",
        name="changing-instructions",
        severity=Severity.WARNING,
        message="these instructions print {inputs}, so they are not the same for every user and leave the never zone",
        meaning="The part of a prompt that is the same for every user is cached once for all of them. Instructions that "
        "print a request's value are cached for one conversation at most (zone {zone} here).",
        help="move the value into a block of its own, or accept the cost and write `zone: {zone}`",
        bad="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
inputs:
  name: {type: line, from: contact.name, default: there}
instructions: |
  You talk with {{ name | quoted }}.
""",
        good="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
zone: session
inputs:
  name: {type: line, from: contact.name, default: there}
instructions: |
  You talk with {{ name | quoted }}.
""",
    ),
    Code(
        code="F702",
        name="unused-input",
        severity=Severity.WARNING,
        message="the input `{name}` is declared but never read",
        meaning="No variant of this block prints the input or decides anything by it.",
        help="remove it, or use it in the body or in `when`",
        bad="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
inputs:
  name: {type: line, from: contact.name}
instructions: You answer questions.
""",
        good="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You answer questions.
""",
    ),
    Code(
        code="F703",
        name="unused-block",
        severity=Severity.WARNING,
        message="the block `{name}` stands in no layout that an agent uses",
        meaning="A block becomes part of a prompt only where a layout has a place for it.",
        help="insert it with `layout: {{insert: {{{name}: {{after: instructions}}}}}}` on an agent or a platform, or remove it",
        bad="""# file: profiles/opening-hours.yaml
kind: block
name: opening-hours
body: We are open from nine to five.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You answer questions.
""",
        good="""# file: profiles/opening-hours.yaml
kind: block
name: opening-hours
body: We are open from nine to five.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
layout: {insert: {opening-hours: {after: instructions}}}
instructions: You answer questions.
""",
    ),
)
