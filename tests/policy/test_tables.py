"""Decision tables: canonical, whole, and the matrix that the shipped policies promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from frieze.policy import project_tables, shipped_table, table_hash
from frieze.resources import schema_folder
from frieze.runtime.guard.vocabulary import ACTIONS
from support.policy_tables import std_table, table_of
from support.projects import write_files

SCHEMA = {**json.loads((schema_folder() / "bundle.schema.json").read_text("utf-8")), "$ref": "#/$defs/policy"}

MATRIX = {
    "investigate": "allow allow deny ask allow ask ask deny deny deny deny deny deny deny",
    "review": "allow allow deny deny allow deny deny deny deny deny deny deny deny deny",
    "implement": "allow allow allow ask allow ask ask ask ask ask ask ask ask ask",
}
"""The effects of the coding policy's modes in the order of `ACTIONS`."""


@pytest.mark.parametrize("mode", MATRIX)
def test_the_matrix_of_the_coding_policy(mode: str) -> None:
    cells = std_table("coding")["modes"][mode]["cells"]
    assert " ".join(cells[action]["effect"] for action in ACTIONS) == MATRIX[mode]


@pytest.mark.parametrize("name", ["read-only", "coding", "customer-support", "full-access"])
def test_a_shipped_table_is_whole(name: str) -> None:
    table = std_table(name)
    assert table["name"] == f"std/{name}"
    assert table["hash"] == table_hash(table)
    assert json.loads(json.dumps(table)) == table
    assert list(Draft202012Validator(SCHEMA).iter_errors(table)) == []
    for mode in table["modes"].values():
        assert list(mode["cells"]) == list(ACTIONS)
        assert all(cell["confirm"] and cell["risk"] for cell in mode["cells"].values())
        assert not [cell["rule"] for cell in mode["cells"].values() if cell["rule"].endswith(".undecided")]
    assert ".git" in table["paths"]["catastrophic"]
    assert {".env", "**/*.pem"} <= set(table["paths"]["deny"])


def test_the_name_may_carry_the_library() -> None:
    assert shipped_table("std/coding") == shipped_table("coding")
    with pytest.raises(KeyError):
        shipped_table("nothing")


SPOKEN = """
modes:
  work: {can_edit: true, can_run_tests: false, actions: {run: ask}}
rules:
  b: {action: run, effect: deny, commands: [[frob, ...]], modes: [work]}
  a: {action: edit, effect: ask, paths: [z, a], flags: [[-f]]}
paths: {deny: [b, a]}
writable_roots: [/b, /a, /b]
"""
OTHERWISE = """
writable_roots: [/a, /b]
paths: {deny: [a, b]}
rules:
  a: {effect: ask, flags: [[-f]], action: edit, paths: [a, z]}
  b: {modes: [work], commands: [[frob, ...]], effect: deny, action: run}
modes:
  work: {actions: {run: ask}, can_run_tests: false, can_edit: true}
"""


def test_a_table_does_not_depend_on_the_order_in_which_it_is_written() -> None:
    one, other = table_of(SPOKEN), table_of(OTHERWISE)
    assert one["hash"] == other["hash"]
    assert [entry["id"] for entry in one["entries"] if "/" not in entry["id"]] == ["a", "b"]
    assert one["sandbox"]["writable_roots"] == ["/a", "/b"]


def test_what_a_mode_leaves_open() -> None:
    cells = table_of(SPOKEN)["modes"]["work"]["cells"]
    assert (cells["read"]["effect"], cells["read"]["rule"]) == ("allow", "work.read")
    assert (cells["edit"]["effect"], cells["edit"]["rule"]) == ("allow", "work.can_edit")
    assert (cells["test"]["effect"], cells["test"]["rule"]) == ("deny", "work.can_run_tests")
    assert (cells["push"]["effect"], cells["push"]["rule"]) == ("ask", "work.undecided")


@pytest.mark.parametrize(
    ("settings", "asked"),
    [
        ("approval: untrusted", set(ACTIONS) - {"read", "search"}),
        ("sandbox: read-only", {"edit", "delete", "move", "commit"}),
        ("network: restricted", {"network"}),
        ("network: enabled", set()),
    ],
)
def test_the_sandbox_and_the_approval_ask_whatever_a_mode_says(settings: str, asked: set[str]) -> None:
    allowed = "{" + ", ".join(f"{action}: allow" for action in ACTIONS) + "}"
    mode = f"modes:\n  work: {{can_edit: true, can_run_tests: true, actions: {allowed}}}\n"
    network = "" if "network" in settings else "network: enabled\n"
    cells = table_of(f"{mode}{network}{settings}\n")["modes"]["work"]["cells"]
    assert {action for action, cell in cells.items() if cell["effect"] == "ask"} == asked


TOOLS = {
    "show": "action: read\npaths: [path]\ninput: {type: object, properties: {path: {}, patch: {}}, required: [path]}\npatches: [patch]\n",
    "read-skill": "action: search\n",
    "plain": "",
}


def test_tools_are_in_the_table_by_the_name_that_a_model_calls(tmp_path: Path) -> None:
    files = {
        f"profiles/{name}.yaml": f"kind: tool\nname: {name}\ndescription: X.\n{text}" for name, text in TOOLS.items()
    }
    policy = "kind: permissions\nname: own\nmodes: {work: {can_edit: false}}\n"
    write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": policy, **files})
    tools = project_tables(tmp_path)["own"]["tools"]
    assert tools["show"] == {
        "action": "read",
        "paths": ["path"],
        "commands": [],
        "hosts": [],
        "patches": ["patch"],
        "required": ["path"],
    }
    assert tools["read-skill"]["action"] == "search"
    assert "plain" not in tools
    library = project_tables(tmp_path)["std/coding"]["tools"]
    assert library == tools


def test_a_tool_of_the_project_takes_the_place_of_the_librarys_even_without_an_action(tmp_path: Path) -> None:
    assert "run_shell" in std_table("coding")["tools"]
    tool = "kind: tool\nname: run_shell\ndescription: Another.\n"
    policy = "kind: permissions\nname: own\nmodes: {work: {can_edit: false}}\n"
    write_files(
        tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": policy, "profiles/t.yaml": tool}
    )
    assert "run_shell" not in project_tables(tmp_path)["own"]["tools"]
