"""Names: Jinja2's own symbol tables, walked as the code that Jinja2 generates from them would run.

Jinja2 decides for every name of every frame where its value comes from when the frame is entered (`loads`). Using
its tables, and one dictionary of values for each function that it would generate, gives its scoping to the letter:
`set` in a branch, in a loop, in a macro, a name that is read before it is set further out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from jinja2 import nodes
from jinja2.compiler import find_undeclared
from jinja2.idtracking import Symbols

from frieze.template.values import MISSING, Missing, Value

if TYPE_CHECKING:
    from frieze.template.parse import Parsed


@dataclass(slots=True)
class Scope:
    """The variables of one generated function; `outer` is the function around it."""

    outer: Scope | None = None
    values: dict[str, Value] = field(default_factory=dict)

    def read(self, variable: str) -> Value:
        """Return a variable's value."""
        scope: Scope | None = self
        while scope is not None:
            if variable in scope.values:
                return scope.values[variable]
            scope = scope.outer
        return MISSING


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: its table, its variables, the context that free names come from.

    `soft` says that an unknown filter is an error only when it is reached, as inside an `if`.
    """

    symbols: Symbols
    scope: Scope
    context: Context
    parsed: Parsed
    soft: bool = False

    def inner(self, node: nodes.Node, branch: str = "", scope: Scope | None = None) -> Frame:
        """Return the frame that a node opens, in the same function or in one of its own."""
        symbols = self.parsed.tables.inner(node, self.symbols, branch)
        return Frame(symbols, scope or self.scope, self.context, self.parsed)

    def softened(self) -> Frame:
        """Return the frame as it is inside an `if`."""
        return self if self.soft else replace(self, soft=True)

    def read(self, name: str) -> Value:
        """Return the value of a name; every name that the frame mentions is in its table."""
        return self.scope.read(self.symbols.ref(name))

    def write(self, name: str, value: Value) -> None:
        """Bind a name."""
        self.scope.values[self.symbols.ref(name)] = value

    def bind_parameter(self, name: str, value: Value) -> None:
        """Bind a name that Jinja2 passes as a parameter, where the frame has it."""
        variable = self.symbols.refs.get(name)
        if variable is not None:
            self.scope.values[variable] = value

    def enter(self) -> None:
        """Give each variable of the frame the value that it has at the start."""
        values = self.scope.values
        for variable, (action, source) in self.symbols.loads.items():
            if action == "resolve":
                values[variable] = self.context.resolve(source)
            elif action == "alias":
                values[variable] = self.scope.read(source)
            elif action == "undefined":
                values[variable] = MISSING

    def leave(self) -> None:
        """Forget the frame's variables."""
        values = self.scope.values
        for variable in self.symbols.loads:
            values[variable] = MISSING

    def stores(self) -> dict[str, Value]:
        """Return everything that the frame and those around it have bound: what an included template sees."""
        found: dict[str, Value] = {}
        for name, variable in self.symbols.dump_stores().items():
            value = self.scope.read(variable)
            if not isinstance(value, Missing):
                found[name] = value
        return found


@dataclass(frozen=True, slots=True)
class Context:
    """Where names come from that no frame binds: an including template's names, then the outside."""

    outside: Callable[[str], Value]
    names: dict[str, Value] = field(default_factory=dict)

    def resolve(self, name: str) -> Value:
        """Return the value of a free name."""
        found = self.names.get(name)
        return self.outside(name) if found is None else found


class Tables:
    """The symbol tables of one template, made once and kept: a table depends on where its node stands alone."""

    __slots__ = ("_special", "_tables")

    def __init__(self) -> None:
        self._tables: dict[tuple[int, str], Symbols] = {}
        self._special: dict[int, frozenset[str]] = {}

    def root(self, template: nodes.Template) -> Symbols:
        """Return the table of the outermost frame."""
        found = self._tables.get((id(template), "root"))
        if found is None:
            found = self._tables[id(template), "root"] = Symbols()
            found.analyze_node(template)
        return found

    def inner(self, node: nodes.Node, outer: Symbols, branch: str = "") -> Symbols:
        """Return the table of the frame that a node opens; `branch` is the part of a `for`."""
        found = self._tables.get((id(node), branch))
        if found is None:
            found = self._tables[id(node), branch] = Symbols(outer)
            if isinstance(node, nodes.For):
                if branch == "body" and self.reads_loop(node):
                    found.declare_parameter("loop")
                found.analyze_node(node, for_branch=branch)
            else:
                found.analyze_node(node)
                if isinstance(node, nodes.Macro | nodes.CallBlock):
                    for name in ("caller", "kwargs", "varargs"):
                        if name in self.special(node):
                            found.declare_parameter(name)
                    found.analyze_node(node)
        return found

    def reads_loop(self, node: nodes.For) -> bool:
        """Tell whether the loop makes a `loop` for its body."""
        return bool(node.recursive) or "loop" in self._undeclared(node, node.body, ("loop",))

    def special(self, node: nodes.Macro | nodes.CallBlock) -> frozenset[str]:
        """Return which of `caller`, `kwargs`, `varargs` a macro's body reads and its arguments do not declare."""
        undeclared = self._undeclared(node, node.body, ("caller", "kwargs", "varargs"))
        return undeclared - {argument.name for argument in node.args}

    def _undeclared(self, node: nodes.Node, body: Sequence[nodes.Node], names: tuple[str, ...]) -> frozenset[str]:
        found = self._special.get(id(node))
        if found is None:
            children: Any = body
            found = self._special[id(node)] = frozenset(find_undeclared(children, names))
        return found
