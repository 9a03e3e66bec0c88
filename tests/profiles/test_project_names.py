"""Names of projects: what makes no package, and what would take the place of another."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

import frieze
from frieze.emit import write_bundle
from support.projects import AGENT, write_files


def compiled(root: Path, name: str) -> frieze.CompileResult:
    project = f'kind: project\nname: "{name}"\n'
    return frieze.compile(write_files(root, {"frieze.yaml": project, "profiles/agent.yaml": AGENT}))


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("class", "F314"),
        ("1-2.x", "F314"),
        ("none", ""),
        ("json", "F315"),
        ("std", "F315"),
        ("frieze", "F315"),
        ("support-desk", ""),
        ("match", ""),
    ],
)
def test_what_a_name_leads_to(tmp_path: Path, name: str, code: str) -> None:
    result = compiled(tmp_path, name)
    assert [(found.code, found.span[:4]) for found in result.diagnostics] == (
        [(code, ("frieze.yaml", 2, 7, 2))] if code else []
    )
    assert result.bundle, "a warning, since a bundle can be opened from its folder"
    assert (result.bundle.package == "class") == (name == "class")


def test_a_name_without_a_warning_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = compiled(tmp_path, "shop-3.x")
    assert result.diagnostics == ()
    assert result.bundle
    write_bundle(result.bundle, tmp_path / "dist" / result.bundle.package)
    monkeypatch.syspath_prepend(str(tmp_path / "dist"))
    try:
        assert importlib.import_module("shop_3_x").prompt("example-agent").render().text
    finally:
        sys.modules.pop("shop_3_x")
