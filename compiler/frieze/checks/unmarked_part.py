"""F715: a block whose parts stand in a conversation and cannot be found again there."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen
from frieze.profiles.naming import bare
from frieze.runtime.session import ON_CHANGE


def unmarked_part(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each block of some layout that is sent on change and has neither a tag nor markers."""
    for name in frozen.trees:
        block = frozen.graph.blocks[name]
        if block.send == ON_CHANGE and not (block.tag or block.markers):
            yield Diagnostic.of("F715", block.origin.span("send"), name=bare(name))
