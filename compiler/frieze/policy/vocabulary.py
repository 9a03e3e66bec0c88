"""The closed words of policies that only compiling needs; all others are the guard's."""

from __future__ import annotations

LOOSENING_LAYERS = frozenset({"system", "developer"})
"""Layers whose rules may allow; the others only ask and deny."""

FLOOR = "floor"
"""The layer of what nothing loosens."""

CATEGORIES = ("sandbox_approval", "rules", "skill_approval", "request_permissions", "mcp_elicitations")
"""The categories of questions under `approval: granular`, in the order in which the text lists them."""

UNTOLD = "a rule of the policy says so"
"""The reason of a rule that gives none."""
