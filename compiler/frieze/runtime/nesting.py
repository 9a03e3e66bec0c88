"""How deep a residual may be nested: one measure for who makes residuals and who runs them.

A statement of the outermost body is the first level; what stands directly in a statement or an operation is one level
below it. Constants do not count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .walking import inside

MAX_LEVELS = 150
"""Deeper residuals are refused: each level takes at most four calls of the thousand that Python allows."""


def first_too_deep(body: Iterable[Any]) -> int | None:
    """Return the first statement in which something stands deeper than `MAX_LEVELS`; None where nothing does.

    The number is the statement's index in the preorder of `frieze.template.ir.statements`. What does not have the
    shape of the IR is passed over.
    """
    index = -1
    pending: list[tuple[Any, int, bool]] = [(node, 1, True) for node in reversed(list(body))]
    while pending:
        node, level, is_statement = pending.pop()
        index += is_statement
        if not isinstance(node, list):
            continue
        if level > MAX_LEVELS:
            return index
        expressions, bodies = _parts(node) if is_statement else (_inside(node), [])
        pending += [(part, level + 1, True) for part in reversed(bodies)]
        pending += [(part, level + 1, False) for part in expressions]
    return None


def _parts(node: list[Any]) -> tuple[list[Any], list[Any]]:
    """Return the expressions and the statements that stand directly in a statement."""
    match node:
        case ["if", [*arms], [*orelse]]:
            pairs = [arm for arm in arms if isinstance(arm, list) and len(arm) == 2]
            bodies = [body for _, body in pairs if isinstance(body, list)]
            return [test for test, _ in pairs], [part for body in (*bodies, orelse) for part in body]
        case ["for", _, iterable, test, [*body], [*orelse], _]:
            return [iterable, test], [*body, *orelse]
        case ["capture", _, [*body]]:
            return [], body
    return _inside(node), []


def _inside(node: list[Any]) -> list[Any]:
    try:
        return list(inside(node))
    except (LookupError, TypeError, ValueError):
        return []
