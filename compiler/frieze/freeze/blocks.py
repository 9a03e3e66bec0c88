"""One block, for one path of answers: its condition, its residual, its inputs, its zones, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.freeze.inputs import Inputs, later, used_names
from frieze.freeze.model import FrozenBlock
from frieze.freeze.templates import Answers, Templates
from frieze.profiles.declarations import Block, Graph
from frieze.profiles.naming import bare
from frieze.template import Outcome, Question, Unanswered
from frieze.template.hardening import harden
from frieze.template.ir import Residual
from frieze.template.presence import prove_presence

INSTRUCTIONS = "instructions"
"""The block whose body comes from the agent."""

AGENT = Question("agent", ("agent",), lambda data: data["agent"]["name"])


@dataclass(frozen=True, slots=True)
class Freezer:
    """Freezes blocks of one project. `headings` and `tags` are those of the whole project."""

    graph: Graph
    templates: Templates
    headings: frozenset[str]
    tags: frozenset[str]

    def freeze(self, block: Block, answers: Mapping[str, Outcome]) -> FrozenBlock:
        """Freeze a block as far as the answers go.

        Raises:
            Unanswered: the block depends on a question that is not answered yet.
        """
        declared = self._declared(block, answers)
        when_span = declared.when.span if declared.when else None
        found: list[Diagnostic] = []
        known, when, faults = self._when(declared, answers)
        found += faults
        if declared.body is None or (known and not when):
            return FrozenBlock(declared, when_span=when_span, diagnostics=tuple(found))
        residual, faults = self.templates.body(declared.body, frozenset(declared.inputs), answers)
        found += faults
        condition = None if known else when
        inputs = Inputs(self.templates, self.graph.project.context, answers, self.headings, self.tags)
        used = used_names(residual.body, condition)
        for name, declaration in declared.inputs.items():
            if name in used:
                inputs.add(declaration)
        found += inputs.diagnostics
        if not any(entry.severity == Severity.ERROR for entry in found):
            residual, faults = self._prove(residual, condition, when_span, inputs)
            found += faults
        zone = declared.zone or "never"
        return FrozenBlock(
            declared,
            residual,
            condition,
            inputs.specs,
            later(inputs.zones, (zone, zone)),
            when_span,
            tuple(found),
        )

    def _declared(self, block: Block, answers: Answers) -> Block:
        """Return the block itself, for the placeholder of the instructions the chosen agent's own block."""
        if bare(block.name) != INSTRUCTIONS or block.body is not None:
            return block
        if AGENT.key not in answers:
            raise Unanswered(AGENT)
        own = self.graph.agents[answers[AGENT.key].value].instructions
        return replace(own, heading=block.heading, tag=block.tag) if own else block

    def _when(self, declared: Block, answers: Answers) -> tuple[bool, object, list[Diagnostic]]:
        if declared.when is None:
            return True, True, []
        return self.templates.condition(declared.when, frozenset(declared.inputs), answers)

    def _prove(
        self, residual: Residual, when: object, when_span: Span | None, inputs: Inputs
    ) -> tuple[Residual, list[Diagnostic]]:
        """Prove that nothing absent is printed, and choose how each value is."""
        typed = inputs.typed()
        found = prove_presence(residual, typed, True if when is None else when, when_span=when_span)
        hardened, faults = harden(residual, typed, headings=self.headings, tags=self.tags)
        return hardened, [*found, *faults]
