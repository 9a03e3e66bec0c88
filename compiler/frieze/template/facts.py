"""When an expression has a value, and when it is true: two formulas for each, and what its operands need.

An absent value is false in a condition, not `defined`, equal to nothing, an empty list in `for` and `length`, and
replaced by `default`. Every other use needs it, and is handed to `need` with the condition under which it happens.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from frieze.template.arguments import Arguments
from frieze.template.filters import FILLED_WHEN_FILLED, joins_empty, lacking_attribute
from frieze.template.formulas import FALSE, TRUE, Formula, atom, both, choose, constant, either, negate
from frieze.template.ir import Expression
from frieze.template.kinds import Type, elements, has_member
from frieze.template.typing import Scope, Specification, always_there
from frieze.template.wording import wording

_KEY_LENGTH = 200


@dataclass(frozen=True, slots=True)
class Fact:
    """What is known of a value: `key`, equal for equal expressions; when it is `present`; when it is `true`."""

    key: str
    present: Formula
    true: Formula


EACH = ["local", "item"]
"""An element of a list that a filter goes over, for messages."""

ABSENT = Fact("absent", FALSE, FALSE)


class Need(Protocol):
    """Takes note that `subject` must be present where `condition` holds; `use` says what for."""

    def __call__(self, condition: Formula, fact: Fact, subject: Expression, use: str) -> None:
        """Record one use."""


class Facts:
    """The facts of expressions, given types and bindings at one place."""

    __slots__ = ("bindings", "inputs", "need", "scope")

    def __init__(
        self,
        inputs: Mapping[str, Specification],
        scope: Scope,
        need: Need,
        bindings: Mapping[str, Fact] | None = None,
    ) -> None:
        self.inputs = inputs
        self.scope = scope
        self.need = need
        self.bindings = dict(bindings or {})

    def fork(self) -> Facts:
        """Return a copy to bind in."""
        return Facts(self.inputs, self.scope.fork(), self.need, self.bindings)

    def of(self, expression: Expression, given: Formula) -> Fact:
        """Return the facts of an expression that is evaluated where `given` holds."""
        if not isinstance(expression, list):
            return Fact(json.dumps(expression), TRUE, constant(expression))
        operation, *parts = expression
        rule: Rule = _RULES.get(operation, _operands)
        return rule(self, expression, parts, given)

    def uses(self, parts: list[Any], given: Formula, use: str) -> list[Fact]:
        """Return the facts of operands that must all be present."""
        facts = []
        for part in parts:
            fact = self.of(part, given)
            self.need(given, fact, part, use)
            facts.append(fact)
        return facts

    def value(self, key: str, present: Formula, expression: Expression) -> Fact:
        """Return the facts of a value whose truth is its own: an atom where its type has false values."""
        kind = self.scope.type(expression)
        if not kind.falsy:
            return Fact(key, present, present)
        listed = kind.only("list", "map")
        own = atom(f"true:{key}", "filled" if listed else "true", wording(expression))
        return Fact(key, present, both(present, own))


Rule: TypeAlias = Callable[[Facts, Expression, list[Any], Formula], Fact]


def normal(operation: str, *keys: object) -> str:
    """Return the key of an operation on operands with these keys; long ones are digested."""
    key = json.dumps([operation, *keys])
    return key if len(key) <= _KEY_LENGTH else hashlib.sha256(key.encode()).hexdigest()


def _input(facts: Facts, expression: Expression, parts: list[Any], _given: Formula) -> Fact:
    key = normal("input", parts[0])
    spec = facts.inputs.get(parts[0])
    if spec is None:
        return ABSENT
    return facts.value(
        key, TRUE if always_there(spec) else atom(f"given:{key}", "given", wording(expression)), expression
    )


def _local(facts: Facts, _expression: Expression, parts: list[Any], _given: Formula) -> Fact:
    return facts.bindings.get(parts[0], ABSENT)


def _loop(facts: Facts, expression: Expression, parts: list[Any], _given: Formula) -> Fact:
    loop, field = parts
    key = normal("loop", facts.bindings.get(loop, ABSENT).key, field)
    edge = {"previtem": "first", "nextitem": "last"}.get(field)
    if edge is None:
        return facts.value(key, TRUE, expression)
    return facts.value(key, negate(_loop(facts, ["loop", loop, edge], [loop, edge], _given).true), expression)


def _member(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    base, key = parts
    [fact] = facts.uses([base], given, "reading a part")
    kind = facts.scope.type(base)
    index = facts.uses([key], given, "the subscript")[0].key
    path = normal("attr", fact.key, index)
    return facts.value(path, _member_present(kind, key, fact, path, expression), expression)


def _member_present(kind: Type, key: Expression, base: Fact, path: str, expression: Expression) -> Formula:
    if has_member(kind, key):
        return TRUE
    if key in (0, -1) and kind.only("list", "text"):
        return base.true
    return atom(f"given:{path}", "given", wording(expression))


def _slice(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    base, start, stop, step = parts
    [fact] = facts.uses([base], given, "the slice")
    bounds = [part for part in (start, stop, step) if part is not None]
    keys = [bound.key for bound in facts.uses(bounds, given, "the slice")]
    if start in (None, 0) and step is None and isinstance(stop, int) and stop > 0:
        return Fact(normal("slice", fact.key, *keys), TRUE, fact.true)
    return facts.value(normal("slice", fact.key, start is None, stop is None, *keys), TRUE, expression)


def _not(facts: Facts, _expression: Expression, parts: list[Any], given: Formula) -> Fact:
    fact = facts.of(parts[0], given)
    return Fact(normal("not", fact.key), TRUE, negate(fact.true))


def _and(facts: Facts, _expression: Expression, parts: list[Any], given: Formula) -> Fact:
    left = facts.of(parts[0], given)
    right = facts.of(parts[1], both(given, left.true))
    present = choose(left.true, right.present, left.present)
    return Fact(normal("and", left.key, right.key), present, both(left.true, right.true))


def _or(facts: Facts, _expression: Expression, parts: list[Any], given: Formula) -> Fact:
    left = facts.of(parts[0], given)
    right = facts.of(parts[1], both(given, negate(left.true)))
    return Fact(normal("or", left.key, right.key), either(left.true, right.present), either(left.true, right.true))


def _cond(facts: Facts, _expression: Expression, parts: list[Any], given: Formula) -> Fact:
    test = facts.of(parts[0], given)
    then = facts.of(parts[1], both(given, test.true))
    last = facts.of(parts[2], both(given, negate(test.true))) if len(parts) > 2 else ABSENT
    return Fact(
        normal("cond", test.key, then.key, last.key),
        choose(test.true, then.present, last.present),
        choose(test.true, then.true, last.true),
    )


def _compare(facts: Facts, _expression: Expression, parts: list[Any], given: Formula) -> Fact:
    left_side = parts[0]
    left = facts.of(left_side, given)
    true, keys = TRUE, [left.key]
    for comparison, right_side in parts[1:]:
        reached = both(given, true)
        right = facts.of(right_side, reached)
        if comparison not in {"==", "!="}:
            facts.need(reached, right, right_side, f"the comparison `{comparison}`")
        if comparison not in {"==", "!=", "in", "not in"}:
            facts.need(reached, left, left_side, f"the comparison `{comparison}`")
        true = both(true, _compared(facts, comparison, left, right, [left_side, right_side]))
        keys += [comparison, right.key]
        left_side, left = right_side, right
    return Fact(normal("cmp", *keys), TRUE, true)


_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}


def _compared(facts: Facts, comparison: str, left: Fact, right: Fact, sides: list[Any]) -> Formula:
    for listed, order, ends in ((left, comparison, sides), (right, _MIRRORED.get(comparison, ""), sides[::-1])):
        counted = _emptiness(facts, order, ends)
        if counted is not None:
            return listed.true if counted else negate(listed.true)
    positive = {"!=": "==", "not in": "in"}.get(comparison, comparison)
    words = wording(["cmp", sides[0], [positive, sides[1]]])
    own = atom(normal("cmp", positive, left.key, right.key), "holds", words)
    holds = both(left.present, both(right.present, own))
    return holds if positive == comparison else negate(holds)


def _emptiness(facts: Facts, comparison: str, sides: list[Any]) -> bool | None:
    """Read `xs | length > 0` and its like as a question about `xs`: True for "not empty", None for anything else."""
    left, right = sides
    if not isinstance(left, list) or left[:1] != ["filter"] or left[1] not in {"length", "count"}:
        return None
    if isinstance(right, bool) or not isinstance(right, int) or not facts.scope.type(left[2]).only("list", "map"):
        return None
    return {(">", 0): True, ("!=", 0): True, (">=", 1): True, ("==", 0): False, ("<", 1): False}.get(
        (comparison, right)
    )


_NOUNS = {
    "concat": "the operator `~`",
    "list": "the list",
    "tuple": "the list",
    "dict": "the map",
    "neg": "the minus sign",
    "pos": "the plus sign",
}


def _operands(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    operation = expression[0]
    if operation in {"float", "fail"}:
        return Fact(normal(operation, *parts), TRUE, constant(parts[0] != "-0.0"))
    if operation == "dict":
        parts = [side for pair in parts for side in pair]
    used = facts.uses(parts, given, _NOUNS.get(operation, f"the operator `{operation}`"))
    key = normal(operation, *(fact.key for fact in used))
    if operation == "concat":
        texts = [facts.scope.type(part) for part in parts]
        true = FALSE
        for kind, fact in zip(texts, used, strict=True):
            true = either(true, fact.true if kind.empty else TRUE)
        return Fact(key, TRUE, true)
    return facts.value(key, TRUE, expression)


def _test(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    name, subject, positional, named = parts
    fact = facts.of(subject, given)
    if name in {"defined", "undefined"}:
        return Fact(normal(name, fact.key), TRUE, fact.present if name == "defined" else negate(fact.present))
    key = normal("test", name, fact.key, *_argument_keys(facts, positional, named, given, f"the test `{name}`"))
    if name == "none":
        none = facts.scope.type(subject).may("none", "any")
        return Fact(key, TRUE, both(fact.present, atom(key, "holds", wording(expression))) if none else FALSE)
    facts.need(given, fact, subject, f"the test `{name}`")
    return Fact(key, TRUE, atom(key, "holds", wording(expression)))


def _argument_keys(facts: Facts, positional: list[Any], named: list[Any], given: Formula, use: str) -> list[str]:
    keys = [fact.key for fact in facts.uses(positional, given, use)]
    return keys + [f"{name}={facts.uses([value], given, use)[0].key}" for name, value in named]


def _filter(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    name, subject, positional, named = parts
    fact = facts.of(subject, given)
    if name in {"default", "d"}:
        return _default(facts, fact, expression, given)
    kind = facts.scope.type(subject)
    use = f"the filter `{name}`"
    keys = _argument_keys(facts, positional, named, given, use)
    key = normal("filter", name, fact.key, *keys)
    if name in {"length", "count"} and kind.only("list", "map"):
        return Fact(key, TRUE, fact.true)
    facts.need(given, fact, subject, use)
    arguments = Arguments.of(name, positional, named, facts.scope.type)
    _attributes(facts, expression, lacking_attribute(name, kind, arguments), given)
    if name == "map" and arguments.rest:
        _each(facts, subject, kind, [arguments.named(0), EACH, positional[1:], named], given)
    if name == "attr":
        return facts.value(key, atom(f"given:{key}", "given", wording(expression)), expression)
    if name in {"first", "last", "min", "max"}:
        return facts.value(key, fact.true, expression)
    if name in FILLED_WHEN_FILLED and not kind.only("text"):
        return Fact(key, TRUE, fact.true)
    if name == "join" and not joins_empty(kind, arguments):
        return Fact(key, TRUE, fact.true)
    return facts.value(key, TRUE, expression)


def _default(facts: Facts, fact: Fact, expression: Expression, given: Formula) -> Fact:
    _, _, _, positional, named = expression
    arguments = Arguments.of("default", positional, named, facts.scope.type)
    fallback = facts.of(arguments.get("default_value") if "default_value" in arguments.given else "", given)
    by_truth = arguments.get("boolean")
    key = normal("default", fact.key, fallback.key, json.dumps(by_truth))
    if isinstance(by_truth, list):
        facts.uses([by_truth], given, "`default`")
        return Fact(key, either(fact.true, fallback.present), atom(f"true:{key}", "true", wording(expression)))
    condition = fact.true if by_truth else fact.present
    return Fact(key, either(condition, fallback.present), choose(condition, fact.true, fallback.true))


def _attributes(facts: Facts, expression: Expression, path: str | int | None, given: Formula) -> None:
    """Need the attribute that a filter reads from every element, and not every element has."""
    _, name, subject, _, _ = expression
    if path is not None:
        field = ["attr", EACH, str(path)]
        lacking = Fact(
            str(path), atom(f"given:{normal('each', wording(subject), path)}", "given", wording(field)), TRUE
        )
        facts.need(given, lacking, field, f"the filter `{name}`")


def _each(facts: Facts, subject: Expression, kind: Type, mapped: list[Any], given: Formula) -> None:
    """Need the result of a filter on every element."""
    inner = facts.fork()
    _, name = EACH
    inner.scope.bind(name, elements(kind))
    inner.bindings[name] = inner.value(normal("each", wording(subject)), TRUE, EACH)
    expression = ["filter", *mapped]
    facts.need(given, inner.of(expression, given), expression, "the filter `map`")


def _call(facts: Facts, expression: Expression, parts: list[Any], given: Formula) -> Fact:
    method, subject, arguments = parts
    [fact] = facts.uses([subject], given, f"the method `{method}`")
    keys = [argument.key for argument in facts.uses(arguments, given, f"the method `{method}`")]
    key = normal("call", method, fact.key, *keys)
    return facts.value(key, TRUE, expression) if method == "get" else Fact(key, TRUE, fact.true)


_RULES: Mapping[str, Rule] = {
    "input": _input,
    "local": _local,
    "loop": _loop,
    "attr": _member,
    "item": _member,
    "slice": _slice,
    "not": _not,
    "and": _and,
    "or": _or,
    "cond": _cond,
    "cmp": _compare,
    "test": _test,
    "filter": _filter,
    "call": _call,
}
