"""Which locals of a body its Python source has to bind beforehand."""

from __future__ import annotations

from collections import Counter
from typing import Any

from frieze.template.ir import Body, Expression, statements


def unsure_locals(body: Body) -> set[str]:
    """Return the locals that may be read where nothing has bound them, or that are bound in several places."""
    nodes = [node for node in statements(body) if isinstance(node, list)]
    bound = Counter(node[1] for node in nodes if node[0] in ("let", "capture"))
    unsure = {name for name, count in bound.items() if count > 1}
    _reads(body, set(), unsure)
    return unsure


def _reads(body: Body, bound: set[str], unsure: set[str]) -> set[str]:
    """Collect the reads of what is not surely bound, and return what is bound after the body."""
    bound = set(bound)
    for node in body:
        if isinstance(node, str):
            continue
        match node:
            case ["if", arms, orelse]:
                for test, arm in arms:
                    unsure |= _locals(test) - bound
                    _reads(arm, bound, unsure)
                _reads(orelse, bound, unsure)
            case ["for", target, iterable, test, inner, orelse, _]:
                inside = bound | _targets(target)
                unsure |= (_locals(iterable) - bound) | (_locals(test) - inside)
                _reads(inner, inside, unsure)
                _reads(orelse, bound, unsure)
            case ["capture", name, inner]:
                _reads(inner, bound, unsure)
                bound.add(name)
            case ["let", name, value]:
                unsure |= _locals(value) - bound
                bound.add(name)
            case _:
                unsure |= _locals(node[1]) - bound
    return bound


def _targets(target: Any) -> set[str]:
    return {target} if isinstance(target, str) else set().union(*map(_targets, target))


def _locals(node: Expression) -> set[str]:
    if not isinstance(node, list):
        return set()
    if len(node) == 2 and node[0] == "local" and isinstance(node[1], str):
        return {node[1]}
    return set().union(*map(_locals, node))
