"""The examples load clean and hold what they promise."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frieze.profiles import layout_for, load_graph, personality_data
from frieze.profiles.declarations import Graph

EXAMPLES = Path(__file__).parents[2] / "examples"
PROJECTS = sorted(path.parent for path in EXAMPLES.glob("*/frieze.yaml"))


def loaded(name: str) -> Graph:
    graph, _ = load_graph(EXAMPLES / name)
    assert graph
    return graph


@pytest.mark.parametrize("project", PROJECTS, ids=lambda path: path.name)
def test_an_example_loads_without_a_diagnostic(project: Path) -> None:
    graph, faults = load_graph(project)
    assert faults == []
    assert graph
    assert graph.agents


def test_minimal_is_about_ten_lines() -> None:
    lines = [line for path in (EXAMPLES / "minimal").rglob("*.yaml") for line in path.read_text("utf-8").splitlines()]
    assert len(lines) <= 12


def test_support_desk_has_five_platforms_three_personalities_and_both_arrangements() -> None:
    graph = loaded("support-desk")
    agent = graph.agents["concierge"]
    assert agent.allows["platform"] == ("web-chat", "line", "slack", "console", "std/api")
    assert len(agent.allows["personality"]) == 3
    assert {graph.models[name].prompt_cache for name in agent.allows["model"]} == {True, False}
    for model in map(graph.models.get, agent.allows["model"]):
        texts = {personality_data(graph.personalities[name], model)["text"] for name in agent.allows["personality"]}
        assert len(texts) == 3
        assert all(texts)


def test_support_desk_edits_its_layout_on_two_levels() -> None:
    graph = loaded("support-desk")
    line = [slot for slot, _ in layout_for(graph, "concierge", "line")[0]]
    web = [slot for slot, _ in layout_for(graph, "concierge", "web-chat")[0]]
    assert "location" not in line
    assert [slot for slot in web if slot != "location"] == line
    assert web.index("booking") == web.index("user-name") + 1
    assert web.index("house-facts") == web.index("citation-rule") + 1


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*/contexts/*.json")), ids=lambda path: path.name)
def test_contexts_are_json_objects(path: Path) -> None:
    assert isinstance(json.loads(path.read_bytes()), dict)


def test_contexts_but_the_hostile_one_use_declared_paths() -> None:
    declared = loaded("support-desk").project.context
    for path in (EXAMPLES / "support-desk" / "contexts").glob("*.json"):
        if path.stem == "hostile":
            continue
        for section, members in json.loads(path.read_bytes()).items():
            paths = [section] if section in declared else [f"{section}.{name}" for name in members]
            for used in paths:
                assert used in declared, f"{path.name}: {used}"
