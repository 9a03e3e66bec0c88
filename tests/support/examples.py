"""The example projects, compiled once a test run."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import frieze
from frieze.emit import Bundle as Files
from frieze.runtime import Bundle

ROOT = Path(__file__).parents[2]
NAMES = tuple(sorted(path.parent.name for path in (ROOT / "examples").glob("*/frieze.yaml")))


@cache
def files(name: str) -> Files:
    """Return the files of an example's bundle."""
    result = frieze.compile(ROOT / "examples" / name)
    assert result.bundle is not None, result.diagnostics
    return result.bundle


@cache
def bundle(name: str) -> Bundle:
    """Return an example's bundle, opened."""
    return Bundle.from_files(files(name).files)


def manifest(name: str) -> dict[str, Any]:
    """Return an example's manifest."""
    return json.loads(files(name).files["bundle.json"])


def given_contexts(name: str) -> dict[str, dict[str, Any]]:
    """Return the contexts that stand beside an example, by file name."""
    folder = ROOT / "examples" / name / "contexts"
    return {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("*.json"))}
