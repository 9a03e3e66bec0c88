"""Compiled decision tables of the shipped policies, and of policies written as text."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

from frieze.policy import shipped_table
from frieze.policy.shipped import shipped_graph
from frieze.policy.table import made_table
from frieze.profiles.declarations import Policy
from frieze.sources import parse_document


def std_table(name: str = "coding") -> dict[str, Any]:
    """Return the table of a policy of the library; the caller may change it."""
    return copy.deepcopy(shipped_table(name))


def table_of(policy: str, *, floor: bool = True) -> dict[str, Any]:
    """Return the table of a policy given as YAML without `kind` and `name`; nothing is checked.

    Without `floor` it stands on none, so that a golden text does not change with the library's.
    """
    document, faults = parse_document(policy.encode(), "example.yaml")
    assert document, faults
    base = shipped_graph().policies["std/coding"]
    layers = {name: rule.get("layer", "developer") for name, rule in document.data.get("rules", {}).items()}
    own = Policy(
        "example",
        base.origin,
        document.data,
        layers=layers,
        floor=base.floor if floor else None,
        programs=base.programs,
    )
    graph = replace(shipped_graph(), policies={**shipped_graph().policies, "example": own})
    return made_table(graph, "example")
