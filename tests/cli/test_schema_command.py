from __future__ import annotations

import json
from pathlib import Path

import pytest

from frieze.resources import schema_folder
from frieze.schema import KINDS
from support.commands import frieze


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_is_printed_as_it_is_shipped(kind: str) -> None:
    outcome = frieze("schema", kind)
    assert outcome.code == 0
    assert json.loads(outcome.out) == json.loads((schema_folder() / f"{kind}.schema.json").read_text("utf-8"))


def test_the_patch_form_asks_for_nothing() -> None:
    full, patch = (json.loads(frieze("schema", "block", *more).out) for more in ([], ["--patch"]))
    assert full != patch
    assert "body" not in patch.get("required", [])
    outcome = frieze("schema", "project", "--patch")
    assert (outcome.code, "patch form" in outcome.err) == (2, True)


def test_without_a_kind_all_are_listed() -> None:
    assert set(KINDS) <= set(frieze("schema").out.split())


def test_an_unknown_kind() -> None:
    outcome = frieze("schema", "personallity")
    assert outcome.code == 2
    assert "did you mean `personality`?" in outcome.err


def test_write_renews_the_schemas_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "agent.schema.json").write_text("old")
    (tmp_path / "mine.json").write_text("mine")
    assert frieze("schema", "--write", tmp_path).code == 0
    assert (tmp_path / "mine.json").read_text() == "mine"
    for file in schema_folder().glob("*.schema.json"):
        assert (tmp_path / file.name).read_bytes() == file.read_bytes()


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    outcome = frieze("schema", "--write", tmp_path / "file" / "below")
    assert outcome.code == 2
    assert "cannot be written" in outcome.err
