"""`frieze render --base`: base instructions from a file, as they stand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Outcome, frieze
from support.projects import write_files

FILES = {
    "frieze.yaml": "kind: project\nname: desk\n",
    "profiles/coder.yaml": "kind: agent\nname: coder\ninstructions: Look.\nlayout: std/coding\n"
    "defaults: {model: gpt-5.5, personality: friendly}\nallows: {models: [gpt-5.5, other-models]}\n",
    "profiles/helper.yaml": "kind: agent\nname: helper\ninstructions: Help.\nallows: {models: [], personalities: []}\n",
}
TEXT = "\ufeffOne\r\n\n# Personality\n{{ x }}\n\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "base.md").write_bytes(TEXT.encode())
    return write_files(tmp_path, FILES)


def render(project: Path, *arguments: str, agent: str = "coder", stdin: bytes = b"") -> Outcome:
    return frieze("render", project, "--agent", agent, *arguments, stdin=stdin)


def test_the_file_is_the_base_byte_for_byte(project: Path) -> None:
    for source, stdin in ((str(project / "base.md"), b""), ("-", TEXT.encode())):
        outcome = render(project, "--base", source, stdin=stdin)
        assert outcome.code == 0
        assert outcome.out.startswith(TEXT + "\n\n<agent_instructions>")
        assert outcome.out.count("<personality_spec>") == 1


def test_json_says_where_the_base_comes_from(project: Path) -> None:
    own = json.loads(render(project, "--format", "json").out)["base"]
    assert (own["origin"], own["provenance"]) == ("model", "gpt-5.5")
    override = json.loads(render(project, "--format", "json", "--base", str(project / "base.md")).out)["base"]
    assert override == {"text": TEXT, "origin": "override", "provenance": ""}
    request = json.loads(render(project, "--format", "openai-responses", "--base", str(project / "base.md")).out)
    assert request["instructions"] == TEXT


def test_what_cannot_be_a_base_is_said(project: Path) -> None:
    (project / "latin.md").write_bytes(b"caf\xe9")
    assert "byte 4 is not UTF-8" in render(project, "--base", str(project / "latin.md")).err
    assert "cannot be read" in render(project, "--base", str(project / "nothing.md")).err
    assert "Only one of" in render(project, "--base", "-", "--context", "-").err
    refused = render(project, "--base", str(project / "base.md"), agent="helper")
    assert refused.code == 1
    assert "the layout has no block for base instructions" in refused.err


def test_a_model_that_nobody_knows_is_noted(project: Path) -> None:
    outcome = render(project, "--model", "nobody-knows-me-1")
    assert outcome.code == 0
    assert "note[unknown-model]: `other-models` answers" in outcome.err
