"""`include`: the other template's text is specialised in place, with a scope of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from jinja2 import nodes

from frieze.diagnostics import did_you_mean
from frieze.template.scopes import Context, Frame, Scope
from frieze.template.screening import UNKNOWN_NAME, screen
from frieze.template.values import Known
from frieze.template.walk import Walk

_FILE = re.compile(r"\.(md|txt|ya?ml|j2|jinja2?|html?|prompt)$", re.IGNORECASE)


def include(walk: Walk, node: nodes.Include, frame: Frame) -> None:
    """Run an `include` statement."""
    named = walk.settle(frame, node, walk.evaluate(node.template, frame))
    if walk.loader is None:
        walk.refuse("F403", frame, node, what="`include`", advice="there is nothing to include from here")
    if not isinstance(named, Known):
        walk.refuse("F403", frame, node, what="`include` of an unknown name", advice="write the name as a constant")
    names = named.value if isinstance(named.value, list | tuple) else [named.value]
    found = next((parsed for name in names if (parsed := walk.loader(str(name))) is not None), None)
    if found is None:
        if not node.ignore_missing:
            first = str(names[0]) if names else ""
            advice = _advice(first, walk.includable)
            walk.refuse("F411", frame, node.template, name=", ".join(map(str, names)), advice=advice)
        return
    if any(found is other for other in walk.including):
        walk.refuse("F412", frame, node, name=found.name)
    bound = frame.stores() if node.with_context else {}
    faults = found.diagnostics
    if found.tree is not None:
        faults = screen(found, walk.inputs, walk.selectors.union(walk.known, bound))
    for diagnostic in faults:
        walk.report(diagnostic)
    if found.tree is None or any(fault.code != UNKNOWN_NAME for fault in faults):
        return
    context = Context(frame.context.resolve, bound)
    inner = Frame(found.tables.root(found.tree), Scope(), context, found)
    inner.enter()
    walk.including.append(found)
    try:
        walk.run(found.tree.body, inner)
    finally:
        walk.including.pop()


def _advice(name: str, includable: Sequence[str]) -> str:
    if not _FILE.search(name):
        return did_you_mean(name, includable, "`include` takes the name of a block")
    stem = name.rpartition("/")[2].partition(".")[0]
    hint = did_you_mean(stem, includable)
    return (
        hint or f"`include` takes a block, not a file: make one with `body: {{file: {name}}}`, and write its name here"
    )
