"""Permission policies: from what is written to the decision table, and what can be said about it."""

from __future__ import annotations

from frieze.policy.compiled import compile_policies, mode_data
from frieze.policy.shipped import project_tables, shipped_table
from frieze.policy.table import Table, decision_table, table_hash

__all__ = ["Table", "compile_policies", "decision_table", "mode_data", "project_tables", "shipped_table", "table_hash"]
