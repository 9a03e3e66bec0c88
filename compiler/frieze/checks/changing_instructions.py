"""F701: an agent's instructions print a request's value, so they leave the part that is the same for everyone."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen
from frieze.freeze.blocks import is_placeholder
from frieze.freeze.findings import leaves
from frieze.profiles.naming import listed

SHOWN = 6
"""Inputs that the message names before it counts the rest."""


def changing_instructions(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each agent whose instructions change faster than their declared zone says."""
    for name, tree in frozen.trees.items():
        if not is_placeholder(frozen.graph.blocks[name]):
            continue
        for leaf in leaves(tree):
            block = leaf.value
            zones = set(block.zones)
            if zones == {"never"} or block.declared.zone in zones or block.declared.body is None:
                continue
            inputs = listed(sorted(block.inputs), SHOWN)
            zone = "turn" if "turn" in zones else "session"
            yield Diagnostic.of("F701", block.declared.body.span, inputs=inputs, zone=zone)
