"""`include`: the other template's text is specialised in place, with a scope of its own."""

from __future__ import annotations

from jinja2 import nodes

from frieze.template.scopes import Context, Frame, Scope
from frieze.template.screening import screen
from frieze.template.values import Known
from frieze.template.walk import Walk


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
            walk.refuse("F411", frame, node, name=", ".join(map(str, names)))
        return
    if any(found is other for other in walk.including):
        walk.refuse("F412", frame, node, name=found.name)
    bound = frame.stores() if node.with_context else {}
    if found.tree is None or (faults := screen(found, walk.inputs, walk.selectors.union(walk.known, bound))):
        for diagnostic in found.diagnostics if found.tree is None else faults:
            walk.report(diagnostic)
        return
    context = Context(frame.context.resolve, bound)
    inner = Frame(found.tables.root(found.tree), Scope(), context, found)
    inner.enter()
    walk.including.append(found)
    try:
        walk.run(found.tree.body, inner)
    finally:
        walk.including.pop()
