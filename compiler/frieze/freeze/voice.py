"""Whether an agent's instructions place the personality themselves, so that no block has to."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import nodes

from frieze.profiles.declarations import Graph, Text
from frieze.profiles.naming import LIBRARY
from frieze.template import parse

PERSONALITY = "personality"


def prints_personality(graph: Graph, text: Text | None) -> bool:
    """Tell whether a template prints the personality's text somewhere, itself or through what it includes."""
    return any(_prints(tree) for tree in _trees(graph, text, set()))


def _trees(graph: Graph, text: Text | None, seen: set[str]) -> Iterator[nodes.Template]:
    tree = parse(text.value, name=text.span.file).tree if text else None
    if tree is None:
        return
    yield tree
    for include in tree.find_all(nodes.Include):
        name = include.template.value if isinstance(include.template, nodes.Const) else None
        block = graph.blocks.get(str(name)) or graph.blocks.get(f"{LIBRARY}{name}")
        if block and block.name not in seen:
            seen.add(block.name)
            yield from _trees(graph, block.body, seen)


def _prints(tree: nodes.Template) -> bool:
    """Look for the bare name, or its `text`, in what is printed or kept for printing."""
    for statement in tree.find_all((nodes.Output, nodes.Assign)):
        fields = list(statement.find_all(nodes.Getattr))
        before_a_field = [field.node for field in fields]
        bare = [name for name in statement.find_all(nodes.Name) if not any(name is base for base in before_a_field)]
        texts = [field.node for field in fields if field.attr == "text"]
        if any(isinstance(node, nodes.Name) and node.name == PERSONALITY for node in (*bare, *texts)):
            return True
    return False
