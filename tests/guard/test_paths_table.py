"""The thirty paths of the table, in the workspace that it describes."""

from __future__ import annotations

from pathlib import Path

import pytest

from frieze.runtime.guard.paths import PathJudge
from support.guard_table import PATHS, decoded, make_workspace, rows

ROWS = rows("paths.tsv")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outer") / "w"
    root.mkdir()
    return make_workspace(root)


@pytest.mark.parametrize(("path", "expected"), [row[:2] for row in ROWS], ids=[row[0] for row in ROWS])
def test_a_read_of_the_table(path: str, expected: str, workspace: Path) -> None:
    written = decoded(path)
    if written.startswith("/w/"):
        written = f"{workspace}{written[2:]}"
    finding = PathJudge(PATHS, workspace, home="/home/somebody").judge(written, "read")
    assert finding.effect == expected, finding
