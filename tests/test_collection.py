"""No folder of tests is passed over: pytest leaves out some names, such as `build`, unless it is told otherwise."""

from __future__ import annotations

from fnmatch import fnmatch
from pathlib import Path

import pytest

TESTS = Path(__file__).parent


def test_every_folder_of_tests_is_looked_into(pytestconfig: pytest.Config) -> None:
    passed_over = pytestconfig.getini("norecursedirs")
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    assert {Path("build"), Path("cache")} <= folders
    names = {name for folder in folders for name in folder.parts}
    assert not [name for name in names for pattern in passed_over if fnmatch(name, pattern)]
