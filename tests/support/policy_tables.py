"""Compiled decision tables of the shipped policies, and of policies written as text."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from frieze.policy import project_tables, shipped_table
from support.projects import write_files


def std_table(name: str = "coding") -> dict[str, Any]:
    """Return the table of a policy of the library; the caller may change it."""
    return copy.deepcopy(shipped_table(name))


def table_of(root: Path, policy: str) -> dict[str, Any]:
    """Return the table of a policy given as YAML without `kind` and `name`, written to the folder `root`."""
    text = f"kind: permissions\nname: example\n{policy}"
    write_files(root, {"frieze.yaml": "kind: project\nname: example\n", "profiles/example.yaml": text})
    return project_tables(root)["example"]
