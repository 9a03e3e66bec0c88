"""How deep a syntax tree is nested: looked at before anything that calls itself for each level."""

from __future__ import annotations

from jinja2 import nodes

from frieze.diagnostics import Diagnostic
from frieze.template.budget import too_much
from frieze.template.positions import Places

MAX_LOOPS = 20
"""Loops inside each other: Jinja2 itself gives up beyond that."""

MAX_STATEMENTS = 90
"""Statements inside each other, for the same reason."""

MAX_OPERATIONS = 150
"""Operations inside each other; `a + b + c` are two, and Python takes no more than 200 of those that Jinja2 writes."""

_LIMITS = (
    (MAX_LOOPS, f"{MAX_LOOPS} loops inside each other"),
    (MAX_STATEMENTS, f"{MAX_STATEMENTS} statements inside each other"),
    (MAX_OPERATIONS, f"{MAX_OPERATIONS} operations inside each other"),
)


def too_deep(tree: nodes.Template, places: Places) -> tuple[Diagnostic, ...]:
    """Return a finding for the first place of a template where too much stands inside each other."""
    pending: list[tuple[nodes.Node, tuple[int, int, int]]] = [(tree, (0, 0, 0))]
    while pending:
        node, (loops, statements, operations) = pending.pop()
        if isinstance(node, nodes.Stmt):
            statements += 1
            loops += isinstance(node, nodes.For)
            operations = 0
        elif isinstance(node, nodes.Expr):
            operations += 1
        depth = loops, statements, operations
        for count, (most, limit) in zip(depth, _LIMITS, strict=True):
            if count > most:
                return (too_much(places.token(node.lineno), "nesting", limit),)
        inside = list(node.iter_child_nodes())
        pending.extend((child, depth) for child in reversed(inside))
    return ()
