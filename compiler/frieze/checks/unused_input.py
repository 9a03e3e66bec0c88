"""F702: an input that no variant of its block reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, TypeAlias

from frieze.checks.notes import noted
from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen, FrozenBlock, Share
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.freeze.space import Space
from frieze.freeze.trees import Tree
from frieze.profiles.building import plain
from frieze.profiles.declarations import Block
from frieze.profiles.naming import is_library

NOTE = "inputs"
"""The name under which a share keeps what was found in it."""

Row: TypeAlias = list[Any]
"""A file, the inputs declared there that are read, and of those that are not name, span and how a text writes them
where it uses the placeholders of another language."""


def unused_input(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each declared input that is read nowhere."""
    rows = [row for tree in frozen.trees.values() if not filled_trees(tree) for row in reading_of(tree)]
    for _, found in noted(frozen, NOTE, reading_notes):
        rows += found
    # What was told counts as read, so that it is told once.
    read = {(file, name) for file, names, _ in rows for name in names}
    for file, _, left in rows:
        for name, place, written in left:
            if (file, name) not in read:
                read.add((file, name))
                advice = f"the text has `{written}`, which is printed as it stands: write `{{{{ {name} }}}}`"
                yield Diagnostic.of("F702", Span(*place), name=name, advice=advice if written else "")


def reading_notes(space: Space, share: Share) -> list[Row]:  # noqa: ARG001 - as every check of a share
    """Return what the parts of a share read."""
    return [row for part in share.parts.values() for row in reading_of(part.tree)]


def reading_of(tree: Tree[FrozenBlock]) -> list[Row]:
    """Return what is read of the inputs of each block that some leaf of a tree is made of."""
    met: dict[int, tuple[Block, set[str]]] = {}
    for leaf in leaves(tree):
        declared = leaf.value.declared
        found = met.get(id(declared))
        if found is None:
            found = met[id(declared)] = declared, set(declared.inputs)
        found[1].difference_update(leaf.value.inputs)
    rows = []
    for block, left in met.values():
        file, inputs = block.origin.file, block.inputs
        told = [] if is_library(block.name) and file.startswith("std/") else [name for name in inputs if name in left]
        body = plain(block.body) if told and block.body is not None else ""
        places = [[name, list(inputs[name].span), _in_other_braces(body, name)] for name in told]
        rows.append([file, [name for name in inputs if name not in left], places])
    return rows


def _in_other_braces(text: str, name: str) -> str:
    """Return what a text has for an input in the form of another language, such as `{name}`; "" where nothing."""
    found = re.search(rf"(?<![{{$\w])(?:\$?{{ ?{name} ?}}(?!}})|\${name}\b|\[\[ ?{name} ?\]\])", text)
    return found[0] if found else ""
