"""F702: an input that no variant of its block reads."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen
from frieze.freeze.findings import leaves
from frieze.profiles.declarations import Block
from frieze.profiles.naming import is_library


def unused_input(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each declared input that is read nowhere."""
    met: dict[int, tuple[Block, set[str]]] = {}
    for tree in frozen.trees.values():
        for leaf in leaves(tree):
            declared = leaf.value.declared
            found = met.get(id(declared))
            if found is None:
                found = met[id(declared)] = declared, set(declared.inputs)
            found[1].difference_update(leaf.value.inputs)
    # What was told counts as read, so that it is told once.
    read = {(block.origin.file, name) for block, left in met.values() for name in block.inputs if name not in left}
    for block, left in met.values():
        file = block.origin.file
        if not left or (is_library(block.name) and file.startswith("std/")):
            continue
        for name, entry in block.inputs.items():
            if name in left and (file, name) not in read:
                read.add((file, name))
                yield Diagnostic.of("F702", entry.span, name=name)
