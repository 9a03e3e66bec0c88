"""Filters and tests: run on known values, kept as operations on unknown ones, refused where neither is right."""

from __future__ import annotations

from typing import Any

from jinja2 import StrictUndefined, Undefined, nodes

from frieze.diagnostics import did_you_mean
from frieze.runtime.access import ATTRIBUTES
from frieze.runtime.operations import (
    FILTERS,
    JINJA_FILTERS,
    LAZY_FILTERS,
    MARKUP_CONSUMERS,
    MARKUP_FILTERS,
    TESTS,
)
from frieze.template.budget import weigh
from frieze.template.sandbox import RANDOM_FILTERS, context, sandbox
from frieze.template.scopes import Frame
from frieze.template.sorts import sort_of, trivial
from frieze.template.values import (
    Display,
    Failure,
    Known,
    KnownLoop,
    MacroValue,
    Namespace,
    Selected,
    Unknown,
    UnknownLoop,
    Value,
)
from frieze.template.walk import Walk

Arguments = tuple[list[Value], dict[str, Value]]

_WALKERS = LAZY_FILTERS - {"items"} | frozenset(
    {"d", "default", "first", "groupby", "join", "list", "max", "min", "sort", "sum"}
)
"""Filters that walk their value once, so that it may be the result of a lazy filter."""

_MARKUP_KEEPERS = frozenset({"capitalize", "indent", "lower", "string", "trim", "upper"})
"""Filters that make of a Markup a Markup with the text that they make of its text, if no argument is a text."""

_SAFE_TESTS = frozenset({"defined", "none", "undefined"})
_NOT_DATA = Namespace | KnownLoop | UnknownLoop | MacroValue


def arguments(walk: Walk, node: nodes.Filter | nodes.Test | nodes.Call, frame: Frame) -> Arguments:
    """Evaluate the arguments of a call, with `*` and `**` of known values spread out."""
    positional = [walk.evaluate(argument, frame) for argument in node.args]
    keywords: dict[str, Value] = {str(pair.key): walk.evaluate(pair.value, frame) for pair in node.kwargs}
    if node.dyn_args is not None:
        spread = walk.settle(frame, node, walk.evaluate(node.dyn_args, frame))
        if isinstance(spread, Display):
            positional.extend(spread.items)
        elif isinstance(spread, Known):
            positional.extend(Known(item) for item in walk.attempt(frame, node, _items, spread.value))
        else:
            walk.refuse("F403", frame, node, what="`*` with an unknown list", advice="write the arguments one by one")
    if node.dyn_kwargs is not None:
        spread = walk.settle(frame, node, walk.evaluate(node.dyn_kwargs, frame))
        if not isinstance(spread, Known):
            walk.refuse("F403", frame, node, what="`**` with an unknown map", advice="write the arguments one by one")
        for key, value in walk.attempt(frame, node, dict, spread.value).items():
            if key in keywords:
                raise Failure("TypeError", f"got multiple values for keyword argument {key!r}")
            keywords[key] = Known(value)
    return positional, keywords


def _items(value: Any) -> list[Any]:
    return [*value]


def filtered(walk: Walk, node: nodes.Filter, frame: Frame) -> Value:
    """Apply a filter."""
    value = walk.filtered[-1] if node.node is None else walk.evaluate(node.node, frame)
    positional, keywords = arguments(walk, node, frame)
    name = node.name
    environment = sandbox(own_filters=walk.own_filters)
    if name not in environment.filters:
        if frame.soft and not walk.own_filters:
            raise Failure("TemplateRuntimeError", f"No filter named {name!r} found.")
        walk.refuse("F404", frame, node, name=name, advice=did_you_mean(name, environment.filters))
    if name in RANDOM_FILTERS:
        walk.refuse("F413", frame, node, what=f"the result of `{name}`")
    operands = [value, *positional, *keywords.values()]
    for operand in operands:
        if isinstance(operand, _NOT_DATA):
            walk.refuse("F413", frame, node, what=sort_of(operand))
    if any(isinstance(operand, Unknown | Display) for operand in operands):
        if all(isinstance(operand, Known | Selected | Display) for operand in operands) and not any(
            _unknown(operand) for operand in operands
        ):
            operands = [Known(_whole(walk, node, frame, operand)) for operand in operands]
        else:
            return _residual_filter(walk, node, frame, value, positional, keywords)

    def run(main: Any, *rest: Any) -> Any:
        split = len(positional)
        named = dict(zip(keywords, rest[split:], strict=True))
        return environment.call_filter(
            name, main, list(rest[:split]), named, context=context(own_filters=walk.own_filters)
        )

    return walk.apply(frame, node, run, operands, lambda main, *rest: _worded(f"{main} | {name}", rest))


