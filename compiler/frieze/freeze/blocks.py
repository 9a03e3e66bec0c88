"""One block, for one path of answers: its condition, its residual, its inputs, its zones, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.freeze.bases import is_base
from frieze.freeze.inputs import Fixed, Inputs, later, used_names
from frieze.freeze.model import FrozenBlock
from frieze.freeze.templates import Answers, Templates
from frieze.profiles.building import INSTRUCTIONS, OF_AGENTS
from frieze.profiles.declarations import Block, Graph, Input
from frieze.profiles.naming import bare
from frieze.template import Outcome, Question, Unanswered
from frieze.template.absence import without_echoes
from frieze.template.hardening import harden
from frieze.template.ir import Body, Expression, Residual, Statement
from frieze.template.presence import prove_presence
from frieze.template.screening import UNKNOWN_NAME
from frieze.template.sound import Remembered, Sound, SoundStatements
from frieze.template.typing import REFUSED

TEMPLATES = "F4"
"""How the codes of faults begin that leave the rest of a template good enough to be looked at."""

AGENT = Question("agent", ("agent",), lambda data: data["agent"]["name"])


@dataclass(frozen=True, slots=True)
class Freezer:
    """Freezes blocks of one project. `headings` and `tags` are those of the whole project."""

    graph: Graph
    templates: Templates
    headings: frozenset[str]
    tags: frozenset[str]
    fixed: dict[int, Fixed] = field(default_factory=dict)
    """Inputs that are the same for every target, by the identity of their declaration."""
    read: dict[tuple[int, frozenset[str]], tuple[Block, Inputs]] = field(default_factory=dict)
    """The inputs of a block that are the same for every target, by its identity and their names."""
    own: dict[tuple[str, str], Block] = field(default_factory=dict)
    """Blocks as agents fill them, by block and agent."""
    sound: SoundStatements = field(default_factory=SoundStatements)
    """What was found of statements that templates share."""
    names: Remembered[frozenset[str]] = field(default_factory=lambda: Remembered(_names_in))

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
        if declared.body is None or (known and not when and not faults):
            return FrozenBlock(declared, when_span=when_span, diagnostics=tuple(found))
        residual, faults = self.templates.body(declared.body, frozenset(declared.inputs), answers)
        found += faults
        condition = None if known else when
        used = self._used(residual.body, condition)
        inputs = self._inputs(declared, used, answers)
        found += inputs.diagnostics
        errors = [entry for entry in found if entry.severity == Severity.ERROR]
        if not errors:
            residual, faults = self._prove(residual, condition, declared, inputs, used)
            found += faults
        elif not (_in_condition(errors, when_span) or any(entry.code[:2] != TEMPLATES for entry in errors)):
            _, faults = self._prove(residual, condition, declared, inputs, used)
            found += [entry for entry in faults if not any(_holds(entry.span, error.span) for error in errors)]
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

    def filled(self, block: Block, agent: str) -> Block:
        """Return a block as an agent fills it: for the placeholder of the instructions the agent's own."""
        found = self.own.get((block.name, agent))
        if found is None:
            own = self.graph.agents[agent].instructions if is_placeholder(block) else None
            found = replace(own, heading=block.heading, tag=block.tag, send=own.send or block.send) if own else block
            self.own[block.name, agent] = found
        return found

    def _declared(self, block: Block, answers: Answers) -> Block:
        """Return the block itself; for the place of the agent's or the model's text, the block with that text."""
        if is_base(block):
            return replace(block, body=self.templates.bases.text(answers))
        if not is_placeholder(block):
            return block
        if AGENT.key not in answers:
            raise Unanswered(AGENT)
        return self.filled(block, answers[AGENT.key].value)

    def _when(self, declared: Block, answers: Answers) -> tuple[bool, object, list[Diagnostic]]:
        if declared.when is None:
            return True, True, []
        return self.templates.condition(declared.when, frozenset(declared.inputs), answers)

    def _inputs(self, declared: Block, used: frozenset[str], answers: Answers) -> Inputs:
        """Return the inputs of a block that are read."""
        key = (id(declared), used)
        known = self.read.get(key)
        if known is not None:
            return known[1]
        inputs = Inputs(self.templates, self.graph.project.context, answers, self.headings, self.tags, self.fixed)
        for name, declaration in declared.inputs.items():
            if name in used:
                inputs.add(declaration)
        if all(id(declared.inputs[name]) in self.fixed for name in inputs.specs):
            # The block is kept as well, so that its identity stays taken.
            self.read[key] = (declared, inputs)
        return inputs

    def _used(self, body: Body, condition: Expression) -> frozenset[str]:
        """Return the names of the inputs that a residual body and the block's condition read."""
        used = [self.names(node) for node in body if not isinstance(node, str)]
        return frozenset(used_names([], condition)).union(*used)

    def _prove(
        self, residual: Residual, when: object, declared: Block, inputs: Inputs, used: frozenset[str]
    ) -> tuple[Residual, list[Diagnostic]]:
        """Prove that nothing absent is printed, and choose how each value is.

        A name that is no input was refused before, and is taken for one that fits wherever it stands.
        """
        typed = {**dict.fromkeys(used, REFUSED), **inputs.typed()}
        sound = None
        if declared.body and len(typed) == len(inputs.specs) and self.templates.is_simple(declared.body):
            sound = self.sound.under(inputs.signature())
        hardened, found = self._proved(residual, when, declared, typed, sound)
        if found and sound:
            # What was remembered has the places of another template.
            return self._proved(residual, when, declared, typed, None)
        return hardened, found

    def _proved(
        self, residual: Residual, when: object, declared: Block, typed: Mapping[str, Any], sound: Sound | None
    ) -> tuple[Residual, list[Diagnostic]]:
        found = prove_presence(
            residual,
            typed,
            True if when is None else when,
            when_span=declared.when.span if declared.when else None,
            declared=_Declared(declared.inputs),
            whole_block=bare(declared.name) != INSTRUCTIONS,
            sound=sound,
        )
        tags = frozenset[str]() if declared.verbatim or self._includes_base(declared) else self.tags
        hardened, faults = harden(residual, typed, headings=self.headings, tags=tags, sound=sound)
        return hardened, [*without_echoes(found, faults), *faults]

    def _includes_base(self, declared: Block) -> bool:
        """Tell whether a block shows base instructions, which may speak of any marker: they are no structure."""
        names = self.templates.includes(declared.body) if declared.body and "include" in declared.body.value else ()
        return any(is_base(self.graph.blocks[name]) for name in names)


class _Declared(Mapping[str, Span]):
    """Where each input is declared, looked up when a finding wants to say so."""

    def __init__(self, inputs: Mapping[str, Input]) -> None:
        self._inputs = inputs

    def __getitem__(self, name: str) -> Span:
        return self._inputs[name].span

    def __iter__(self) -> Iterator[str]:
        return iter(self._inputs)

    def __len__(self) -> int:
        return len(self._inputs)


def _names_in(node: Statement) -> frozenset[str]:
    return frozenset(used_names([node], None))


def is_placeholder(block: Block) -> bool:
    """Tell whether the chosen agent fills a block."""
    return bare(block.name) in OF_AGENTS and block.body is None


def _in_condition(errors: list[Diagnostic], when: Span | None) -> bool:
    """Tell whether a condition has no value at all, so that nothing is known of what it guards."""
    return when is not None and any(error.code != UNKNOWN_NAME and _holds(when, error.span) for error in errors)


def _holds(outer: Span, inner: Span) -> bool:
    start, end = (inner.line, inner.column), (inner.end_line, inner.end_column)
    return (
        outer.file == inner.file and (outer.line, outer.column) <= start and end <= (outer.end_line, outer.end_column)
    )
