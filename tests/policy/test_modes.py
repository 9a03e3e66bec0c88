"""The selector `mode`: the modes of the agent's policy, as templates, services and the bundle see them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import frieze
from frieze.policy import shipped_table
from frieze.runtime import Bundle
from frieze.runtime.errors import UnknownSelector
from support.projects import write_files

PROJECT = "kind: project\nname: modes\n"
AGENT = """\
kind: agent
name: coder
permissions: std/coding
defaults: {mode: investigate}
instructions: |
  {{ mode.name }} of {{ mode.policy }}: {{ mode.description }}
  {% if mode.can_edit %}You edit.{% else %}You only look.{% endif %} Tests: {{ mode.can_run_tests | yesno }}; asked for: {{ mode.requires_confirmation_for | join(", ") }}
"""
PLAIN = "kind: agent\nname: talker\ninstructions: '{% if mode.name %}{{ mode.name }}{% else %}no mode{% endif %}'\n"


def bundle(root: Path, *agents: str) -> Bundle:
    files = {f"profiles/agent{number}.yaml": text for number, text in enumerate(agents)}
    result = frieze.compile(write_files(root, {"frieze.yaml": PROJECT, **files}))
    assert result.bundle, result.diagnostics
    return Bundle.from_files(result.bundle.files)


def test_templates_see_the_mode(tmp_path: Path) -> None:
    opened = bundle(tmp_path, AGENT, PLAIN)
    looking = opened.prompt("coder").render({}).text
    assert looking.startswith("investigate of coding: Find the cause.")
    assert "You only look. Tests: yes; asked for: run, install, network" in looking
    editing = opened.prompt("coder", mode="implement").render({}).text
    assert "You edit. Tests: yes; asked for: run, install, network, delete, move," in editing
    assert opened.prompt("talker").render({}).text == "no mode"


def test_the_choices_of_a_bundle(tmp_path: Path) -> None:
    opened = bundle(tmp_path, AGENT.replace("defaults:", "allows: {modes: [review, investigate]}\ndefaults:"), PLAIN)
    assert opened.choices("coder")["mode"] == ("review", "investigate")
    assert opened.choices("talker")["mode"] == ()
    with pytest.raises(UnknownSelector, match="implement"):
        opened.prompt("coder", mode="implement")
    with pytest.raises(UnknownSelector):
        opened.prompt("talker", mode="review")


def test_without_a_default_the_mode_must_be_named(tmp_path: Path) -> None:
    opened = bundle(tmp_path, AGENT.replace("defaults: {mode: investigate}\n", ""))
    with pytest.raises(UnknownSelector, match="investigate"):
        opened.prompt("coder")
    assert opened.prompt("coder", mode="review").target["mode"] == "review"


def test_two_agents_with_modes_of_the_same_name(tmp_path: Path) -> None:
    policy = "kind: permissions\nname: own\nmodes: {investigate: {can_edit: true, can_run_tests: false}}\n"
    other = AGENT.replace("coder", "other").replace("std/coding", "own")
    files = {"frieze.yaml": PROJECT, "profiles/a.yaml": AGENT, "profiles/b.yaml": other, "profiles/p.yaml": policy}
    result = frieze.compile(write_files(tmp_path, files))
    assert result.bundle, result.diagnostics
    opened = Bundle.from_files(result.bundle.files)
    assert "You only look." in opened.prompt("coder").render({}).text
    assert "You edit." in opened.prompt("other").render({}).text


def test_the_table_is_in_the_bundle(tmp_path: Path) -> None:
    result = frieze.compile(write_files(tmp_path, {"frieze.yaml": PROJECT, "profiles/a.yaml": AGENT}))
    assert result.bundle
    files = result.bundle.files
    manifest = json.loads(files["bundle.json"])
    assert manifest["agents"]["coder"]["permissions"] == "std/coding"
    assert "policies/std/coding.json" in manifest["files"]
    table = json.loads(files["policies/std/coding.json"])
    assert table["hash"] == shipped_table("coding")["hash"]
    assert [name for name in files if name.startswith("policies/")] == ["policies/std/coding.json"]
    assert "resolver/guard/vocabulary.py" in files
    assert 'Mode: TypeAlias = Literal[\n    "implement",' in files["types.py"].decode()
