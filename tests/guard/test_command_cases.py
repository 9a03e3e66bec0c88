"""Command lines and the answers that they must get under the shipped policies."""

from __future__ import annotations

import time

import pytest

from frieze.runtime.guard.vocabulary import EDITING, EFFECTS, strictest
from support.shipped_policy import Workspace, rows

CASES = rows("commands.tsv")
LINES = rows("lines.tsv")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("cases"))


@pytest.mark.parametrize(("command", "expected"), [(row[0], row[2]) for row in CASES])
def test_no_answer_is_more_permissive(workspace: Workspace, command: str, expected: str) -> None:
    answer = workspace.effect(command)
    assert EFFECTS.index(answer) >= EFFECTS.index(expected), workspace.judge(command)[0]


def test_what_may_run_runs_unasked(workspace: Workspace) -> None:
    asked = [row[0] for row in CASES if row[2] == "allow" and workspace.effect(row[0]) != "allow"]
    assert asked == []


@pytest.mark.parametrize(("command", "expected"), LINES)
def test_lines(workspace: Workspace, command: str, expected: str) -> None:
    assert workspace.effect(command) == expected, workspace.judge(command)[0]


def test_the_workspace_itself_by_its_absolute_path(workspace: Workspace) -> None:
    assert workspace.effect(f"ls {workspace.root}/src") == "allow"
    assert workspace.effect(f"cd {workspace.root} && git status && pytest -q") == "allow"
    assert workspace.effect(f"git -C {workspace.root} status") == "allow"
    assert workspace.effect(f"rm -rf {workspace.root}") == "deny"
    assert workspace.effect(f"cat {workspace.root}/.env") == "deny"
    assert workspace.effect(f"ls {workspace.root}-other") == "ask"


@pytest.mark.parametrize("padding", [9_900, 10_001, 200_000])
def test_the_end_of_a_long_line_is_read(workspace: Workspace, padding: int) -> None:
    assert workspace.effect("echo " + "a" * padding + "; rm -rf /") == "deny"
    assert workspace.effect("echo " + "a " * (padding // 2) + "\nrm -rf /") == "deny"
    assert workspace.effect("echo " + "a" * padding) == ("allow" if padding < 9_990 else "ask")


def test_many_programs_in_one_line_are_read_in_linear_time(workspace: Workspace) -> None:
    start = time.process_time()
    assert workspace.effect("find . " + "-exec rm {} + " * 12_000) == "deny"
    assert time.process_time() - start < 12


EDITS = [
    ("echo x > src/x", "edit"),
    ("sed -i s/a/b/ src/app.py", "edit"),
    ("rm x", "delete"),
    ("find src -name x -delete", "delete"),
    ("mv a b", "move"),
    ("git commit -m x", "commit"),
    ("git checkout x", "commit"),
    ("git push", "push"),
    ("gh pr create", "pull-request"),
    ("terraform apply", "deploy"),
    ("npm publish", "deploy"),
    ("nohup rm x", "delete"),
    ("frobnicate rm x", "delete"),
    ("rm $X", "delete"),
    ("echo $(git commit -m x)", "commit"),
    ("bash -c 'git push'", "push"),
    ("xargs rm", "delete"),
    ('git commit -m "$(cat notes.txt)"', "commit"),
]


@pytest.mark.parametrize("mode", ["investigate", "review"])
@pytest.mark.parametrize(("command", "action"), EDITS)
def test_modes_that_change_nothing(workspace: Workspace, mode: str, command: str, action: str) -> None:
    findings, _ = workspace.judge(command, mode)
    assert action in EDITING
    assert "deny" in {finding.effect for finding in findings if finding.action == action}, findings
    assert "deny" not in {finding.effect for finding in workspace.judge(command)[0]}


@pytest.mark.parametrize("mode", ["investigate", "review"])
@pytest.mark.parametrize("command", ["git status", "rg x src", "pytest -q", "cat src/app.py | head -5", "ls"])
def test_modes_that_read_and_test(workspace: Workspace, mode: str, command: str) -> None:
    assert workspace.effect(command, mode) == "allow"


@pytest.mark.parametrize("mode", ["investigate", "review"])
def test_no_mode_is_more_permissive_than_implement(workspace: Workspace, mode: str) -> None:
    ranks = {
        row[0]: [EFFECTS.index(workspace.effect(row[0], name)) for name in ("implement", mode)] for row in CASES + LINES
    }
    assert [command for command, (most, rank) in ranks.items() if rank < most] == []


def test_what_a_person_is_told(workspace: Workspace) -> None:
    findings, parsed = workspace.judge(
        "cd src && npm install left-pad && curl https://Example.com./x; git push origin main"
    )
    assert parsed is not None
    assert parsed.started() == [
        ("cd", "src"),
        ("npm", "install", "left-pad"),
        ("curl", "https://Example.com./x"),
        ("git", "push", "origin", "main"),
    ]
    assert [command.cwd for command in parsed.commands] == [str(workspace.root)] + [str(workspace.root / "src")] * 3
    assert parsed.commands[1].packages == ("left-pad",)
    assert parsed.commands[2].hosts == ("example.com",)
    told = {finding.action: dict(finding.detail) for finding in findings if finding.detail}
    assert told["install"] == {"program": "npm", "packages": "left-pad"}
    assert told["network"] == {"program": "curl", "hosts": "example.com"}
    assert told["push"] == {"program": "git", "remote": "origin", "branch": "main"}
    assert strictest(finding.effect for finding in findings) == "ask"


def test_a_finding_names_its_paths_and_a_rule(workspace: Workspace) -> None:
    findings, _ = workspace.judge("rm -rf build/out src/x")
    (delete,) = [finding for finding in findings if finding.rule == "implement.requires_confirmation_for"]
    assert delete.paths == ("build/out", "src/x")
    assert "delete-recursively" in {finding.rule for finding in findings}
    assert all(finding.rule and finding.reason.endswith(".") for finding in findings)
