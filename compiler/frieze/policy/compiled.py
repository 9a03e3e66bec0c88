"""All policies of a project as decision tables, and what templates see of their modes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.policy.table import decision_table
from frieze.profiles import unset_data
from frieze.profiles.declarations import Graph
from frieze.profiles.fields import selector_data
from frieze.profiles.naming import is_library


def compile_policies(graph: Graph) -> tuple[Graph, list[Diagnostic]]:
    """Return the graph with the decision tables of the policies that agents have, and what is wrong with any policy.

    The project's own policies are looked at whether an agent has them or not.
    """
    used = {agent.permissions for agent in graph.agents.values()}
    tables = {}
    faults: list[Diagnostic] = []
    for name in sorted(graph.policies):
        if name in used or not is_library(name):
            tables[name], found = decision_table(graph, name)
            faults += found
    return replace(graph, tables={name: table for name, table in tables.items() if name in used}), faults


def mode_data(graph: Graph, agent: str | None, mode: str) -> dict[str, Any]:
    """Return what templates see of a mode of an agent's policy."""
    policy = graph.agents[agent].permissions if agent else None
    table: Mapping[str, Any] = graph.tables.get(policy or "", {})
    if mode not in table.get("modes", {}):
        return unset_data("mode")
    found = table["modes"][mode]
    asked = [action for action, cell in found["cells"].items() if cell["effect"] == "ask"]
    return selector_data(
        "mode",
        {
            "name": mode,
            "description": found["description"],
            "policy": table["name"],
            **found["flags"],
            "requires_confirmation_for": asked,
        },
    )
