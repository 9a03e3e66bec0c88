"""`for`: a known list is unrolled, an unknown one stays a loop whose body is specialised once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jinja2 import nodes

from frieze.template.binding import assign
from frieze.template.budget import spend
from frieze.template.builder import Builder
from frieze.template.expressions import truth
from frieze.template.ir import Expression
from frieze.template.positions import mark
from frieze.template.sandbox import elements
from frieze.template.scopes import Frame, Scope
from frieze.template.values import (
    Display,
    Failure,
    Halt,
    Known,
    KnownLoop,
    Unknown,
    UnknownLoop,
    Value,
)
from frieze.template.walk import Walk


def loop(walk: Walk, node: nodes.For, frame: Frame) -> None:
    """Run a `for` statement."""
    value = walk.evaluate(node.iter, frame)
    _run(walk, node, frame, value, 0)


def _run(walk: Walk, node: nodes.For, frame: Frame, value: Value, depth: int) -> None:
    value = walk.settle(frame, node.iter, value)
    scope = Scope(frame.scope) if node.recursive else frame.scope
    if isinstance(value, Known):
        items: list[Value] = [Known(item) for item in walk.attempt(frame, node.iter, _elements, value.value)]
        if hasattr(value.value, "__next__"):
            # Jinja2 would go on taking items while the body runs; nobody else may take one from here on.
            value.region = -1
    elif isinstance(value, Display) and not _unpacks_unknown(node, value):
        items = list(walk.keep(frame, node.iter, "item", value).items)  # type: ignore[union-attr] # a display stays one
    else:
        _residual(walk, node, frame, scope, walk.lift(frame, node.iter, value))
        return
    passing = _passing(walk, node, frame, items)
    if all(isinstance(test, Known) for _, test in passing):
        kept = [item for item, test in passing if isinstance(test, Known) and test.value]
        _unrolled(walk, node, frame, scope, kept, depth)
    elif node.else_ or frame.parsed.tables.reads_loop(node):
        _residual(walk, node, frame, scope, walk.lift(frame, node.iter, walk.display(frame, node, "list", items)))
    else:
        _guarded(walk, node, frame, scope, passing)


def _elements(value: Any) -> list[Any]:
    return list(elements(value))


def _repacked(node: nodes.For) -> bool:
    """Tell whether Jinja2 makes a tuple of each item anew: where the condition unpacks it."""
    return node.test is not None and isinstance(node.target, nodes.Tuple)


def _unpacks_unknown(node: nodes.For, value: Display) -> bool:
    return isinstance(node.target, nodes.Tuple) and any(not isinstance(item, Known | Display) for item in value.items)


def _passing(walk: Walk, node: nodes.For, frame: Frame, items: list[Value]) -> list[tuple[Value, Value]]:
    """Return each item with its condition."""
    condition = node.test
    if condition is None:
        return [(item, Known(True)) for item in items]
    inner = frame.inner(node, "test", Scope(frame.scope))
    inner.enter()
    found: list[tuple[Value, Value]] = []
    for item in items:
        spend()
        assign(walk, node, node.target, inner, item)
        found.append((item, _condition(walk, node, inner, condition)))
    return found


def _condition(walk: Walk, node: nodes.For, frame: Frame, condition: nodes.Node) -> Value:
    before = Builder()
    try:
        with walk.swapped(before, region=True):
            value = truth(walk, condition, frame, walk.evaluate(condition, frame))
    except Halt as halt:
        raise Failure(halt.kind, halt.message) from None
    if before:
        walk.refuse("F403", frame, node, what="a macro in the condition of a `for`", advice="use an `if` in the loop")
    return value


def _unrolled(walk: Walk, node: nodes.For, frame: Frame, scope: Scope, items: list[Value], depth: int) -> None:
    inner = frame.inner(node, "body", scope)
    state = KnownLoop(items, walk.region, _repacked(node), depth)
    if node.recursive:
        state.recurse = _recursion(walk, node, frame)
    for index, item in enumerate(items):
        spend()
        state.index0 = index
        assign(walk, node, node.target, inner, item)
        inner.bind_parameter("loop", state)
        inner.enter()
        walk.run(node.body, inner)
    inner.leave()
    if not items:
        _otherwise(walk, node, frame, scope)


def _recursion(walk: Walk, node: nodes.For, frame: Frame) -> Callable[[Value, int], Value]:
    def recurse(value: Value, depth: int) -> Value:
        return walk.capture(frame, node, "text", lambda: _run(walk, node, frame, value, depth))

    return recurse


def _otherwise(walk: Walk, node: nodes.For, frame: Frame, scope: Scope) -> None:
    if node.else_:
        inner = frame.inner(node, "else", scope)
        inner.enter()
        walk.run(node.else_, inner)
        inner.leave()


def _guarded(walk: Walk, node: nodes.For, frame: Frame, scope: Scope, passing: list[tuple[Value, Value]]) -> None:
    """Unroll a known list under an unknown condition; right where the body asks nothing about the loop."""
    span = mark(frame.parsed.places.tag(node.lineno))
    inner = frame.inner(node, "body", scope)
    for item, test in passing:
        if isinstance(test, Known) and not test.value:
            continue
        builder = Builder()
        try:
            with walk.swapped(builder if isinstance(test, Unknown) else walk.builder, region=isinstance(test, Unknown)):
                assign(walk, node, node.target, inner, item)
                inner.enter()
                walk.run(node.body, inner)
        except Halt:
            if not isinstance(test, Unknown):
                raise
        if isinstance(test, Unknown):
            body, marks = builder.close()
            walk.builder.add(["if", [[test.expression, body]], []], [span], marks)
    inner.leave()


def _residual(walk: Walk, node: nodes.For, frame: Frame, scope: Scope, iterable: Expression) -> None:
    """Keep the loop. Names bound in its body are forgotten after each pass, so nothing is carried around."""
    if node.recursive:
        walk.refuse("F403", frame, node, what="a recursive loop over an unknown list", advice="use nested loops")
    span = mark(frame.parsed.places.tag(node.lineno))
    inner = frame.inner(node, "body", scope)
    names: dict[str, Value] = {}
    target = _target(walk, node, frame, node.target, names)
    condition: Expression = None
    if node.test is not None:
        testing = frame.inner(node, "test", Scope(frame.scope))
        testing.enter()
        for name, value in names.items():
            testing.write(name, value)
        try:
            test = _condition(walk, node, testing, node.test)
            condition = None if isinstance(test, Known) and test.value else walk.lift(testing, node, test)
        except Failure as failure:
            condition = ["fail", failure.kind, failure.message]
    state = UnknownLoop(walk.local("loop"), _repacked(node)) if frame.parsed.tables.reads_loop(node) else None

    def body() -> None:
        for name, value in names.items():
            inner.write(name, value)
        if state is not None:
            inner.bind_parameter("loop", state)
        inner.enter()
        walk.run(node.body, inner)

    (passes, pass_marks), (none, none_marks) = (
        _region(walk, run) for run in (body, lambda: _otherwise(walk, node, frame, scope))
    )
    inner.leave()
    used = state.name if state is not None and state.used else None
    walk.builder.add(["for", target, iterable, condition, passes, none, used], span, pass_marks, none_marks)


def _region(walk: Walk, run: Callable[[], None]) -> tuple[list[Any], list[Any]]:
    builder = Builder()
    try:
        with walk.swapped(builder, region=True):
            run()
    except Halt:
        pass
    return builder.close()


def _target(walk: Walk, node: nodes.For, frame: Frame, target: nodes.Node, names: dict[str, Value]) -> Any:
    """Return the target with fresh locals, noting which name each stands for."""
    if isinstance(target, nodes.Name):
        local = walk.local(target.name)
        names[target.name] = Unknown(["local", local])
        return local
    if isinstance(target, nodes.Tuple):
        return [_target(walk, node, frame, part, names) for part in target.items]
    return walk.refuse("F403", frame, node, what="an attribute as the name of a loop", advice="use a plain name")
