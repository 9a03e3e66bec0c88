"""The closed words of permissions, and the one rule by which answers combine: the strictest of all."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Protocol

ACTIONS = (
    "read",
    "search",
    "edit",
    "run",
    "test",
    "install",
    "network",
    "delete",
    "move",
    "commit",
    "push",
    "pull-request",
    "secrets",
    "deploy",
)

RISKS = (
    "leak",
    "change",
    "side-effects",
    "dependency-change",
    "destructive-delete",
    "destructive-generated-artifact",
    "history-loss",
    "remote-history",
    "data-loss",
    "production-change",
    "publication",
    "unknown",
)

EFFECTS = ("allow", "ask", "deny")
"""From the most permissive to the strictest."""

PATH_LISTS = ("deny", "except", "generated", "protected", "catastrophic")
"""The lists of paths that a policy has."""

ACCESSES = ("read", "search", "write", "delete", "link")

EDITING = ("edit", "delete", "move", "commit", "push", "pull-request", "deploy")
"""The actions that a mode with `can_edit: false` denies, besides writes of `secrets`."""

UNRESOLVED = "paths.unresolved"
"""The rule of a finding about what cannot be a path at all, or leads nowhere."""

RANK = {effect: rank for rank, effect in enumerate(EFFECTS)}


class Finding(NamedTuple):
    """One thing that was found about an action, and what the policy says of it.

    Attributes:
        effect: allow, ask or deny.
        action: the action that was found.
        rule: the id of the entry or cell that answers.
        risk: one of `RISKS`, or "" where nothing is at risk.
        reason: one sentence for a person.
        paths: the paths that it is about, as they were written.
        detail: more facts for a confirmation, as (name, text) pairs.
    """

    effect: str
    action: str
    rule: str
    risk: str
    reason: str
    paths: tuple[str, ...] = ()
    detail: tuple[tuple[str, str], ...] = ()


class Paths(Protocol):
    """What the judging of commands needs to know about paths."""

    @property
    def workspace(self) -> str:
        """The workspace's folder."""
        ...

    def judge(self, path: str, access: str, cwd: str | None = None) -> Finding:
        """Return what the path policy says of one access (`ACCESSES`) to a path, relative to `cwd`."""
        ...

    def judge_tree(self, path: str, cwd: str | None = None, *, hidden: bool = True) -> Finding:
        """Return what the path policy says of reading everything below a path."""
        ...


def strictest(effects: Iterable[str]) -> str:
    """Return the strictest of the effects; of none: ask. An effect that is not known counts as deny."""
    rank = max((RANK.get(effect, RANK["deny"]) for effect in effects), default=RANK["ask"])
    return EFFECTS[rank]
