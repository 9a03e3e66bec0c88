"""Statements in which nothing was found wrong before: variants of a template share them, and need no second look."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from frieze.template.ir import Statement, statements

BINDING = frozenset({"let", "capture", "fail"})
"""Operations that change what holds behind them."""


class Sound:
    """What is known of the statements of one template, for one set of declared inputs.

    `kept` is shared between the variants. Statements are known by identity, so each is kept with what is known of it.
    """

    __slots__ = ("_inputs", "_kept")

    def __init__(self, kept: dict[Any, tuple[Statement, Any]], inputs: Mapping[str, Any]) -> None:
        self._kept = kept
        self._inputs = json.dumps(inputs, sort_keys=True, default=repr)

    def get(self, node: Statement, way: str) -> Any:
        """Return what was found of a statement looked at in one way, None where that never happened."""
        found = self._kept.get((id(node), way, self._inputs))
        return found[1] if found and found[0] is node else None

    def put(self, node: Statement, way: str, found: Any) -> None:
        """Note what was found of a statement in which nothing is wrong."""
        self._kept[id(node), way, self._inputs] = (node, found)


def extent(node: Statement) -> int:
    """Return how many marks a statement has; 0 where it changes what holds behind it."""
    count = 0
    for inner in statements([node]):
        if not isinstance(inner, str) and inner[0] in BINDING:
            return 0
        count += 1
    return count
