"""All policies of a project: their decision tables, the texts about them, and what templates see of their modes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.policy.claims import ATTENDANCE
from frieze.policy.questions import tool_faults
from frieze.policy.table import decision_table, made_table
from frieze.policy.text import permissions_text
from frieze.policy.wording import wording_of
from frieze.profiles import unset_data
from frieze.profiles.building import plain
from frieze.profiles.declarations import Graph, Model
from frieze.profiles.fields import selector_data
from frieze.profiles.naming import bare, is_library


def compile_policies(graph: Graph) -> tuple[Graph, list[Diagnostic]]:
    """Return the graph with what it takes from its policies, and what is wrong with any policy.

    The project's own policies are looked at whether an agent has them or not; the graph keeps those that one has.
    """
    used = {agent.permissions for agent in graph.agents.values()}
    tables = {}
    faults = [fault for name, tool in graph.tools.items() if not is_library(name) for fault in tool_faults(tool)]
    for name in sorted(graph.policies):
        if not is_library(name):
            tables[name], found = decision_table(graph, name)
            faults += found
        elif name in used:
            tables[name] = made_table(graph, name)
    kept = replace(graph, tables={name: table for name, table in tables.items() if name in used})
    return replace(kept, permissions=dict(_texts(kept))), faults


def _texts(graph: Graph) -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """Yield the texts of every mode for every model that it can meet."""
    for agent in graph.agents.values():
        table = graph.tables.get(agent.permissions or "")
        if table is None:
            continue
        wording = wording_of(graph, graph.policies[table["name"]])
        for mode in agent.allows["mode"]:
            for model in agent.allows["model"] or ("",):
                own = model_texts(graph.models.get(model))
                yield (
                    (table["name"], mode, model),
                    {
                        name: permissions_text(table, mode, wording, interactive=interactive, texts=own).text
                        for name, interactive in ATTENDANCE.items()
                    },
                )


def model_texts(model: Model | None) -> dict[str, dict[str, str]]:
    """Return a model's own texts about permissions, by section and by what they are about."""
    given = model.texts if model else {}
    return {section: {name: plain(text) for name, text in texts.items()} for section, texts in given.items()}


def mode_data(graph: Graph, agent: str | None, mode: str, model: str | None) -> dict[str, Any]:
    """Return what templates see of a mode of an agent's policy; `model` is a qualified name."""
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
            "policy": bare(table["name"]),
            **found["flags"],
            "requires_confirmation_for": asked,
            "permissions": graph.permissions.get((table["name"], mode, model or ""), {}),
        },
    )
