"""What is wrong with the leaves of a tree, each fault once, with the targets that meet it."""

from __future__ import annotations

from dataclasses import replace

from frieze.diagnostics import Diagnostic, Related
from frieze.freeze.model import FrozenBlock
from frieze.freeze.targets import SELECTORS, Targets
from frieze.freeze.trees import Branch, Leaf, Tree

SHOWN = 4
"""Values of a selector that a diagnostic names before it counts the rest."""


def findings(tree: Tree[FrozenBlock], everywhere: Targets) -> list[Diagnostic]:
    """Collect the diagnostics of a tree. Those that only some targets meet say which."""
    met: dict[Diagnostic, tuple[Diagnostic, Targets, FrozenBlock]] = {}
    for leaf in leaves(tree):
        for fault in leaf.value.diagnostics:
            _, before, _ = met.get(fault, (fault, Targets(()), leaf.value))
            met[fault] = (fault, Targets((*before.boxes, *leaf.targets.boxes)), leaf.value)
    return [_told(fault, targets, everywhere, block) for fault, targets, block in met.values()]


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


def _told(fault: Diagnostic, targets: Targets, everywhere: Targets, block: FrozenBlock) -> Diagnostic:
    parts = []
    for selector in SELECTORS:
        values, every = targets.values(selector), everywhere.values(selector)
        if len(values) < len(every):
            named = [f"`{value}`" for value in values[:SHOWN]]
            rest = [f"{len(values) - SHOWN} more"] if len(values) > SHOWN else []
            parts.append(f"{selector} {', '.join(named + rest)}")
    if not parts:
        return fault
    label = f"this block, for {'; '.join(parts)}"
    return replace(fault, related=(*fault.related, Related(block.declared.origin.span("name"), label)))
