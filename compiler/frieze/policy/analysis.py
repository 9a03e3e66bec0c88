"""What is wrong with a policy, found when compiling."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.policy.vocabulary import LOOSENING_LAYERS
from frieze.profiles.declarations import Policy


def policy_faults(policy: Policy) -> list[Diagnostic]:
    """Return every fault of a policy by itself."""
    return list(_layers(policy))


def _layers(policy: Policy) -> Iterator[Diagnostic]:
    for name, rule in policy.data.get("rules", {}).items():
        layer = policy.layers[name]
        if rule["effect"] == "allow" and layer not in LOOSENING_LAYERS:
            place = policy.origin.span("rules", name, "effect")
            yield Diagnostic.of("F821", place, name=name, layer=layer)
