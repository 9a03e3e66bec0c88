"""One agent's share from the plan to its files and to what the checks want to know of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from frieze.checks import share_notes
from frieze.diagnostics import Severity
from frieze.emit import PartFiles, ShareFiles, share_files
from frieze.freeze import FrozenBlock, Plan, Share
from frieze.freeze.findings import leaves
from frieze.freeze.trees import Tree


@dataclass(frozen=True, slots=True)
class Made:
    """A share and its files."""

    share: Share
    files: ShareFiles


def make(plan: Plan, contract: Mapping[str, Any], agent: str) -> Made:
    """Make an agent's share; `contract` is the context contract as bundle data."""
    share = plan.share(agent)
    if _has_error(share):
        # What was refused has no form that could be written, and nothing asks for it: the run ends with the findings.
        return Made(share, ShareFiles({name: _nothing(part.tree) for name, part in share.parts.items()}, "", {}))
    share = replace(share, notes=share_notes(plan.space, share))
    return Made(share, share_files(share, plan.space.graph, contract))


def _has_error(share: Share) -> bool:
    found = (fault for part in share.parts.values() for leaf in leaves(part.tree) for fault in leaf.value.diagnostics)
    return any(fault.severity is Severity.ERROR for fault in found)


def _nothing(tree: Tree[FrozenBlock]) -> PartFiles:
    return PartFiles(b"", tuple(0 for _ in leaves(tree)), (None,), b"")
