"""What a coding agent's profiles declare besides: in the records of the graph, and in the manifest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import frieze
from frieze.profiles import load_graph
from frieze.profiles.declarations import Graph
from frieze.resources import schema_folder
from support.projects import split_files, write_files

PROJECT = """# file: frieze.yaml
kind: project
name: probe
# file: profiles/model.yaml
kind: model
name: big
slug: big-2
slugs: [big-2-, huge, huge]
fallback: true
roles: {static: instructions, later: developer}
instructions: {file: big.md}
template: "Speak thus: {{ personality }}"
personalities: {default: "", friendly: Be warm.}
texts:
  sandbox: {read-only: {file: big.md}, full-access: ""}
  approval: {never: Nobody can be asked.}
# file: profiles/big.md
You work in a terminal.
# file: profiles/default.yaml
kind: personality
name: default
text: ""
# file: profiles/friendly.yaml
kind: personality
name: friendly
text: Be warm.
removes: [Personality, Manner, Personality]
# file: profiles/block.yaml
kind: block
name: shell
tag: shell settings
role: developer
send: on-change
changed: The shell is another one.
ended: {file: big.md}
transient: true
markers: {start: "# Shell", end: "</SHELL>"}
body: Use fish.
# file: profiles/raw.yaml
kind: block
name: raw
verbatim: true
body: Raw.
# file: profiles/layout.yaml
kind: layout
name: small
blocks: {instructions: {}, shell: {}, raw: {}}
ended: That is over.
# file: profiles/agent.yaml
kind: agent
name: helper
defaults: {model: big, personality: friendly}
tasks: {classify: std/gemini-2.5-flash, loop: big}
layout: small
instructions: Help.
"""


@pytest.fixture
def graph(tmp_path: Path) -> Graph:
    found, faults = load_graph(write_files(tmp_path, split_files(PROJECT)))
    assert found, faults
    assert faults == []
    return found


def test_the_records_hold_what_the_profiles_say(graph: Graph) -> None:
    model = graph.models["big"]
    assert (model.slug, model.slugs, model.fallback) == ("big-2", ("big-2-", "huge"), True)
    assert model.roles == {"static": "instructions", "later": "developer", "notices": "user", "data": "user"}
    assert model.instructions
    assert (model.instructions.value, model.instructions.span.file) == ("You work in a terminal.\n", "profiles/big.md")
    assert model.template
    assert model.template.value == "Speak thus: {{ personality }}"
    texts = {kind: {name: text.value for name, text in given.items()} for kind, given in model.texts.items()}
    assert texts == {
        "sandbox": {"read-only": "You work in a terminal.\n", "full-access": ""},
        "approval": {"never": "Nobody can be asked."},
    }
    assert graph.personalities["friendly"].removes == ("Personality", "Manner")
    assert graph.agents["helper"].tasks == {"classify": "gemini-2.5-flash", "loop": "big-2"}
    block = graph.blocks["shell"]
    assert block.markers == ("# Shell", "</SHELL>")
    assert block.changed
    assert block.ended
    assert (block.changed.value, block.ended.value) == ("The shell is another one.", "You work in a terminal.\n")
    assert (block.transient, block.verbatim, graph.blocks["raw"].verbatim) == (True, False, True)
    assert graph.layouts["small"].ended
    assert graph.layouts["small"].ended.value == "That is over."


def test_a_task_names_its_model_as_one_that_may_be_used(graph: Graph) -> None:
    assert graph.agents["helper"].allows["model"] == ("big", "std/gemini-2.5-flash")


def test_the_manifest_holds_what_the_resolver_needs(tmp_path: Path) -> None:
    result = frieze.compile(write_files(tmp_path, split_files(PROJECT)))
    assert result.bundle, result.diagnostics
    manifest: dict[str, Any] = json.loads(result.bundle.files["bundle.json"])
    assert manifest["agents"]["helper"]["tasks"] == {"classify": "gemini-2.5-flash", "loop": "big-2"}
    assert manifest["models"]["big"]["slugs"] == ["big-2-", "huge"]
    assert manifest["models"]["big"]["fallback"] is True
    assert manifest["models"]["big"]["roles"]["later"] == "developer"
    assert "slugs" not in manifest["models"]["gemini-2.5-flash"]
    shell = manifest["blocks"]["shell"]
    assert {key: shell[key] for key in ("markers", "changed", "ended", "transient")} == {
        "markers": ["# Shell", "</SHELL>"],
        "changed": "The shell is another one.",
        "ended": "You work in a terminal.",
        "transient": True,
    }
    assert manifest["blocks"]["raw"]["verbatim"] is True
    assert "verbatim" not in shell
    assert manifest["layouts"][0]["ended"] == "That is over."


def test_the_manifest_is_as_its_schema_says(tmp_path: Path) -> None:
    files = {
        **split_files(PROJECT),
        "profiles/coder.yaml": "kind: agent\nname: coder\nextends: helper\nlayout: std/coding\n",
    }
    result = frieze.compile(write_files(tmp_path, files))
    assert result.bundle, result.diagnostics
    schema = json.loads((schema_folder() / "bundle.schema.json").read_text())
    manifest = json.loads(result.bundle.files["bundle.json"])
    assert list(Draft202012Validator(schema).iter_errors(manifest)) == []
    assert manifest["blocks"]["std/base-instructions"]["base"] is True
    assert manifest["models"]["big"]["personalities"] == {"default": "", "friendly": "Be warm."}
    assert manifest["personalities"] == {"friendly": {"text": "Be warm.", "removes": ["Personality", "Manner"]}}


@pytest.mark.parametrize(
    ("patch", "field"),
    [
        ("kind: model\nname: small\nextends: big\nslugs: null\nfallback: null\n", "model"),
        (
            "kind: model\nname: small\nextends: big\nfallback: false\nroles: {later: user}\ntexts: {approval: null}\n",
            "model",
        ),
        ("kind: block\nname: other\nextends: shell\nmarkers: null\nchanged: null\nended: null\n", "block"),
        ("kind: block\nname: other\nextends: shell\nmarkers: {end: '</OTHER>'}\ntransient: null\n", "block"),
        ("kind: layout\nname: other\nextends: small\nended: null\n", "layout"),
        ("kind: personality\nname: other\nextends: friendly\nremoves: null\n", "personality"),
        ("kind: agent\nname: other\nextends: helper\ntasks: {loop: null}\n", "agent"),
    ],
)
def test_what_extends_can_change_each_of_them(tmp_path: Path, patch: str, field: str) -> None:
    files = {**split_files(PROJECT), "profiles/other.yaml": patch}
    graph, faults = load_graph(write_files(tmp_path, files))
    assert graph
    assert faults == []
