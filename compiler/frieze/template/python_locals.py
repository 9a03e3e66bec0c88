"""Which locals of a body its Python source has to bind beforehand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, NamedTuple

from frieze.template.ir import Body, Expression, Statement, statements


class Bindings(NamedTuple):
    """What a statement does with locals.

    Attributes:
        free: those that it may read where nothing in it has bound them.
        bound: those that its `let` and `capture` bind, once for each.
        sure: those that are bound behind it in any case.
    """

    free: frozenset[str]
    bound: tuple[str, ...]
    sure: frozenset[str]


NO_BINDINGS = Bindings(frozenset(), (), frozenset())
"""That of a statement without locals: always this very object."""


def bindings_of(node: Statement) -> Bindings:
    """Return what a statement does with locals."""
    free: set[str] = set()
    sure = _reads([node], set(), free)
    inner = [each for each in statements([node]) if not isinstance(each, str)]
    bound = tuple(each[1] for each in inner if each[0] in ("let", "capture"))
    return Bindings(frozenset(free), bound, frozenset(sure)) if free or bound or sure else NO_BINDINGS


def unsure_locals(body: Body, bindings: Callable[[Statement], Bindings] = bindings_of) -> set[str]:
    """Return the locals that may be read where nothing has bound them, or that are bound in several places."""
    sure: set[str] = set()
    unsure: set[str] = set()
    bound: Counter[str] = Counter()
    for node in body:
        each = NO_BINDINGS if isinstance(node, str) else bindings(node)
        if each is not NO_BINDINGS:
            unsure |= each.free - sure
            sure |= each.sure
            bound.update(each.bound)
    return unsure | {name for name, count in bound.items() if count > 1}


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
