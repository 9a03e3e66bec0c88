"""F703: a block of the project that stands in no layout."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen
from frieze.profiles.naming import is_library


def unused_block(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each own block that no agent's layout holds and no template includes."""
    for name, block in frozen.graph.blocks.items():
        if not is_library(name) and name not in frozen.trees and name not in frozen.included:
            yield Diagnostic.of("F703", block.origin.span("name"), name=name, advice=_in_place_of(name, frozen))


def _in_place_of(name: str, frozen: Frozen) -> str:
    """Return how to put a block where a layout already has a slot of its name; else the code's own advice holds."""
    for arranged in frozen.layouts:
        slots = [slot for slot, _ in arranged.slots]
        if name in slots:
            at = slots.index(name)
            place = f"after: {slots[at - 1]}" if at else "at: first"
            return (
                f"the layout has a slot of this name: to take its place, write "
                f"`layout: {{remove: [{name}], insert: {{{name}: {{{place}}}}}}}`; else rename this block"
            )
    return ""
