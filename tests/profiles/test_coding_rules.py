"""The library's rules for coding agents: each names the problem that it answers, and none forbids what nothing keeps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import frieze
from frieze.profiles import load_graph
from frieze.resources import profiles_folder
from frieze.runtime import Bundle
from support.projects import write_files

NAMES = (
    "announce-the-mode",
    "ask-concretely",
    "bounded-reads",
    "focused-test-first",
    "fresh-state",
    "minimal-change",
    "no-false-success",
    "no-secrets",
    "root-cause-first",
    "say-the-conflict",
    "show-the-diff",
    "working-loop",
)
FORBIDS = re.compile(r"\b(?:do not|don't|never|must not|may not)\b", re.IGNORECASE)


def project(root: Path, policy: str = "std/coding", more: str = "") -> Path:
    agent = f"""kind: agent
name: coder
defaults: {{platform: api, model: claude-sonnet-5-5}}
layout: {{from: coding}}
permissions: {policy}
rules: [{", ".join(NAMES)}]
instructions: You write code.
"""
    return write_files(root, {"frieze.yaml": "kind: project\nname: rules\n", "profiles/coder.yaml": agent + more})


def test_each_names_its_problem_and_is_about_something_of_its_own(tmp_path: Path) -> None:
    graph, _ = load_graph(project(tmp_path))
    assert graph is not None
    rules = {name.removeprefix("std/"): rule for name, rule in graph.rules.items()}
    assert tuple(sorted(rules)) == NAMES
    written = {path.stem: path.read_text("utf-8") for path in (profiles_folder() / "rules").glob("*.yaml")}
    assert sorted(written) == sorted(rules)
    assert all(re.search(r"(?m)^description: .{20}", text) for text in written.values())
    assert len({rule.data["topic"] for rule in rules.values()}) == len(rules)
    for name, rule in rules.items():
        assert bool(FORBIDS.search(rule.text.value)) <= bool(rule.enforced_by or rule.advice), name


@pytest.mark.parametrize("policy", ["std/coding", "std/read-only", "std/full-access", "std/customer-support"])
def test_they_fit_every_policy_of_the_library_and_each_other(tmp_path: Path, policy: str) -> None:
    result = frieze.compile(project(tmp_path, policy))
    assert [
        (each.code, each.message) for each in result.diagnostics if each.code in ("F850", "F851", "F730", "F731")
    ] == []
    assert result.bundle is not None


def test_the_model_is_told_all_of_them_once(tmp_path: Path) -> None:
    result = frieze.compile(project(tmp_path))
    assert result.bundle is not None
    rendered = Bundle.from_files(result.bundle.files).prompt("coder", mode="review").render()
    [text] = [part.text for part in rendered.parts if part.id == "rules"]
    assert re.findall(r'(?m)^- "([^"]+)" \(developer\): ', text) == list(NAMES)
    assert "contradict" not in text
