"""Operators: comparisons, arithmetic, signs, `~`."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import nodes

from frieze.template.budget import length, spend, text_of, weigh
from frieze.template.sandbox import binary
from frieze.template.scopes import Frame
from frieze.template.values import Known, Selected, Unknown, Value
from frieze.template.walk import Walk

_COMPARISONS: Mapping[str, tuple[str, Callable[[Any, Any], Any]]] = {
    "eq": ("==", operator.eq),
    "ne": ("!=", operator.ne),
    "lt": ("<", operator.lt),
    "lteq": ("<=", operator.le),
    "gt": (">", operator.gt),
    "gteq": (">=", operator.ge),
    "in": ("in", lambda left, right: left in right),
    "notin": ("not in", lambda left, right: left not in right),
}


def decided(*operands: Value) -> bool:
    """Tell whether an operation on these can be done without a residual."""
    return all(isinstance(operand, Known | Selected) for operand in operands)


def holds(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> bool:
    """Tell whether a known or selected value is true."""
    if isinstance(value, Selected):
        value = walk.ask(frame, node, value, truth=True)
    return isinstance(value, Known) and bool(walk.attempt(frame, node, bool, value.value))


def comparison(walk: Walk, node: nodes.Compare, frame: Frame) -> Value:
    """Compare; a chain stops at the first link that is false."""
    left = comparable(walk, node, frame, walk.evaluate(node.expr, frame))
    links = list(node.ops)
    while links:
        link = links[0]
        right = comparable(walk, link, frame, walk.evaluate(link.expr, frame))
        if not decided(left, right):
            return _unknown_comparison(walk, node, frame, left, right, links)
        word, compare = _COMPARISONS[link.op]
        is_left = isinstance(left, Selected) and bool(left.bare)
        result = walk.apply(
            frame,
            node if is_left else link,
            lambda first, second, compare=compare: _compared(compare, first, second),
            [left, right],
            lambda first, second, word=word: f"{first} {word} {second}",
        )
        del links[0]
        if not links:
            return result
        if not holds(walk, node, frame, result):
            return result
        left = right
    return left


def _compared(compare: Callable[[Any, Any], Any], left: Any, right: Any) -> Any:
    weigh(left, right)
    return compare(left, right)


def _unknown_comparison(
    walk: Walk, node: nodes.Compare, frame: Frame, left: Value, right: Value, links: list[nodes.Operand]
) -> Value:
    pairs = [[_COMPARISONS[links[0].op][0], _operand(walk, links[0], frame, right)]]
    for link in links[1:]:
        expression = link.expr
        before, value = walk.lazily(frame, link, lambda inner=expression: walk.evaluate(inner, frame))  # type: ignore[misc] # mypy cannot infer a lambda with a default
        if before:
            walk.refuse("F403", frame, link, what="a macro in a chained comparison", advice="`set` its text first")
        pairs.append([_COMPARISONS[link.op][0], _operand(walk, link, frame, comparable(walk, link, frame, value))])
    return Unknown(["cmp", walk.lift(frame, node, left, text=True), *pairs])


def comparable(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> Value:
    """Return an operand of a comparison, where Markup is like text."""
    if isinstance(value, Unknown) and value.markup and not value.lazy:
        return value
    if isinstance(value, Unknown) and value.lazy and getattr(node, "op", "") in ("in", "notin"):
        return value
    return walk.checked(node, frame, value)


def _operand(walk: Walk, link: nodes.Operand, frame: Frame, value: Value) -> Any:
    return walk.lift(frame, link, value, text=True, walked=link.op in ("in", "notin"))


def arithmetic(symbol: str) -> Callable[[Walk, Any, Frame], Value]:
    """Return how an arithmetic operator is specialised."""

    def combine(walk: Walk, node: nodes.BinExpr, frame: Frame) -> Value:
        left = walk.checked(node, frame, walk.evaluate(node.left, frame))
        right = walk.checked(node, frame, walk.evaluate(node.right, frame))
        if decided(left, right):
            return walk.apply(
                frame,
                node,
                lambda first, second: binary(symbol, first, second),
                [left, right],
                lambda first, second: f"{first} {symbol} {second}",
            )
        return Unknown([symbol, walk.lift(frame, node, left), walk.lift(frame, node, right)])

    return combine


def sign(word: str, symbol: str, apply: Callable[[Any], Any]) -> Callable[[Walk, Any, Frame], Value]:
    """Return how a sign is specialised."""

    def combine(walk: Walk, node: nodes.UnaryExpr, frame: Frame) -> Value:
        value = walk.checked(node, frame, walk.evaluate(node.node, frame))
        if decided(value):
            return walk.apply(frame, node, apply, [value], lambda text: f"{symbol}{text}")
        return Unknown([word, walk.lift(frame, node, value)])

    return combine


def concat(walk: Walk, node: nodes.Concat, frame: Frame) -> Value:
    """Join the texts of values."""
    parts: list[Value] = []
    for part in node.nodes:
        value = walk.evaluate(part, frame)
        if not (isinstance(value, Unknown) and value.markup and not value.lazy):
            walk.checked(part, frame, value)
        parts.append(value)
    if decided(*parts):
        return walk.apply(frame, node, joined, parts, lambda *texts: " ~ ".join(texts))
    merged: list[Any] = []
    for value in parts:
        settled = walk.settle(frame, node, value)
        if isinstance(settled, Known):
            text = walk.attempt(frame, node, text_of, settled.value)
            if merged and isinstance(merged[-1], str):
                merged[-1] += text
            else:
                merged.append(text)
        else:
            merged.append(walk.lift(frame, node, settled, text=True))
    return Unknown(["concat", *merged])


def joined(*parts: Any) -> str:
    """Return what `~` makes of known values."""
    texts = [text_of(part) for part in parts]
    size = sum(map(len, texts))
    length(size)
    spend(size)
    return "".join(texts)
