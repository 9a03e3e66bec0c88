"""Statements: one function for each kind of node, from syntax to statements of the residual.

What a known condition decides is decided; what an unknown one decides becomes an `if` or a `for` whose bodies are
specialised once each. Names that the arms of an unknown `if` bind differently meet again in a fresh local.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from jinja2 import nodes

from frieze.template import calling, looping
from frieze.template.applying import arguments
from frieze.template.binding import assign, spoil
from frieze.template.branching import branch
from frieze.template.budget import spend, text_of
from frieze.template.builder import Builder
from frieze.template.including import include
from frieze.template.positions import mark
from frieze.template.scopes import Frame
from frieze.template.values import Failure, Halt, Known, MacroValue, Refusal, Selected, Unknown, Value
from frieze.template.walk import Walk

_TEXT_FILTERS = frozenset(
    {"capitalize", "center", "e", "escape", "forceescape", "format", "indent", "lower", "prefixed", "quoted", "replace"}
) | frozenset({"safe", "string", "striptags", "title", "tojson", "trim", "truncate", "upper", "urlencode", "wordwrap"})
"""Filters that make a text of a text."""


def run(walk: Walk, body: Sequence[nodes.Node], frame: Frame) -> None:
    """Run statements in order.

    Raises:
        Halt: one of them certainly fails.
    """
    halt: Halt | None = None
    for node in body:
        walk.place = frame, node
        spend()
        try:
            with _reached(walk, halt is None):
                _STATEMENTS[type(node)](walk, node, frame)
        except Refusal as refusal:
            spoil(node, frame)
            if halt is None:
                walk.report(refusal.diagnostic)
                _stand_in(walk, node, frame)
        except Failure as failure:
            if not isinstance(node, nodes.Output):
                walk.fails(frame, node, failure)
            if halt is None:
                walk.builder.fail(failure.kind, failure.message, frame.parsed.places.tag(node.lineno))
                halt = Halt(failure.kind, failure.message)
        except Halt as inner:
            halt = halt or inner
        if halt is not None and walk.inputs is None:
            break
    if halt is not None:
        raise halt from None


@contextmanager
def _reached(walk: Walk, reached: bool) -> Iterator[None]:
    """Run what follows a certain failure only to find what fails there as well; nothing else of it counts."""
    if reached:
        yield
        return
    before = len(walk.diagnostics)
    try:
        with walk.swapped(Builder()):
            yield
    finally:
        walk.diagnostics[before:] = [each for each in walk.diagnostics[before:] if each.code == "F406"]


def _stand_in(walk: Walk, node: nodes.Node, frame: Frame) -> None:
    """Print some text for what was refused: an empty place would change what stands around it."""
    span = frame.parsed.places.tag(node.lineno)
    walk.builder.text("?", [(0, span.file, span.line, span.column)])


def _output(walk: Walk, node: nodes.Output, frame: Frame) -> None:
    failed: Failure | None = None
    for child in node.nodes:
        try:
            with _reached(walk, failed is None):
                _part(walk, child, frame)
        except Refusal as refusal:
            if failed is None:
                walk.report(refusal.diagnostic)
                _stand_in(walk, child, frame)
        except Failure as failure:
            walk.fails(frame, child, failure)
            failed = failed or failure
            if walk.inputs is None:
                break
    if failed is not None:
        raise failed


def _part(walk: Walk, node: nodes.Expr, frame: Frame) -> None:
    if isinstance(node, nodes.TemplateData):
        spend(len(node.data))
        walk.builder.text(node.data, frame.parsed.places.runs(node.lineno, node.data))
    elif isinstance(node, nodes.Call):
        _print_call(walk, node, frame, {})
    else:
        _print(walk, node, frame, walk.evaluate(node, frame))


def _print_call(walk: Walk, node: nodes.Call, frame: Frame, extra: dict[str, Value]) -> None:
    """Print a call; a macro prints where it is called."""
    value = calling.callee(walk, node, frame)
    if isinstance(value, MacroValue):
        positional, keywords = arguments(walk, node, frame)
        calling.run_macro(walk, node, frame, value, positional, {**keywords, **extra})
    elif extra:
        walk.refuse("F403", frame, node, what="`{% call %}` of something that is no macro")
    else:
        _print(walk, node, frame, value)


def _print(walk: Walk, node: nodes.Expr, frame: Frame, value: Value) -> None:
    span = frame.parsed.places.tag(node.lineno)
    if isinstance(value, Selected):
        value = walk.ask(frame, node, value)
    if isinstance(value, Known):
        text = walk.attempt(frame, node, text_of, value.value)
        walk.refuse_text(frame, node, text)
        spend(len(text))
        walk.builder.text(text, [(0, span.file, span.line, span.column)])
        return
    if isinstance(value, Unknown) and value.lazy:
        walk.refuse("F416", frame, node, name=value.lazy)
    walk.builder.add(["out", walk.lift(frame, node, value, text=True)], mark(span))


def _assign(walk: Walk, node: nodes.Assign, frame: Frame) -> None:
    assign(walk, node, node.target, frame, walk.evaluate(node.node, frame))


def _assign_block(walk: Walk, node: nodes.AssignBlock, frame: Frame) -> None:
    inner = frame.inner(node)
    inner.enter()
    name = node.target.name if isinstance(node.target, nodes.Name) else "text"
    value = walk.capture(frame, node, name, lambda: walk.run(node.body, inner))
    if node.filter is not None:
        value = _through(walk, node.filter, inner, value)
    assign(walk, node, node.target, frame, value)
    inner.leave()


def _filter_block(walk: Walk, node: nodes.FilterBlock, frame: Frame) -> None:
    inner = frame.inner(node)
    inner.enter()
    value = walk.capture(frame, node, "text", lambda: walk.run(node.body, inner))
    value = _through(walk, node.filter, inner, value)
    # Jinja2 joins what the filter gives without making text of it first.
    if isinstance(value, Known) and not isinstance(value.value, str):
        raise Failure("TypeError", f"sequence item 0: expected str instance, {type(value.value).__name__} found")
    if isinstance(value, Unknown) and node.filter.name not in _TEXT_FILTERS:
        walk.refuse("F403", frame, node.filter, what=f"`{{% filter {node.filter.name} %}}`", advice="use `set` first")
    _print(walk, node.filter, frame, value)
    inner.leave()


def _through(walk: Walk, node: nodes.Filter, frame: Frame, value: Value) -> Value:
    walk.filtered.append(value)
    try:
        return walk.evaluate(node, frame)
    finally:
        walk.filtered.pop()


def _with(walk: Walk, node: nodes.With, frame: Frame) -> None:
    inner = frame.inner(node)
    inner.enter()
    for target, expression in zip(node.targets, node.values, strict=True):
        assign(walk, node, target, inner, walk.evaluate(expression, frame))
    walk.run(node.body, inner)
    inner.leave()


def _macro(_: Walk, node: nodes.Macro, frame: Frame) -> None:
    frame.write(node.name, MacroValue(node.name, node, frame, frame.scope))


def _call_block(walk: Walk, node: nodes.CallBlock, frame: Frame) -> None:
    caller = MacroValue("caller", node, frame, frame.scope)
    _print_call(walk, node.call, frame, {"caller": caller})


def _scope(walk: Walk, node: nodes.Scope, frame: Frame) -> None:
    inner = frame.inner(node)
    inner.enter()
    walk.run(node.body, inner)
    inner.leave()


_STATEMENTS: Mapping[type[nodes.Node], Callable[[Walk, Any, Frame], None]] = {
    nodes.Output: _output,
    nodes.If: branch,
    nodes.For: looping.loop,
    nodes.Assign: _assign,
    nodes.AssignBlock: _assign_block,
    nodes.With: _with,
    nodes.FilterBlock: _filter_block,
    nodes.Macro: _macro,
    nodes.CallBlock: _call_block,
    nodes.Include: include,
    nodes.Scope: _scope,
}
