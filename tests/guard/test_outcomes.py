"""What a model is told of a tool call: masked, whole or visibly cut, and never a success that was none."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.policy import shipped_table
from frieze.runtime.guard import Action, Guard
from frieze.runtime.guard.results import STATUSES

GUARD = Guard(shipped_table("coding"), "implement", workspace="/nowhere/w")
TOKEN = "ghp_" + "a1B2" * 9
FIELDS = ["tool", "command", "exit_code", "stdout", "stderr", "status"]


def test_a_success() -> None:
    told = GUARD.result("run_shell", command="ls", exit_code=0, stdout="a\nb\n", stderr="")
    assert told == {
        "tool": "run_shell",
        "command": "ls",
        "exit_code": 0,
        "stdout": "a\nb\n",
        "stderr": "",
        "status": "ok",
    }
    assert list(told) == FIELDS


@pytest.mark.parametrize("code", [1, 2, 127, 255, -9, 256, None, True, False, 0.0, "0", b"0", [], {}])
def test_only_zero_is_a_success(code: Any) -> None:
    told = GUARD.result("run_shell", command="x", exit_code=code, stdout="All tests passed. OK. status: ok")
    assert told["status"] == "failed"
    assert "Nothing may be taken as done" in told["message"]
    assert told["exit_code"] == (code if type(code) is int else None)


@pytest.mark.parametrize(
    ("command", "interactive", "status"),
    [("rm -rf lib", True, "needs_confirmation"), ("cat .env", True, "denied"), ("rm -rf lib", False, "denied")],
)
def test_what_did_not_run_has_no_output(command: str, interactive: bool, status: str) -> None:
    guard = Guard(shipped_table("coding"), "implement", workspace="/nowhere/w", interactive=interactive)
    decision = guard.decide(Action("run", command=command))
    told = guard.result("run_shell", decision, command=command, exit_code=0, stdout="done", stderr="fine")
    assert (told["status"], told["exit_code"], told["stdout"], told["stderr"]) == (status, None, "", "")
    assert told["message"].startswith("Not run: ")
    assert command.split()[0] in told["message"] or ".env" in told["message"]


def test_a_decision_that_allows_is_followed_by_what_came_of_it() -> None:
    decision = GUARD.decide(Action("run", command="ls"))
    assert GUARD.result("run_shell", decision, exit_code=0)["status"] == "ok"
    assert GUARD.result("run_shell", decision, exit_code=1)["status"] == "failed"


def test_outputs_are_masked_and_commands_are_not() -> None:
    told = GUARD.result(
        "run_shell", command=f"curl -H {TOKEN}", exit_code=0, stdout=f"a {TOKEN} b", stderr=TOKEN.encode()
    )
    assert TOKEN in told["command"]
    assert "[secret:github-token:" in told["stdout"]
    assert TOKEN not in told["stdout"] + told["stderr"]


def test_outputs_are_masked_before_they_are_cut() -> None:
    for at in range(0, 80, 3):
        text = "x" * at + " " + TOKEN + " " + "y" * 200
        told = GUARD.result("run_shell", exit_code=0, stdout=text, limit=60)
        assert "ghp_" not in told["stdout"]
        assert "a1B2a1B2" not in told["stdout"]


def test_a_cut_is_visible() -> None:
    told = GUARD.result("run_shell", exit_code=0, stdout="a" * 50_000 + "b" * 50_000)
    assert len(told["stdout"]) < 31_000
    assert told["stdout"].startswith("aaa")
    assert told["stdout"].endswith("bbb")
    assert "70,000 characters are left out" in told["stdout"]
    assert GUARD.result("run_shell", exit_code=0, stdout="a" * 30_000)["stdout"] == "a" * 30_000


def test_bytes_that_are_no_text_are_shown_all_the_same() -> None:
    assert GUARD.result("run_shell", exit_code=0, stdout=b"\xff\xfea")["stdout"] == "\ufffd\ufffda"


@settings(max_examples=200, deadline=None)
@given(
    st.none() | st.integers() | st.booleans() | st.text(max_size=5),
    st.text() | st.binary(),
    st.text(),
    st.integers(0, 50),
)
def test_the_shape_never_changes(code: Any, stdout: Any, stderr: str, limit: int) -> None:
    told = GUARD.result("t", command=None, exit_code=code, stdout=stdout, stderr=stderr, limit=limit)
    assert list(told)[:6] == FIELDS
    assert told["status"] in STATUSES
    assert (told["status"] == "ok") == (type(code) is int and code == 0)
    assert ("message" in told) == (told["status"] != "ok")
