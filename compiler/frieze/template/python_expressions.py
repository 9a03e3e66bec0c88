"""Expressions of the residual IR as Python source.

Whatever is not plain Python's own meaning becomes a call of one of the resolver's operations. Every operand stands
in parentheses or in a call, so that no precedence matters.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from typing import Any

from frieze.runtime.generated import ATTRIBUTES
from frieze.template.ir import Expression
from frieze.template.literals import number_literal, text_literal

MAX_DEPTH = 40
"""Deeper expressions are left to the interpreter: Python's parser has a limit of its own."""

_COMPARISONS = {
    "==": "equal",
    "!=": "unequal",
    "<": "less",
    "<=": "at_most",
    ">": "more",
    ">=": "at_least",
    "in": "inside",
    "not in": "outside",
}
"""The comparisons, and how their functions are called."""

_MEMBERSHIP = frozenset({"in", "not in"})
_PLAIN_OPERATORS = {"-", "/", "//"}
_CALLED_OPERATORS = {"+": "add", "*": "multiply", "%": "modulo", "**": "power"}
_FLOATS = {"nan": "NAN", "inf": "INFINITY", "-inf": "(-INFINITY)", "-0.0": "(-0.0)"}
_LOOP_FIELDS = {
    "index": "({index} + 1)",
    "index0": "{index}",
    "revindex": "(len({rows}) - {index})",
    "revindex0": "(len({rows}) - {index} - 1)",
    "first": "({index} == 0)",
    "last": "({index} + 1 == len({rows}))",
    "length": "len({rows})",
    "depth": "1",
    "depth0": "0",
}

_whitelisted = re.compile(r"[a-z][a-z0-9_]{0,40}", re.ASCII).fullmatch
_local = re.compile(r"([a-z][a-z0-9_]{0,40})#([0-9]{1,6})", re.ASCII).fullmatch


class NotGenerated(Exception):  # noqa: N818 - it is an answer, not an error
    """A body that has no generated form; the interpreter renders it."""


class Module:
    """What the functions of one generated module share: what they import, and names that are bound once at its top."""

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self.bindings: dict[str, str] = {}
        self.imported: set[str] = set()

    def use(self, name: str) -> str:
        """Return a name of the runtime, which is then imported."""
        self.imported.add(name)
        return name

    def bind(self, prefix: str, source: str, suffix: str = "") -> str:
        """Return the name of a module-level binding of this source.

        A suffix that is a name stands for the source; without one, or with any other, a hash of it does.
        """
        own = suffix if _whitelisted(suffix) else hashlib.sha256(source.encode()).hexdigest()[:12]
        name = f"{prefix}_{own}"
        self.bindings[name] = source
        return name

    def add(self, other: Module) -> None:
        """Take in what another module shares."""
        self.imported |= other.imported
        self.bindings.update(other.bindings)

    def lines(self) -> list[str]:
        """Return the bindings as source lines."""
        return [f"{name} = {source}" for name, source in sorted(self.bindings.items())]


class Names:
    """The Python names of inputs and locals: their own where these fit a pattern, else made of their bytes.

    Args:
        lines: the inputs whose names hold them as they are printed. Whoever works with their values finds these under
            another name.

    Attributes:
        inputs: the inputs that were asked for, in order.
        worked_on: the inputs whose values were asked for, beyond their print and their truth.
    """

    def __init__(self, lines: Iterable[str] = ()) -> None:
        self.inputs: dict[str, None] = {}
        self.worked_on: set[str] = set()
        self.loops: dict[str, tuple[str, str]] = {}
        self._lines = frozenset(lines)
        self._count = 0

    def input(self, name: str) -> str:
        """Return the Python name of an input, where only its truth counts, or its print."""
        self.inputs[name] = None
        return f"in_{suffix_of(name)}"

    def value(self, name: str) -> str:
        """Return the Python name of an input's value."""
        self.worked_on.add(name)
        return f"given_{suffix_of(name)}" if name in self._lines else self.input(name)

    def local(self, name: str) -> str:
        """Return the Python name of a local."""
        fits = _local(name)
        return f"at_{fits[1]}_{fits[2]}" if fits else f"at_{_spelt(name)}"

    def fresh(self, prefix: str) -> str:
        """Return a name that nothing else has."""
        self._count += 1
        return f"{prefix}{self._count}"


