"""Which names an input may not have, because they mean something in every template."""

from __future__ import annotations

from pathlib import Path

import pytest

from frieze.profiles import load_graph
from support.projects import write_minimal_project

BLOCK = 'kind: block\nname: b\ninputs:\n  "{name}": {{type: line, from: contact.name}}\nbody: x\n'


def found(root: Path, name: str) -> list[tuple[str, int, str]]:
    _, faults = load_graph(write_minimal_project(root, BLOCK.format(name=name)))
    return [(fault.code, fault.span.line, fault.message.rpartition("that is ")[2]) for fault in faults]


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("platform", "the selector"),
        ("true", "a constant"),
        ("none", "a constant"),
        ("if", "a word of the language"),
        ("in", "a word of the language"),
        ("loop", "a name that tags give"),
        ("self", "a name that tags give"),
        ("caller", "a name that tags give"),
        ("range", "a function"),
        ("__class__", "a name of Python's own"),
    ],
)
def test_a_name_that_is_taken(tmp_path: Path, name: str, what: str) -> None:
    assert found(tmp_path, name) == [("F334", 4, what)]


@pytest.mark.parametrize("name", ["order", "items", "iff", "for", "set", "_hidden"])
def test_a_name_that_is_free(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, name) == []
