"""A decision table that was checked and cannot change any more: what a guard looks things up in."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any

from .commands import CommandTable
from .vocabulary import ACTIONS, EDITING, EFFECTS, PATH_LISTS, RISKS, Finding

FORMAT = 1
"""The form of decision tables that this guard reads."""

_ROLES = ("paths", "commands", "hosts")
_MAPS = ("modes", "programs", "wrappers", "assignments", "aliases", "executables", "tools", "paths", "sandbox")
_TEXTS = ("name", "shell")
_LISTS = ("entries", "secrets", "cannot")

TIGHTENING = ("project", "user")
"""Layers whose entries may only ask or deny."""

APPROVALS = ("never", "on-request", "untrusted", "granular")


class PolicyError(ValueError):
    """A decision table that cannot be used, or a mode that it does not have."""


class Policy:
    """One decision table, copied and checked.

    Attributes:
        table: the copy.
        hash: SHA-256 (hexadecimal) of its canonical JSON.
        commands: what it says of commands, prepared.

    Raises:
        PolicyError: the table is not one of format 1, or a field is missing or of another shape.
    """

    __slots__ = ("_rules", "commands", "hash", "table")

    def __init__(self, table: Mapping[str, Any]) -> None:
        try:
            text = json.dumps(table, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            raise PolicyError(f"a decision table is JSON: {error}") from None
        self.table: dict[str, Any] = json.loads(text)
        self.hash = hashlib.sha256(text.encode("ascii")).hexdigest()
        try:
            _check(self.table)
            self.commands = CommandTable(self.table)
            for mode in self.table["modes"]:
                self.commands.of_mode(mode)
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise PolicyError(f"the decision table cannot be used: {error}") from None
        self._rules = {entry["id"]: entry for entry in self.table["entries"]}

    @property
    def name(self) -> str:
        """The policy's name."""
        return str(self.table["name"])

    @property
    def approval(self) -> str:
        """When a person is asked: `never`, `on-request`, `untrusted` or `granular`."""
        return str(self.table["sandbox"]["approval"])

    @property
    def roots(self) -> tuple[str, ...]:
        """Folders that count as the workspace does."""
        return tuple(self.table["sandbox"]["writable_roots"])

    @property
    def outside(self) -> str:
        """What a path outside of the workspace needs: `ask`, or `allow` where the sandbox is open."""
        return "allow" if self.table["sandbox"]["mode"] == "full-access" else "ask"

    def checked_mode(self, mode: str) -> str:
        """Return the mode.

        Raises:
            PolicyError: the table has no such mode.
        """
        modes = self.table["modes"]
        if mode not in (*modes,):
            raise PolicyError(f"`{self.name}` has no mode `{mode}`; it has: {', '.join(sorted(modes)) or 'none'}")
        return mode

    def cell(self, mode: str, action: str) -> Finding:
        """Return what a mode says of an action; what it says nothing of asks."""
        found = self.table["modes"][mode]
        cell = found["cells"].get(action)
        if found["flags"].get("can_edit") is False and action in EDITING:
            rule = cell["rule"] if cell else "undecided"
            return Finding("deny", action, rule, "change", f"In the mode `{mode}` nothing is changed.")
        if cell is None:
            return Finding("ask", action, "undecided", "unknown", f"The policy says nothing of `{action}`.")
        reason = _REASONS[cell["effect"]].format(action=action, mode=mode)
        return Finding(cell["effect"], action, cell["rule"], cell["risk"], reason)

    def entries(self, mode: str) -> list[dict[str, Any]]:
        """Return the entries that hold in a mode."""
        return [entry for entry in self.table["entries"] if entry["modes"] is None or mode in entry["modes"]]

    def entries_of_paths(self, mode: str) -> list[dict[str, Any]]:
        """Return the entries of a mode that speak of paths, whatever command or tool is at them."""
        return [
            entry
            for entry in self.entries(mode)
            if entry.get("paths") and not entry.get("commands") and not entry.get("tools")
        ]

    def general(self, mode: str) -> list[dict[str, Any]]:
        """Return the entries of a mode that hold for an action as a whole."""
        kinds = ("commands", "paths", "tools", "hosts")
        return [entry for entry in self.entries(mode) if not any(entry.get(kind) for kind in kinds)]

    def question(self, mode: str, finding: Finding) -> str | None:
        """Return the question for a person that belongs to a finding, with its placeholders."""
        for source in (self._rules.get(finding.rule), self.table["modes"][mode]["cells"].get(finding.action)):
            if source is not None and source.get("confirm"):
                return str(source["confirm"])
        return None

    def most_telling(self, findings: Iterable[Finding]) -> Finding:
        """Return the finding that an answer names: an entry's before one about a path, both before a mode's cell."""
        return max(findings, key=lambda finding: 2 if finding.rule in self._rules else bool(finding.paths))

    def may_prompt(self, rule: str) -> bool:
        """Tell whether a question that a rule raises may reach a person."""
        if self.approval != "granular":
            return self.approval != "never"
        switches = self.table["sandbox"].get("granular", {})
        return switches.get("rules" if rule in self._rules else "sandbox_approval") is True


