"""Calls: methods, Jinja2's globals, macros (inlined with renamed locals), `caller`, `loop(...)`."""

from __future__ import annotations

from typing import Any

from jinja2 import StrictUndefined, nodes
from jinja2.sandbox import safe_range

from frieze.runtime.operations import METHODS
from frieze.template.applying import arguments
from frieze.template.budget import BudgetError, weigh
from frieze.template.sandbox import call as call_known
from frieze.template.scopes import Frame, Scope
from frieze.template.sorts import exhausted
from frieze.template.values import (
    MISSING,
    Display,
    Failure,
    Known,
    KnownLoop,
    MacroValue,
    Namespace,
    Refusal,
    Selected,
    Unknown,
    UnknownLoop,
    Value,
)
from frieze.template.walk import Walk

MACRO_DEPTH = 40
"""Deepest nesting of macro calls and recursive loops."""

_INSTEAD = {
    "append": "lists cannot be changed: `xs + [x]` makes a new one",
    "capitalize": "write `| capitalize`",
    "center": "write `| center`",
    "count": "compare or filter: `| select('==', ...) | list | length`",
    "endswith": "compare a slice: `x[-3:] == 'abc'`",
    "format": "write `'%s ...' | format(x)` or `~`",
    "join": "write `xs | join(', ')`",
    "lower": "write `| lower`",
    "lstrip": "write `| trim`",
    "replace": "write `| replace(old, new)`",
    "rstrip": "write `| trim`",
    "split": "pass a list instead of a text",
    "splitlines": "pass a list instead of a text",
    "startswith": "compare a slice: `x[:3] == 'abc'`",
    "strip": "write `| trim`",
    "title": "write `| title`",
    "upper": "write `| upper`",
}


def called(walk: Walk, node: nodes.Call, frame: Frame) -> Value:
    """Evaluate a call; what a macro prints is captured."""
    function = callee(walk, node, frame)
    if isinstance(function, MacroValue):
        positional, keywords = arguments(walk, node, frame)
        return walk.capture(
            frame, node, function.name, lambda: run_macro(walk, node, frame, function, positional, keywords)
        )
    return function


def callee(walk: Walk, node: nodes.Call, frame: Frame) -> Value:
    """Return the macro that a call names; every other call is made, and its result returned."""
    target = node.node
    if isinstance(target, nodes.Getattr):
        owner = walk.evaluate(target.node, frame)
        if isinstance(owner, Unknown | Display):
            return _method(walk, node, frame, owner, target.attr)
        if isinstance(owner, KnownLoop | UnknownLoop) and target.attr in ("cycle", "changed"):
            return _loop_method(walk, node, frame, owner, target.attr)
        function = walk.attribute(target, frame, owner)
    else:
        owner = None
        function = walk.evaluate(target, frame)
    if isinstance(function, MacroValue):
        return function
    positional, keywords = arguments(walk, node, frame)
    if isinstance(function, KnownLoop):
        return _recursion(walk, node, frame, function, positional)
    if isinstance(function, Known) and function.value is NAMESPACE:
        return _namespace(walk, node, frame, positional, keywords)
    if not isinstance(function, Known | Selected):
        what = f"calling `{target.name}`" if isinstance(target, nodes.Name) else "calling this"
        walk.refuse("F414", frame, node, what=what)
    operands = [*positional, *keywords.values()]
    if isinstance(function, Known) and function.value is dict:
        for operand in operands:
            walk.held(node, frame, operand)
    if any(not isinstance(operand, Known | Selected) for operand in operands):
        return _known_method(walk, node, frame, owner, function, positional, keywords)

    def run(known: Any, *rest: Any) -> Any:
        split = len(positional)
        named = dict(zip(keywords, rest[split:], strict=True))
        return invoke(known, list(rest[:split]), named, own_filters=walk.own_filters)

    return walk.apply(
        frame, node, run, [function, *operands], lambda name, *rest: f"{name}({', '.join(rest)})", atomic=True
    )


def NAMESPACE(*_: Any, **__: Any) -> None:  # noqa: N802 - stands for the global of that name
    """Stand for Jinja2's `namespace`, which the evaluator makes itself."""


def invoke(function: Any, positional: list[Any], keywords: dict[str, Any], *, own_filters: bool) -> Any:
    """Call something known.

    Raises:
        BudgetError: `range` is asked for more than Jinja2's sandbox allows.
    """
    if function is safe_range:
        try:
            return safe_range(*positional, **keywords)
        except OverflowError:
            raise BudgetError("numbers", "100,000 in one `range`") from None
    return call_known(function, positional, keywords, own_filters=own_filters)


