"""What belongs to an agent besides text: its tools, the skills that it can read, what its policy decides."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from frieze.profiles.building import plain
from frieze.profiles.declarations import Agent, Graph, Tool
from frieze.profiles.naming import LIBRARY, bare
from frieze.runtime.bundle import canonical

READ_SKILL = "read-skill"
"""The tool that returns a skill's text; the project's own wins over the library's."""


def tools_of(graph: Graph, agent: Agent) -> list[dict[str, Any]]:
    """Return an agent's tools sorted by name; with `read-skill` where it binds a skill that has a text."""
    offered = {bare(name): _offer(graph.tools[name]) for name in agent.tools if name in graph.tools}
    readable = sorted(skill_files(graph, agent))
    reader = graph.tools.get(READ_SKILL) or graph.tools.get(LIBRARY + READ_SKILL)
    if readable and reader:
        offer = offered.get(READ_SKILL) or _offer(reader)
        names = offer["input_schema"].setdefault("properties", {}).setdefault("name", {"type": "string"})
        names["enum"] = readable
        offered[READ_SKILL] = offer
    return [offered[name] for name in sorted(offered)]


def skill_files(graph: Graph, agent: Agent) -> dict[str, str]:
    """Return the skills of an agent that have a text: the name that the model knows to the file in the bundle."""
    return {bare(name): _file(name) for name in sorted(agent.skills, key=bare) if _text(graph, name)}


def skill_texts(graph: Graph) -> Mapping[str, bytes]:
    """Return the texts of all skills that some agent binds, by file in the bundle."""
    return {_file(name): text.encode() for name in graph.skills if (text := _text(graph, name))}


def policy_files(graph: Graph) -> Mapping[str, bytes]:
    """Return the decision tables of all policies that some agent has, by file in the bundle."""
    return {f"policies/{name}.json": canonical(table) + b"\n" for name, table in graph.tables.items()}


def _offer(tool: Tool) -> dict[str, Any]:
    schema = deepcopy(dict(tool.input_schema))
    return {"name": bare(tool.name), "description": tool.description, "input_schema": schema}


def _text(graph: Graph, name: str) -> str:
    skill = graph.skills.get(name)
    text = plain(skill.text) if skill and skill.text else ""
    return "" if text.isspace() else text


def _file(name: str) -> str:
    return f"skills/{name}.txt"
