"""What is wrong with the leaves of a tree, each fault once, with the targets that meet it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from frieze.diagnostics import Diagnostic, Related
from frieze.freeze.model import FrozenBlock
from frieze.freeze.targets import SELECTORS, Targets
from frieze.freeze.trees import Branch, Leaf, Tree

SHOWN = 4
"""Values of a selector that a diagnostic names before it counts the rest."""


def findings(tree: Tree[FrozenBlock], everywhere: Targets) -> list[Diagnostic]:
    """Collect the diagnostics of a tree. Those that only some targets meet say which."""
    met: dict[Diagnostic, list[Leaf[FrozenBlock]]] = {}
    for leaf in leaves(tree):
        for fault in leaf.value.diagnostics:
            met.setdefault(fault, []).append(leaf)
    counts = {selector: len(everywhere.values(selector)) for selector in SELECTORS} if met else {}
    return [_told(fault, found, counts) for fault, found in met.items()]


def leaves(tree: Tree[FrozenBlock]) -> list[Leaf[FrozenBlock]]:
    """Return the leaves of a tree in order."""
    if not isinstance(tree, Branch):
        return [tree]
    found: list[Leaf[FrozenBlock]] = []
    for subtree in tree.to.values():
        if isinstance(subtree, Branch):
            found += leaves(subtree)
        else:
            found.append(subtree)
    return found


def _told(fault: Diagnostic, met: list[Leaf[FrozenBlock]], counts: Mapping[str, int]) -> Diagnostic:
    """Say in a diagnostic which targets meet it; `counts` is how many values each selector has everywhere."""
    targets = Targets(tuple(box for leaf in met for box in leaf.targets.boxes))
    parts = []
    for selector, count in counts.items():
        values = targets.values(selector)
        if len(values) < count:
            named = [f"`{value}`" for value in values[:SHOWN]]
            rest = [f"{len(values) - SHOWN} more"] if len(values) > SHOWN else []
            parts.append(f"{selector} {', '.join(named + rest)}")
    if not parts:
        return fault
    label = f"this block, for {'; '.join(parts)}"
    return replace(fault, related=(*fault.related, Related(met[-1].value.declared.origin.span("name"), label)))
