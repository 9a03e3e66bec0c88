"""What is wrong with a template whatever its values are: found in one walk, reported together."""

from __future__ import annotations

from jinja2 import Undefined, nodes

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.sources.characters import character_name, forbidden_in_value
from frieze.template.budget import too_much
from frieze.template.parse import Parsed
from frieze.template.sandbox import STATEFUL, sandbox

UNKNOWN_NAME = "F402"
"""The finding that does not keep a template from being looked at further."""

_UNSUPPORTED: dict[type[nodes.Node], tuple[str, str]] = {
    nodes.Extends: ("`extends`", "put the text together with `include`"),
    nodes.Block: ("`block`", "put the text together with `include`"),
    nodes.Import: ("`import`", "define the macro in this template, or `include` a text"),
    nodes.FromImport: ("`from ... import`", "define the macro in this template, or `include` a text"),
    nodes.ScopedEvalContextModifier: ("`autoescape`", "prompts are not escaped; use `| escape` on a value"),
    nodes.EvalContextModifier: ("`autoescape`", "prompts are not escaped; use `| escape` on a value"),
    nodes.ExprStmt: ("`do`", "use `set`"),
}
_SOFT_PARTS: dict[type[nodes.Node], frozenset[str]] = {
    nodes.For: frozenset({"iter"}),
    nodes.CallBlock: frozenset({"call"}),
    nodes.With: frozenset({"values"}),
    **dict.fromkeys((nodes.Macro, nodes.FilterBlock, nodes.AssignBlock, nodes.Scope), frozenset()),
}
"""Statements with a frame of their own, and which of their parts still belong to the frame around them."""

_CLOCK = frozenset({"now", "today"})
"""Names under which templates elsewhere find the time."""

_SPECIAL = frozenset({"loop", "caller", "kwargs", "varargs"})
_GLOBALS = frozenset({"range", "dict", "namespace"}) | STATEFUL


def declaring(name: str, path: str) -> str:
    """Say how an input comes about that a template reads as `path`, which begins with `name`."""
    if name in _CLOCK:
        return f"declare it under `inputs:`, as in `{name}: {{type: datetime, from: clock}}`"
    if name == "data":
        return f"data of your own is a profile's, as in `agent.{path}`"
    short = path.rpartition(".")[2]
    if short == name:
        paths = "`frieze schema context` prints the paths"
        return f"declare it under `inputs:`, as in `{name}: {{type: line, from: PATH}}`; {paths}"
    return f"declare it under `inputs:`, as in `{short}: {{type: line, from: {path}}}`, and write `{short}` here"


def screen(parsed: Parsed, inputs: frozenset[str] | None, known: frozenset[str]) -> tuple[Diagnostic, ...]:
    """Return what is wrong with a parsed template.

    `inputs` are the declared inputs, None when any name may be one; `known` are the names with a value.
    """
    key = (inputs, known)
    found = parsed.checked.get(key)
    if found is None:
        screening = _Screening(parsed, inputs, known)
        if parsed.tree is not None:
            screening.walk(parsed.tree, soft=False)
            if inputs is not None:
                screening.names(inputs)
        found = parsed.checked[key] = tuple(sorted(dict.fromkeys(screening.found), key=lambda each: each.span))
    return found


