"""Turns what commands do into findings: by the cells of the mode, the entries, and the paths."""

from __future__ import annotations

from typing import NamedTuple

from .deeds import Access, Act, Deeds
from .entries import Entries, Entry
from .programs import Cells, base_name
from .vocabulary import UNRESOLVED, Finding, Paths, strictest

NOWHERE = ""
"""The present folder where it is not known."""

_SAID = {
    "read": "it reads",
    "search": "it searches",
    "edit": "it changes files",
    "run": "what it runs is not known beforehand",
    "test": "it runs tests",
    "install": "it installs packages",
    "network": "it reaches the network",
    "delete": "it deletes",
    "move": "it moves files",
    "commit": "it changes the repository",
    "push": "it publishes commits",
    "pull-request": "it changes a pull request or an issue",
    "secrets": "it shows or changes secrets",
    "deploy": "it changes what runs elsewhere",
}
_ACCESS_OF = {"edit": "write", "delete": "delete", "move": "delete", "read": "read", "search": "search"}


class Command(NamedTuple):
    """One command of a line that was read exactly.

    Attributes:
        argv: the words that it is started with.
        cwds: the folders that it may start in; "" where that is not known.
        actions: what it does.
        accesses: (path, access) pairs, paths as they were written.
        packages, hosts: what it installs and reaches.
    """

    argv: tuple[str, ...]
    cwds: tuple[str, ...]
    actions: tuple[str, ...]
    accesses: tuple[tuple[str, str], ...]
    packages: tuple[str, ...]
    hosts: tuple[str, ...]

    @property
    def cwd(self) -> str:
        """The folder that it most likely starts in; "" where that is not known."""
        return self.cwds[0]


class Recorder:
    """Collects findings for one mode.

    Attributes:
        start: the folder that the command line starts in.
        findings: what was found so far.
        commands: what was read so far.
    """

    __slots__ = ("cells", "commands", "entries", "findings", "paths", "start")

    def __init__(self, cells: Cells, entries: Entries, paths: Paths, start: str) -> None:
        self.cells, self.entries, self.paths, self.start = cells, entries, paths, start
        self.findings: list[Finding] = []
        self.commands: list[Command] = []

    def record(
        self, deeds: Deeds, base: str, argv: tuple[str, ...], cwds: tuple[str, ...], cover: Entry | None
    ) -> None:
        """Turn deeds into findings.

        Args:
            deeds: what a command does.
            base: the program's base name.
            argv: its words; of a redirect none.
            cwds: the folders that may be the present one.
            cover: an entry that allows the command.
        """
        name = argv[0] if argv else "a redirect"
        acts = deeds.acts if len(deeds.acts) < 2 else list(dict.fromkeys(deeds.acts))
        for act in acts:
            self.act(act, name, deeds, cover)
        accesses = deeds.accesses if len(deeds.accesses) < 2 else list(dict.fromkeys(deeds.accesses))
        for access in accesses:
            self._access(access, cwds)
        if argv:
            self._entries(deeds, base, name)
        paths = tuple([(path, access) for path, access, denials_only in accesses if not denials_only])
        actions = (acts[0].action,) if len(acts) == 1 else tuple(dict.fromkeys([act.action for act in acts]))
        self.commands.append(Command(argv, cwds, actions, paths, tuple(deeds.packages), tuple(deeds.hosts)))

    def act(self, act: Act, name: str, deeds: Deeds, cover: Entry | None) -> None:
        """Record what the mode says of an act; `cover` may speak for one that is declared."""
        effect, rule, risk, undecided = self.cells.of(act.action)
        action = act.action
        if cover is not None and act.declared:
            if action == "run":
                action = cover.action
                effect, _, risk, undecided = self.cells.of(action)
                rule = cover.rule
                effect = "allow" if undecided else effect
            elif action == cover.action and undecided:
                effect, rule = "allow", cover.rule
            else:
                effect = strictest((effect, act.minimum or "allow"))
        elif act.minimum:
            effect = strictest((effect, act.minimum))
        reason = f"`{name}`: {act.reason or _SAID.get(action, action)}."
        wanted = _ACCESS_OF.get(action)
        paths = tuple([path for path, access, denials_only in deeds.accesses if access == wanted and not denials_only])
        self.findings.append(Finding(effect, action, rule, act.risk or risk, reason, paths, _detail(name, deeds)))

    def _access(self, access: Access, cwds: tuple[str, ...]) -> None:
        path, kind, denials_only = access
        for cwd in cwds:
            place = cwd or self.start
            if kind in ("tree", "visible"):
                finding = self.paths.judge_tree(path, place, hidden=kind == "tree")
            else:
                finding = self.paths.judge(path, kind, place)
            if finding.effect == "deny" or (finding.effect == "ask" and not denials_only):
                if not (denials_only and finding.rule == UNRESOLVED):
                    self.findings.append(finding)
            elif cwd == NOWHERE and not denials_only and not path.startswith("/"):
                effect, rule, risk, _ = self.cells.of("run")
                reason = f"Where `{path}` is cannot be told: the present folder is not known."
                self.findings.append(Finding(strictest((effect, "ask")), "run", rule, risk or "unknown", reason))

    def _entries(self, deeds: Deeds, base: str, name: str) -> None:
        for entry in self.entries.against(base, deeds.words, deeds.flags, deeds.hosts):
            self.entry(entry, name)
        if deeds.module:
            for entry in self.entries.against(base_name(deeds.module[0]), deeds.words[1:], deeds.flags, deeds.hosts):
                self.entry(entry, deeds.module[0])
        if deeds.hosts:
            for action in {act.action for act in deeds.acts}:
                for entry in self.entries.of_action(action, deeds.hosts):
                    self.entry(entry, name)

    def entry(self, entry: Entry, name: str) -> None:
        """Record that an entry denies or asks about a command; what the mode says of its action counts as well."""
        effect = strictest((entry.effect, self.cells.of(entry.action)[0]))
        reason = f"`{name}`: {entry.reason or _SAID[entry.action]}."
        self.findings.append(Finding(effect, entry.action, entry.rule, entry.risk, reason))


def _detail(name: str, deeds: Deeds) -> tuple[tuple[str, str], ...]:
    told = [("program", name)]
    if deeds.packages:
        told.append(("packages", " ".join(deeds.packages)))
    if deeds.hosts:
        told.append(("hosts", " ".join(dict.fromkeys(deeds.hosts))))
    if len(deeds.words) > 1 and deeds.words[0] == "push":
        told.append(("remote", deeds.words[1]))
        told.append(("branch", " ".join(deeds.words[2:])))
    return tuple(told)