def _refuse_undeclared(walk: Walk, node: nodes.Call, frame: Frame) -> None:
    """Give up a call on a name that nothing declares: that was reported, and is what is wrong."""
    root = node.node
    while isinstance(root, nodes.Getattr | nodes.Getitem):
        root = root.node
    if walk.inputs is not None and isinstance(root, nodes.Name):
        value = frame.read(root.name)
        if isinstance(value, Unknown) and value.expression[0] == "input" and value.expression[1] not in walk.inputs:
            raise Refusal(None)


def _method(walk: Walk, node: nodes.Call, frame: Frame, owner: Value, name: str) -> Value:
    if name not in METHODS:
        if name in ("format", "format_map"):
            walk.refuse("F414", frame, node, what=f"`.{name}()` on an unknown value", advice=_INSTEAD["format"])
        _refuse_undeclared(walk, node, frame)
        walk.refuse("F414", frame, node, what=f"`.{name}()` on an unknown value", advice=_INSTEAD.get(name, ""))
    positional, keywords = arguments(walk, node, frame)
    count = len(positional)
    if keywords or (count != 0 if name != "get" else not 1 <= count <= 2):
        walk.refuse("F414", frame, node, what=f"`.{name}()` with these arguments", advice="")
    for operand in (owner, *positional):
        walk.checked(node, frame, operand)
    return Unknown(
        ["call", name, walk.lift(frame, node, owner), [walk.lift(frame, node, argument) for argument in positional]]
    )


def _known_method(
    walk: Walk,
    node: nodes.Call,
    frame: Frame,
    owner: Value | None,
    function: Value,
    positional: list[Value],
    keywords: dict[str, Value],
) -> Value:
    """Call something known with an unknown argument."""
    target = node.node
    for operand in (*positional, *keywords.values()):
        walk.checked(node, frame, operand)
    if isinstance(target, nodes.Getattr) and target.attr == "get" and 1 <= len(positional) <= 2 and not keywords:
        base = walk.settle(frame, node, owner) if owner is not None else None
        if isinstance(base, Known) and isinstance(base.value, dict):
            return Unknown(
                [
                    "call",
                    "get",
                    walk.lift(frame, node, base),
                    [walk.lift(frame, node, argument) for argument in positional],
                ]
            )
    if isinstance(function, Known) and function.value is dict and not positional:
        pairs = ([key, walk.lift(frame, node, value)] for key, value in keywords.items())
        return Unknown(["dict", *pairs])
    name = target.attr if isinstance(target, nodes.Getattr) else getattr(target, "name", "this")
    return walk.refuse(
        "F414", frame, node, what=f"calling `{name}` with an unknown value", advice=_INSTEAD.get(name, "")
    )


def _loop_method(walk: Walk, node: nodes.Call, frame: Frame, loop: KnownLoop | UnknownLoop, name: str) -> Value:
    positional, keywords = arguments(walk, node, frame)
    for operand in positional:
        walk.checked(node, frame, operand)
    if name == "cycle" and not keywords:
        if not positional:
            raise Failure("TypeError", "no items for cycling given")
        if isinstance(loop, KnownLoop):
            return positional[loop.index0 % len(positional)]
        loop.used = True
        choices = ["tuple", *(walk.lift(frame, node, operand) for operand in positional)]
        return Unknown(["item", choices, ["%", ["loop", loop.name, "index0"], len(positional)]])
    if isinstance(loop, KnownLoop) and loop.region == walk.region:
        settled = [walk.settle(frame, node, operand) for operand in positional]
        if not keywords and all(isinstance(operand, Known) for operand in settled):
            values = [operand.value for operand in settled if isinstance(operand, Known)]
            changed = walk.attempt(frame, node, lambda: loop.changed != values)
            loop.changed = values
            return Known(changed)
    return walk.refuse("F403", frame, node, what=f"`loop.{name}` here", advice="compare with `loop.previtem`")


def _recursion(walk: Walk, node: nodes.Call, frame: Frame, loop: KnownLoop, positional: list[Value]) -> Value:
    if loop.recurse is None:
        raise Failure("TypeError", "The loop must have the 'recursive' marker to be called recursively.")
    if len(positional) != 1:
        raise Failure("TypeError", "a recursive loop is called with one list")
    recurse = loop.recurse
    with _deeper(walk, node, frame):
        return recurse(positional[0], loop.depth0 + 1)


