"""Binding names: `set`, `with`, loop targets; and what a name holds after an unknown condition."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import nodes

from frieze.diagnostics import Diagnostic, Span
from frieze.template.builder import Builder
from frieze.template.positions import mark
from frieze.template.sandbox import elements
from frieze.template.scopes import Frame
from frieze.template.sorts import sort_of
from frieze.template.values import (
    MISSING,
    Display,
    Failure,
    Known,
    Missing,
    Namespace,
    Refusal,
    Spoilt,
    Unknown,
    Value,
)
from frieze.template.walk import Walk

State = dict[str, Value]


def assign(walk: Walk, node: nodes.Node, target: nodes.Node, frame: Frame, value: Value) -> None:
    """Bind the names of a target, evaluating the value now.

    Raises:
        Failure: the value does not have as many elements as the target.
    """
    if isinstance(target, nodes.Name):
        frame.write(target.name, walk.keep(frame, node, target.name, value))
    elif isinstance(target, nodes.NSRef):
        _write_namespace(walk, node, target, frame, value)
    elif isinstance(target, nodes.Tuple):
        for part, item in zip(target.items, unpack(walk, node, frame, value, len(target.items)), strict=True):
            assign(walk, node, part, frame, item)


def _write_namespace(walk: Walk, node: nodes.Node, target: nodes.NSRef, frame: Frame, value: Value) -> None:
    owner = frame.read(target.name)
    if isinstance(owner, Spoilt):
        raise Refusal(owner.diagnostic)
    if not isinstance(owner, Namespace):
        raise Failure("TemplateRuntimeError", "cannot assign attribute on non-namespace object")
    if owner.region != walk.region:
        walk.refuse("F418", frame, target, name=f"{target.name}.{target.attr}")
    walk.held(node, frame, value)
    owner.values[target.attr] = walk.keep(frame, node, f"{target.name}.{target.attr}", value)


def unpack(walk: Walk, node: nodes.Node, frame: Frame, value: Value, count: int) -> list[Value]:
    """Return the elements of a value that is bound to several names.

    Raises:
        Failure: there are not `count` of them.
        Refusal: the value is unknown.
    """
    value = walk.settle(frame, node, value)
    if isinstance(value, Display):
        items = list(value.items)
    elif isinstance(value, Known):
        items = [Known(item) for item in walk.attempt(frame, node, _elements, value.value)]
    else:
        walk.refuse(
            "F403", frame, node, what="binding several names to an unknown value", advice="bind the value, then `x[0]`"
        )
    if len(items) != count:
        few = len(items) < count
        reason = f"not enough values to unpack (expected {count}, got {len(items)})"
        raise Failure("ValueError", reason if few else f"too many values to unpack (expected {count})")
    return items


def _elements(value: Any) -> list[Any]:
    return list(elements(value))


def spoil(node: nodes.Node, frame: Frame) -> None:
    """Make names unusable that a refused statement would have bound, without a second diagnostic."""
    target = getattr(node, "target", None)
    if isinstance(node, nodes.Assign | nodes.AssignBlock) and target is not None:
        for name in target.find_all(nodes.Name) if not isinstance(target, nodes.Name) else [target]:
            frame.write(name.name, Spoilt(None))


def snapshot(frame: Frame) -> State:
    """Return what every variable of the current function holds."""
    return dict(frame.scope.values)


def restore(frame: Frame, state: State) -> None:
    """Give every variable back what it held."""
    frame.scope.values.clear()
    frame.scope.values.update(state)


def join(walk: Walk, node: nodes.Node, frame: Frame, ends: Sequence[tuple[Builder, State, Span]]) -> None:
    """Make each variable what the arm that ran gave it; `ends` are the arms that can reach their end."""
    merged: State = {}
    for variable in sorted({name for _, state, _ in ends for name in state}):
        values = [state.get(variable, MISSING) for _, state, _ in ends]
        if all(same(values[0], value) for value in values[1:]):
            merged[variable] = values[0]
        else:
            merged[variable] = _meet(walk, node, frame, variable, values, ends)
    restore(frame, merged)


def _meet(
    walk: Walk,
    node: nodes.Node,
    frame: Frame,
    variable: str,
    values: Sequence[Value],
    ends: Sequence[tuple[Builder, State, Span]],
) -> Value:
    name = variable.split("_", 2)[2]
    for value in values:
        if not isinstance(value, Missing | Known | Unknown | Display | Spoilt) and not hasattr(value, "selectors"):
            return Spoilt(Diagnostic.of("F419", frame.parsed.places.token(node.lineno), name=name, what=sort_of(value)))
        if isinstance(value, Unknown) and (value.lazy or value.markup):
            return Spoilt(Diagnostic.of("F416", frame.parsed.places.token(node.lineno), name=name))
    lifted = []
    for (builder, _, _), value in zip(ends, values, strict=True):
        try:
            with walk.swapped(builder):
                lifted.append(None if isinstance(value, Missing) else [walk.lift(frame, node, value)])
        except Refusal as refusal:
            return Spoilt(refusal.diagnostic)
    local = walk.local(name)
    walk.weigh(frame, node, local, *(expression[0] for expression in lifted if expression is not None))
    for (builder, _, span), expression in zip(ends, lifted, strict=True):
        if expression is not None:
            builder.add(["let", local, expression[0]], mark(span))
    return Unknown(["local", local])


def same(left: Value, right: Value) -> bool:
    """Tell whether two values are certainly the same."""
    if left is right:
        return True
    if isinstance(left, Known) and isinstance(right, Known):
        one, other = left.value, right.value
        return one is other or (type(one) is type(other) and type(one) in (str, int, bool) and one == other)
    return isinstance(left, Unknown) and left == right
