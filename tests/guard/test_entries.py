"""Which entries of a policy speak of a command: narrow for allow, wide for deny and ask."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from frieze.runtime.guard.commands import CommandTable, judge_command
from frieze.runtime.guard.paths import PathJudge
from frieze.runtime.guard.vocabulary import strictest
from support.shipped_policy import HOME, table


def judged(root: Path, entries: list[dict[str, Any]], text: str, **cells: str) -> tuple[str, set[str]]:
    """Return the answer of the shipped table with other entries, and the rules that spoke."""
    changed = copy.deepcopy(table())
    changed["entries"] = [
        {"id": f"e{at}", "layer": "developer", "modes": None, "risk": "unknown", "confirm": None, "reason": "", **entry}
        for at, entry in enumerate(entries)
    ]
    for action, effect in cells.items():
        changed["modes"]["implement"]["cells"][action]["effect"] = effect
    paths = PathJudge(changed["paths"], root, home=HOME)
    findings, _ = judge_command(text, table=CommandTable(changed), mode="implement", paths=paths)
    return strictest(finding.effect for finding in findings), {finding.rule for finding in findings}


def allow(*shape: Any, action: str = "test", **more: Any) -> dict[str, Any]:
    return {"action": action, "effect": "allow", "commands": [list(shape)], **more}


def deny(*shape: Any, action: str = "run", **more: Any) -> dict[str, Any]:
    return {"action": action, "effect": "deny", "commands": [list(shape)], **more}


@pytest.mark.parametrize(
    ("shape", "text", "answer"),
    [
        (["pytest", "..."], "pytest", "allow"),
        (["pytest", "..."], "pytest -q tests", "allow"),
        (["pytest", "..."], "pytest -p evil", "ask"),
        (["pytest", "..."], "PYTEST", "ask"),
        (["pytest", "..."], "/tmp/pytest", "ask"),
        (["pytest", "..."], "nice pytest", "allow"),
        (["pytest", "..."], "sudo pytest", "ask"),
        (["pytest", "..."], "python -m pytest", "ask"),
        (["pytest"], "pytest", "allow"),
        (["pytest"], "pytest -q", "ask"),
        (["pytest", "-q", "..."], "pytest -q x", "allow"),
        (["pytest", "-q", "..."], "pytest x -q", "ask"),
        (["pytest", "...", "-q"], "pytest x -q", "allow"),
        (["pytest", "...", "-q"], "pytest -q x", "ask"),
        ([["pytest", "py.test"], "..."], "py.test -q", "allow"),
        (["npm", ["test", "t"]], "npm t", "allow"),
        (["npm", "run", "lint"], "npm run lint", "allow"),
        (["npm", "run", "lint"], "npm run lint:fix", "ask"),
        (["npm", "run", "lint"], "npm run lint -- x", "ask"),
        (["make", "check"], "make check", "allow"),
        (["make", "check", "..."], "make check -j4", "allow"),
        (["make", "check", "..."], "make check SHELL=x", "ask"),
        (["make", "check", "..."], "make -C other check", "ask"),
        (["make", "..."], "make -C other check", "ask"),
        (["make", "..."], "cd other && make check", "ask"),
        (["frobnicate", "--all"], "frobnicate --all", "allow"),
        (["frobnicate", "--all"], "frobnicate --all x", "ask"),
        (["frobnicate", "..."], "frobnicate", "allow"),
        (["frobnicate", "..."], "frobnicate x", "ask"),
        (["./check.sh"], "./check.sh", "allow"),
        (["./check.sh"], "check.sh", "ask"),
        (["./check.sh"], "cd other && ./check.sh", "ask"),
        (["python", "-m", "pytest", "..."], "python -m pytest -q", "allow"),
        (["python", "-m", "pytest", "..."], "python -m pytest -p x", "ask"),
        (["python", "-m", "pytest", "..."], "python -m pip install x", "ask"),
        (["python", "-m", "..."], "python -m pip install x", "ask"),
        (["python", "tools/check.py"], "python tools/check.py", "allow"),
        (["python", "tools/check.py"], "python tools/check.py x", "ask"),
        (["python", "-c", "..."], "python -c 'x'", "ask"),
        (["uv", "run", "pytest", "..."], "uv run pytest -q", "allow"),
        (["uv", "run", "pytest", "..."], "uv run pytest -p x", "ask"),
        (["uv", "run", "..."], "uv run rm x", "ask"),
        (["bash", "..."], "bash -c 'rm x'", "ask"),
        (["bash", "..."], "bash -c ./x", "ask"),
        (["git", "..."], "git push", "ask"),
        (["git", "..."], "git -c a=b status", "ask"),
        (["rm", "..."], "rm x", "ask"),
        (["curl", "..."], "curl http://x", "ask"),
        (["xargs", "..."], "xargs rm", "ask"),
        (["env", "..."], "env rm x", "ask"),
    ],
)
def test_allow_is_narrow(tmp_path: Path, shape: list[Any], text: str, answer: str) -> None:
    assert judged(tmp_path, [allow(*shape)], text)[0] == answer


@pytest.mark.parametrize("behind", ["; rm x", " && ./x", " | sh", " > /tmp/x", " $x", " &", "\n./x", " < /etc/passwd"])
def test_an_allowed_command_speaks_for_nothing_else(tmp_path: Path, behind: str) -> None:
    assert judged(tmp_path, [allow("pytest", "...")], f"pytest -q{behind}")[0] == "ask"


def test_the_cell_of_the_action_holds_behind_an_allow(tmp_path: Path) -> None:
    entries = [allow("pytest", "...")]
    assert judged(tmp_path, entries, "pytest", test="ask")[0] == "ask"
    assert judged(tmp_path, entries, "pytest", test="deny")[0] == "deny"


def test_an_allow_decides_what_the_mode_leaves_open(tmp_path: Path) -> None:
    changed = copy.deepcopy(table())
    cell = changed["modes"]["implement"]["cells"]["run"]
    paths = PathJudge(changed["paths"], tmp_path, home=HOME)
    row = {"id": "lint", "layer": "developer", "modes": None, **allow("npm", "run", "lint", action="run")}
    changed["entries"] = [row]
    for rule, answer in (("implement.undecided", "allow"), ("implement.requires_confirmation_for", "ask")):
        cell["rule"] = rule
        findings, _ = judge_command("npm run lint", table=CommandTable(changed), mode="implement", paths=paths)
        assert strictest(finding.effect for finding in findings) == answer


@pytest.mark.parametrize(
    "text",
    [
        "frob",
        "frob x",
        "FROB",
        "/opt/frob",
        "frob.exe",
        "sudo frob",
        "nice frob",
        "unknown frob",
        "unknown --x=frob",
        "echo $(frob)",
        "x=1 frob",
        "ls; frob",
        "bash -c frob",
        "find . -exec frob \\;",
        "f'r'ob",
        "(frob)",
    ],
)
def test_deny_is_wide(tmp_path: Path, text: str) -> None:
    assert judged(tmp_path, [deny("frob")], text)[0] == "deny"


@pytest.mark.parametrize("text", ["echo frob", "git log --grep=frob", "grep frob x", "ls frob", "frobnicate", "a.frob"])
def test_a_denied_name_as_an_argument_is_no_command(tmp_path: Path, text: str) -> None:
    assert judged(tmp_path, [deny("frob")], text)[0] != "deny"


@pytest.mark.parametrize(
    ("entry", "text", "answer"),
    [
        (deny("git", "push", "..."), "git push", "deny"),
        (deny("git", "push", "..."), "git -c a=b push x", "deny"),
        (deny("git", "push"), "git push origin", "deny"),
        (deny("git", "push", "..."), "git pull", "ask"),
        (deny("git", "push", "..."), "git commit -m push", "ask"),
        (deny("git", "stash", ["drop", "clear"], "..."), "git stash clear", "deny"),
        (deny("git", "stash", ["drop", "clear"], "..."), "git stash pop", "ask"),
        (deny("git", "push", "...", flags=[["--force", "-f"]]), "git push -uf x", "deny"),
        (deny("git", "push", "...", flags=[["--force", "-f"]]), "git push x --force", "deny"),
        (deny("git", "push", "...", flags=[["--force", "-f"]]), "git push --forc", "deny"),
        (deny("git", "push", "...", flags=[["--force", "-f"]]), "git push -of x", "ask"),
        (deny("git", "push", "...", flags=[["--force", "-f"]]), "git push --follow-tags", "ask"),
        (deny("git", "push", "...", "+*"), "git push origin +x", "deny"),
        (deny("git", "push", "...", "+*"), "git push origin x", "ask"),
        (deny("git", "push", "--force"), "git push --force", "deny"),
        (deny("git", "push", "--force"), "git push", "ask"),
        (deny("rm", "-rf", "..."), "rm -fr x", "deny"),
        (deny("rm", "-rf", "..."), "rm -r x -f", "deny"),
        (deny("rm", "-rf", "..."), "rm -r x", "ask"),
        (deny("rm", "...", flags=[["-r"], ["-f"]]), "rm -f x", "ask"),
        (deny("curl", "...", hosts=["*.evil.example"]), "curl https://a.evil.example/x", "deny"),
        (deny("curl", "...", hosts=["*.evil.example"]), "curl https://good.example/x", "ask"),
        (deny("cat", "...", "|", ["sh", "bash"], "..."), "cat x | bash", "deny"),
        (deny("cat", "...", "|", ["sh", "bash"], "..."), "cat x | sort | sudo bash", "deny"),
        (deny("cat", "...", "|", ["sh", "bash"], "..."), "cat x | bash x.sh", "ask"),
        (deny("cat", "...", "|", ["sh", "bash"], "..."), "cat $x | bash", "deny"),
        (deny("cat", "...", "|", ["sh", "bash"], "..."), "cat x; bash", "ask"),
        (deny("pip", "install", "..."), "python -m pip install x", "deny"),
        (deny("pip", "install", "..."), "pip list", "allow"),
        (deny("Remove-Item", "..."), "remove-item x", "deny"),
    ],
)
def test_words_and_flags_of_a_denial(tmp_path: Path, entry: dict[str, Any], text: str, answer: str) -> None:
    assert judged(tmp_path, [entry], text)[0] == answer


def test_entries_about_hosts_alone(tmp_path: Path) -> None:
    entry = {"action": "network", "effect": "deny", "commands": [], "hosts": ["evil.example"]}
    assert judged(tmp_path, [entry], "curl https://evil.example./x")[0] == "deny"
    assert judged(tmp_path, [entry], "wget http://me@EVIL.example:80")[0] == "deny"
    assert judged(tmp_path, [entry], "curl https://good.example")[0] == "ask"


def test_entries_of_another_mode_are_silent(tmp_path: Path) -> None:
    assert judged(tmp_path, [deny("ls", modes=["review"])], "ls")[0] == "allow"
    assert judged(tmp_path, [deny("ls", modes=["implement"])], "ls")[0] == "deny"


def test_the_strictest_entry_answers(tmp_path: Path) -> None:
    entries = [
        allow("git", "...", action="run"),
        {**deny("git", "push", "...", action="push"), "effect": "ask"},
        deny("git", "push", "...", flags=[["--force"]], action="push"),
    ]
    assert judged(tmp_path, entries, "git status")[0] == "allow"
    assert judged(tmp_path, entries, "git push", push="allow")[0] == "ask"
    assert judged(tmp_path, entries, "git push --force", push="allow")[0] == "deny"
    assert judged(tmp_path, entries, "/usr/bin/git status")[0] == "allow"
    assert judged(tmp_path, entries, "/opt/git status")[0] == "ask"
    assert judged(tmp_path, entries, "/opt/git push --force", push="allow")[0] == "deny"


def test_an_entry_brings_the_cell_of_its_action(tmp_path: Path) -> None:
    entry = {**deny("frob", "..."), "effect": "ask", "action": "deploy"}
    assert judged(tmp_path, [entry], "frob x", deploy="deny")[0] == "deny"