class _deeper:  # noqa: N801 - a context manager, used like a function
    """Count the nesting of calls."""

    def __init__(self, walk: Walk, node: nodes.Node, frame: Frame) -> None:
        self.walk = walk
        if walk.depth >= MACRO_DEPTH:
            raise exhausted(
                BudgetError("nesting", f"{MACRO_DEPTH} levels of macros"), frame.parsed.places.token(node.lineno)
            )

    def __enter__(self) -> None:
        self.walk.depth += 1

    def __exit__(self, *_: object) -> None:
        self.walk.depth -= 1


def _namespace(
    walk: Walk, node: nodes.Call, frame: Frame, positional: list[Value], keywords: dict[str, Value]
) -> Value:
    values: dict[str, Value] = {}
    for argument in positional:
        settled = walk.settle(frame, node, argument)
        if not isinstance(settled, Known):
            walk.refuse("F414", frame, node, what="`namespace` with an unknown map", advice="write `namespace(a=...)`")
        values.update((key, Known(value)) for key, value in walk.attempt(frame, node, dict, settled.value).items())
    for key, value in keywords.items():
        values[key] = walk.keep(frame, node, key, walk.held(node, frame, value))
    return Namespace(walk.region, values)


def run_macro(
    walk: Walk,
    node: nodes.Node,
    frame: Frame,
    macro: MacroValue,
    positional: list[Value],
    keywords: dict[str, Value],
) -> None:
    """Print what a macro prints for these arguments, where the call stands.

    Raises:
        Failure: the arguments do not fit.
    """
    definition, inner = macro.node, macro.frame.inner(macro.node, scope=Scope(macro.scope))
    names = [argument.name for argument in definition.args]
    special = inner.parsed.tables.special(definition)
    keywords = dict(keywords)
    kept = [walk.keep(frame, node, name, value) for name, value in zip(names, positional, strict=False)]
    given: dict[str, Value] = dict(zip(names, kept, strict=False))
    for name in names[len(kept) :]:
        if name in keywords:
            given[name] = walk.keep(frame, node, name, keywords.pop(name))
    if "caller" in special:
        given["caller"] = keywords.pop("caller", Known(StrictUndefined("No caller defined", name="caller")))
    if "kwargs" in special:
        pairs = [(key, walk.keep(frame, node, key, value)) for key, value in keywords.items()]
        given["kwargs"] = _gathered_map(walk, node, frame, pairs)
    elif keywords:
        raise Failure("TypeError", f"macro {macro.name!r} takes no keyword argument {next(iter(keywords))!r}")
    rest = positional[len(names) :]
    if "varargs" in special:
        given["varargs"] = _gathered(walk, node, frame, [walk.keep(frame, node, "varargs", value) for value in rest])
    elif rest:
        raise Failure("TypeError", f"macro {macro.name!r} takes not more than {len(names)} argument(s)")
    with _deeper(walk, node, frame):
        _run(walk, definition, inner, names, given)


def _run(
    walk: Walk, definition: nodes.Macro | nodes.CallBlock, inner: Frame, names: list[str], given: dict[str, Value]
) -> None:
    for name in (*names, "caller", "kwargs", "varargs"):
        inner.bind_parameter(name, given.get(name, MISSING))
    inner.enter()
    for index, name in enumerate(names):
        if name not in given:
            position = index - len(names)
            if -position <= len(definition.defaults):
                value = walk.evaluate(definition.defaults[position], inner)
                inner.write(name, walk.keep(inner, definition.defaults[position], name, value))
            else:
                inner.write(name, Known(StrictUndefined(f"parameter {name!r} was not provided", name=name)))
    walk.run(definition.body, inner)


def _gathered(walk: Walk, node: nodes.Node, frame: Frame, values: list[Value]) -> Value:
    if all(isinstance(value, Known) for value in values):
        known = tuple(value.value for value in values if isinstance(value, Known))
        walk.attempt(frame, node, weigh, known)
        return Known(known)
    return walk.display(frame, node, "tuple", values)


def _gathered_map(walk: Walk, node: nodes.Node, frame: Frame, pairs: list[tuple[str, Value]]) -> Value:
    settled = [(key, walk.settle(frame, node, value)) for key, value in pairs]
    if all(isinstance(value, Known) for _, value in settled):
        known = {key: value.value for key, value in settled if isinstance(value, Known)}
        walk.attempt(frame, node, weigh, known)
        return Known(known)
    return Unknown(["dict", *([key, walk.lift(frame, node, value)] for key, value in settled)])