_REASONS = {
    "allow": "The mode `{mode}` allows `{action}`.",
    "ask": "The mode `{mode}` asks before `{action}`.",
    "deny": "The mode `{mode}` does not allow `{action}`.",
}


def _check(table: Any) -> None:
    """Raise unless every field has its shape."""
    _need(isinstance(table, dict) and type(table["format"]) is int and table["format"] == FORMAT, "its format is not 1")
    for fields, kind in ((_MAPS, dict), (_LISTS, list), (_TEXTS, str)):
        for name in fields:
            _need(isinstance(table[name], kind), f"`{name}` is of another type")
    for field in ("aliases", "executables"):
        _need(_are_texts(list(table[field].values())), f"`{field}` holds what is no text")
    _need(_are_texts(table["assignments"]["harmless"]), "`assignments.harmless` is not a list of texts")
    for name, mode in table["modes"].items():
        _check_mode(name, mode)
    for entry in table["entries"]:
        _check_entry(entry)
    for name in PATH_LISTS:
        _need(_are_texts(table["paths"][name]), f"`paths.{name}` is not a list of texts")
    for name, tool in table["tools"].items():
        lists = all(_are_texts(tool[role]) for role in _ROLES) and _are_texts(tool.get("patches", []))
        _need(tool["action"] in ACTIONS and lists, f"the tool `{name}` has another shape")
        _need("required" not in tool or _are_texts(tool["required"]), f"the tool `{name}` has another shape")
    for secret in table["secrets"]:
        whole = _are_texts([secret["id"], secret["pattern"]]) and _are_texts(secret["keywords"])
        _need(whole, "a rule for secrets has another shape")
    sandbox = table["sandbox"]
    _need(_are_texts([sandbox["mode"], sandbox["network"]]), "`sandbox` has another shape")
    _need(_are_texts(sandbox["writable_roots"]), "`sandbox.writable_roots` is not a list of texts")
    _need(sandbox["approval"] in APPROVALS, "`sandbox.approval` is not known")


def _check_mode(name: str, mode: Mapping[str, Any]) -> None:
    _need(isinstance(mode["flags"], dict) and isinstance(mode["cells"], dict), f"the mode `{name}` has another shape")
    for action, cell in mode["cells"].items():
        known = action in ACTIONS and cell["effect"] in EFFECTS and cell["risk"] in (*RISKS, "")
        _need(known and _are_texts([cell["rule"]]), f"the cell `{name}.{action}` has another shape")
        _need(cell["confirm"] is None or isinstance(cell["confirm"], str), f"`{name}.{action}` has another shape")


def _check_entry(entry: Mapping[str, Any]) -> None:
    name = entry["id"]
    _need(_are_texts([name, entry["action"], entry["reason"]]), "an entry has another shape")
    known = entry["effect"] in EFFECTS and entry["action"] in ACTIONS and entry["risk"] in (*RISKS, "")
    _need(known, f"the entry `{name}` holds a word that is not known")
    loosens = entry["effect"] == "allow" and entry.get("layer") in TIGHTENING
    _need(not loosens, f"the entry `{name}` allows something, which its layer cannot")
    _need(entry["modes"] is None or _are_texts(entry["modes"]), f"`{name}.modes` is not a list of texts")
    for kind in ("paths", "tools", "hosts"):
        _need(_are_texts(entry.get(kind, [])), f"`{name}.{kind}` is not a list of texts")
    _need(isinstance(entry.get("commands", []), list), f"`{name}.commands` is not a list")


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _need(holds: bool, problem: str) -> None:
    if not holds:
        raise ValueError(problem)
