"""Codes about models: who answers for a name, what base instructions have no place for."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_CODING = """# file: profiles/example.yaml
kind: agent
name: example
instructions: Be kind.
layout: std/coding
defaults: {model: house, personality: friendly}
# file: profiles/house.yaml
kind: model
name: house
"""

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F353",
        name="framed-verbatim",
        severity=Severity.ERROR,
        message="the block `{name}` is sent as it is, so nothing can stand around it",
        meaning="With `verbatim: true` a body goes to the model byte for byte, without a heading or tag around it.",
        help="remove the heading or tag, or `verbatim`",
        bad="kind: block\nname: rules\nheading: Rules\nverbatim: true\nbody: Be kind.\n",
        good="kind: block\nname: rules\nverbatim: true\nbody: Be kind.\n",
    ),
    Code(
        code="F368",
        name="several-fallbacks",
        severity=Severity.ERROR,
        message="the agent `{agent}` already has a fallback record, `{other}`",
        meaning="A fallback record answers for every name of a model that no other record does, so an agent has one.",
        help="remove `fallback` from one of the two, or one of them from the agent's `allows`",
        bad=(
            "# file: profiles/any.yaml\nkind: model\nname: any\nfallback: true\n"
            "# file: profiles/other.yaml\nkind: model\nname: other\nfallback: true\n"
        ),
        good=(
            "# file: profiles/any.yaml\nkind: model\nname: any\nfallback: true\n"
            "# file: profiles/other.yaml\nkind: model\nname: other\n"
        ),
    ),
    Code(
        code="F714",
        name="silent-personality",
        severity=Severity.WARNING,
        message="on the model `{model}` personalities have no effect: {personalities}",
        meaning="The base instructions of this model have no place for a personality's text, so nothing of it is sent "
        "as long as they hold.",
        help="give the model a `template` with `{{{{ personality }}}}` where the text belongs; else leave these out of "
        "the agent's `allows`",
        bad=_CODING + "instructions: You work in a terminal.\n",
        good=_CODING + "template: |\n  You work in a terminal.\n\n  {{ personality }}\n",
    ),
)
