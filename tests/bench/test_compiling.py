"""The figures about compiling have their shape; how large they are no test says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import frieze.pipeline
from frieze.bench.compiling import measure_compiling, parse_plain
from frieze.bench.goals import GOALS, WITHOUT_GOAL
from frieze.bench.projects import INSTRUCTIONS_SIZE, agent, instructions, write_project
from frieze.cli import run
from frieze.sources import read_document

KEYS = {
    "compile_over_parse",
    "compile_over_parse_one_process",
    "warm_over_cold",
    "one_changed_over_cold",
    "size_when_platforms_double",
    "time_when_platforms_double",
    "memory_per_idle_prompt_kb",
}


def test_every_figure_is_there_and_has_a_goal() -> None:
    figures = measure_compiling(3, turns=1)
    assert figures.keys() == KEYS | WITHOUT_GOAL.keys()
    assert GOALS.keys() >= KEYS
    for name, figure in figures.items():
        assert figure is None or figure > 0, name


def test_the_command_says_figures_and_goals(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert run(["bench", "--only", "compiling", "--agents", "2", "--format", "json"]) == 0
    data = json.loads(capsysbinary.readouterr().out)
    assert data.keys() == KEYS | WITHOUT_GOAL.keys() | {"agents", "goals"}
    assert data["goals"].keys() == KEYS
    assert data["goals"]["compile_over_parse"] == {"at_most": 6.0}


def test_generated_agents_are_what_they_are_said_to_be(tmp_path: Path) -> None:
    paths = write_project(tmp_path, agents=5, platforms=2)
    found = frieze.pipeline.compile(tmp_path)
    assert found.bundle
    assert not found.diagnostics
    texts = {instructions(number) for number in range(40)}
    assert len(texts) == 40
    for text in texts:
        assert INSTRUCTIONS_SIZE <= len(text) < INSTRUCTIONS_SIZE * 1.1
        assert len(re.findall(r"\{% if ", text)) >= 5
        assert "{% for " in text
        assert "{{ personality }}" in text
    lines = [
        line for number in range(40) for line in agent(number, unlike=True).split("instructions: |\n")[1].split("\n")
    ]
    printed = [line for line in lines if line.strip() and not line.strip().startswith("{%")]
    assert len(printed) == len(set(printed)) > 40 * 15
    assert [path.read_bytes() for path in write_project(tmp_path / "b", agents=5, platforms=2)] == [
        path.read_bytes() for path in paths
    ]


def test_the_measure_reads_what_the_compiler_reads(tmp_path: Path) -> None:
    paths = write_project(tmp_path, agents=3, platforms=2)
    expected = []
    for path in paths:
        document, _ = read_document(path, path.name)
        assert document
        expected.append(document.data)
    assert parse_plain(paths) == expected


def test_what_is_missing_is_said(capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("frieze.bench.measure_all", lambda _: {"render_over_floor": 2.0})
    monkeypatch.setattr("frieze.bench.others.find_spec", lambda _: None)
    assert run(["bench", "--only", "rendering"]) == 0
    out = capsysbinary.readouterr().out.decode()
    assert "render_over_floor" in out
    assert "3 or less" in out
    assert re.search(r"^guard_over_shlex +[0-9.]+  10 or less", out, re.MULTILINE)
    assert "pip install 'frieze[bench]'" in out
    assert run(["bench", str(Path(__file__).parent)]) == 2
