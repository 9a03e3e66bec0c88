"""Projects with accidents: loading always ends with diagnostics, and the graph that it gives holds together."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from frieze.diagnostics import Severity
from frieze.profiles import layout_for, load_graph, personality_data
from frieze.profiles.declarations import Graph

CASES = Path(__file__).parent / "cases"
EXAMPLE = Path(__file__).parents[2] / "examples" / "support-desk"
WORDS = ["std", "line", "std/line", "booking", "null", "[]", "{}", "7", "true", '""', "friendly", "nothing", "a.b", "~"]


def accident(text: str, chance: random.Random) -> str:
    """Return the text with one line lost, doubled, moved, cut, or with another value."""
    lines = text.splitlines(keepends=True)
    at = chance.randrange(len(lines)) if lines else 0
    if not lines:
        return "kind: agent\n"
    sort = chance.randrange(6)
    if sort == 0:
        del lines[at]
    elif sort == 1:
        lines.insert(at, lines[chance.randrange(len(lines))])
    elif sort == 2:
        lines.insert(chance.randrange(len(lines)), lines.pop(at))
    elif sort == 3:
        lines[at] = lines[at][: chance.randrange(len(lines[at]) + 1)]
    else:
        key, colon, _ = lines[at].partition(":")
        lines[at] = f"{key}{colon or ':'} {chance.choice(WORDS)}\n"
    return "".join(lines)


def check_links(graph: Graph) -> None:
    """Every name in the graph is known to it."""
    for agent in graph.agents.values():
        assert agent.instructions
        assert agent.instructions.body
        assert set(agent.allows["platform"]) <= set(graph.platforms)
        assert set(agent.allows["model"]) <= set(graph.models)
        assert set(agent.allows["personality"]) <= set(graph.personalities)
        for selector, name in agent.defaults.items():
            assert name in agent.allows[selector]
        for platform in agent.allows["platform"] or (None,):
            slots, _ = layout_for(graph, agent.name, platform)
            assert len(dict(slots)) == len(slots)
            assert {block for _, block in slots} <= set(graph.blocks)
        for personality in agent.allows["personality"]:
            for model in agent.allows["model"]:
                assert isinstance(personality_data(graph.personalities[personality], graph.models[model])["text"], str)


@pytest.mark.parametrize("seed", range(40))
def test_accidents_in_the_example(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    root = tmp_path / "project"
    shutil.copytree(EXAMPLE, root, ignore=shutil.ignore_patterns("dist", "contexts"))
    files = sorted(path for path in root.rglob("*") if path.is_file())
    for path in chance.sample(files, chance.randrange(1, 4)):
        path.write_text(accident(path.read_text("utf-8"), chance), "utf-8")
    graph, faults = load_graph(root)
    assert faults == load_graph(root)[1]
    for fault in faults:
        assert fault.message
        assert fault.severity in Severity
    if graph:
        check_links(graph)


@pytest.mark.parametrize("case", sorted(CASES.iterdir()), ids=lambda case: case.name)
def test_the_graph_of_a_faulty_project_holds_together(case: Path) -> None:
    graph, _ = load_graph(case)
    if graph:
        check_links(graph)
