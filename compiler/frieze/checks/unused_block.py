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
            yield Diagnostic.of("F703", block.origin.span("name"), name=name)
