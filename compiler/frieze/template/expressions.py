"""Expressions: one function for each kind of node, from syntax to a value of some sort.

An operation whose operands are all known runs now. One that only selectors keep from running becomes a larger
selected expression. Everything else becomes a residual expression, in which whatever Jinja2 evaluates lazily
(the right side of `and`, the arms of an inline `if`, later links of a comparison) stays lazy.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from typing import Any

from jinja2 import StrictUndefined, Undefined, nodes

from frieze.diagnostics import Diagnostic, did_you_mean, nearest
from frieze.runtime.access import ATTRIBUTES
from frieze.template import applying, calling, operators
from frieze.template.budget import spend, weigh
from frieze.template.builder import Builder
from frieze.template.operators import decided
from frieze.template.positions import mark
from frieze.template.sandbox import sandbox
from frieze.template.scopes import Frame
from frieze.template.sorts import sort_of
from frieze.template.values import (
    Display,
    Known,
    KnownLoop,
    Missing,
    Namespace,
    Refusal,
    Selected,
    Spoilt,
    Unknown,
    UnknownLoop,
    Value,
)
from frieze.template.walk import Walk

_LOOP_FIELDS = frozenset(
    ["index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0", "previtem", "nextitem"]
)


def evaluate(walk: Walk, node: nodes.Node, frame: Frame) -> Value:
    """Evaluate an expression.

    Raises:
        Failure: it certainly fails where it stands.
        Refusal: it has no right residual.
        Unanswered: it depends on selectors, and the answer is not there yet.
    """
    spend()
    return _EXPRESSIONS[type(node)](walk, node, frame)


def truth(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> Value:
    """Return a condition as `Known(True)`, `Known(False)` or an unknown."""
    if isinstance(value, Known):
        return Known(walk.attempt(frame, node, bool, value.value))
    if isinstance(value, Selected):
        return walk.ask(frame, node, value, truth=True)
    if isinstance(value, Unknown):
        if value.lazy:
            walk.refuse("F416", frame, node, name=value.lazy)
        return value
    if isinstance(value, Display):
        return Unknown(walk.lift(frame, node, value))
    if isinstance(value, Spoilt):
        raise Refusal(value.diagnostic)
    if isinstance(value, KnownLoop):
        return Known(bool(value.items))
    if isinstance(value, UnknownLoop):
        walk.refuse("F413", frame, node, what=sort_of(value))
    return Known(True)


def decide(walk: Walk, node: nodes.Node, frame: Frame) -> Value:
    """Evaluate a condition, as `truth` returns it."""
    outer, walk.testing = walk.testing, True
    try:
        return truth(walk, node, frame, evaluate(walk, node, frame))
    finally:
        walk.testing = outer


def checked(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> Value:
    """Return an operand; refuse what is not data or can be walked only once."""
    if isinstance(value, Unknown):
        if value.lazy:
            walk.refuse("F416", frame, node, name=value.lazy)
        if value.markup:
            walk.refuse("F417", frame, node)
    elif not isinstance(value, Known | Selected | Display):
        walk.refuse("F413", frame, node, what=sort_of(value))
    return value


def held(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> Value:
    """Return a value that a container is to hold: an iterator in it could be used up behind any condition."""
    if isinstance(value, Known) and hasattr(value.value, "__next__"):
        walk.refuse("F416", frame, node, name="the filter")
    return value


_BIND_FIRST = "give it a name before the block: Jinja2 itself does not find it there"
_INTERNAL = frozenset(name for name in {*dir(StrictUndefined()), *ATTRIBUTES} if name[:1] == "_")
"""Attributes inside of Python that a lookup on an unknown value could find, by attribute or by subscript."""


def _constant(_: Walk, node: nodes.Const, __: Frame) -> Value:
    return Known(node.value)


def _name(walk: Walk, node: nodes.Name, frame: Frame) -> Value:
    if frame.symbols.find_ref(node.name) is None:
        walk.refuse("F403", frame, node, what=f"`{node.name}` in the filter of a `set` block", advice=_BIND_FIRST)
    value = frame.read(node.name)
    if isinstance(value, Missing):
        return Known(StrictUndefined(name=node.name))
    if isinstance(value, Spoilt):
        raise Refusal(value.diagnostic)
    if isinstance(value, Known):
        if value.region != walk.region and hasattr(value.value, "__next__"):
            walk.refuse("F416", frame, node, name=node.name)
    elif isinstance(value, Unknown):
        if walk.inputs is not None and value.expression[0] == "input" and value.expression[1] not in walk.inputs:
            walk.report(Diagnostic.of("F402", frame.parsed.places.token(node.lineno), name=node.name))
            # In a condition it may be the guard of an input whose name it was meant to be.
            meant = nearest(node.name, sorted(walk.inputs), 1) if walk.testing else []
            return Unknown(["input", meant[0] if meant else node.name])
        if value.lazy:
            if value.expression[1] in walk.consumed:
                walk.refuse("F416", frame, node, name=node.name)
            walk.consumed.add(value.expression[1])
    return value


def _attribute(walk: Walk, node: nodes.Getattr, frame: Frame) -> Value:
    return attribute(walk, node, frame, evaluate(walk, node.node, frame))


def attribute(walk: Walk, node: nodes.Getattr | nodes.Getitem, frame: Frame, owner: Value, name: str = "") -> Value:
    """Return `owner.name`."""
    name = name or getattr(node, "attr", "")
    if isinstance(owner, Known | Selected):
        get = sandbox(own_filters=walk.own_filters).getattr
        where = owner.text if isinstance(owner, Selected) else ""

        def member(value: Any) -> Any:
            found = get(value, name)
            if where and isinstance(found, Undefined) and isinstance(value, Mapping):
                names = ", ".join(f"`{key}`" for key in value)
                hint = did_you_mean(name, map(str, value), f"it has {names}" if names else "it has nothing")
                return StrictUndefined(f"`{where}` has no `{name}`; {hint}")
            return found

        return walk.apply(frame, node, member, [owner], lambda value: f"{value}.{name}", atomic=True)
    if isinstance(owner, Namespace):
        found = owner.values.get(name)
        return Known(StrictUndefined(name=name)) if found is None else found
    if isinstance(owner, KnownLoop | UnknownLoop) and owner.repacked and name in ("previtem", "nextitem"):
        advice = "give the item one name in the `for`, and unpack it with `set` in the body"
        walk.refuse("F403", frame, node, what=f"`loop.{name}` of a filtered loop that unpacks", advice=advice)
    if isinstance(owner, KnownLoop):
        return _known_loop(walk, node, frame, owner, name)
    if isinstance(owner, UnknownLoop):
        if name not in _LOOP_FIELDS:
            walk.refuse("F403", frame, node, what=f"`loop.{name}`", advice="")
        owner.used = True
        return Unknown(["loop", owner.name, name])
    checked(walk, node, frame, owner)
    if name in _INTERNAL:
        walk.refuse("F410", frame, node, what=f"`{name}` of an unknown value")
    if name in ATTRIBUTES:
        walk.refuse("F415", frame, node, name=name)
    return Unknown(["attr", walk.lift(frame, node, owner), name])


def _known_loop(walk: Walk, node: nodes.Node, frame: Frame, loop: KnownLoop, name: str) -> Value:
    index, count = loop.index0, len(loop.items)
    fields: dict[str, Any] = {
        "index": index + 1,
        "index0": index,
        "revindex": count - index,
        "revindex0": count - index - 1,
        "first": index == 0,
        "last": index == count - 1,
        "length": count,
        "depth": loop.depth0 + 1,
        "depth0": loop.depth0,
    }
    if name in fields:
        return Known(fields[name])
    if name == "previtem":
        return loop.items[index - 1] if index else Known(StrictUndefined("there is no previous item"))
    if name == "nextitem":
        return loop.items[index + 1] if index + 1 < count else Known(StrictUndefined("there is no next item"))
    return walk.refuse("F403", frame, node, what=f"`loop.{name}`")


def _item(walk: Walk, node: nodes.Getitem, frame: Frame) -> Value:
    owner = evaluate(walk, node.node, frame)
    if isinstance(node.arg, nodes.Slice):
        return _slice(walk, node, node.arg, frame, owner)
    key = evaluate(walk, node.arg, frame)
    if isinstance(owner, Namespace | KnownLoop | UnknownLoop) and isinstance(key, Known):
        return attribute(walk, node, frame, owner, str(key.value))
    checked(walk, node, frame, owner)
    checked(walk, node, frame, key)
    if isinstance(owner, Unknown) and isinstance(key, Known) and isinstance(key.value, str) and key.value in _INTERNAL:
        walk.refuse("F410", frame, node, what=f"`{key.value}` of an unknown value")
    if decided(owner, key):
        get = sandbox(own_filters=walk.own_filters).getitem
        return walk.apply(frame, node, get, [owner, key], lambda base, index: f"{base}[{index}]", atomic=True)
    return Unknown(["item", walk.lift(frame, node, owner), walk.lift(frame, node, key)])


def _slice(walk: Walk, node: nodes.Getitem, part: nodes.Slice, frame: Frame, owner: Value) -> Value:
    bounds: list[Value] = [
        Known(None) if bound is None else evaluate(walk, bound, frame) for bound in (part.start, part.stop, part.step)
    ]
    operands = [checked(walk, node, frame, value) for value in (owner, *bounds)]
    if decided(*operands):
        return walk.apply(
            frame,
            node,
            lambda value, start, stop, step: value[slice(start, stop, step)],
            operands,
            lambda value, start, stop, step: f"{value}[{start}:{stop}:{step}]",
            atomic=True,
        )
    return Unknown(["slice", *(walk.lift(frame, node, operand) for operand in operands)])


def _display(walk: Walk, node: nodes.List | nodes.Tuple, frame: Frame) -> Value:
    items = [held(walk, item, frame, evaluate(walk, item, frame)) for item in node.items]
    kind = "list" if isinstance(node, nodes.List) else "tuple"
    if all(isinstance(item, Known) for item in items):
        return walk.apply(frame, node, _list if kind == "list" else _tuple, items, str)
    for item in items:
        checked(walk, node, frame, item)
    return walk.display(frame, node, kind, items)


def _list(*parts: Any) -> list[Any]:
    found = list(parts)
    weigh(found)
    return found


def _tuple(*parts: Any) -> tuple[Any, ...]:
    weigh(parts)
    return parts


def _map(*parts: Any) -> dict[Any, Any]:
    # Keys are hashed as trees, so they are weighed before.
    weigh(parts)
    return dict(zip(parts[::2], parts[1::2], strict=True))


def _dict(walk: Walk, node: nodes.Dict, frame: Frame) -> Value:
    pairs = [
        (evaluate(walk, pair.key, frame), held(walk, pair, frame, evaluate(walk, pair.value, frame)))
        for pair in node.items
    ]
    flat = [checked(walk, node, frame, part) for pair in pairs for part in pair]
    if all(isinstance(part, Known) for part in flat):
        return walk.apply(frame, node, _map, flat, str)
    return Unknown(["dict", *([walk.lift(frame, node, key), walk.lift(frame, node, value)] for key, value in pairs)])


def _not(walk: Walk, node: nodes.Not, frame: Frame) -> Value:
    value = evaluate(walk, node.node, frame)
    if isinstance(value, Selected):
        return walk.apply(frame, node, operator.not_, [value], lambda text: f"not {text}")
    value = truth(walk, node, frame, value)
    return Known(not value.value) if isinstance(value, Known) else Unknown(["not", walk.lift(frame, node, value)])


def _logic(walk: Walk, node: nodes.And | nodes.Or, frame: Frame) -> Value:
    """`and` and `or` give one of their operands; the right one may never be reached."""
    left = evaluate(walk, node.left, frame)
    test = truth(walk, node, frame, left)
    goes_on = isinstance(node, nodes.And)
    if isinstance(test, Known):
        return evaluate(walk, node.right, frame) if test.value is goes_on else left
    before, right = walk.lazily(frame, node.right, lambda: evaluate(walk, node.right, frame))
    if isinstance(right, Unknown) and right.lazy:
        walk.refuse("F416", frame, node, name=right.lazy)
    markup = any(isinstance(part, Unknown) and part.markup for part in (left, right))
    if not before:
        with walk.swapped(before):
            return Unknown(
                ["and" if goes_on else "or", walk.lift(frame, node, left), walk.lift(frame, node, right)], markup=markup
            )
    kept = walk.keep(frame, node, "operand", left)
    condition = walk.lift(frame, node, kept)
    return _chosen(walk, node, frame, condition if goes_on else ["not", condition], (before, right), (Builder(), kept))


def _conditional(walk: Walk, node: nodes.CondExpr, frame: Frame) -> Value:
    frame = frame.softened()
    test = decide(walk, node.test, frame)
    if isinstance(test, Known):
        if test.value:
            return evaluate(walk, node.expr1, frame)
        if node.expr2 is None:
            return Known(Undefined("the inline if-expression evaluated to false and no else section was defined."))
        return evaluate(walk, node.expr2, frame)
    first = walk.lazily(frame, node.expr1, lambda: evaluate(walk, node.expr1, frame))
    otherwise = node.expr2
    second: tuple[Builder, Value] | None = None
    if otherwise is not None:
        second = walk.lazily(frame, otherwise, lambda: evaluate(walk, otherwise, frame))
    condition = walk.lift(frame, node, test)
    if first[0] or (second is not None and second[0]):
        if second is None:
            walk.refuse("F403", frame, node, what="a macro in an inline `if` without `else`", advice="add `else ''`")
        return _chosen(walk, node, frame, condition, first, second)
    values = [first[1]] if second is None else [first[1], second[1]]
    for value in values:
        if isinstance(value, Unknown) and value.lazy:
            walk.refuse("F416", frame, node, name=value.lazy)
    markup = any(isinstance(value, Unknown) and value.markup for value in values)
    return Unknown(["cond", condition, *(walk.lift(frame, node, value) for value in values)], markup=markup)


def _chosen(
    walk: Walk, node: nodes.Expr, frame: Frame, test: Any, first: tuple[Builder, Value], second: tuple[Builder, Value]
) -> Value:
    """Choose between operands that need statements before them: an `if` that binds a local."""
    local = walk.local("chosen")
    span = mark(frame.parsed.places.tag(node.lineno))
    bodies, lifted = [], []
    for before, value in (first, second):
        with walk.swapped(before):
            lifted.append(walk.lift(frame, node, value))
            before.add(["let", local, lifted[-1]], span)
        bodies.append(before.close())
    walk.weigh(frame, node, local, *lifted)
    (then, then_marks), (otherwise, else_marks) = bodies
    walk.builder.add(["if", [[test, then]], otherwise], [span], then_marks, else_marks)
    return Unknown(["local", local])


def _template_data(_: Walk, node: nodes.TemplateData, __: Frame) -> Value:
    return Known(node.data)


_EXPRESSIONS: Mapping[type[nodes.Node], Callable[[Walk, Any, Frame], Value]] = {
    nodes.Const: _constant,
    nodes.TemplateData: _template_data,
    nodes.Name: _name,
    nodes.Getattr: _attribute,
    nodes.Getitem: _item,
    nodes.List: _display,
    nodes.Tuple: _display,
    nodes.Dict: _dict,
    nodes.Not: _not,
    nodes.And: _logic,
    nodes.Or: _logic,
    nodes.CondExpr: _conditional,
    nodes.Compare: operators.comparison,
    nodes.Concat: operators.concat,
    nodes.Neg: operators.sign("neg", "-", operator.neg),
    nodes.Pos: operators.sign("pos", "+", operator.pos),
    nodes.Add: operators.arithmetic("+"),
    nodes.Sub: operators.arithmetic("-"),
    nodes.Mul: operators.arithmetic("*"),
    nodes.Div: operators.arithmetic("/"),
    nodes.FloorDiv: operators.arithmetic("//"),
    nodes.Mod: operators.arithmetic("%"),
    nodes.Pow: operators.arithmetic("**"),
    nodes.Filter: applying.filtered,
    nodes.Test: applying.tested,
    nodes.Call: calling.called,
}
