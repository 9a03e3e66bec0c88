"""The cells of a mode: for each action the effect that holds where no rule and no path says more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.runtime.guard.vocabulary import ACTIONS, EDITING, RANK

UNDECIDED = "undecided"
"""How the rule of a cell ends that the mode says nothing of."""

READING = frozenset({"read", "search"})
"""What every mode allows unless it says otherwise; the paths bound it."""

UNASKED = "ask"
"""What happens to an action of which a policy says nothing."""


def flags(mode: Mapping[str, Any]) -> dict[str, bool]:
    """Return what a mode says of itself in two words; what it leaves open it cannot do."""
    return {"can_edit": bool(mode.get("can_edit", False)), "can_run_tests": bool(mode.get("can_run_tests", False))}


def cells(name: str, mode: Mapping[str, Any], layers: list[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the cells of a mode by action: `effect`, the `rule` that gives it, `risk`, and what is `confirm`ed.

    `layers` are the data of the policy and of its floors; what is asked and what is at risk, the nearest says.
    """
    found = {}
    for action in ACTIONS:
        effect, rule = settled(name, mode, action, layers[0])
        told: dict[str, Any] = {}
        for data in layers:
            told = {**data.get("actions", {}).get(action, {}), **told}
        found[action] = {
            "effect": effect,
            "rule": rule,
            "risk": told.get("risk", "unknown"),
            "confirm": told.get("confirm"),
        }
    return found


def sandbox_of(data: Mapping[str, Any]) -> str:
    """Return the sandbox of a policy. One that is not named follows from the folders that can be written to."""
    if "/" in data.get("writable_roots", ()):
        return "full-access"
    nothing_written = "writable_roots" in data and not data["writable_roots"]
    return str(data.get("sandbox", "read-only" if nothing_written else "workspace-write"))


def settled(name: str, mode: Mapping[str, Any], action: str, data: Mapping[str, Any]) -> tuple[str, str]:
    """Return an action's effect in a mode and the rule that gives it: the strictest of all that speak of it."""
    said = list(_said(name, mode, action))
    if not said:
        said = [("allow", f"{name}.{action}")] if action in READING else [(UNASKED, f"{name}.{UNDECIDED}")]
    return max([*said, *_of_sandbox(action, data)], key=lambda row: RANK[row[0]])


def _said(name: str, mode: Mapping[str, Any], action: str) -> Iterator[tuple[str, str]]:
    able = flags(mode)
    given = mode.get("actions", {}).get(action)
    if given:
        yield given, f"{name}.actions.{action}"
    if action in EDITING and not able["can_edit"]:
        yield "deny", f"{name}.can_edit"
    elif action == "edit" and not given:
        yield "allow", f"{name}.can_edit"
    if action == "test" and not able["can_run_tests"]:
        yield "deny", f"{name}.can_run_tests"
    elif action == "test" and not given:
        yield "allow", f"{name}.can_run_tests"
    if action in mode.get("requires_confirmation_for", ()):
        yield "ask", f"{name}.requires_confirmation_for"


def _of_sandbox(action: str, data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield what the sandbox and the way of approval ask about, whatever the mode says."""
    if data.get("approval") == "untrusted" and action not in READING:
        yield "ask", "approval.untrusted"
    if sandbox_of(data) == "read-only" and action in {"edit", "delete", "move", "commit"}:
        yield "ask", "sandbox.read-only"
    if data.get("network", "restricted") == "restricted" and action == "network":
        yield "ask", "sandbox.network"
