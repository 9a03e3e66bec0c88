"""The whole way from a folder to a bundle, in order."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from pathlib import Path
from typing import TypeAlias

from frieze.build.memory import Memory, Result
from frieze.build.shares import Workshop
from frieze.cache import Store
from frieze.checks import run_checks
from frieze.diagnostics import Diagnostic, Severity
from frieze.emit import Bundle, bundle_of
from frieze.freeze import Frozen, freeze_project
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.policy import compile_policies
from frieze.profiles import Desk, load_graph
from frieze.profiles.declarations import Graph, Project

MANY_OBJECTS = 100_000
"""Objects beyond which what a compile leaves counts as old at once."""

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


def load(root: str | Path) -> tuple[Graph | None, list[Diagnostic]]:
    """Read, validate and link a project. The graph is None where nothing can be linked."""
    return load_graph(Path(root))


def check(
    root: str | Path, progress: Progress | None = None, *, jobs: int = 1, cache: Store | None = None
) -> CheckResult:
    """Find everything that is wrong with a project; `jobs` and `cache` as for `compile`."""
    found = _run(Path(root), progress, jobs, cache)
    return CheckResult(found.diagnostics, found.texts, found.name, found.counts)


def compile(  # noqa: A001 # the public name
    root: str | Path, progress: Progress | None = None, *, jobs: int = 1, cache: Store | None = None
) -> CompileResult:
    """Compile a project in memory; `frieze.emit.write_bundle` puts the result on the disk.

    Args:
        root: the folder that holds `frieze.yaml`.
        progress: told the stage, how much of it is done, and how much there is.
        jobs: how many processes may work; the result is the same.
        cache: where results are kept for the next run; None: nowhere. The result is the same.
    """
    found = _run(Path(root), progress, jobs, cache)
    return CompileResult(found.diagnostics, found.texts, found.bundle, found.project)


def _run(root: Path, progress: Progress | None, jobs: int, cache: Store | None) -> Result:
    """Run with the search for garbage out of the way."""
    with _GARBAGE.kept(several=jobs > 1):
        return _found(root, progress, jobs, cache)


class _Garbage:
    """Leaves the search for circles of garbage out of a compile: nearly all that it makes it keeps to its end.

    What a large compile made counts as old afterwards, so that the next search for young garbage does not go through
    all of it; its own garbage is looked for when the next compile begins, if nobody did before.
    """

    searches = -1
    """How many whole searches there had been when garbage was left, -1 where none is."""

    @contextmanager
    def kept(self, *, several: bool) -> Iterator[None]:
        """Run a compile; where `several` processes work, all that there is counts as old already."""
        if self.searches == _searches():
            gc.collect()
        self.searches = -1
        collects = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            if collects:
                if (several or gc.get_count()[0] > MANY_OBJECTS) and not gc.get_freeze_count():
                    gc.freeze()
                    gc.unfreeze()
                    self.searches = _searches()
                gc.enable()


def _searches() -> int:
    return int(gc.get_stats()[-1]["collections"])


_GARBAGE = _Garbage()


def _found(root: Path, progress: Progress | None, jobs: int, cache: Store | None) -> Result:
    """Return what the last run found, where that still holds; else find it, and keep it for the next one."""
    if cache is None:
        return _build(root, Desk(), Workshop(None, jobs, progress))
    memory = Memory.of(cache, root)
    known = memory.recall()
    if known is not None:
        return known
    workshop = Workshop(cache, jobs, progress, memory.desk.hashes)
    found = _build(root, memory.desk, workshop)
    memory.keep(found, workshop)
    cache.tidy()
    return found


def _build(root: Path, desk: Desk, workshop: Workshop) -> Result:
    """Do everything once, in order."""
    graph, diagnostics = load_graph(root, desk=desk)
    if graph is None or not graph.agents:
        return Result(tuple(diagnostics), graph.texts if graph else {}, graph.project if graph else None)
    graph, found = compile_policies(graph)
    diagnostics = [*diagnostics, *found]
    frozen, found = freeze_project(graph, workshop.progress, workshop.shares)
    diagnostics = [*diagnostics, *found]
    diagnostics += run_checks(frozen, diagnostics)
    failed = any(entry.severity is Severity.ERROR for entry in diagnostics)
    bundle = None if failed else bundle_of(frozen, workshop.files)
    return Result(tuple(dict.fromkeys(diagnostics)), graph.texts, graph.project, _counts(frozen), bundle)


def _counts(frozen: Frozen) -> dict[str, int]:
    """Return how many agents, targets, blocks and variants there are; no tree of a share is put together for that."""
    targets = sum(prod(map(len, box.values())) for box in frozen.space.targets().boxes)
    variants = 0
    for tree in frozen.trees.values():
        apart = filled_trees(tree)
        variants += sum(row.part.variants for row in apart.filled.values()) if apart else len(leaves(tree))
    return {
        "agents": len(frozen.graph.agents),
        "targets": targets,
        "blocks": len(frozen.trees),
        "variants": variants,
    }
