"""What one command does, as far as its words tell: actions, paths, and what it starts in turn."""

from __future__ import annotations

from typing import NamedTuple

from .programs import Effect


class Act(NamedTuple):
    """An action that a command takes.

    Attributes:
        action: which one.
        declared: it is what the program is there for, so that a rule for exactly this command may speak for it.
        minimum: the most permissive effect that it can have, whatever the mode says; "" leaves that to the mode.
        risk: what is at stake; "" leaves that to the mode.
        reason: a clause about it.
    """

    action: str
    declared: bool = False
    minimum: str = ""
    risk: str = ""
    reason: str = ""


class Access(NamedTuple):
    """A path and what is done with it.

    Attributes:
        path: as it is written.
        access: read, search, write or delete; `tree` reads everything below, `visible` what has no dot in front.
        denials_only: the word may be no path at all, so that nothing but a denial counts.
    """

    path: str
    access: str
    denials_only: bool = False


class Deeds:
    """What one command does, as far as its words tell.

    Attributes:
        acts: the actions.
        accesses: the paths.
        flags: every flag that was given, as the table writes it.
        words: verbs and other arguments, in order.
        inner: commands that it starts in turn, as words.
        scripts: command lines that it runs, and whether a plain `sh` reads them.
        supposed: commands that it may start; of these a denial alone counts.
        suspects: words of unknown meaning; denied things are looked for in them.
        codes: program text; denied things are looked for in it.
        folders: folders that it works in, each with the name of the program that does.
        hosts, packages: what it reaches and installs.
        module: a program of the table that is meant by this one, and its words (`python -m pytest`).
        enters: the folder that becomes the present one.
        assigned: assignments in front of an inner command.
        reads_input: it runs what it is given on its input; None where it is no interpreter.
        elsewhere: its inner commands may start in folders that are not known.
        opaque: it may start more than what is read here.
        transparent: the command is nothing but a wrapper of the inner one.
    """

    __slots__ = (
        "accesses",
        "acts",
        "assigned",
        "codes",
        "elsewhere",
        "enters",
        "flags",
        "folders",
        "hosts",
        "inner",
        "module",
        "opaque",
        "packages",
        "reads_input",
        "scripts",
        "supposed",
        "suspects",
        "transparent",
        "words",
    )

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.accesses: list[Access] = []
        self.flags: list[str] = []
        self.words: list[str] = []
        self.inner: list[tuple[str, ...]] = []
        self.scripts: list[tuple[str, bool]] = []
        self.supposed: list[tuple[str, ...]] = []
        self.suspects: list[str] = []
        self.codes: list[str] = []
        self.folders: list[tuple[str, str]] = []
        self.hosts: list[str] = []
        self.packages: list[str] = []
        self.module: tuple[str, ...] = ()
        self.enters: str | None = None
        self.assigned: list[tuple[str, str]] = []
        self.reads_input: bool | None = None
        self.elsewhere = False
        self.opaque = False
        self.transparent = False

    def acts_as(self, action: str) -> None:
        """Record an action, unless it is known already."""
        # The last ones first: there may be thousands in front of the one that is looked for.
        if all(act.action != action for act in reversed(self.acts)):
            self.acts.append(Act(action))

    def runs(self, reason: str, risk: str = "side-effects") -> None:
        """Record that something is run that no rule for this command speaks for."""
        self.acts.append(Act("run", risk=risk, reason=reason))

    def unknown(self, reason: str) -> None:
        """Record something that the table does not know."""
        self.acts.append(Act("run", minimum="ask", risk="unknown", reason=reason))

    def adds(self, effect: Effect) -> None:
        """Record an action that a flag or argument adds; nobody runs such a thing without being asked."""
        self.acts.append(Act(effect.action, False, "ask", effect.risk, effect.reason))
