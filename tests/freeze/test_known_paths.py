"""A path that an input reads and a template prints is two questions: where nothing is there, only the print is wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze.pipeline
from frieze.pipeline import CompileResult
from support.projects import write_files

READER = "inputs:\n  x: {type: line, from: platform.data.x, default: d}\ninstructions: |\n  Say {{ x }}.\n"
PRINTER = "instructions: |\n  Hello {{ platform.data.x }}.\n"
OTHER = "instructions: |\n  Hello.\n"
PROJECT = {
    "frieze.yaml": "kind: project\nname: demo\n",
    "profiles/layout.yaml": "kind: layout\nname: std\nblocks: {instructions: {}}\n",
    "profiles/p.yaml": "kind: platform\nname: p\ndata: {x: hello}\n",
    "profiles/q.yaml": "kind: platform\nname: q\ndata: {y: 1}\n",
}


def compiled(root: Path, agents: list[str], jobs: int = 1) -> CompileResult:
    head = "kind: agent\nname: a{0:02}\ndefaults: {{platform: p, model: gemma-3-4b-it}}\n"
    written = {f"profiles/a{number:02}.yaml": head.format(number) + text for number, text in enumerate(agents)}
    write_files(root, {**PROJECT, **written})
    return frieze.pipeline.compile(root, jobs=jobs)


@pytest.mark.parametrize(
    "agents", [[READER, PRINTER], [PRINTER, READER], [READER + "  {{ platform.data.x }}\n", OTHER]]
)
def test_who_asks_first_does_not_decide_for_the_other(tmp_path: Path, agents: list[str]) -> None:
    found = compiled(tmp_path, agents).diagnostics
    assert [entry.code for entry in found if entry.code == "F406"] == ["F406"]


def test_nor_does_the_process_in_which_one_asks(tmp_path: Path) -> None:
    agents = [READER, *(PRINTER if number % 8 == 7 else OTHER for number in range(1, 48))]
    alone = compiled(tmp_path, agents)
    assert len([entry for entry in alone.diagnostics if entry.code == "F406"]) == 6
    assert compiled(tmp_path, agents, jobs=2).diagnostics == alone.diagnostics


def test_what_is_read_alone_has_its_value_or_none(tmp_path: Path) -> None:
    found = compiled(tmp_path, [READER, OTHER])
    assert not found.diagnostics
    assert found.bundle
    texts = b"".join(data for path, data in found.bundle.files.items() if path.startswith("residuals/agents/a00"))
    assert b"hello" in texts
    assert b"None" not in texts
