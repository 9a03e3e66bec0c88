"""Agents that write the same: what is found out about one holds for the others, in their own places."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.diagnostics import Diagnostic
from frieze.profiles import load_graph
from frieze.profiles.declarations import Graph
from support.projects import write_files

PROJECT = """\
kind: project
name: alike
context:
  customer.name: {type: line, zone: turn}
  customer.items: {type: list, of: {fields: {label: {type: line}}}, zone: turn}
"""
PLATFORMS = {
    f"profiles/{name}.yaml": f"kind: platform\nname: {name}\nlanguage: en\n" for name in ("chat", "mail", "voice")
}
LISTED = "\n  items:\n    type: list\n    of: {fields: {label: {type: line}}}\n    from: customer.items\n"
BLOCKS = """
  customer:
    type: line
    from: customer.name
  items: {type: list, of: {fields: {label: {type: line}}}, from: customer.items}
"""
INPUTS = (
    f"\n  customer: {{type: line, from: customer.name}}{LISTED}",
    BLOCKS,
    "\n  customer: {type: line, from: [customer.name, platform.language]}\n",
    "\n  customer: {type: line, from: [{path: customer.name}, {path: platform.language, when: platform.language}]}\n",
    "\n  customer: {type: line, from: nobody}\n",
    "\n  customer: {type: integer, from: customer.name, required: yes}\n",
)
FIELDS: dict[str, tuple[str, ...]] = {
    "description": ("One.", "Two lines\n  of words."),
    "defaults": (
        "{platform: chat}",
        "{platform: mail, audience: group}",
        "{platform: nowhere}",
        "{mode: investigate}",
        "{mode: nothing}",
    ),
    "allows": (
        "{platforms: [chat, mail]}",
        "{platforms: [voice]}",
        "{modes: [investigate]}",
        "{modes: [read]}",
        "{audiences: [direct]}",
    ),
    "permissions": ("coding", "read-only", "broken", "nothing"),
    "inputs": INPUTS,
    "tasks": ("{short: claude-sonnet-4-6}",),
}
BROKEN = "kind: permissions\nname: broken\nextends: unheard-of\n"
AGENT = st.fixed_dictionaries({}, optional={key: st.sampled_from(values) for key, values in FIELDS.items()})


def loaded(agents: list[dict[str, str]]) -> tuple[Graph, list[Diagnostic]]:
    """Load a project of these agents, named by where they stand in the list."""
    files = {"frieze.yaml": PROJECT, "profiles/broken.yaml": BROKEN, **PLATFORMS}
    for number, agent in enumerate(agents):
        lines = "".join(f"{key}:{'' if value[0] == chr(10) else ' '}{value.rstrip()}\n" for key, value in agent.items())
        files[f"profiles/a{number}.yaml"] = f"kind: agent\nname: a{number}\n{lines}instructions: Help.\n"
    with tempfile.TemporaryDirectory() as folder:
        graph, faults = load_graph(write_files(Path(folder), files))
    assert graph
    return graph, faults


def told(graph: Graph, faults: list[Diagnostic], number: int) -> Any:
    """Return what was found out about an agent, wherever it stands."""
    agent = graph.agents.get(f"a{number}")
    found = None
    if agent:
        rows = [
            (row.name, row.type, [source.path for source in row.sources], row.required, row.options)
            for row in inputs(agent).values()
        ]
        found = agent.allows, agent.defaults, agent.tasks, rows
    return found, [(fault.code, fault.span[1:]) for fault in faults if fault.span.file == f"profiles/a{number}.yaml"]


def inputs(agent: Any) -> Any:
    return agent.instructions.inputs


@settings(max_examples=40, deadline=None)
@given(st.lists(AGENT, min_size=2, max_size=5), st.randoms(use_true_random=False))
def test_which_of_them_comes_first_changes_nothing(agents: list[dict[str, str]], random: Any) -> None:
    order = random.sample(range(len(agents)), len(agents))
    first, second = loaded(agents), loaded([agents[number] for number in order])
    for place, number in enumerate(order):
        assert told(*first, number) == told(*second, place)
    assert len(first[1]) == len(second[1])


MODES = {"allows": "{modes: [investigate]}"}
PAIRS = [
    ({"permissions": "broken", **MODES}, MODES),
    ({"permissions": "coding", **MODES}, MODES),
    (MODES, {"permissions": "coding", **MODES}),
    ({"inputs": INPUTS[0]}, {"inputs": BLOCKS}),
    *((agent, agent) for agent in ({"inputs": INPUTS[4]}, {"inputs": INPUTS[3]}, {"defaults": "{platform: nowhere}"})),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_what_is_wrong_with_one_is_said_of_the_other_if_it_holds(first: dict[str, str], second: dict[str, str]) -> None:
    assert told(*loaded([first, second]), 1) == told(*loaded([second]), 0)


@settings(max_examples=15, deadline=None)
@given(st.lists(AGENT, max_size=2), st.sampled_from(INPUTS[:3]))
def test_every_input_stands_in_its_own_file(agents: list[dict[str, str]], written: str) -> None:
    alike = [{"inputs": written}, {"description": FIELDS["description"][1], "inputs": written}, {"inputs": INPUTS[0]}]
    graph, _ = loaded([*agents, *alike, {"description": "One.", "inputs": BLOCKS}])
    for name, agent in graph.agents.items():
        lines = graph.texts[f"profiles/{name}.yaml"].split("\n")
        for row in inputs(agent).values():
            spans = [(row.span, row.name), *((source.span, source.path) for source in row.sources)]
            for span, word in spans:
                assert span.file == f"profiles/{name}.yaml"
                assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == word
