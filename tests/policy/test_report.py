"""`frieze policy`: the matrix, the proof that one mode is no looser than another, and coverage."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from frieze.cli import run
from frieze.policy.report import PolicyReport, cases, policy_report
from frieze.policy.shipped import shipped_graph
from frieze.runtime.guard.vocabulary import ACTIONS
from support.golden import check_golden
from support.policy_tables import std_table
from support.projects import write_files

HERE = Path(__file__).parent

POLICY = """\
kind: permissions
name: careful
modes:
  look: {can_edit: false, can_run_tests: true, requires_confirmation_for: [run, install, network, delete], actions: {secrets: deny}}
  work:
    can_edit: true
    can_run_tests: true
    requires_confirmation_for: [run, install, network, delete, move, commit, push, pull-request, secrets, deploy]
rules:
  units:
    action: test
    effect: allow
    commands: [[pytest, ...]]
    match: [pytest -q]
    not_match: [pytest -p plugin]
  sends: {action: push, effect: deny, commands: [[git, push, ...]]}
"""


def report(table: dict[str, Any]) -> PolicyReport:
    return policy_report(shipped_graph().policies["std/coding"], table)


def looser(found: PolicyReport, first: str, second: str) -> list[str]:
    comparison = next(each for each in found.comparisons if (each.first, each.second) == (first, second))
    return [difference.case for difference in comparison.looser]


def test_investigate_is_no_more_permissive_than_implement() -> None:
    found = report(std_table("coding"))
    assert looser(found, "investigate", "implement") == []
    assert looser(found, "review", "investigate") == []
    assert "edit" in looser(found, "implement", "investigate")


def test_the_abstraction_holds_every_action_and_kind_of_path() -> None:
    table = std_table("coding")
    found = cases(table)
    assert {probe.kind for probe in found if not probe.path and not probe.command} == set(ACTIONS)
    paths = {probe.path for probe in found if probe.path}
    assert {".env", ".git", "src/app.py", "/", "dist/x"} <= paths
    assert "rm" in {probe.command for probe in found}


@pytest.mark.parametrize(
    ("change", "case"),
    [
        (lambda table: table["modes"]["investigate"]["cells"]["secrets"].update(effect="ask"), None),
        (lambda table: table["modes"]["implement"]["cells"]["install"].update(effect="deny"), "install"),
        (lambda table: table["entries"].append(rule("cat", "deny", ["implement"])), "`cat`"),
        (
            lambda table: table["entries"].append({**rule("", "ask", ["implement"]), "paths": ["src"], "commands": []}),
            "read src",
        ),
    ],
)
def test_a_mode_that_becomes_looser_is_found(change: Any, case: str | None) -> None:
    table = std_table("coding")
    change(table)
    found = looser(report(table), "investigate", "implement")
    assert (case in found) if case else found == []


def rule(program: str, effect: str, modes: list[str]) -> dict[str, Any]:
    return {
        "id": "added",
        "layer": "developer",
        "action": "read",
        "effect": effect,
        "commands": [[program, "..."]],
        "modes": modes,
        "risk": "leak",
        "confirm": None,
        "reason": "",
    }


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = run(["policy", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_the_report_of_a_project(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/careful.yaml": POLICY})
    code, out, err = shown(capsys, str(root))
    assert code == 0
    text = re.sub(r"\b\d{3,}\b|[0-9a-f]{16}", "N", out) + "\n" + re.sub(r"/\S+/", "", err)
    check_golden(HERE / "golden/report.txt", text)


def test_a_policy_that_there_is_not(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/careful.yaml": POLICY})
    for name, said in (("carefull", "; did you mean `careful`?\n"), ("zzz", "`std/read-only`.\n")):
        code, out, err = shown(capsys, str(root), "--policy", name)
        assert (code, out) == (2, "")
        assert err.endswith(said)


def test_the_report_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/careful.yaml": POLICY})
    code, out, _ = shown(capsys, str(root), "--format", "json")
    (found,) = json.loads(out)
    assert code == 0
    assert found["matrix"]["edit"] == {
        "look": {"effect": "deny", "rule": "look.can_edit"},
        "work": {"effect": "allow", "rule": "work.can_edit"},
    }
    assert [each["no_more_permissive"] for each in found["comparisons"]] == [True, False]
    assert found["coverage"][0] == {"rule": "sends", "effect": "deny", "match": 0, "not_match": 0}


def test_outside_of_a_project_the_library_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, _ = shown(capsys, "--format", "json", "--policy", "read-only")
    assert code == 0
    assert [each["name"] for each in json.loads(out)] == ["std/read-only"]
    code, _, err = shown(capsys, "--policy", "codding")
    assert code == 2
    assert "std/coding" in err


def test_a_policy_with_errors_has_no_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = POLICY.replace("pytest -p plugin", "pytest -q")
    root = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/careful.yaml": text})
    code, out, err = shown(capsys, str(root))
    assert (code, out) == (1, "")
    assert "F836" in err
