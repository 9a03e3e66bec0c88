"""F716: a block that says to hold what no other part says."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.freeze import Frozen
from frieze.profiles.naming import is_library


def covers_nothing(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each slot that one of the project's blocks covers and that no layout beside it has."""
    for name in frozen.trees:
        block = frozen.graph.blocks[name]
        if is_library(name) or not block.covers:
            continue
        beside = {slot for each in frozen.layouts if name in dict(each.slots).values() for slot, _ in each.slots}
        for number, slot in enumerate(block.covers):
            if slot not in beside:
                advice = did_you_mean(slot, sorted(beside))
                yield Diagnostic.of("F716", block.origin.span("covers", number), slot=slot, advice=advice)
