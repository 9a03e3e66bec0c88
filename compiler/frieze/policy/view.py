"""What one mode of a decision table comes to, with or without a person who can be asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from frieze.runtime.guard.vocabulary import ACTIONS, RANK

CELL = "sandbox_approval"
RULE = "rules"
"""The two categories of `approval: granular` by which the guard's own questions reach a person."""


@dataclass(frozen=True)
class View:
    """One mode of a table. `interactive` tells whether a person can be asked."""

    table: Mapping[str, Any]
    mode: str
    interactive: bool

    @property
    def sandbox(self) -> Mapping[str, Any]:
        """The table's settings of sandbox and approval."""
        found: Mapping[str, Any] = self.table["sandbox"]
        return found

    @cached_property
    def approval(self) -> str:
        """How questions are answered: as the policy says, `unattended` where nobody can be asked."""
        approval = str(self.sandbox["approval"])
        return approval if self.interactive or approval == "never" else "unattended"

    @property
    def silent(self) -> bool:
        """Whether no question is ever answered."""
        return self.approval in {"never", "unattended"}

    def prompts(self, category: str) -> bool:
        """Tell whether questions of a category reach a person."""
        if self.approval == "granular":
            return bool(self.sandbox["granular"][category])
        return not self.silent

    def answer(self, effect: str, category: str = CELL) -> str:
        """Return what comes of an effect: a question that reaches nobody is a refusal."""
        return "deny" if effect == "ask" and not self.prompts(category) else effect

    def cell(self, action: str) -> str:
        """Return what comes of an action where no rule about commands, paths, tools or hosts says more."""
        return self._settled(action)[0]

    def rule_of(self, action: str) -> str:
        """Return the id of the rule that says so: a cell of the mode, or a rule about the action as a whole."""
        return self._settled(action)[1]

    def _settled(self, action: str) -> tuple[str, str]:
        cell = self.table["modes"][self.mode]["cells"][action]
        said = [(self.answer(cell["effect"]), str(cell["rule"]))]
        said += [
            (self.answer(entry["effect"], RULE), str(entry["id"]))
            for entry in self.entries()
            if entry["action"] == action and entry["effect"] != "allow" and is_general(entry)
        ]
        return max(said, key=lambda row: RANK[row[0]])

    def actions(self, effect: str) -> list[str]:
        """Return the actions of which this comes."""
        return [action for action in ACTIONS if self.cell(action) == effect]

    def entries(self) -> Iterator[Mapping[str, Any]]:
        """Yield the rules that hold in this mode."""
        for entry in self.table["entries"]:
            if entry["modes"] is None or self.mode in entry["modes"]:
                yield entry

    def stricter(self) -> Iterator[tuple[Mapping[str, Any], str]]:
        """Yield each rule that says more than the cell of its action, with what comes of it."""
        for entry in self.entries():
            effect = self.answer(entry["effect"], RULE)
            if RANK[effect] > RANK[self.cell(entry["action"])]:
                yield entry, effect

    def approved(self) -> Iterator[tuple[Mapping[str, Any], list[Any]]]:
        """Yield each shape of a command that goes ahead without a question, with its rule."""
        for entry in self.entries():
            if entry["effect"] == "allow" and self.cell(entry["action"]) == "allow":
                for shape in entry["commands"]:
                    yield entry, shape

    @property
    def sandbox_mode(self) -> str:
        """What commands can write to in this mode: no more than the mode itself."""
        return "read-only" if self.cell("edit") != "allow" else str(self.sandbox["mode"])

    @property
    def network(self) -> str:
        """Whether hosts can be reached without a question in this mode."""
        return "enabled" if self.cell("network") == "allow" else "restricted"

    def knows(self, program: str) -> bool:
        """Tell whether the table of programs has a row for a program."""
        return any(program in names.split() for names in self.table["programs"])

    @property
    def outside(self) -> str:
        """What comes of a path outside of the workspace and all other roots."""
        return self.answer("allow" if self.sandbox["mode"] == "full-access" else "ask")


def is_general(entry: Mapping[str, Any]) -> bool:
    """Tell whether a rule is about its action as a whole."""
    return not any(entry.get(key) for key in ("commands", "paths", "tools", "hosts"))
