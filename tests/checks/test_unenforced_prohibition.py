"""F850 and F851: what texts forbid and policies let happen."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from support.projects import write_files


def found(root: Path, text: str, *, policy: str = "std/coding", more: str = "", block: str = "") -> list[Diagnostic]:
    agent = f"kind: agent\nname: coder\npermissions: {policy}\n{more}instructions: |\n  {text}\n"
    files = {"frieze.yaml": "kind: project\nname: p\n", "profiles/agent.yaml": agent}
    if block:
        files["profiles/block.yaml"] = f"kind: block\nname: manners\nbody: Do not edit files of others.\n{block}"
        files["profiles/agent.yaml"] += "layout: {from: std, insert: {manners: {at: last}}}\n"
    result = frieze.check(write_files(root, files))
    return [each for each in result.diagnostics if each.code in {"F850", "F851"}]


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("Do not edit generated files.", "edit"),
        ("Take care. Never simply overwrite the configuration!", "edit"),
        ("You must not change any code in docs.", "edit"),
        ("{% if mode.can_edit %}Don't touch the tests.{% endif %}", "edit"),
    ],
)
def test_a_prohibition_that_nothing_enforces(tmp_path: Path, text: str, action: str) -> None:
    (fault,) = found(tmp_path, text)
    assert fault.code == "F850"
    assert dict(fault.args)["action"] == action
    assert fault.span.line == 5
    assert fault.span.column == 3 + min(
        text.index(word) for word in ("Do not", "Never", "must", "Don't") if word in text
    )


@pytest.mark.parametrize(
    "text",
    [
        "Do not change the subject.",
        "Never write more than three sentences.",
        "Do not run out of patience.",
        "Do not delete files.",  # the policy asks or denies in every mode
        "Never push a branch without a test.",
        "Do not print secrets.",  # closed paths
        "Edit files with care.",
        "Do not worry. Edit files.",
    ],
)
def test_no_prohibition_or_one_that_is_kept(tmp_path: Path, text: str) -> None:
    assert found(tmp_path, text) == []


def test_modes_in_which_nothing_is_edited_need_no_rule(tmp_path: Path) -> None:
    more = "allows: {modes: [investigate, review]}\n"
    assert found(tmp_path, "Do not edit files.", more=more) == []
    assert found(tmp_path / "other", "Do not edit files.", policy="std/read-only") == []


@pytest.mark.parametrize(
    "more", ["advice: true\n", "enforced_by: [paths.protected]\n", "enforced_by: [implement.can_edit]\n"]
)
def test_a_wish_that_is_known_as_one_and_a_rule_that_is_named(tmp_path: Path, more: str) -> None:
    assert found(tmp_path, "Do not edit files below docs.", more=more) == []
    assert found(tmp_path / "block", "Be brief.", block=more) == []


def test_a_block_of_the_project_is_looked_at(tmp_path: Path) -> None:
    (fault,) = found(tmp_path, "Be brief.", block="description: Manners.\n")
    assert (fault.code, fault.span.file) == ("F850", "profiles/block.yaml")


def test_a_rule_that_is_not_there(tmp_path: Path) -> None:
    (fault,) = found(tmp_path, "Never force-push a branch.", more="enforced_by: [force-pushh]\n")
    assert fault.code == "F851"
    assert "force-push" in fault.help


def test_without_a_policy_nothing_is_said(tmp_path: Path) -> None:
    files = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/a.yaml": "kind: agent\nname: a\ninstructions: Do not edit files.\n",
    }
    assert not [each for each in frieze.check(write_files(tmp_path, files)).diagnostics if each.code == "F850"]
