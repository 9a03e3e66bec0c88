"""The policies of the library, for whoever has no project."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from frieze.policy.table import Table, made_table
from frieze.profiles import load_policies
from frieze.profiles.declarations import Graph
from frieze.profiles.naming import LIBRARY


@lru_cache(maxsize=1)
def shipped_graph() -> Graph:
    """Return the library's policies and tools."""
    return load_policies(None)[0]


@lru_cache(maxsize=32)
def shipped_table(name: str) -> Table:
    """Return the decision table of a policy of the library, by its name with or without `std/`.

    Raises:
        KeyError: the library has no such policy.
    """
    qualified = name if name.startswith(LIBRARY) else LIBRARY + name
    return made_table(shipped_graph(), qualified)


def project_tables(root: Path) -> dict[str, Table]:
    """Return the decision tables of every policy that a project has or can name, by qualified name."""
    graph, _ = load_policies(root)
    return {name: made_table(graph, name) for name, policy in graph.policies.items() if policy.data.get("modes")}
