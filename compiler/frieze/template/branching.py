"""`if`: known conditions choose, unknown ones stay."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jinja2 import nodes

from frieze.diagnostics import Span
from frieze.template.binding import State, join, restore, snapshot
from frieze.template.builder import Builder
from frieze.template.expressions import decide
from frieze.template.positions import mark
from frieze.template.scopes import Frame
from frieze.template.values import Halt, Known
from frieze.template.walk import Walk

Arm = tuple[Any, nodes.If]


def branch(walk: Walk, node: nodes.If, frame: Frame) -> None:
    """Run an `if` statement."""
    _chain(walk, [node, *node.elif_], node, frame.softened())


def _chain(walk: Walk, tests: Sequence[nodes.If], node: nodes.If, frame: Frame) -> None:
    """Run the arms from the first of `tests` on."""
    arms: list[Arm] = []
    last: Callable[[], None] = lambda: walk.run(node.else_, frame)  # noqa: E731 - replaced below
    for position, arm in enumerate(tests):
        if arms:
            before, value = walk.lazily(
                frame,
                arm.test,
                lambda inner=arm: decide(walk, inner.test, frame),  # type: ignore[misc] # mypy cannot infer a lambda with a default
            )
            if before:
                rest = tests[position:]
                last = lambda rest=rest: _chain(walk, rest, node, frame)  # type: ignore[misc] # noqa: E731 - see above
                break
        else:
            value = decide(walk, arm.test, frame)
        if isinstance(value, Known):
            if value.value:
                last = lambda chosen=arm: walk.run(chosen.body, frame)  # type: ignore[misc] # noqa: E731 - see above
                break
            continue
        arms.append((walk.lift(frame, arm.test, value), arm))
    if arms:
        _residual(walk, node, arms, last, frame)
    else:
        last()


def _residual(walk: Walk, node: nodes.If, arms: Sequence[Arm], last: Callable[[], None], frame: Frame) -> None:
    start = snapshot(frame)
    ends: list[tuple[Builder, State, Span]] = []
    builders: list[Builder] = []
    spans = [frame.parsed.places.tag(arm.test.lineno) for _, arm in arms]
    halt: Halt | None = None
    runs = [lambda chosen=arm: walk.run(chosen.body, frame) for _, arm in arms]
    for run, span in zip([*runs, last], [*spans, spans[-1]], strict=True):
        builder = Builder()
        builders.append(builder)
        restore(frame, start)
        try:
            with walk.swapped(builder, region=True):
                run()
            ends.append((builder, snapshot(frame), span))
        except Halt as stopped:
            halt = stopped
    if ends:
        join(walk, node, frame, ends)
    bodies = [builder.close() for builder in builders]
    residual = [[test, body] for (test, _), (body, _) in zip(arms, bodies, strict=False)]
    walk.builder.add(["if", residual, bodies[-1][0]], [mark(span) for span in spans], *(marks for _, marks in bodies))
    if not ends and halt is not None:
        raise halt
