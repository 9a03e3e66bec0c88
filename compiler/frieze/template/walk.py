"""The state of one run of the specialiser, and the moves between sorts of values: ask, lift, bind, refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn

from jinja2 import Undefined, nodes
from jinja2.exceptions import SecurityError
from markupsafe import Markup

from frieze.diagnostics import Diagnostic
from frieze.sources.characters import character_name, forbidden_in_value
from frieze.template.budget import BUDGET, WRITTEN_WORK, Budget, BudgetError, NotDataError, measure, spend
from frieze.template.builder import Builder
from frieze.template.ir import Expression, constant
from frieze.template.parse import Parsed
from frieze.template.scopes import Frame
from frieze.template.sorts import (
    VIEWS,
    exhausted,
    failing,
    limit_error,
    parts_read,
    personality_text,
    plain,
    runner,
    sort_of,
    trivial,
    undefined_expression,
    wording,
)
from frieze.template.values import (
    Display,
    Exhausted,
    Failure,
    Halt,
    Known,
    Outcome,
    Question,
    Refusal,
    Selected,
    Selection,
    Spoilt,
    Unanswered,
    Unknown,
    Value,
)
from frieze.template.weights import bounded, display, expression_weight

LARGEST_SELECTED = 100
"""Operations over selectors that are left together; beyond them the value is asked for, and goes on as a known one."""


@dataclass(slots=True)
class Walk:
    """One run. `region` numbers the part of the template that runs under one unknown condition."""

    known: Mapping[str, Any]
    selectors: frozenset[str]
    answers: Mapping[str, Outcome]
    inputs: frozenset[str] | None
    loader: Callable[[str], Parsed | None] | None
    own_filters: bool
    shadowed: frozenset[str] = frozenset()
    builder: Builder = field(default_factory=Builder)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    region: int = 0
    regions: int = 0
    depth: int = 0
    place: tuple[Frame, nodes.Node] | None = None
    names: dict[str, int] = field(default_factory=dict)
    consumed: set[str] = field(default_factory=set)
    filtered: list[Value] = field(default_factory=list)
    including: list[Parsed] = field(default_factory=list)
    includable: Sequence[str] = ()
    testing: bool = False
    weights: dict[str, int] = field(default_factory=dict)

    def evaluate(self, node: nodes.Node, frame: Frame) -> Value:
        """Evaluate an expression; see `frieze.template.expressions`."""
        from frieze.template.expressions import evaluate

        return evaluate(self, node, frame)

    def attribute(self, node: nodes.Getattr, frame: Frame, owner: Value) -> Value:
        """Return an attribute of a value."""
        from frieze.template.expressions import attribute

        return attribute(self, node, frame, owner)

    def checked(self, node: nodes.Node, frame: Frame, value: Value) -> Value:
        """Return an operand, refusing what is no data."""
        from frieze.template.expressions import checked

        return checked(self, node, frame, value)

    def held(self, node: nodes.Node, frame: Frame, value: Value) -> Value:
        """Return a value that a container is to hold, refusing iterators."""
        from frieze.template.expressions import held

        return held(self, node, frame, value)

    def run(self, body: Sequence[nodes.Node], frame: Frame) -> None:
        """Run statements; see `frieze.template.statements`."""
        from frieze.template.statements import run

        run(self, body, frame)

    def local(self, name: str) -> str:
        """Return a fresh local, named after what it holds."""
        number = self.names[name] = self.names.get(name, 0) + 1
        return f"{name}#{number}"

    def report(self, diagnostic: Diagnostic | None) -> None:
        """Keep a diagnostic, once for each place."""
        if diagnostic is not None and diagnostic not in self.diagnostics:
            self.diagnostics.append(diagnostic)

    def refuse(self, code: str, frame: Frame, node: nodes.Node, *, advice: str = "", **arguments: str) -> NoReturn:
        """Give up the statement around a construct that has no right residual.

        Raises:
            Refusal: always.
        """
        raise Refusal(
            Diagnostic.of(code, frame.parsed.places.token(node.lineno), related=(), advice=advice, **arguments)
        )

    def fails(self, frame: Frame, node: nodes.Node, failure: Failure) -> None:
        """Report that an expression has no value."""
        reason, advice = failing(failure)
        self.report(Diagnostic.of("F406", frame.parsed.places.tag(node.lineno), reason=reason, advice=advice))

    def refuse_text(self, frame: Frame, node: nodes.Node, value: Any) -> None:
        """Refuse a computed text that no prompt may hold.

        Raises:
            Refusal: it is one, and this is the template of a profile.
        """
        if self.inputs is not None and isinstance(value, str):
            character = forbidden_in_value(value)
            if character is not None:
                self.refuse("F420", frame, node, character=character_name(character), advice="change the operation")

    def attempt(self, frame: Frame, node: nodes.Node, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run an operation on known values.

        Raises:
            Failure: it raises, as it would in Jinja2.
            Refusal: it needs too much, or its result is not certain.
        """
        try:
            return function(*arguments)
        except (Exhausted, Failure, Refusal, Halt, Unanswered):
            raise
        except (BudgetError, RecursionError, MemoryError) as error:
            raise exhausted(error, frame.parsed.places.token(node.lineno)) from None
        except NotDataError as error:
            self.refuse("F413", frame, node, what=f"a {error.what}")
        except SecurityError as error:
            self.refuse("F410", frame, node, what=str(error))
        except Exception as error:  # noqa: BLE001 - whatever the author's operation raises is its outcome
            raise Failure(type(error).__name__, str(error)) from None

    @contextmanager
    def swapped(self, builder: Builder, *, region: bool = False) -> Iterator[None]:
        """Print into another body for a while; with `region`, one that an unknown condition guards."""
        outer, outer_region = self.builder, self.region
        self.builder = builder
        if region:
            self.regions += 1
            self.region = self.regions
        try:
            yield
        finally:
            self.builder, self.region = outer, outer_region

    def apply(
        self,
        frame: Frame,
        node: nodes.Node,
        function: Callable[..., Any],
        operands: Sequence[Value],
        text: Callable[..., str],
        *,
        atomic: bool = False,
    ) -> Value:
        """Apply an operation to known and selected operands; `text` words it from the operands' texts."""
        selected = [operand for operand in operands if isinstance(operand, Selected)]
        if not selected:
            values = [operand.value for operand in operands if isinstance(operand, Known)]
            found = self.attempt(frame, node, function, *values)
            self.refuse_text(frame, node, found)
            return Known(found, self.region)
        for operand in selected:
            if operand.bare and not atomic:
                self.refuse("F408", frame, node, name=operand.bare)
        runs = [runner(operand) for operand in operands]

        def run(data: Selection) -> Any:
            return function(*[part(data) for part in runs])

        names = frozenset().union(*(operand.selectors for operand in selected))
        size = 1 + sum(operand.size for operand in selected)
        words = text(*map(wording, operands))
        found = Selected(words, names, run, atomic=atomic, size=size, parts=parts_read(selected, words))
        return found if size <= LARGEST_SELECTED else self.ask(frame, node, found)

    def ask(self, frame: Frame, node: nodes.Node, value: Selected, *, truth: bool = False) -> Known:
        """Return the value of an expression over selectors, or whether it is true.

        Raises:
            Unanswered: nobody has answered that yet.
            Failure: evaluating it raises.
        """
        if value.bare:
            if value.bare != "personality":
                self.refuse("F408", frame, node, name=value.bare)
            value = personality_text(value)
        run = value.run
        key = f"{value.operand} is true" if truth else value.text
        outcome = self.answers.get(key)
        if outcome is None:

            def evaluate(data: Selection) -> Any:
                token = BUDGET.set(Budget())
                try:
                    return bool(run(data)) if truth else plain(run(data))
                finally:
                    BUDGET.reset(token)

            question = Question(key, tuple(sorted(value.selectors)), evaluate, value.parts)
            settle = getattr(self.answers, "settle", None)
            outcome = settle(question) if settle else None
            if outcome is None:
                raise Unanswered(question)
        if outcome.error is not None:
            limit = limit_error(*outcome.error)
            if limit is not None:
                raise exhausted(limit, frame.parsed.places.token(node.lineno))
            raise Failure(*outcome.error)
        return Known(outcome.value, self.region)

    def settle(self, frame: Frame, node: nodes.Node, value: Value) -> Value:
        """Return the value with selectors decided, because it meets one that is unknown."""
        return self.ask(frame, node, value) if isinstance(value, Selected) else value

    def lift(
        self, frame: Frame, node: nodes.Node, value: Value, *, text: bool = False, walked: bool = False
    ) -> Expression:
        """Return a value as a residual expression.

        `text` says that only its text matters, `walked` that only its elements do.

        Raises:
            Refusal: it has no such form.
        """
        if isinstance(value, Selected):
            value = self.ask(frame, node, value)
        if isinstance(value, Unknown):
            return value.expression
        if isinstance(value, Display):
            spend(WRITTEN_WORK)
            return [value.kind, *(self.lift(frame, node, item) for item in value.items)]
        if isinstance(value, Known):
            return self.encode(frame, node, value.value, text=text, walked=walked)
        if isinstance(value, Spoilt):
            raise Refusal(value.diagnostic)
        return self.refuse("F413", frame, node, what=sort_of(value))

    def encode(
        self, frame: Frame, node: nodes.Node, value: Any, *, text: bool = False, walked: bool = False
    ) -> Expression:
        """Return known data as a constant of the residual."""
        if isinstance(value, Undefined):
            return undefined_expression(value)
        if isinstance(value, Markup):
            if text:
                return str(value)
            self.refuse("F417", frame, node)
        if walked and (isinstance(value, VIEWS) or hasattr(value, "__next__")):
            value = self.attempt(frame, node, list, value)
        size = self.attempt(frame, node, measure, value)
        if size > 50:
            BUDGET.get().step(size)
        return self.attempt(frame, node, self._constant, frame, node, value)

    def _constant(self, frame: Frame, node: nodes.Node, value: Any) -> Expression:
        if type(value) in (list, tuple):
            return [type(value).__name__, *(self._constant(frame, node, item) for item in value)]
        if type(value) is dict:
            return ["dict", *([constant(key), self._constant(frame, node, item)] for key, item in value.items())]
        if value is None or type(value) in (bool, int, str, float):
            return constant(value)
        if isinstance(value, Undefined):
            return undefined_expression(value)
        if isinstance(value, Markup):
            self.refuse("F417", frame, node)
        return self.refuse("F413", frame, node, what=f"a {type(value).__name__}")

    def keep(self, frame: Frame, node: nodes.Node, name: str, value: Value) -> Value:
        """Return a value in a form that may be read any number of times, evaluating it here and now."""
        if isinstance(value, Unknown) and not trivial(value.expression):
            local = self.local(name)
            self.weigh(frame, node, local, value.expression)
            self.builder.add(["let", local, value.expression], list(frame.parsed.places.tag(node.lineno)))
            return Unknown(["local", local], value.lazy, value.markup)
        if isinstance(value, Display):
            spend(len(value.items))
            return self.display(frame, node, value.kind, [self.keep(frame, node, name, item) for item in value.items])
        return value

    def display(self, frame: Frame, node: nodes.Node, kind: str, items: Sequence[Value]) -> Display:
        """Return a list or tuple of these elements, which is not too large to be written out."""
        found: Display = self.attempt(frame, node, display, kind, items, self.weights)
        return found

    def weigh(self, frame: Frame, node: nodes.Node, local: str, *expressions: Expression) -> None:
        """Note how large what a local may hold is when it is written out; not too large."""
        weights = [expression_weight(expression, self.weights) for expression in expressions]
        self.weights[local] = self.attempt(frame, node, bounded, max(weights, default=0))

    def capture(self, frame: Frame, node: nodes.Node, name: str, run: Callable[[], None]) -> Value:
        """Return the text that `run` prints."""
        inner = Builder()
        span = frame.parsed.places.tag(node.lineno)
        try:
            with self.swapped(inner):
                run()
        except Halt as halt:
            self.builder.fail(halt.kind, halt.message, span)
            raise
        body, marks = inner.close()
        if all(isinstance(part, str) for part in body):
            return Known("".join(body))
        local = self.local(name)
        self.builder.add(["capture", local, body], list(span), marks)
        return Unknown(["local", local])

    def lazily(self, frame: Frame, node: nodes.Node, run: Callable[[], Value]) -> tuple[Builder, Value]:
        """Evaluate an operand that may not be reached: what it needs done before, and its value."""
        before = Builder()
        try:
            with self.swapped(before, region=True):
                return before, run()
        except Failure as failure:
            self.fails(frame, node, failure)
            return Builder(), Unknown(["fail", failure.kind, failure.message])
        except Halt as halt:
            return Builder(), Unknown(["fail", halt.kind, halt.message])
