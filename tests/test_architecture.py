"""What ARCHITECTURE.md says of the code is so."""

from __future__ import annotations

import re
from pathlib import Path

from frieze.runtime.operations import CLASSES, METHODS

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "ARCHITECTURE.md").read_text("utf-8")


def test_the_table_of_filters_is_the_table_of_the_resolver() -> None:
    rows = re.findall(r"^\| (same|re-check|number|lines|form|refused) \| (.+) \|$", TEXT, re.MULTILINE)
    written = {name: kind for kind, names in rows for name in re.findall(r"`(\w+)`", names)}
    assert written == dict(CLASSES)


def test_the_methods_of_maps_are_named() -> None:
    for name in METHODS:
        assert f"`{name}`" in TEXT


def test_every_module_that_it_names_exists() -> None:
    named = set(re.findall(r"`((?:[a-z_]+/)+[a-z_]+\.py)`", TEXT))
    assert len(named) > 15
    for path in named:
        assert (ROOT / path).is_file() or (ROOT / "compiler/frieze" / path).is_file(), path
