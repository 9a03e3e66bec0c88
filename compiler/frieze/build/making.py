"""One agent's share from the plan to its files and to what the checks want to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import repeat
from typing import Any

from frieze.checks import share_notes
from frieze.diagnostics import Severity
from frieze.emit import CanonicalTexts, PartFiles, ShareFiles, Sources, share_files
from frieze.emit.shares import outline_of
from frieze.freeze import FrozenBlock, Plan, Share
from frieze.freeze.findings import leaves
from frieze.freeze.trees import Tree


@dataclass(frozen=True, slots=True)
class Made:
    """A share and its files."""

    share: Share
    files: ShareFiles


class Maker:
    """Makes the shares of a plan, and remembers what they have in common.

    Args:
        plan: what is to be made.
        contract: the context contract as bundle data.
    """

    def __init__(self, plan: Plan, contract: Mapping[str, Any]) -> None:
        self._plan = plan
        self._sources = Sources(contract)
        self._texts = CanonicalTexts()

    def make(self, agent: str) -> Made:
        """Make an agent's share."""
        share = self._plan.share(agent)
        if _has_error(share):
            # What was refused has no form that could be written, and nothing asks for it: the run ends with the
            # findings.
            return Made(
                share, ShareFiles({name: _nothing(part.tree) for name, part in share.parts.items()}, b"", "", "")
            )
        share = replace(share, notes=share_notes(self._plan.space, share))
        return Made(share, share_files(share, self._plan.space.graph, self._sources, self._texts))


def _has_error(share: Share) -> bool:
    found = (
        fault
        for part in share.parts.values()
        if part.has_findings
        for leaf in leaves(part.tree)
        for fault in leaf.value.diagnostics
    )
    return any(fault.severity is Severity.ERROR for fault in found)


def _nothing(tree: Tree[FrozenBlock]) -> PartFiles:
    return PartFiles(b"", outline_of(tree, repeat(0)), (None,), b"", "")