def _plain(value: Value) -> bool:
    return isinstance(value, Known) and not isinstance(value.value, str)


def _unknown(value: Value) -> bool:
    return isinstance(value, Unknown) or (isinstance(value, Display) and any(map(_unknown, value.items)))


def _whole(walk: Walk, node: nodes.Node, frame: Frame, value: Value) -> Any:
    """Return a display as data, once its selectors are decided."""
    if isinstance(value, Display):
        items = [_whole(walk, node, frame, item) for item in value.items]
        return items if value.kind == "list" else tuple(items)
    settled = walk.settle(frame, node, value)
    return settled.value if isinstance(settled, Known) else None


def _worded(head: str, rest: tuple[str, ...]) -> str:
    return f"{head}({', '.join(rest)})" if rest else head


def _residual_filter(
    walk: Walk, node: nodes.Filter, frame: Frame, value: Value, positional: list[Value], keywords: dict[str, Value]
) -> Value:
    name = node.name
    table = FILTERS if walk.own_filters else JINJA_FILTERS
    if name not in table:
        walk.refuse("F403", frame, node, what=f"the filter `{name}` on an unknown value")
    if name in ("default", "d"):
        decided = _default(walk, node, frame, value, positional, keywords)
        if decided is not None:
            return decided
    lazy_input = value.lazy if isinstance(value, Unknown) else ""
    markup_input = isinstance(value, Unknown) and value.markup
    if lazy_input and name not in _WALKERS:
        walk.refuse("F416", frame, node, name=lazy_input)
    keeps = name in _MARKUP_KEEPERS and not lazy_input and all(map(_plain, (*positional, *keywords.values())))
    if markup_input and not keeps and (name != "join" if lazy_input else name not in MARKUP_CONSUMERS):
        walk.refuse("F417", frame, node)
    for argument in (*positional, *keywords.values()):
        if isinstance(argument, Unknown) and (argument.lazy or argument.markup):
            walk.refuse("F416" if argument.lazy else "F417", frame, node, name=argument.lazy)
    inner = _inner_name(walk, node, frame, name, positional)
    if "attr" in (name, inner):
        named = positional[1:] if inner else positional
        _attribute_name(walk, node, frame, keywords["name"] if "name" in keywords else next(iter(named), None))
    if name == "tojson" and walk.own_filters:
        name = "json"
    expression = [
        "filter",
        name,
        walk.lift(frame, node, value, walked=name in _WALKERS, text=name == "join"),
        [walk.lift(frame, node, argument) for argument in positional],
        [[key, walk.lift(frame, node, argument)] for key, argument in keywords.items()],
    ]
    markup = name in MARKUP_FILTERS or inner in MARKUP_FILTERS or (markup_input and (keeps or name in ("default", "d")))
    return Unknown(expression, lazy=name if name in LAZY_FILTERS else "", markup=markup)


def _inner_name(walk: Walk, node: nodes.Filter, frame: Frame, name: str, positional: list[Value]) -> str:
    """Check the filter or test that a filter is given by name; returns a filter's name."""
    position = {"map": 0, "select": 0, "reject": 0, "selectattr": 1, "rejectattr": 1}.get(name)
    if position is None or len(positional) <= position:
        return ""
    named = walk.settle(frame, node, positional[position])
    if not isinstance(named, Known):
        walk.refuse("F403", frame, node, what=f"`{name}` with an unknown name", advice="write the name as a constant")
    table: Any = (FILTERS if walk.own_filters else JINJA_FILTERS) if name == "map" else TESTS
    environment = sandbox(own_filters=walk.own_filters)
    everything: Any = environment.filters if name == "map" else environment.tests
    if not isinstance(named.value, str) or (named.value in everything and named.value not in table):
        walk.refuse("F403", frame, node, what=f"`{name}` with `{named.value}` on unknown values")
    if name == "map" and named.value in LAZY_FILTERS | {"map", "select", "reject"}:
        walk.refuse("F403", frame, node, what=f"`map` with the lazy filter `{named.value}`", advice="use a loop")
    return named.value if name == "map" else ""


