"""The library's tools for coding agents: what each vendor is offered, and what the guard makes of a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from anthropic.types import ToolParam
from openai.types.chat import ChatCompletionToolParam
from openai.types.responses import FunctionToolParam
from pydantic import TypeAdapter

import frieze
from frieze.policy import shipped_table
from frieze.runtime import Bundle, Result
from frieze.runtime.guard import Guard
from support.projects import write_files

ARGUMENTS = {
    "apply_patch": (["patch"], []),
    "delete_file": (["path", "reason"], []),
    "read_file": (["path"], ["limit", "start_line"]),
    "run_shell": (["command"], []),
    "search_files": (["query"], ["glob"]),
    "search_text": (["query"], ["glob", "ignore_case", "path"]),
    "show_diff": ([], ["path"]),
}
"""Tool -> its required arguments, and the others."""

PROJECT = {
    "frieze.yaml": "kind: project\nname: tools\n",
    "profiles/coder.yaml": f"""kind: agent
name: coder
defaults: {{platform: api, model: claude-sonnet-4-6}}
layout: {{from: coding}}
permissions: std/coding
tools: [{", ".join(ARGUMENTS)}]
instructions: You write code.
""",
}
SAID = [{"role": "user", "content": "Hello."}]


@pytest.fixture(scope="module")
def result(tmp_path_factory: pytest.TempPathFactory) -> Result:
    compiled = frieze.compile(write_files(tmp_path_factory.mktemp("tools"), PROJECT))
    assert compiled.bundle is not None
    assert compiled.diagnostics == ()
    return Bundle.from_files(compiled.bundle.files).prompt("coder", mode="implement").render()


def test_names_and_arguments(result: Result) -> None:
    found = {tool["name"]: tool["input_schema"] for tool in result.tools}
    assert {
        name: (schema.get("required", []), sorted(set(schema["properties"]) - set(schema.get("required", []))))
        for name, schema in found.items()
    } == ARGUMENTS
    assert all(schema["additionalProperties"] is False for schema in found.values())
    assert all(value["description"] for schema in found.values() for value in schema["properties"].values())
    assert found["read_file"]["properties"]["limit"]["default"] == 220
    assert found["read_file"]["properties"]["limit"]["maximum"] >= 220


def test_each_vendor_is_offered_them_in_its_own_form(result: Result) -> None:
    forms: list[tuple[Any, list[Any], Any]] = [
        (ToolParam, result.anthropic(SAID, max_tokens=64)["tools"], lambda tool: (tool["name"], tool["input_schema"])),
        (
            ChatCompletionToolParam,
            result.openai_chat(SAID)["tools"],
            lambda tool: (tool["function"]["name"], tool["function"]["parameters"]),
        ),
        (
            FunctionToolParam,
            result.openai_responses(SAID)["tools"],
            lambda tool: (tool["name"], tool["parameters"]),
        ),
    ]
    expected = {tool["name"]: tool["input_schema"] for tool in result.tools}
    for form, offered, read in forms:
        TypeAdapter(list[form]).validate_python(offered)
        assert dict(map(read, offered)) == expected


def test_the_patch_tool_is_explained_where_it_is_offered(result: Result) -> None:
    [part] = [part for part in result.parts if part.id == "patch-tool"]
    assert "the tool `apply_patch`" in part.text


PATCH = "*** Begin Patch\n*** Update File: {0}\n@@\n-a\n+b\n*** End Patch\n"

CALLS: list[tuple[str, dict[str, Any], str, str, str]] = [
    ("search_files", {"query": "app"}, "allow", "allow", "allow"),
    ("search_text", {"query": "x", "path": "src"}, "allow", "allow", "allow"),
    ("search_text", {"query": "x", "path": "config/secrets"}, "deny", "deny", "deny"),
    ("read_file", {"path": "src/app.py"}, "allow", "allow", "allow"),
    ("read_file", {"path": ".env"}, "deny", "deny", "deny"),
    ("read_file", {"path": ".env", "user_confirmed": True}, "deny", "deny", "deny"),
    ("show_diff", {}, "allow", "allow", "allow"),
    ("apply_patch", {"patch": PATCH.format("src/app.py")}, "deny", "deny", "allow"),
    ("apply_patch", {"patch": PATCH.format(".env")}, "deny", "deny", "deny"),
    ("apply_patch", {"patch": "no patch"}, "deny", "deny", "deny"),
    ("delete_file", {"path": "src/app.py", "reason": "It is not used."}, "deny", "deny", "ask"),
    ("delete_file", {"path": "src/app.py", "reason": "x", "user_confirmed": True}, "deny", "deny", "ask"),
    ("run_shell", {"command": "pytest -q"}, "allow", "allow", "allow"),
    ("run_shell", {"command": "make all"}, "ask", "deny", "ask"),
    ("run_shell", {"command": "cat .env"}, "deny", "deny", "deny"),
]


@pytest.mark.parametrize(("name", "args", "investigate", "review", "implement"), CALLS)
def test_what_a_call_is_answered_in_each_mode(
    tmp_path: Path, name: str, args: dict[str, Any], investigate: str, review: str, implement: str
) -> None:
    write_files(tmp_path, {"src/app.py": "a\n", ".env": "KEY=1\n"})
    table = shipped_table("coding")
    modes = {"investigate": investigate, "review": review, "implement": implement}
    found = {mode: Guard(table, mode, workspace=str(tmp_path)).check_tool(name, args).effect for mode in modes}
    assert found == modes


@pytest.mark.parametrize("argument", ["user_confirmed", "confirmed", "approved", "isConfirmed"])
def test_a_tool_by_whose_arguments_the_model_could_confirm_is_a_compile_error(tmp_path: Path, argument: str) -> None:
    own = f"""kind: tool
name: delete_file
extends: std/delete_file
input: {{properties: {{{argument}: {{type: boolean, description: Whether the user has agreed.}}}}}}
"""
    compiled = frieze.compile(write_files(tmp_path, {**PROJECT, "profiles/delete_file.yaml": own}))
    assert [each.code for each in compiled.diagnostics] == ["F844"]
    assert compiled.bundle is None
