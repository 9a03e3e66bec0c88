"""Compiling again and again in one process leaves nothing behind, in one process or in several."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

import frieze.pipeline
from frieze.bench.projects import write_project


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_compile_leaves_the_next_one_finds(tmp_path: Path, jobs: int) -> None:
    write_project(tmp_path, agents=40, platforms=2)
    counts = []
    for _ in range(5):
        assert frieze.pipeline.compile(tmp_path, jobs=jobs).bundle
        counts.append(len(gc.get_objects()))
    assert gc.isenabled()
    assert counts[-1] < counts[1] * 1.1


def test_what_a_caller_has_frozen_stays_so(tmp_path: Path) -> None:
    write_project(tmp_path, agents=40, platforms=2)
    gc.collect()
    gc.freeze()
    try:
        before = gc.get_freeze_count()
        assert frieze.pipeline.compile(tmp_path, jobs=2).bundle
        assert gc.get_freeze_count() > before / 2
    finally:
        gc.unfreeze()
