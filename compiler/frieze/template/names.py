"""Names that Python would not take as they are written: Jinja2 makes Python of a template, and Python decides."""

from __future__ import annotations

from collections.abc import Iterator
from unicodedata import normalize

from jinja2 import nodes

from frieze.diagnostics import Diagnostic
from frieze.template.positions import Places

_CALLS = (nodes.Call, nodes.Filter, nodes.Test)
_NAMED = (nodes.Name, nodes.Keyword, nodes.Macro, nodes.CallBlock, *_CALLS)


def refused_names(tree: nodes.Template, places: Places) -> tuple[Diagnostic, ...]:
    """Return a finding for each name that Python would fold into another, or that stands twice where one may."""
    if places.source.isascii() and "=" not in places.source and "macro" not in places.source:
        return ()
    found: list[Diagnostic] = []
    for node in tree.find_all(_NAMED):
        for what, advice in _faults(node):
            found.append(Diagnostic.of("F403", places.token(node.lineno), related=(), what=what, advice=advice))
    return tuple(dict.fromkeys(found))


def _faults(node: nodes.Node) -> Iterator[tuple[str, str]]:
    name = node.key if isinstance(node, nodes.Keyword) else getattr(node, "name", "")
    if isinstance(name, str) and not name.isascii() and normalize("NFKC", name) != name:
        yield f"the name `{name}`, which is `{normalize('NFKC', name)}` to Jinja2,", "write it in its normal form"
    names: list[str] = []
    if isinstance(node, nodes.Macro | nodes.CallBlock):
        names = [argument.name for argument in node.args]
        if "caller" in names[: len(names) - len(node.defaults)]:
            yield "`caller` without a default", "leave it out: `caller` is there by itself"
    elif isinstance(node, _CALLS):
        names = [pair.key for pair in node.kwargs or () if isinstance(pair, nodes.Keyword)]
    for each in dict.fromkeys(names):
        if names.count(each) > 1:
            yield f"the argument `{each}` twice", "give each name once"
