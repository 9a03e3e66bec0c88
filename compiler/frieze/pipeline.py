"""The whole way from a folder to a bundle, in order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

from frieze.build.shares import Workshop
from frieze.cache import Store
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


def check(root: Path, progress: Progress | None = None, *, jobs: int = 1, cache: Store | None = None) -> CheckResult:
    """Find everything that is wrong with a project; `jobs` and `cache` as for `compile`."""
    built = _build(root, progress, Workshop(cache, jobs, progress))
    texts = built.graph.texts if built.graph else {}
    return CheckResult(built.diagnostics, texts, built.name, _counts(built.frozen))


def compile(  # noqa: A001 # the public name
    root: Path, progress: Progress | None = None, *, jobs: int = 1, cache: Store | None = None
) -> CompileResult:
    """Compile a project in memory; `frieze.emit.write_bundle` puts the result on the disk.

    Args:
        root: the folder that holds `frieze.yaml`.
        progress: told the stage, how much of it is done, and how much there is.
        jobs: how many processes may work; the result is the same.
        cache: where results are kept for the next run; None: nowhere. The result is the same.
    """
    workshop = Workshop(cache, jobs, progress)
    built = _build(root, progress, workshop)
    failed = CheckResult(built.diagnostics).failed
    bundle = None if failed or built.frozen is None else bundle_of(built.frozen, workshop.files)
    texts = built.graph.texts if built.graph else {}
    return CompileResult(built.diagnostics, texts, bundle, built.graph.project if built.graph else None)


@dataclass(frozen=True, slots=True)
class _Built:
    graph: Graph | None
    frozen: Frozen | None
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        return self.graph.project.name if self.graph else ""


def _build(root: Path, progress: Progress | None, workshop: Workshop) -> _Built:
    graph, diagnostics = load(root)
    if graph is None or not graph.agents:
        return _Built(graph, None, tuple(diagnostics))
    graph, found = compile_policies(graph)
    diagnostics = [*diagnostics, *found]
    frozen, found = freeze_project(graph, progress, workshop.shares)
    diagnostics = [*diagnostics, *found]
    diagnostics += run_checks(frozen, diagnostics)
    return _Built(graph, frozen, tuple(dict.fromkeys(diagnostics)))


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