class _Screening:
    def __init__(self, parsed: Parsed, inputs: frozenset[str] | None, known: frozenset[str]) -> None:
        self.parsed = parsed
        self.found: list[Diagnostic] = []
        environment = sandbox(own_filters=parsed.own_filters)
        self.filters, self.tests = environment.filters, environment.tests
        self.inputs = inputs
        self.known = known
        self.bound: set[str] = set()
        self.loads: list[nodes.Name] = []

    def names(self, inputs: frozenset[str]) -> None:
        """Report the names that are bound nowhere."""
        bound = self.bound | inputs | self.known
        for node in self.loads:
            if node.name not in bound and node.name not in _SPECIAL and node.name not in _GLOBALS:
                advice = did_you_mean(
                    node.name, sorted(bound), declaring(node.name, self.parsed.places.path(node.lineno))
                )
                self.add(UNKNOWN_NAME, node, advice, name=node.name)

    def add(self, code: str, node: nodes.Node, advice: str = "", **arguments: str) -> None:
        span = self.parsed.places.token(node.lineno)
        self.found.append(Diagnostic.of(code, span, related=(), advice=advice, **arguments))

    def literal(self, node: nodes.Const, text: str) -> None:
        """Refuse a text that no prompt may hold, at the escape that makes it so."""
        character = forbidden_in_value(text)
        if character is not None:
            places = self.parsed.places
            span = places.token(node.lineno)
            for start, end, escape in places.escapes(node.lineno):
                if escape == character:
                    span = places.span(start, end)
                    break
            self.found.append(Diagnostic.of("F420", span, related=(), character=character_name(character)))

    def limit(self, node: nodes.Node, what: str, limit: str) -> None:
        self.found.append(too_much(self.parsed.places.token(node.lineno), what, limit))

    def walk(self, node: nodes.Node, *, soft: bool) -> None:
        self.visit(node, soft=soft)
        outside = _SOFT_PARTS.get(type(node))
        if isinstance(node, nodes.If | nodes.CondExpr):
            soft = True
        for name in node.fields:
            value = getattr(node, name)
            # An unknown filter inside an `if` matters to Jinja2 only when it is reached; other frames end that.
            inner = soft and (outside is None or name in outside)
            if isinstance(value, nodes.Node):
                self.walk(value, soft=inner)
            elif isinstance(value, list):
                for child in value:
                    if isinstance(child, nodes.Node):
                        self.walk(child, soft=inner)

    def visit(self, node: nodes.Node, *, soft: bool) -> None:
        tolerated = soft and not self.parsed.own_filters
        if isinstance(node, nodes.Filter):
            if node.name not in self.filters and not tolerated:
                self.add("F404", node, did_you_mean(node.name, self.filters), name=node.name)
        elif isinstance(node, nodes.Test):
            if node.name not in self.tests and not tolerated:
                span = self.parsed.places.word(node.lineno, node.name)
                advice = did_you_mean(node.name, self.tests)
                self.found.append(Diagnostic.of("F405", span, related=(), advice=advice, name=node.name))
        elif isinstance(node, nodes.Name):
            if node.name == "self":
                self.add("F403", node, what="`self`")
            elif node.name == "loop" and node.ctx != "load":
                self.add("F403", node, "choose another name", what="`loop` as the name of a value")
            elif node.ctx == "load":
                self.loads.append(node)
            else:
                self.bound.add(node.name)
        elif isinstance(node, nodes.Macro):
            self.bound.add(node.name)
        elif isinstance(node, nodes.CondExpr):
            if self.inputs is not None and node.expr2 is None:
                self.add("F409", node)
        elif isinstance(node, nodes.Const):
            if isinstance(node.value, float) and node.value in (float("inf"), float("-inf")):
                self.limit(node, "digits", "what a floating point number can hold")
            elif isinstance(node.value, str) and self.inputs is not None:
                self.literal(node, node.value)
        elif isinstance(node, nodes.Getattr | nodes.Getitem):
            if _constant(node.node) and (isinstance(node, nodes.Getattr) or _constant(node.arg)) and _missing(node):
                # Jinja2 computes constants when it compiles; whether that fails at once depends on what stands around.
                self.add("F403", node, what="a part that a constant does not have")
        elif type(node) in _UNSUPPORTED:
            what, advice = _UNSUPPORTED[type(node)]
            self.add("F403", node, advice, what=what)


def _constant(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) or (
        isinstance(node, nodes.List | nodes.Tuple) and all(map(_constant, node.items))
    )


def _missing(node: nodes.Getattr | nodes.Getitem) -> bool:
    try:
        return node.environment is not None and isinstance(
            node.as_const(nodes.EvalContext(node.environment)), Undefined
        )
    except nodes.Impossible:
        return False
