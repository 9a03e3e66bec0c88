"""The whole way from a folder to a bundle, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from frieze.checks import run_checks
from frieze.diagnostics import Diagnostic, Severity
from frieze.emit import Bundle, bundle_of
from frieze.freeze import Frozen, freeze_project
from frieze.policy import compile_policies
from frieze.profiles import load_graph
from frieze.profiles.declarations import Graph, Project

Progress: TypeAlias = Callable[[str, int, int], None]
"""Told the stage, how much of it is done, and how much there is."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What `check` found. `texts` holds the source text by display path, for excerpts."""

    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    project_name: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def failed(self) -> bool:
        """Whether there is an error among the diagnostics."""
        return any(entry.severity == Severity.ERROR for entry in self.diagnostics)


@dataclass(frozen=True, slots=True)
class CompileResult:
    """The bundle, or None where an error stopped the compile; diagnostics and texts as in `CheckResult`.

    `project` is what the project file declares, or None where it cannot be read.
    """

    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    bundle: Bundle | None
    project: Project | None = None


def load(root: Path) -> tuple[Graph | None, list[Diagnostic]]:
    """Read, validate and link a project. The graph is None where nothing can be linked."""
    return load_graph(root)


def check(root: Path, progress: Progress | None = None) -> CheckResult:
    """Find everything that is wrong with a project."""
    graph, frozen, diagnostics = _build(root, progress)
    texts = graph.texts if graph else {}
    return CheckResult(diagnostics, texts, graph.project.name if graph else "", _counts(frozen))


def compile(root: Path, progress: Progress | None = None) -> CompileResult:  # noqa: A001 # the public name
    """Compile a project in memory; `frieze.emit.write_bundle` puts the result on the disk."""
    graph, frozen, diagnostics = _build(root, progress)
    result = CheckResult(diagnostics)
    bundle = None if result.failed or frozen is None else bundle_of(frozen)
    return CompileResult(diagnostics, graph.texts if graph else {}, bundle, graph.project if graph else None)


def _build(root: Path, progress: Progress | None) -> tuple[Graph | None, Frozen | None, tuple[Diagnostic, ...]]:
    graph, diagnostics = load(root)
    if graph is None or not graph.agents:
        return graph, None, tuple(diagnostics)
    graph, found = compile_policies(graph)
    diagnostics = [*diagnostics, *found]
    frozen, found = freeze_project(graph, progress)
    diagnostics = [*diagnostics, *found]
    diagnostics += run_checks(frozen, diagnostics)
    return graph, frozen, tuple(dict.fromkeys(diagnostics))


def _counts(frozen: Frozen | None) -> dict[str, int]:
    if frozen is None:
        return {}
    from frieze.freeze.findings import leaves

    targets = 0
    for box in frozen.space.targets().boxes:
        size = 1
        for values in box.values():
            size *= len(values)
        targets += size
    return {
        "agents": len(frozen.graph.agents),
        "targets": targets,
        "blocks": len(frozen.trees),
        "variants": sum(1 for tree in frozen.trees.values() for _ in leaves(tree)),
    }
