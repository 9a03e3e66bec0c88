"""F702: an input that no variant of its block reads."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen
from frieze.freeze.findings import leaves
from frieze.profiles.naming import is_library


def unused_input(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each declared input that is read nowhere."""
    declared: dict[tuple[str, str], Span] = {}
    read: set[tuple[str, str]] = set()
    for tree in frozen.trees.values():
        for leaf in leaves(tree):
            block = leaf.value
            for name, entry in block.declared.inputs.items():
                if not is_library(block.declared.name) or not block.declared.origin.file.startswith("std/"):
                    declared.setdefault((block.declared.origin.file, name), entry.span)
                if name in block.inputs:
                    read.add((block.declared.origin.file, name))
    for (file, name), span in declared.items():
        if (file, name) not in read:
            yield Diagnostic.of("F702", span, name=name)
