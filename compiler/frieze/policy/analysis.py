"""What is wrong with a policy, found when compiling."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.policy.vocabulary import LOOSENING_LAYERS
from frieze.policy.wording import wording_faults
from frieze.profiles.declarations import Graph, Policy


def policy_faults(graph: Graph, policy: Policy) -> list[Diagnostic]:
    """Return every fault of a policy."""
    return [*_layers(policy), *wording_faults(graph, policy)]


def _layers(policy: Policy) -> Iterator[Diagnostic]:
    for name, rule in policy.data.get("rules", {}).items():
        layer = policy.layers[name]
        if rule["effect"] == "allow" and layer not in LOOSENING_LAYERS:
            place = policy.origin.span("rules", name, "effect")
            yield Diagnostic.of("F821", place, name=name, layer=layer)
