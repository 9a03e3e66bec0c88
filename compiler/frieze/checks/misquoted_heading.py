"""F713: instructions quote a heading that is none, but nearly one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen
from frieze.freeze.findings import leaves
from frieze.profiles.declarations import Text
from frieze.profiles.naming import LIBRARY

NEAR = 0.85
"""The least ratio of difflib for a slip: one letter of seven, or the `s` of a plural."""

_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)
_QUOTED = re.compile('"([^"\n]{3,80})"|[“„]([^“”„\n]{3,80})[”“]|「([^「」\n]{3,80})」|«([^«»\n]{3,80})»')
_MARKS = tuple('"“„「«')
"""Without one of these nothing is quoted, so that most texts need no closer look."""


def misquoted_heading(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each quoted text in the project's own texts that a heading of its prompts is meant by."""
    declared = [leaf.value.declared for tree in frozen.trees.values() for leaf in leaves(tree)]
    headings = {block.heading for block in declared if block.heading}
    known = headings | {block.heading for block in frozen.graph.blocks.values() if block.heading}
    met = {id(block.body): block.body for block in declared if block.body}
    seen: dict[Span, Text] = {}
    for body in met.values():
        if body.file.startswith(LIBRARY) or not any(mark in body.value for mark in _MARKS):
            continue
        for quoted, start, end in _quotations(body):
            heading = None if quoted in known else _meant(quoted, headings)
            # The same text may be there twice, in a block as it is declared and as something fills it.
            if heading and seen.setdefault(body.span, body) is body:
                advice = f"did you mean `{heading}`?"
                yield Diagnostic.of("F713", body.locate(start, end), quoted=quoted, heading=heading, advice=advice)


def _quotations(body: Text) -> Iterator[tuple[str, int, int]]:
    """Yield what is quoted outside of tags, without the stop or comma that some set before the closing mark."""
    text = _TAG.sub(lambda tag: " " * len(tag[0]), body.value)
    for found in _QUOTED.finditer(text):
        group = found.lastindex or 0
        quoted = found[group].rstrip(".,:;!?")
        yield quoted, found.start(group), found.start(group) + len(quoted)


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
