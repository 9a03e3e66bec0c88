"""Tools and skills in the bundle: known data, sorted, the same bytes each time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import frieze
from frieze.runtime import Bundle, BundleError, Prompt
from support.projects import split_files, write_files

PROJECT = """# file: frieze.yaml
kind: project
name: probe
# file: profiles/find.yaml
kind: tool
name: find-booking
description: {file: find.md}
input: {type: object, properties: {code: {type: string, enum: [b, a]}}, required: [code]}
# file: profiles/find.md
Finds a booking.
It needs the code.
# file: profiles/ask.yaml
kind: tool
name: ask-desk
description: Asks the desk.
# file: profiles/refunds.yaml
kind: skill
name: refunds
text: {file: refunds.md}
# file: profiles/refunds.md
# Refunds

Ask for the *order* <number> {{ first }}.
# file: profiles/empty.yaml
kind: skill
name: empty
description: Nothing to read.
text: ""
# file: profiles/helper.yaml
kind: agent
name: helper
defaults: {platform: api, model: claude-sonnet-4-6, personality: none}
instructions: Help.
tools: [find-booking, ask-desk, find-booking]
skills: [refunds, empty]
# file: profiles/other.yaml
kind: agent
name: other
extends: helper
skills: [empty]
"""
OWN = """# file: profiles/read-skill.yaml
kind: tool
name: read-skill
extends: std/read-skill
description: Opens one of your handbooks.
"""


def files(root: Path, project: str = PROJECT) -> dict[str, bytes]:
    result = frieze.compile(write_files(root, split_files(project)))
    assert result.bundle is not None, result.diagnostics
    return dict(result.bundle.files)


def prompt(root: Path, agent: str = "helper", project: str = PROJECT) -> Prompt:
    return Bundle.from_files(files(root, project)).prompt(agent)


def tools(root: Path, agent: str = "helper", project: str = PROJECT) -> dict[str, dict[str, Any]]:
    offered = prompt(root, agent, project).render({}).tools
    assert list(offered) == sorted(offered, key=lambda tool: tool["name"])
    return {tool["name"]: tool for tool in offered}


def test_each_tool_once_with_its_text_and_arguments(tmp_path: Path) -> None:
    found = tools(tmp_path)
    assert list(found) == ["ask-desk", "find-booking", "read-skill"]
    assert found["find-booking"] == {
        "name": "find-booking",
        "description": "Finds a booking.\nIt needs the code.",
        "input_schema": {
            "type": "object",
            "properties": {"code": {"type": "string", "enum": ["b", "a"]}},
            "required": ["code"],
        },
    }
    assert found["ask-desk"]["input_schema"] == {"type": "object", "properties": {}, "additionalProperties": False}


def test_a_skill_can_be_read_where_it_has_a_text(tmp_path: Path) -> None:
    found = tools(tmp_path)["read-skill"]
    assert found["input_schema"]["properties"]["name"]["enum"] == ["refunds"]
    assert "read-skill" not in tools(tmp_path, "other")
    assert prompt(tmp_path).skill("refunds") == "# Refunds\n\nAsk for the *order* <number> {{ first }}."


@pytest.mark.parametrize("listed", ["", "read-skill, "])
def test_a_tool_of_ones_own_takes_the_place_of_the_librarys(tmp_path: Path, listed: str) -> None:
    project = (PROJECT + OWN).replace("tools: [", f"tools: [{listed}")
    found = tools(tmp_path, project=project)["read-skill"]
    assert found["description"] == "Opens one of your handbooks."
    assert found["input_schema"]["properties"]["name"]["enum"] == ["refunds"]


def test_what_a_caller_does_to_the_tools_stays_with_the_caller(tmp_path: Path) -> None:
    asked = prompt(tmp_path)
    first = asked.render({}).tools
    first[0]["input_schema"]["properties"]["code"] = "gone"
    assert asked.render({}).tools != first
    assert asked.render({}).tools == asked.render({"contact": {"name": "x"}}).tools


def test_the_same_project_gives_the_same_bytes(tmp_path: Path) -> None:
    assert files(tmp_path / "one") == files(tmp_path / "two")


def test_a_skill_that_was_changed_is_refused(tmp_path: Path) -> None:
    changed = files(tmp_path)
    (name,) = [name for name in changed if name.startswith("skills/")]
    changed[name] += b"!"
    with pytest.raises(BundleError, match="does not have the hash"):
        Bundle.from_files(changed)


def test_the_manifest_says_nothing_where_there_is_nothing(tmp_path: Path) -> None:
    manifest = json.loads(files(tmp_path)["bundle.json"])
    assert set(manifest["agents"]["helper"]) >= {"tools", "skills"}
    assert "skills" not in manifest["agents"]["other"]