def _attribute_name(walk: Walk, node: nodes.Filter, frame: Frame, name: Value | None) -> None:
    """Refuse `attr` where it could give something of Python's own: a method has no text that two runs share."""
    named = name if name is None else walk.settle(frame, node, name)
    if isinstance(named, Unknown | Display):
        walk.refuse("F403", frame, node, what="`attr` with an unknown name", advice="write `value[name]` for a key")
    found = named.value if isinstance(named, Known) else None
    if isinstance(found, str) and found[:1] == "_":
        walk.refuse("F410", frame, node, what=f"`{found}` of an unknown value")
    if isinstance(found, str) and found in ATTRIBUTES:
        advice = f"write `value['{found}']` for a key; `attr` never looks at keys"
        walk.refuse("F403", frame, node, what=f"`attr('{found}')` on an unknown value", advice=advice)


def _default(
    walk: Walk, node: nodes.Filter, frame: Frame, value: Value, positional: list[Value], keywords: dict[str, Value]
) -> Value | None:
    """Decide `default` where the value is known and only what stands in for it is not."""
    if keywords or not 1 <= len(positional) <= 2:
        return None
    if isinstance(value, Selected):
        environment = sandbox(own_filters=walk.own_filters)
        there = walk.apply(
            frame, node, lambda main: environment.call_test("defined", main), [value], lambda text: f"{text} is defined"
        )
        if isinstance(there, Selected) and not walk.ask(frame, node, there).value:
            value = Known(StrictUndefined(name="value"))
        else:
            value = walk.ask(frame, node, value)
    if not isinstance(value, Known):
        return None
    stand_in = positional[0]
    if isinstance(stand_in, Unknown) and not trivial(stand_in.expression):
        return None
    boolean = walk.settle(frame, node, positional[1]) if len(positional) == 2 else Known(False)
    if not isinstance(boolean, Known):
        return None
    missing = isinstance(value.value, Undefined)
    replaced = missing or walk.attempt(frame, node, lambda: bool(boolean.value) and not value.value)
    return stand_in if replaced else value


def tested(walk: Walk, node: nodes.Test, frame: Frame) -> Value:
    """Apply a test."""
    value = walk.evaluate(node.node, frame)
    positional, keywords = arguments(walk, node, frame)
    name = node.name
    environment = sandbox(own_filters=walk.own_filters)
    if name not in environment.tests:
        if frame.soft and not walk.own_filters:
            raise Failure("TemplateRuntimeError", f"No test named {name!r} found.")
        walk.refuse("F405", frame, node, name=name, advice=did_you_mean(name, environment.tests))
    if isinstance(value, _NOT_DATA) and name in ("defined", "undefined"):
        return Known(name == "defined")
    operands = [value, *positional, *keywords.values()]
    for operand in operands:
        if isinstance(operand, _NOT_DATA):
            walk.refuse("F413", frame, node, what=sort_of(operand))
    if name == "sameas":
        _identity(walk, node, frame, operands)
    if all(isinstance(operand, Known | Selected) for operand in operands):

        def run(main: Any, *rest: Any) -> Any:
            split = len(positional)
            named = dict(zip(keywords, rest[split:], strict=True))
            if rest:
                weigh(main, *rest)
            return environment.call_test(
                name, main, list(rest[:split]), named, context=context(own_filters=walk.own_filters)
            )

        return walk.apply(frame, node, run, operands, lambda main, *rest: _worded(f"{main} is {name}", rest))
    if name not in TESTS:
        walk.refuse("F403", frame, node, what=f"the test `{name}` on an unknown value")
    for operand in operands:
        if isinstance(operand, Unknown) and name not in _SAFE_TESTS:
            if operand.lazy:
                walk.refuse("F416", frame, node, name=operand.lazy)
            if operand.markup:
                walk.refuse("F417", frame, node)
    return Unknown(
        [
            "test",
            name,
            walk.lift(frame, node, value),
            [walk.lift(frame, node, argument, walked=name == "in") for argument in positional],
            [[key, walk.lift(frame, node, argument)] for key, argument in keywords.items()],
        ]
    )


def _identity(walk: Walk, node: nodes.Test, frame: Frame, operands: list[Value]) -> None:
    """Refuse `sameas` where the answer depends on how Python stores values."""
    for operand in operands:
        if isinstance(operand, Known) and (operand.value is None or isinstance(operand.value, bool)):
            return
    walk.refuse("F413", frame, node, what="the result of `sameas`", advice="compare with `==`")