def suffix_of(name: str) -> str:
    """Return what the Python names that belong to an input end in."""
    return name if _whitelisted(name) else _spelt(name)


def _spelt(name: str) -> str:
    """Return the bytes of a name as digits; no name that fits the pattern begins with one."""
    return f"0{name.encode('utf-8', 'surrogatepass').hex()}"


class Expressions:
    """Writes expressions. `records` are the locals that are known to be maps with text keys."""

    def __init__(self, module: Module, names: Names) -> None:
        self.module = module
        self.names = names
        self.records: set[str] = set()

    def write(self, node: Expression, depth: int = 0) -> str:
        """Return the source of an expression.

        Raises:
            NotGenerated: it is nested too deeply, or no part of the IR that has a form here.
        """
        if node is None or isinstance(node, bool):
            return repr(node)
        if isinstance(node, str):
            return text_literal(node)
        if isinstance(node, int | float):
            return number_literal(node)
        if depth >= MAX_DEPTH:
            raise NotGenerated
        match node:
            case ["float", str(name)]:
                return self._generated(_FLOATS[name])
            case ["input", str(name)]:
                return self.names.value(name)
            case ["local", str(name)]:
                return self.names.local(name)
            case ["loop", str(name), str(field)]:
                return self._loop(name, field)
            case ["list" | "tuple" | "dict" as kind, *parts]:
                return self._display(kind, parts, depth + 1)
            case ["attr", owner, str(name)]:
                return self._attribute(owner, name, depth + 1)
            case ["item", owner, key]:
                function = "element" if self.module.strict else "element_or_absent"
                return self.call(function, [owner, key], depth)
            case ["slice", *parts] if len(parts) == 4:
                return self.call("cut" if self.module.strict else "settled_cut", parts, depth)
            case ["cmp", first, *links] if links:
                return self._comparison(first, links, depth + 1)
            case ["filter" | "test" as kind, str(name), value, [*arguments], [*keywords]]:
                return self._applied(kind, name, [value, *arguments], keywords, depth + 1)
            case ["call", str(name), value, [*arguments]]:
                return self._method(name, value, arguments, depth + 1)
            case ["fail", str(kind), str(message)]:
                return f"{self.module.use('fail')}({text_literal(kind)}, {text_literal(message)})"
        return self._operator(node, depth + 1)

    def test(self, node: Expression, depth: int = 0) -> str:
        """Return the source of an expression of which only the truth counts.

        Raises:
            NotGenerated: as `write`.
        """
        if depth < MAX_DEPTH:
            match node:
                case ["input", str(name)]:
                    return self.names.input(name)
                case ["not", operand]:
                    return f"(not {self.test(operand, depth + 1)})"
                case ["and" | "or" as word, left, right]:
                    return f"({self.test(left, depth + 1)} {word} {self.test(right, depth + 1)})"
        return self.write(node, depth)

    def call(self, function: str, parts: Iterable[Expression], depth: int = 0) -> str:
        """Return a call of one of the resolver's operations."""
        return f"{self.module.use(function)}({', '.join(self.write(part, depth + 1) for part in parts)})"

    def _operator(self, node: Any, depth: int) -> str:
        match node:
            case ["not", operand]:
                return f"(not {self.write(operand, depth)})"
            case ["and" | "or" as word, left, right]:
                return f"({self.write(left, depth)} {word} {self.write(right, depth)})"
            case ["cond", test, then, *other] if len(other) <= 1:
                nothing = "NOTHING" if self.module.strict else "ABSENT"
                otherwise = self.write(other[0], depth) if other else self.module.use(nothing)
                return f"({self.write(then, depth)} if {self.write(test, depth)} else {otherwise})"
            case ["neg" | "pos" as sign, operand]:
                return f"({'-' if sign == 'neg' else '+'}{self.write(operand, depth)})"
            case ["concat", *parts]:
                return f"{self.module.use('concat')}([{', '.join(self.write(part, depth) for part in parts)}])"
            case [str(sign), left, right] if sign in _PLAIN_OPERATORS:
                return f"({self.write(left, depth)} {sign} {self.write(right, depth)})"
            case [str(sign), left, right] if sign in _CALLED_OPERATORS:
                return self.call(_CALLED_OPERATORS[sign], [left, right], depth)
        raise NotGenerated

    def _generated(self, source: str) -> str:
        name = source.strip("(-)")
        return source if name == "0.0" else source.replace(name, self.module.use(name))

    def _loop(self, name: str, field: str) -> str:
        if name not in self.names.loops:
            raise NotGenerated
        rows, index = self.names.loops[name]
        if field in _LOOP_FIELDS:
            return _LOOP_FIELDS[field].format(rows=rows, index=index)
        step = {"previtem": "-1", "nextitem": "1"}[field]
        function = self.module.use("neighbour" if self.module.strict else "neighbour_or_absent")
        return f"{function}({rows}, {index}, {step})"

    def _display(self, kind: str, parts: list[Any], depth: int) -> str:
        if kind == "dict":
            pairs = [f"{self.write(key, depth)}: {self.write(value, depth)}" for key, value in parts]
            return f"{{{', '.join(pairs)}}}"
        inside = ", ".join(self.write(part, depth) for part in parts)
        return f"[{inside}]" if kind == "list" else f"({inside}{',' if parts else ''})"

    def _attribute(self, owner: Expression, name: str, depth: int) -> str:
        strict = self.module.strict
        if name in ATTRIBUTES or name[:1] == "_":
            function = "attribute" if strict else "attribute_or_absent"
        elif not strict and is_name(owner, "local") and owner[1] in self.records:
            return f"{self.write(owner, depth)}.get({text_literal(name)}, {self.module.use('ABSENT')})"
        else:
            function = "member" if strict else "member_or_absent"
        return f"{self.module.use(function)}({self.write(owner, depth)}, {text_literal(name)})"

    def _comparison(self, first: Expression, links: list[Any], depth: int) -> str:
        if any(op not in _COMPARISONS for op, _ in links):
            raise NotGenerated
        left = self.write(first, depth)
        if len(links) > 1:
            compared = [f"({self._comparator(op)}, lambda: {self.write(right, depth)})" for op, right in links]
            return f"{self.module.use('chained')}({left}, {', '.join(compared)})"
        ((op, right),) = links
        if self.module.strict or op not in _MEMBERSHIP:
            return f"({left} {op} {self.write(right, depth)})"
        inside = f"{self.module.use('within')}({left}, {self.write(right, depth)})"
        return inside if op == "in" else f"(not {inside})"

    def _comparator(self, op: str) -> str:
        self.module.use("comparison")
        source = f"comparison({text_literal(op)}, strict={self.module.strict})"
        return self.module.bind("compare", source, _COMPARISONS[op])

    def _applied(self, kind: str, name: str, values: list[Any], keywords: list[Any], depth: int) -> str:
        if kind == "test" and name == "defined" and not self.module.strict and is_name(values[0], "input"):
            return f"({self.names.input(values[0][1])} is not {self.module.use('ABSENT')})"
        arguments = [self.write(value, depth) for value in values]
        if keywords:
            pairs = ", ".join(f"{text_literal(key)}: {self.write(value, depth)}" for key, value in keywords)
            arguments.append(f"**{{{pairs}}}")
        return f"{self._operation(kind, name)}({', '.join(arguments)})"

    def _method(self, name: str, value: Expression, arguments: list[Any], depth: int) -> str:
        owner = self.write(value, depth)
        written = [self.write(argument, depth) for argument in arguments]
        if self.module.strict:
            return f"{self.module.use('attribute')}({owner}, {text_literal(name)})({', '.join(written)})"
        return f"{self._operation('call', name)}({', '.join([owner, *written])})"

    def _operation(self, kind: str, name: str) -> str:
        self.module.use("operation")
        source = f"operation({text_literal(kind)}, {text_literal(name)}, strict={self.module.strict})"
        return self.module.bind(kind, source, name)


def is_name(node: Expression, kind: str) -> bool:
    """Tell whether an expression is nothing but an `input` or a `local`."""
    return isinstance(node, list) and len(node) == 2 and node[0] == kind
