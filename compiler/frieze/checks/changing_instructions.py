"""F701: an agent's instructions print a request's value, so they leave the part that is the same for everyone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from frieze.checks.notes import noted
from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen, FrozenBlock, Share
from frieze.freeze.blocks import is_placeholder
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.freeze.space import Space
from frieze.freeze.trees import Tree
from frieze.profiles.naming import listed

SHOWN = 6
"""Inputs that the message names before it counts the rest."""

NOTE = "changing"
"""The name under which a share keeps what was found in it."""

Row: TypeAlias = list[Any]
"""The span of a text as a list, the inputs that it reads, the zone that follows, and the one that is declared."""


def changing_instructions(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each agent whose instructions change faster than their declared zone says."""
    rows = []
    for name, tree in frozen.trees.items():
        if is_placeholder(frozen.graph.blocks[name]) and not filled_trees(tree):
            rows += changes_in(tree)
    for _, found in noted(frozen, NOTE, changing_notes):
        rows += found
    for place, inputs, zone, declared in rows:
        whom = "user" if declared == "never" else "message"
        yield Diagnostic.of("F701", Span(*place), inputs=inputs, zone=zone, declared=declared, whom=whom)


def changing_notes(space: Space, share: Share) -> list[Row]:
    """Return what is to be said of a share."""
    blocks = space.graph.blocks
    return [row for name, part in share.parts.items() if is_placeholder(blocks[name]) for row in changes_in(part.tree)]


def changes_in(tree: Tree[FrozenBlock]) -> list[Row]:
    """Return each text of a tree that changes faster than it should."""
    rows: list[Row] = []
    for leaf in leaves(tree):
        block = leaf.value
        zones = set(block.zones)
        if zones == {"never"} or block.declared.zone in zones or block.declared.body is None:
            continue
        zone = "turn" if "turn" in zones else "session"
        row = [
            list(block.declared.body.span),
            listed(sorted(block.inputs), SHOWN),
            zone,
            block.declared.zone or "never",
        ]
        if row not in rows:
            rows.append(row)
    return rows
