"""The decision table of a policy: plain data, the one source of the model's text and of the guard's answers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic
from frieze.policy.analysis import policy_faults
from frieze.policy.cells import cells, flags, sandbox_of
from frieze.policy.layers import floors
from frieze.policy.vocabulary import CATEGORIES, FLOOR, UNTOLD
from frieze.profiles.declarations import Graph, Policy
from frieze.profiles.naming import bare, is_library
from frieze.profiles.policies import ARGUMENT_LISTS
from frieze.runtime.bundle import canonical
from frieze.runtime.guard.vocabulary import PATH_LISTS

FORMAT = 1
"""The form of decision tables that the guard reads."""

Table: TypeAlias = dict[str, Any]

KNOWLEDGE = ("programs", "wrappers", "aliases", "executables")
"""What a file that holds a program table gives, each a map by name; `assignments` besides."""


def decision_table(graph: Graph, policy: str) -> tuple[Table, list[Diagnostic]]:
    """Return the decision table of a policy by its qualified name, and what is wrong with the policy.

    The table is canonical: it does not depend on the order in which anything is written. Its hash covers all of it.
    """
    table = made_table(graph, policy)
    return table, policy_faults(graph, graph.policies[policy], table)


def made_table(graph: Graph, policy: str) -> Table:
    """Return the decision table alone."""
    record = graph.policies[policy]
    table = _table(graph, record, floors(graph, record))
    table["hash"] = table_hash(table)
    return table


def table_hash(table: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of a table's canonical JSON without its own `hash`."""
    rest = {key: value for key, value in table.items() if key != "hash"}
    return hashlib.sha256(canonical(rest)).hexdigest()


def _table(graph: Graph, policy: Policy, below: list[Policy]) -> Table:
    data = policy.data
    layers = [data, *(floor.data for floor in below)]
    known = _knowledge(graph, policy)
    return {
        "format": FORMAT,
        "name": policy.name,
        "shell": data.get("shell", "bash"),
        "modes": {
            name: {
                "cells": cells(name, mode, layers),
                "flags": flags(mode),
                "description": mode.get("description", ""),
            }
            for name, mode in sorted(data.get("modes", {}).items())
        },
        "entries": sorted(
            [*_entries(policy, ""), *(entry for floor in below for entry in _entries(floor, bare(floor.name)))],
            key=lambda entry: str(entry["id"]),
        ),
        "paths": _paths(layers),
        **{key: known[key] for key in KNOWLEDGE},
        "assignments": {"harmless": sorted(known["harmless"])},
        "tools": _tools(graph),
        "secrets": _secrets(layers),
        "sandbox": _sandbox(data),
        "cannot": [text for _, text in sorted(_merged(layers, "cannot").items(), key=lambda row: row[0])],
    }


def _entries(policy: Policy, floor: str) -> Iterator[dict[str, Any]]:
    """Yield a policy's rules as entries; those of a floor carry its name in front of their own."""
    for name, rule in policy.data.get("rules", {}).items():
        defaults = policy.data.get("actions", {}).get(rule["action"], {})
        entry: dict[str, Any] = {
            "id": f"{floor}/{name}" if floor else name,
            "layer": FLOOR if floor else policy.layers[name],
            "action": rule["action"],
            "effect": rule["effect"],
            "commands": rule.get("commands", []),
            "modes": sorted(rule["modes"]) if rule.get("modes") is not None else None,
            "risk": rule.get("risk", defaults.get("risk", "unknown")),
            "confirm": rule.get("confirm", defaults.get("confirm")),
            "reason": rule.get("reason") or rule.get("description") or defaults.get("reason") or UNTOLD,
        }
        for key in ("flags", "paths", "tools", "hosts"):
            if rule.get(key):
                entry[key] = rule[key] if key == "flags" else sorted(rule[key])
        if "tools" in entry:
            # A model calls the library's tools by their bare names.
            entry["tools"] = sorted({bare(tool) for tool in entry["tools"]})
        yield entry


def _paths(layers: list[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the lists of paths of a policy and its floors together; exceptions are the policy's own."""
    given = [data.get("paths", {}) for data in layers]
    return {
        key: sorted({path for paths in (given[:1] if key == "except" else given) for path in paths.get(key, ())})
        for key in PATH_LISTS
    }


def _merged(layers: list[Mapping[str, Any]], key: str) -> dict[str, Any]:
    """Return the maps of a policy and its floors together; what the lowest floor says holds."""
    merged: dict[str, Any] = {}
    for data in layers:
        merged |= data.get(key, {})
    return merged


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
                known[key] = _over(known[key], given)
        known["harmless"] |= set(data.get("assignments", {}).get("harmless", ()))
    return known


def _over(known: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known with what is given over it; a key may be several names, and each name counts alone."""
    own = {name for names in given for name in names.split()}
    kept = {" ".join(name for name in names.split() if name not in own): row for names, row in known.items()}
    kept.pop("", None)
    return {**kept, **given}


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


def _secrets(layers: list[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"id": name, "keywords": sorted(row.get("keywords", ())), "pattern": row["pattern"]}
        for name, row in sorted(_merged(layers, "secrets").items())
    ]


def _sandbox(data: Mapping[str, Any]) -> dict[str, Any]:
    sandbox = {
        "mode": sandbox_of(data),
        "network": data.get("network", "restricted"),
        "writable_roots": sorted(set(data.get("writable_roots", ()))),
        "approval": data.get("approval", "on-request"),
        "reviewer": data.get("reviewer", "user"),
        "escalation": {"inline": False, "tool": False, **data.get("escalation", {})},
    }
    if sandbox["approval"] == "granular":
        sandbox["granular"] = {**dict.fromkeys(CATEGORIES, False), **data.get("granular", {})}
    return sandbox
