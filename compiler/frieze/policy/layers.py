"""Who may say what: weak layers only tighten, and the floor holds whatever stands above it."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, Related
from frieze.policy.vocabulary import LOOSENING_LAYERS
from frieze.profiles.declarations import Graph, Policy
from frieze.profiles.naming import bare
from frieze.runtime.guard.patterns import PatternError, PatternSet

_LOOSENING = ("programs", "wrappers", "assignments", "aliases", "executables", "floor")
"""Fields that can make an answer more permissive, and so belong to the strong layers."""


def floors(graph: Graph, policy: Policy) -> list[Policy]:
    """Return the floors below a policy, the nearest first; a floor stands on floors as well."""
    found: list[Policy] = []
    names = {policy.name}
    below = policy.floor
    while below and below not in names and below in graph.policies:
        names.add(below)
        found.append(graph.policies[below])
        below = found[-1].floor
    return found


def layer_faults(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield what a policy says that its layer may not say."""
    for name, rule in policy.data.get("rules", {}).items():
        layer = policy.layers[name]
        if rule["effect"] == "allow" and layer not in LOOSENING_LAYERS:
            yield Diagnostic.of("F821", policy.origin.span("rules", name, "effect"), name=name, layer=layer)
    if policy.layer not in LOOSENING_LAYERS:
        yield from _weak(policy)
    yield from _excepted(graph, policy)
    yield from _circle(graph, policy)


def _weak(policy: Policy) -> Iterator[Diagnostic]:
    if policy.base is None:
        yield Diagnostic.of("F826", policy.origin.span("layer"), name=bare(policy.name), layer=policy.layer)
    own = policy.origin.span("layer").file
    fields: list[tuple[str, ...]] = [(name,) for name in _LOOSENING if name in policy.data]
    fields += [("paths", "except")] if policy.data.get("paths", {}).get("except") else []
    for field in fields:
        place = policy.origin.key(*field)
        if place.file == own:
            yield Diagnostic.of("F827", place, name=".".join(field), layer=policy.layer)


def _excepted(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield each exception from a path that the floor closes."""
    for floor in floors(graph, policy):
        for number, pattern in enumerate(floor.data.get("paths", {}).get("deny", ())):
            try:
                closed = PatternSet([pattern])
            except PatternError:
                continue
            for index, path in enumerate(policy.data.get("paths", {}).get("except", ())):
                if closed.first(tuple(path.strip("/").split("/"))) is not None:
                    related = (Related(floor.origin.span("paths", "deny", number), "the floor closes it here"),)
                    place = policy.origin.span("paths", "except", index)
                    yield Diagnostic.of("F828", place, path=path, pattern=pattern, related=related)


def _circle(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield a fault where a policy comes up again among its own floors."""
    seen = [policy.name]
    below = policy.floor
    while below and below in graph.policies and below not in seen:
        seen.append(below)
        below = graph.policies[below].floor
    if below == policy.name:
        path = " -> ".join(bare(name) for name in [*seen, below])
        yield Diagnostic.of("F829", policy.origin.span("floor"), path=path)
