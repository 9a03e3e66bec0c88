"""Golden folders: a project each, and in `expect.txt` what is wrong with it.

A line is `file:line:column-end: CODE`, with the places that the diagnostic points to as well below it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.profiles import load_graph
from support.golden import check_golden

CASES = sorted((Path(__file__).parent / "cases").iterdir())


def place(span: Span) -> str:
    end = span.end_column if span.line == span.end_line else f"{span.end_line}:{span.end_column}"
    return f"{span.file}:{span.line}:{span.column}-{end}"


def report(faults: list[Diagnostic]) -> str:
    lines = []
    for fault in faults:
        lines.append(f"{place(fault.span)}: {fault.code}")
        lines += [f"    {place(related.span)}" for related in fault.related]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case: Path) -> None:
    _, faults = load_graph(case)
    check_golden(case / "expect.txt", report(faults))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_rest_of_the_project_is_checked_all_the_same(case: Path) -> None:
    _, faults = load_graph(case)
    assert {*faults} <= {*frieze.check(case).diagnostics}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_message_can_be_filled_in(case: Path) -> None:
    for fault in load_graph(case)[1]:
        assert fault.message
        assert fault.help
        assert "{" not in fault.message.replace("{file: ...}", "")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_file_names_and_their_order_change_nothing(case: Path, tmp_path: Path) -> None:
    """Profiles are renamed so that they are read in the opposite order; duplicates and circles have a first file."""
    if case.name in {"duplicate-name", "extends-in-a-circle"}:
        return
    root = tmp_path / case.name
    shutil.copytree(case, root)
    renamed = {}
    profiles = sorted(path for path in root.glob("profiles/**/*.yaml") if path.is_file())
    for number, path in enumerate(profiles):
        other = path.with_name(f"{len(profiles) - number:03d}.yaml")
        path.rename(other)
        renamed[other.relative_to(root).as_posix()] = path.relative_to(root).as_posix()

    def identity(faults: list[Diagnostic]) -> set[tuple[str, Span]]:
        return {
            (fault.code, fault.span._replace(file=renamed.get(fault.span.file, fault.span.file))) for fault in faults
        }

    graph, faults = load_graph(root)
    expected, before = load_graph(case)
    assert identity(faults) == identity(before)
    if expected is None or graph is None:
        assert graph is expected
        return
    for kind in ("agents", "platforms", "models", "personalities", "blocks", "layouts", "skills"):
        assert list(getattr(graph, kind)) == list(getattr(expected, kind))
    for name, agent in expected.agents.items():
        assert graph.agents[name].allows == agent.allows
        assert graph.agents[name].defaults == agent.defaults


def test_a_warning_alone_keeps_the_graph_whole() -> None:
    graph, faults = load_graph(Path(__file__).parent / "cases" / "personality-without-text")
    assert {fault.severity for fault in faults} == {Severity.WARNING}
    assert graph
    assert set(graph.personalities) == {"a", "b", "c", "d"}
