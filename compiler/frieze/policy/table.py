"""The decision table of a policy: plain data, the one source of the model's text and of the guard's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic
from frieze.policy.analysis import policy_faults
from frieze.policy.cells import cells, flags
from frieze.policy.vocabulary import FLOOR
from frieze.profiles.declarations import Graph, Policy
from frieze.profiles.naming import bare, is_library
from frieze.profiles.policies import ARGUMENT_LISTS
from frieze.runtime.bundle import canonical

FORMAT = 1
"""The form of decision tables that the guard reads."""

Table: TypeAlias = dict[str, Any]

PATHS = ("deny", "except", "generated", "protected", "catastrophic")
KNOWLEDGE = ("programs", "wrappers", "aliases", "executables")
"""What a file that holds a program table gives, each a map by name; `assignments` besides."""

DEFAULT_SANDBOX: Mapping[str, Any] = {
    "sandbox": "workspace-write",
    "network": "restricted",
    "writable_roots": [],
    "approval": "on-request",
    "reviewer": "user",
}


def decision_table(graph: Graph, policy: str) -> tuple[Table, list[Diagnostic]]:
    """Return the decision table of a policy by its qualified name, and what is wrong with the policy.

    The table is canonical: it does not depend on the order in which anything is written. Its hash covers all of it.
    """
    record = graph.policies[policy]
    floor = graph.policies.get(record.floor or "")
    table = _table(graph, record, floor)
    table["hash"] = table_hash(table)
    return table, policy_faults(graph, record)


def table_hash(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of a table's canonical JSON without its own `hash`."""
    rest = {key: value for key, value in table.items() if key != "hash"}
    return hashlib.sha256(canonical(rest)).hexdigest()


def _table(graph: Graph, policy: Policy, floor: Policy | None) -> Table:
    data = policy.data
    below = floor.data if floor else {}
    known = _knowledge(graph, policy)
    return {
        "format": FORMAT,
        "name": policy.name,
        "shell": data.get("shell", below.get("shell", "bash")),
        "modes": {
            name: {
                "cells": cells(name, mode, policy, floor),
                "flags": flags(mode),
                "description": mode.get("description", ""),
            }
            for name, mode in sorted(data.get("modes", {}).items())
        },
        "entries": sorted([*_entries(policy, ""), *_entries(floor, FLOOR)], key=lambda entry: str(entry["id"])),
        "paths": _paths(data, below),
        **{key: known[key] for key in KNOWLEDGE},
        "assignments": {"harmless": sorted(known["harmless"])},
        "tools": _tools(graph),
        "secrets": _secrets(data, below),
        "sandbox": _sandbox(data),
        "cannot": [
            text
            for _, text in sorted({**below.get("cannot", {}), **data.get("cannot", {})}.items(), key=lambda row: row[0])
        ],
    }


def _entries(policy: Policy | None, layer: str) -> Iterator[dict[str, Any]]:
    """Yield a policy's rules as entries; those of the floor carry its name in front of their own."""
    for name, rule in (policy.data.get("rules", {}) if policy else {}).items():
        defaults = policy.data.get("actions", {}).get(rule["action"], {}) if policy else {}
        entry: dict[str, Any] = {
            "id": f"{layer}/{name}" if layer else name,
            "layer": layer or (policy.layers[name] if policy else ""),
            "action": rule["action"],
            "effect": rule["effect"],
            "commands": rule.get("commands", []),
            "modes": sorted(rule["modes"]) if rule.get("modes") is not None else None,
            "risk": rule.get("risk", defaults.get("risk", "unknown")),
            "confirm": rule.get("confirm", defaults.get("confirm")),
            "reason": rule.get("reason", rule.get("description", defaults.get("reason", ""))),
        }
        for key in ("flags", "paths", "tools", "hosts"):
            if rule.get(key):
                entry[key] = rule[key] if key == "flags" else sorted(rule[key])
        yield entry


def _paths(data: Mapping[str, Any], below: Mapping[str, Any]) -> dict[str, list[str]]:
    own, under = data.get("paths", {}), below.get("paths", {})
    return {key: sorted({*own.get(key, ()), *(under.get(key, ()) if key != "except" else ())}) for key in PATHS}


def _knowledge(graph: Graph, policy: Policy) -> dict[str, Any]:
    """Return what is known of programs: what the named table holds, and over it what the policy itself holds."""
    sources = [graph.policies[policy.programs].data] if policy.programs and policy.programs in graph.policies else []
    sources.append(policy.data)
    known: dict[str, Any] = {key: {} for key in KNOWLEDGE}
    known["harmless"] = set()
    for data in sources:
        for key in KNOWLEDGE:
            given = data.get(key)
            if isinstance(given, Mapping):
                known[key] = {**known[key], **given}
        known["harmless"] |= set(data.get("assignments", {}).get("harmless", ()))
    return known


def _tools(graph: Graph) -> dict[str, dict[str, Any]]:
    """Return the tools whose action is known, by the name that a model calls; the project's own go before std's."""
    rows: dict[str, dict[str, Any]] = {}
    for name, tool in sorted(graph.tools.items(), key=lambda row: (not is_library(row[0]), row[0])):
        rows.pop(bare(name), None)
        if tool.action is not None:
            rows[bare(name)] = {
                "action": tool.action,
                **{key: sorted(getattr(tool, key)) for key in ARGUMENT_LISTS},
                "required": sorted(tool.input_schema.get("required", ())),
            }
    return dict(sorted(rows.items()))


def _secrets(data: Mapping[str, Any], below: Mapping[str, Any]) -> list[dict[str, Any]]:
    rows = {**data.get("secrets", {}), **below.get("secrets", {})}
    return [
        {"id": name, "keywords": sorted(row.get("keywords", ())), "pattern": row["pattern"]}
        for name, row in sorted(rows.items())
    ]


def _sandbox(data: Mapping[str, Any]) -> dict[str, Any]:
    given = {key: data.get(key, default) for key, default in DEFAULT_SANDBOX.items()}
    sandbox = {
        "mode": given["sandbox"],
        "network": given["network"],
        "writable_roots": sorted(set(given["writable_roots"])),
        "approval": given["approval"],
        "reviewer": given["reviewer"],
        "escalation": {"inline": False, "tool": False, **data.get("escalation", {})},
    }
    if given["approval"] == "granular":
        sandbox["granular"] = {**NOTHING_PROMPTS, **data.get("granular", {})}
    return sandbox


NOTHING_PROMPTS: Mapping[str, bool] = dict.fromkeys(
    ("sandbox_approval", "rules", "skill_approval", "request_permissions", "mcp_elicitations"), False
)
"""The categories of `approval: granular`, in the order in which the text lists them."""
