"""Whether an agent's instructions place the personality themselves, so that no block has to."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from frieze.freeze.templates import Templates
from frieze.profiles.declarations import Text
from frieze.profiles.naming import LIBRARY

PERSONALITY = "personality"


def prints_personality(templates: Templates, text: Text | None) -> bool:
    """Tell whether a template prints the personality's text somewhere, itself or through what it includes."""
    return any(_prints(tree) for tree in _trees(templates, text, set()))


def _trees(templates: Templates, text: Text | None, seen: set[str]) -> Iterator[nodes.Template]:
    if text is None or not (PERSONALITY in text.value or "include" in text.value):
        return
    trees = list(templates.trees(text))
    yield from trees
    blocks = templates.graph.blocks
    for include in _includes(trees) if "include" in text.value else ():
        name = include.template.value if isinstance(include.template, nodes.Const) else None
        block = blocks.get(str(name)) or blocks.get(f"{LIBRARY}{name}")
        if block and block.name not in seen:
            seen.add(block.name)
            yield from _trees(templates, block.body, seen)


def _includes(trees: list[nodes.Template]) -> Iterator[nodes.Include]:
    return (include for tree in trees for include in tree.find_all(nodes.Include))


def _prints(tree: nodes.Template) -> bool:
    """Look for the bare name, or its `text`, in what is printed or kept for printing."""
    return any(_holds(statement) for statement in tree.find_all((nodes.Output, nodes.Assign)))


def _holds(node: nodes.Node) -> bool:
    if isinstance(node, nodes.Name):
        return bool(node.name == PERSONALITY)
    if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name):
        return bool(node.node.name == PERSONALITY and node.attr == "text")
    return any(map(_holds, node.iter_child_nodes()))
