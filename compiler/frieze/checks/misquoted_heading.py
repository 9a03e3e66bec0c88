"""F713: instructions quote a heading that is none, but nearly one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import TypeAlias

from frieze.checks.notes import noted
from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen, FrozenBlock, Share
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.freeze.space import Space
from frieze.freeze.trees import Tree
from frieze.profiles.declarations import Text
from frieze.profiles.naming import LIBRARY

NEAR = 0.85
"""The least ratio of difflib for a slip: one letter of seven, or the `s` of a plural."""

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_QUOTED = re.compile('"([^"\n]{3,80})"|[“„]([^“”„\n]{3,80})[”“]|「([^「」\n]{3,80})」|«([^«»\n]{3,80})»')
_MARKS = tuple('"“„「«')
"""Without one of these nothing is quoted, so that most texts need no closer look."""


NOTE = "quotations"
"""The name under which a share keeps what was found in it."""

Row: TypeAlias = "tuple[str, int, int]"
"""What is quoted, where it begins in its text, and where it ends."""


def misquoted_heading(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each quoted text in the project's own texts that a heading of its prompts is meant by."""
    headings = {heading for name, tree in frozen.trees.items() for heading in _headings(frozen, name, tree)}
    known = headings | {block.heading for block in frozen.graph.blocks.values() if block.heading}
    seen: dict[Span, Text] = {}
    for body, rows in _quoting(frozen):
        for quoted, start, end in rows:
            heading = None if quoted in known else _meant(quoted, headings)
            # The same text may be there twice, in a block as it is declared and as something fills it.
            if heading and seen.setdefault(body.span, body) is body:
                advice = f"did you mean `{heading}`?"
                yield Diagnostic.of("F713", body.locate(start, end), quoted=quoted, heading=heading, advice=advice)


def quotation_notes(space: Space, share: Share) -> list[Row]:
    """Return what the agent of a share quotes."""
    own = space.graph.agents[share.agent].instructions
    return _quotations(own.body) if own and own.body else []


def _headings(frozen: Frozen, name: str, tree: Tree[FrozenBlock]) -> set[str]:
    """Return the headings of a block."""
    declared = [frozen.graph.blocks[name]] if filled_trees(tree) else [leaf.value.declared for leaf in leaves(tree)]
    return {block.heading for block in declared if block.heading}


def _quoting(frozen: Frozen) -> Iterator[tuple[Text, list[Row]]]:
    """Yield every text of the project that quotes anything in a block, each once."""
    met: dict[int, Text] = {}
    for tree in frozen.trees.values():
        if not filled_trees(tree):
            met |= {id(body): body for leaf in leaves(tree) if (body := leaf.value.declared.body)}
    yield from ((body, rows) for body in met.values() if (rows := _quotations(body)))
    for share, rows in noted(frozen, NOTE, quotation_notes):
        own = frozen.graph.agents[share.agent].instructions
        if rows and own and own.body:
            yield own.body, rows


def _quotations(body: Text) -> list[Row]:
    """Return what a text quotes outside of tags, without the stop or comma that some set before the closing mark."""
    if body.file.startswith(LIBRARY) or not any(mark in body.value for mark in _MARKS):
        return []
    rows = []
    text = _TAG.sub(lambda tag: " " * len(tag[0]), body.value)
    for found in _QUOTED.finditer(text):
        group = found.lastindex or 0
        quoted = found[group].rstrip(".,:;!?")
        rows.append((quoted, found.start(group), found.start(group) + len(quoted)))
    return rows


def _meant(quoted: str, headings: set[str]) -> str | None:
    """Return the heading that a quotation nearly is. A single word in small letters is taken for a word."""
    best, nearest = NEAR, None
    for heading in sorted(headings):
        if " " not in quoted and quoted[:1].islower() and not heading[:1].islower():
            continue
        ratio = SequenceMatcher(None, quoted.casefold(), heading.casefold()).ratio()
        if ratio >= best:
            best, nearest = ratio, heading
    return nearest
