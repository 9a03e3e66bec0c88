"""The proof that no absent value is printed or used: every use must follow from the conditions around it.

The proof works on the residual of one variant, so conditions on selectors are settled. Conditions are never
forgotten: bindings are versioned, and after an `if` a local is "what the arm that ran gave it". Nothing is
known from other blocks.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from frieze.diagnostics import Diagnostic, Related, Span
from frieze.runtime.walking import inside
from frieze.template.absence import LABEL, PRINT, Use, diagnose, too_involved
from frieze.template.facts import ABSENT, Fact, Facts, normal
from frieze.template.formulas import (
    FALSE,
    TRUE,
    Formula,
    TooInvolvedError,
    atom,
    both,
    choose,
    constant,
    counter_model,
    negate,
)
from frieze.template.ir import Body, Expression, Mark, Residual, Statement
from frieze.template.kinds import TEXT
from frieze.template.sound import Sound, extent
from frieze.template.typing import Scope, Specification, always_there
from frieze.template.wording import wording

_NOWHERE: Mapping[str, Span] = {}


def prove_presence(
    residual: Residual,
    inputs: Mapping[str, Specification],
    when: Expression = True,
    *,
    when_span: Span | None = None,
    declared: Mapping[str, Span] = _NOWHERE,
    whole_block: bool = True,
    sound: Sound | None = None,
) -> list[Diagnostic]:
    """Return a diagnostic for every use of a value that may be absent, with a counter-example in its sentence.

    `inputs` maps names to declarations (`type`, `required`, `default`, `of`, ...). `when` is the block's condition,
    at `when_span`; it guards the whole body. `declared` says where the inputs are declared; `whole_block` whether
    a `when` of the block could guard them. `sound` spares statements that other templates have as well.
    """
    if sound is not None and when is True and _is_proved(residual.body, sound):
        return []
    proof = _Proof(inputs, when_span or Span(_file(residual.marks)), declared, whole_block=whole_block)
    scope = Scope.of(inputs)
    given = proof.expression(Facts(inputs, scope, proof.need), when, TRUE).true
    proof.marks = iter(residual.marks)
    proof.body(residual.body, Facts(inputs, scope, proof.need), given, "", sound)
    return list(proof.found.values())


def _is_proved(body: Body, sound: Sound) -> bool:
    """Tell whether every statement was proved before, with nothing given and the same text on the line."""
    label = ""
    for node in body:
        if isinstance(node, str):
            label = _on_line(label, node)
            continue
        earlier = sound.get(node, ("given", label))
        if earlier is None:
            return False
        label = earlier[0]
    return True


def _on_line(label: str, text: str) -> str:
    """Return what stands on the line behind a text."""
    at = text.rfind("\n")
    return label + text if at < 0 else text[at + 1 :]


class _Proof:
    def __init__(
        self, inputs: Mapping[str, Specification], place: Span, declared: Mapping[str, Span], *, whole_block: bool
    ) -> None:
        self.inputs = inputs
        self.declared = declared
        self.whole_block = whole_block
        self.place = place
        self.marks: Iterator[Mark] = iter(())
        self.found: dict[tuple[Span, frozenset[str]], Diagnostic] = {}
        self.fresh = 0
        self.whole: Expression = None
        self.scope = Scope({})
        self.label = ""

    def need(self, condition: Formula, fact: Fact, subject: Expression, use: str) -> None:
        if fact.present is not TRUE:
            self.require(condition, fact.present, subject, use)

    def require(self, condition: Formula, conclusion: Formula, subject: Expression, use: str) -> None:
        try:
            model = counter_model(condition, conclusion)
        except TooInvolvedError:
            self.add(subject, too_involved(self.place, subject))
            return
        if model is not None:
            kind = self.scope.type(subject)
            self.add(
                subject, diagnose(Use(self.place, subject, use, self.whole, self.label, kind, self.whole_block), model)
            )

    def add(self, subject: Expression, diagnostic: Diagnostic) -> None:
        """Keep one finding for a place and the names it is about: `xs` and `xs | first` are one fault."""
        roots = _roots(subject)
        related = tuple(
            Related(self.declared[name], f"`{name}` is declared here, and need not be given")
            for name in sorted(roots & self.declared.keys())
            if not always_there(self.inputs.get(name, {}))
        )
        self.found.setdefault((diagnostic.span, roots), replace(diagnostic, related=related))

    def expression(self, facts: Facts, expression: Expression, given: Formula) -> Fact:
        self.whole, self.scope = expression, facts.scope
        return facts.of(expression, given)

    def version(self, name: str) -> str:
        self.fresh += 1
        return normal("version", name, self.fresh)

    def body(
        self, body: Body, facts: Facts, given: Formula, label: str, sound: Sound | None = None
    ) -> tuple[Formula, str]:
        """Go through a body; returns the condition under which its end is reached, and the text on the line there."""
        for node in body:
            mark = next(self.marks)
            if isinstance(node, str):
                label = _on_line(label, node)
                continue
            if sound and given is TRUE:
                given, label = self.known(node, mark, facts, label, sound)
            else:
                given, label = self.statement(node, mark, facts, given, label)
        return given, label

    def known(self, node: Statement, mark: Mark, facts: Facts, label: str, sound: Sound) -> tuple[Formula, str]:
        """Pass over a statement that was proved before, with nothing given and the same text on the line."""
        earlier = sound.get(node, ("given", label))
        if earlier:
            after, count = earlier
            deque(islice(self.marks, count - 1), maxlen=0)
            return TRUE, after
        given, after = self.statement(node, mark, facts, TRUE, label)
        if given is TRUE and not self.found and (count := extent(node)):
            sound.put(node, ("given", label), (after, count))
        return given, after

    def statement(self, node: Statement, mark: Mark, facts: Facts, given: Formula, label: str) -> tuple[Formula, str]:
        operation, *parts = node
        if operation == "if":
            return self.branches(parts, mark, facts, given, label)
        self.place = Span(*mark)
        if operation == "out":
            fact = self.expression(facts, parts[0], given)
            self.need(given, fact, parts[0], PRINT)
            self.label = label.strip()
            if self.label:
                self.filled(facts, parts[0], given)
        elif operation == "let":
            fact = self.expression(facts, parts[1], given)
            kind = facts.scope.type(parts[1])
            facts.bindings[parts[0]] = fact
            facts.scope.bind(parts[0], kind)
        elif operation == "capture":
            self.capture(parts[0], parts[1], facts, given)
        elif operation == "for":
            label = self.loop(parts, facts, given, label)
        elif operation == "fail":
            given = FALSE
        return given, label

    def branches(
        self, parts: Sequence[Any], mark: Mark, facts: Facts, given: Formula, label: str
    ) -> tuple[Formula, str]:
        arms, otherwise = parts
        rest = given
        ends: list[tuple[Formula, Facts]] = []
        goes_on: list[bool] = []
        labels = []
        for (test, body), span in zip(arms, mark, strict=True):
            self.place = Span(*span)
            true = self.expression(facts, test, rest).true
            inner = facts.fork()
            end, last = self.body(body, inner, both(rest, true), label)
            ends.append((true, inner))
            goes_on.append(end is not FALSE)
            labels.append(last)
            rest = both(rest, negate(true))
        inner = facts.fork()
        end, last = self.body(otherwise, inner, rest, label)
        after = constant(end is not FALSE)
        for (true, _), alive in zip(reversed(ends), reversed(goes_on), strict=True):
            after = choose(true, constant(alive), after)
        self.join(facts, ends, inner)
        return both(given, after), max([*labels, last], key=len)

    def join(self, facts: Facts, ends: list[tuple[Formula, Facts]], last: Facts) -> None:
        """Make each local what the arm that ran gave it."""
        facts.scope.join(*(inner.scope for _, inner in ends), last.scope)
        merged = dict(last.bindings)
        for true, inner in reversed(ends):
            for name in inner.bindings.keys() | merged.keys():
                then, otherwise = inner.bindings.get(name, ABSENT), merged.get(name, ABSENT)
                if then is not otherwise:
                    key = then.key if then.key == otherwise.key else self.version(name)
                    merged[name] = Fact(
                        key,
                        choose(true, then.present, otherwise.present),
                        choose(true, then.true, otherwise.true),
                    )
        facts.bindings = merged

    def loop(self, parts: Sequence[Any], facts: Facts, given: Formula, label: str) -> str:
        target, iterable, condition, body, otherwise, loop = parts
        filled = self.expression(facts, iterable, given).true
        inner = facts.fork()
        inner.scope = facts.scope.enter(target, iterable, loop)
        for name in _names(target):
            inner.bindings[name] = inner.value(self.version(name), TRUE, ["local", name])
        if loop is not None:
            inner.bindings[loop] = Fact(self.version(loop), TRUE, TRUE)
        inside = both(given, filled)
        if condition is not None:
            inside = both(inside, self.expression(inner, condition, inside).true)
        _, label_after = self.body(body, inner, inside, label)
        empty = given if condition is not None else both(given, negate(filled))
        _, label_else = self.body(otherwise, facts.fork(), empty, label)
        return max(label, label_after, label_else, key=len)

    def capture(self, name: str, body: Body, facts: Facts, given: Formula) -> None:
        self.body(body, facts, given, "")
        key = self.version(name)
        sure = any(isinstance(node, str) for node in body)
        true = TRUE if sure else atom(f"true:{key}", "true", wording(["local", name]))
        facts.bindings[name] = Fact(key, TRUE, true)
        facts.scope.bind(name, replace(TEXT, empty=not sure, falsy=not sure))

    def filled(self, facts: Facts, expression: Expression, given: Formula) -> None:
        """Require a text that an operation may have emptied to be filled, since a label stands before it."""
        if not isinstance(expression, list) or not facts.scope.type(expression).empty:
            return
        if expression[0] == "cond" and len(expression) == 4:
            true = facts.of(expression[1], given).true
            self.filled(facts, expression[2], both(given, true))
            self.filled(facts, expression[3], both(given, negate(true)))
            return
        self.require(given, facts.of(expression, given).true, expression, LABEL)


def _roots(expression: Expression) -> frozenset[str]:
    if isinstance(expression, list) and expression[0] in ("input", "local"):
        return frozenset({expression[1]})
    return frozenset().union(*map(_roots, inside(expression)))


def _names(target: Any) -> list[str]:
    return [target] if isinstance(target, str) else [name for part in target for name in _names(part)]


def _file(marks: Sequence[Mark]) -> str:
    if not marks:
        return ""
    first = marks[0]
    while isinstance(first[0], list):
        first = first[0]
    return str(first[0] if isinstance(first[0], str) else first[1])
