"""`frieze guard`: one question, or many as JSON Lines; the library's policies or a project's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.commands import Outcome, frieze
from support.guard_table import decoded, make_workspace, rows
from support.projects import write_files

KEYS = ["effect", "action", "rule", "risk", "reason", "confirmation"]
RANK = {"allow": 0, "ask": 1, "deny": 2}
POLICY = """\
kind: permissions
name: own
modes: {work: {can_edit: true, can_run_tests: false, actions: {read: allow, search: allow}}}
paths: {deny: ["*.draft"]}
"""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("outer") / "w"
    root.mkdir()
    return make_workspace(root)


def ask(*arguments: str | Path, cwd: Path, stdin: bytes = b"") -> Outcome:
    return frieze("guard", *arguments, cwd=cwd, stdin=stdin)


def lines(cwd: Path, *questions: Any, mode: str = "implement") -> tuple[int, list[dict[str, Any]]]:
    stdin = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in questions)
    done = ask("--policy", "std/coding", "--mode", mode, "--batch", cwd=cwd, stdin=stdin)
    return done.code, [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "code", "effect"),
    [
        (["ls src"], 0, "allow"),
        (["rm -rf src"], 1, "ask"),
        (["cat .env"], 1, "deny"),
        (["--action", "read", "--path", "src/app.py"], 0, "allow"),
        (["--action", "read", "--path", "/etc/passwd"], 1, "ask"),
        (["--action", "edit", "--path", ".env"], 1, "deny"),
        (["--action", "commit"], 1, "ask"),
        (["--tool", "nobody", "--args", "{}"], 1, "ask"),
        (["--tool", "nobody"], 1, "ask"),
        (["--no-interactive", "rm -rf src"], 1, "deny"),
        (["--cwd", "config/secrets", "cat db.yml"], 1, "deny"),
        (["--", "-x"], 1, "ask"),
    ],
)
def test_one_question(arguments: list[str], code: int, effect: str, workspace: Path) -> None:
    options = ["--policy", "std/coding", "--mode", "implement"]
    told = ask(*options, *arguments, cwd=workspace)
    assert (told.code, told.out.partition(":")[0], told.err) == (code, effect, "")
    data = ask(*options, "--format", "json", *arguments, cwd=workspace)
    assert list(json.loads(data.out)) == KEYS
    assert (data.code, json.loads(data.out)["effect"]) == (code, effect)


def test_the_text_says_what_a_person_would_be_asked(workspace: Path) -> None:
    told = ask("--mode", "implement", "npm install left-pad", cwd=workspace).out
    assert told.startswith("ask: install (rule npm-install, risk dependency-change)\n")
    assert "Command: npm install left-pad" in told
    alone = ask("--mode", "implement", "--no-interactive", "npm install left-pad", cwd=workspace).out
    assert "Nobody can be asked here. " in alone


def test_the_workspace_is_the_current_folder_or_the_one_given(workspace: Path, tmp_path: Path) -> None:
    path = str(workspace / "src/app.py")
    assert ask("--mode", "implement", "--action", "read", "--path", path, cwd=workspace).code == 0
    assert ask("--mode", "implement", "--action", "read", "--path", path, cwd=tmp_path).code == 1
    assert (
        ask("--mode", "implement", "--workspace", workspace, "--action", "read", "--path", path, cwd=tmp_path).code == 0
    )
    missing = ask(
        "--mode", "implement", "--workspace", tmp_path / "no", "--action", "read", "--path", "x", cwd=tmp_path
    )
    assert missing.code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Give one of"),
        (["ls", "--batch"], "Give one of"),
        (["ls", "--tool", "x"], "Give one of"),
        (["--action", "read", "ls", "--path", "x"], "Give one of"),
        (["--action", "read"], "needs --path"),
        (["--action", "fly", "--path", "x"], "none of: read"),
        (["--path", "x", "ls"], "--path is for --action"),
        (["--args", "{}", "ls"], "--args is for --tool"),
        (["--tool", "x", "--args", "{"], "not JSON"),
        (["--tool", "x", "--args", "[]"], "JSON object"),
        (["--policy", "std/codign", "ls"], "Did you mean `std/coding`?"),
        (["--policy", "nope", "ls"], "There are: std/coding"),
        (["--policy", "std/floor", "ls"], "There is no policy"),
        (["--mode", "nope", "ls"], "there is no mode `nope`"),
        (["--project", "nowhere", "ls"], "nowhere"),
        (["--format", "xml", "ls"], "xml"),
        (
            ["git", "push"],
            "Got unexpected extra argument (push). If it belongs to COMMAND, put the whole command in quotes",
        ),
        (["ls", "-la"], "No such option '-l'. If it belongs to COMMAND, put the whole command in quotes"),
    ],
)
def test_wrong_usage(arguments: list[str], said: str, workspace: Path) -> None:
    options = [] if "--mode" in arguments else ["--mode", "implement"]
    told = ask(*options, *arguments, cwd=workspace)
    assert (told.code, told.out) == (2, "")
    assert said in told.err


def test_a_mode_may_be_left_out_where_there_is_one(workspace: Path, tmp_path: Path) -> None:
    assert "no mode is given" in ask("ls", cwd=workspace).err
    project = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": POLICY})
    assert ask("--policy", "own", "--action", "read", "--path", "x.py", cwd=project).code == 0


def test_the_policies_of_a_project(workspace: Path, tmp_path: Path) -> None:
    project = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": POLICY})
    draft = ["--policy", "own", "--mode", "work", "--action", "read", "--path", "a.draft"]
    assert ask(*draft, cwd=project).code == 1
    assert ask(*draft, cwd=project / "profiles").code == 1
    assert ask(*draft, "--project", project, cwd=workspace).code == 1
    assert ask(*draft, cwd=workspace).code == 2
    assert ask("--policy", "std/coding", "--mode", "implement", "ls", cwd=project).code == 0
    assert ask("--policy", "coding", "--mode", "implement", "ls", cwd=project).code == 0


def test_a_policy_with_faults_decides_nothing(tmp_path: Path) -> None:
    faulty = POLICY.replace("read: allow", "read: perhaps")
    project = write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": faulty})
    told = ask("--policy", "own", "--mode", "work", "--action", "read", "--path", "x", cwd=project)
    assert (told.code, told.out) == (1, "")
    assert "profiles/own.yaml" in told.err


def test_the_tables_of_expected_answers(workspace: Path) -> None:
    commands, paths = rows("commands.tsv"), rows("paths.tsv")
    questions = [{"command": decoded(row[0])} for row in commands]
    for row in paths:
        path = decoded(row[0])
        questions.append({"action": "read", "path": f"{workspace}{path[2:]}" if path.startswith("/w/") else path})
    expected = [row[2] for row in commands] + [row[1] for row in paths]
    code, answers = lines(workspace, *questions)
    assert code == 0
    assert len(answers) == len(expected) == 90
    looser = [(q, a) for q, a, e in zip(questions, answers, expected, strict=True) if RANK[a["effect"]] < RANK[e]]
    assert not looser
    stricter = [
        (q, a) for q, a, e in zip(questions, answers, expected, strict=True) if RANK[a["effect"]] > RANK[e] == 0
    ]
    assert len(stricter) <= expected.count("allow") // 10


BROKEN = [
    b"\n",
    b"no json\n",
    b"[]\n",
    b"3\n",
    b"{}\n",
    b'{"command": 3}\n',
    b'{"command": null}\n',
    b'{"tool": []}\n',
    b'{"command": "ls", "tool": "x"}\n',
    b'{"command": "ls", "command": "ls"}\n',
    b'{"action": "read"}\n',
    b'{"action": "read", "path": null}\n',
    b'{"command": "ls", "path": "x"}\n',
    b'{"action": "fly", "path": "x"}\n',
    b'{"action": "read", "path": 3}\n',
    b'{"action": "read", "path": "x", "cwd": 3}\n',
    b'{"path": "x"}\n',
    b"\xff\xfe\n",
    b'{"command": "ls"\n',
    b"[" * 100_000 + b"\n",
    b'{"args": ' + b"9" * 10_000 + b"}\n",
]


@pytest.mark.parametrize("line", BROKEN, ids=lambda line: line[:40].decode("latin-1"))
def test_a_broken_line_is_answered_and_the_rest_goes_on(line: bytes, workspace: Path) -> None:
    code, answers = lines(workspace, {"command": "ls"}, line, {"command": "cat .env"})
    assert code == 1
    assert [answer["effect"] for answer in answers] == ["allow", "deny", "deny"]
    assert list(answers[1]) == [*KEYS, "error"]
    assert list(answers[2]) == KEYS


def test_questions_of_every_form(workspace: Path) -> None:
    code, answers = lines(
        workspace,
        b'\xef\xbb\xbf{"command": "ls"}\r\n',
        {"command": "cat db.yml", "cwd": "config/secrets"},
        {"action": "edit", "path": "src/app.py"},
        {"action": "push"},
        {"tool": "nobody", "args": {"user_confirmed": True}},
        {"tool": "nobody", "args": 3},
        {"command": "rm -rf src", "user_confirmed": True, "token": "x"},
        b'{"command": "ls \\ud800"}\n',
        {"command": "x" * 20_000},
        b'{"command": "ls"}',
    )
    assert code == 0
    assert [answer["effect"] for answer in answers[:7]] == ["allow", "deny", "allow", "ask", "ask", "ask", "ask"]
    assert {answer["effect"] for answer in answers[7:9]} <= {"ask", "deny"}
    assert answers[9]["effect"] == "allow"
    shown = answers[6]["confirmation"]
    assert shown["command"] == "rm -rf src"
    assert shown["requires_confirmation"] is True


def test_each_line_is_answered_before_the_next_is_there(workspace: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "frieze", "guard", "--mode", "implement", "--batch"],
        cwd=workspace,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    assert process.stdout
    for command, effect in (("ls", "allow"), ("cat .env", "deny"), ("rm x", "ask")):
        process.stdin.write(json.dumps({"command": command}) + "\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["effect"] == effect
    process.stdin.close()
    process.stdout.close()
    assert process.wait(timeout=60) == 0
