"""The partial evaluator: a parsed template and what is known, to a residual."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from jinja2 import nodes
from jinja2.sandbox import safe_range

from frieze.diagnostics import Diagnostic, Span
from frieze.runtime.nesting import MAX_LEVELS, first_too_deep
from frieze.template.budget import BUDGET, Budget, BudgetError, measure, too_much
from frieze.template.calling import NAMESPACE
from frieze.template.expressions import decide
from frieze.template.ir import Expression, Mark, Residual
from frieze.template.parse import Parsed, parse_expression
from frieze.template.sandbox import STATEFUL
from frieze.template.scopes import Context, Frame, Scope
from frieze.template.screening import UNKNOWN_NAME, screen
from frieze.template.sorts import exhausted
from frieze.template.values import Exhausted, Failure, Halt, Known, Outcome, Refusal, Selected, Spoilt, Unknown, Value
from frieze.template.walk import Walk

_GLOBALS: Mapping[str, Any] = {"range": safe_range, "dict": dict, "namespace": NAMESPACE}
GLOBALS = frozenset(_GLOBALS) | STATEFUL
"""Names that Jinja2 gives a meaning, unless a value has that name."""

_NOTHING: Mapping[str, Outcome] = {}


def specialise(
    parsed: Parsed,
    *,
    known: Mapping[str, Any],
    selectors: frozenset[str] = frozenset(),
    answers: Mapping[str, Outcome] = _NOTHING,
    inputs: frozenset[str] | None = None,
    loader: Callable[[str], Parsed | None] | None = None,
    shadowed: frozenset[str] = frozenset(),
    includable: Sequence[str] = (),
) -> tuple[Residual, list[Diagnostic]]:
    """Decide everything in a template that can be decided.

    Args:
        parsed: the template.
        known: name -> value, plain data; it is not changed.
        selectors: names whose values are known for one target only; what depends on them is asked.
        answers: question key -> its outcome.
        inputs: the unknown names that may occur; None: any.
        loader: gives the templates that `include` names.
        shadowed: names of Jinja2's globals that are unknown values here.
        includable: the names that `include` may be meant to say.

    Returns:
        The residual, and what is wrong. With an error other than F406 the residual is only good for finding more that
        is wrong: what was refused is replaced in it.

    Raises:
        Unanswered: an answer is needed that is not there yet.
    """
    walk = Walk(known, selectors, answers, inputs, loader, parsed.own_filters, shadowed, includable=includable)
    residual = run(walk, parsed)
    return residual, walk.diagnostics


def run(walk: Walk, parsed: Parsed) -> Residual:
    """Specialise a whole template with the state of `walk`."""
    with _limits(walk, parsed):
        entered = enter(walk, parsed)
        if entered is None:
            return Residual([], [])
        walk.including.append(parsed)
        with suppress(Halt):
            walk.run(*entered)
        body, marks = walk.builder.close()
        deep = first_too_deep(body)
        if deep is None:
            return Residual(body, marks)
        walk.report(too_much(_place(marks[deep]), "nesting", f"{MAX_LEVELS} levels"))
    return Residual([], [])


def _place(mark: Mark) -> Span:
    """Return the place of a statement that is no text; of an `if`, its first arm."""
    return Span(*(mark[0] if isinstance(mark[0], list) else mark))


def expression(
    source: str | Parsed,
    *,
    name: str = "",
    locate: Any = None,
    known: Mapping[str, Any],
    selectors: frozenset[str] = frozenset(),
    answers: Mapping[str, Outcome] = _NOTHING,
    inputs: frozenset[str] | None = None,
) -> tuple[Expression, list[Diagnostic]]:
    """Decide a condition as far as possible.

    Returns:
        `True`, `False`, or a residual expression; and what is wrong.

    Raises:
        Unanswered: an answer is needed that is not there yet.
    """
    parsed = parse_expression(source, name=name, locate=locate) if isinstance(source, str) else source
    walk = Walk(known, selectors, answers, inputs, None, parsed.own_filters)
    found: Expression = False
    with _limits(walk, parsed):
        entered = enter(walk, parsed)
        if entered is None:
            return False, walk.diagnostics
        found = _condition(walk, *entered)
        if first_too_deep([["out", found]]) is not None:
            walk.report(too_much(parsed.places.span(0, len(parsed.places.source)), "nesting", f"{MAX_LEVELS} levels"))
            found = False
    return found, walk.diagnostics


def enter(walk: Walk, parsed: Parsed) -> tuple[list[nodes.Node], Frame] | None:
    """Return the statements of a template and the frame that they run in; None where they are not to be run.

    What is wrong with it, whatever the values are, is reported.
    """
    tree = _screened(walk, parsed)
    if tree is None:
        return None
    frame = _root(walk, parsed, tree)
    for value in walk.known.values():
        measure(value)
    frame.enter()
    return tree.body, frame


def _condition(walk: Walk, body: list[nodes.Node], frame: Frame) -> Expression:
    output = body[0]
    node = output.nodes[0] if isinstance(output, nodes.Output) else None
    if node is None:
        return False
    try:
        value = decide(walk, node, frame)
        return value.value if isinstance(value, Known) else walk.lift(frame, node, value)
    except Refusal as refusal:
        walk.report(refusal.diagnostic)
    except Failure as failure:
        walk.fails(frame, node, failure)
        return ["fail", failure.kind, failure.message]
    return False


def _screened(walk: Walk, parsed: Parsed) -> nodes.Template | None:
    faults = (
        parsed.diagnostics
        if parsed.tree is None
        else screen(parsed, walk.inputs, frozenset(walk.known) | walk.selectors)
    )
    walk.diagnostics.extend(faults)
    return parsed.tree if all(fault.code == UNKNOWN_NAME for fault in faults) else None


def _root(walk: Walk, parsed: Parsed, tree: nodes.Template) -> Frame:
    return Frame(parsed.tables.root(tree), Scope(), Context(lambda name: outside(walk, parsed, name)), parsed)


def outside(walk: Walk, parsed: Parsed, name: str) -> Value:
    """Return the value of a name that the template does not bind."""
    if name in walk.known:
        return Known(walk.known[name])
    if name in walk.selectors:
        return Selected(name, frozenset({name}), lambda data: data[name], bare=name, atomic=True)
    if (walk.inputs is None or name not in walk.inputs) and name not in walk.shadowed:
        if name in _GLOBALS:
            return Known(_GLOBALS[name])
        if name in STATEFUL:
            return Spoilt(Diagnostic.of("F413", parsed.places.span(0, 0), what=f"what `{name}` gives"))
    return Unknown(["input", name])


class _limits:  # noqa: N801 - a context manager, used like a function
    """Run with a fresh budget; report when it is used up."""

    def __init__(self, walk: Walk, parsed: Parsed) -> None:
        self.walk = walk
        self.parsed = parsed

    def __enter__(self) -> None:
        self.token = BUDGET.set(Budget())

    def __exit__(self, _: object, error: BaseException | None, __: object) -> bool:
        BUDGET.reset(self.token)
        if isinstance(error, Exhausted):
            self.walk.report(error.diagnostic)
        elif isinstance(error, BudgetError | RecursionError):
            self.report(error)
        return isinstance(error, Exhausted | BudgetError | RecursionError)

    def report(self, error: BaseException) -> None:
        span = self.parsed.places.span(0, 0)
        if self.walk.place is not None:
            frame, node = self.walk.place
            span = frame.parsed.places.tag(node.lineno)
        self.walk.report(exhausted(error, span).diagnostic)
