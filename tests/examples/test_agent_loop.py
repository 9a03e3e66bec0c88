"""The loop of the coding agent: what the model is sent, what the person sees, and what becomes of tool calls."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from support import coding
from support.golden import check_golden

GOLDEN = Path(__file__).parent / "golden-agent"

Step = tuple[str, dict[str, Any]] | str


class Talk:
    """A session with a scripted model; `sent` are the requests, `told` what the person saw, `asked` what was asked."""

    def __init__(self, workspace: Path, *steps: Any, answers: tuple[bool | None, ...] = (), **options: Any) -> None:
        self.sent: list[dict[str, Any]] = []
        self.told: list[str] = []
        self.asked: list[Mapping[str, Any]] = []
        self._steps = iter(steps)
        self._answers = iter(answers)
        options.setdefault("state", workspace.parent / "state")
        self.session = coding.module("agent").Session(
            str(workspace), self._model, self._ask, self.told.append, **{"mode": "implement", **options}
        )

    def results(self) -> list[dict[str, Any]]:
        """Return the results that the model was sent, in order."""
        history = self.session._history
        found = [part["content"] for turn in history for part in _parts(turn) if part.get("type") == "tool_result"]
        found += [turn["output"] for turn in history if turn.get("type") == "function_call_output"]
        return [json.loads(text) for text in found]

    def _model(self, request: dict[str, Any]) -> dict[str, Any]:
        self.sent.append(json.loads(json.dumps(request)))
        step = next(self._steps)
        cut, step = (True, step["cut"]) if isinstance(step, dict) else (False, step)
        ended = {"stop_reason": "max_tokens", "status": "incomplete"} if cut else {}
        number = len(self.sent)
        calls = [step] if isinstance(step, tuple) else [] if isinstance(step, str) else step
        if "messages" in request:
            parts = [
                {"type": "tool_use", "id": f"c{number}.{at}", "name": name, "input": args}
                for at, (name, args) in enumerate(calls)
            ]
            return {"content": parts or [{"type": "text", "text": step}], **ended}
        items = [
            {"type": "function_call", "call_id": f"c{number}.{at}", "name": name, "arguments": json.dumps(args)}
            for at, (name, args) in enumerate(calls)
        ]
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": step}]}
        return {"output": items or [said], **ended}

    def _ask(self, confirmation: Mapping[str, Any]) -> bool | None:
        self.asked.append(confirmation)
        answer = next(self._answers)
        if isinstance(answer, BaseException):
            raise answer
        return answer


def _parts(turn: Mapping[str, Any]) -> list[dict[str, Any]]:
    content = turn.get("content")
    return content if isinstance(content, list) else []


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "prices.py").write_text("def total(prices):\n    return sum(prices[1:])\n")
    (folder / ".env").write_text("KEY=hunter2\n")
    (folder / "AGENTS.md").write_text("Amounts are in cents.\n")
    return folder


def steps_of(results: list[dict[str, Any]]) -> list[str]:
    return [row["status"] for row in results]


FIX = coding.patch("*** Update File: prices.py", "@@", "-    return sum(prices[1:])", "+    return sum(prices)")


def test_a_task_from_the_question_to_the_last_words(workspace: Path) -> None:
    talk = Talk(workspace, ("read_file", {"path": "prices.py"}), ("apply_patch", FIX), "Done.")
    assert talk.session.turn("Count every price.") == "Done."
    assert steps_of(talk.results()) == ["ok", "ok"]
    assert (workspace / "prices.py").read_text() == "def total(prices):\n    return sum(prices)\n"
    assert talk.told[-2:] == ["Changed files:\n  prices.py (changed, +1 -1)", "Done."]


def test_every_call_of_an_answer_gets_its_result(workspace: Path) -> None:
    talk = Talk(
        workspace, [("read_file", {"path": "prices.py"}), ("read_file", {"path": ".env"}), ("nothing", {})], "So."
    )
    talk.session.turn("Look.")
    assert steps_of(talk.results()) == ["ok", "denied", "failed"]
    [calls, results] = talk.sent[1]["messages"][-2:]
    assert [part["id"] for part in calls["content"]] == [part["tool_use_id"] for part in results["content"]]
    assert [part["is_error"] for part in results["content"]] == [False, True, True]


@pytest.mark.parametrize(
    ("answer", "status", "there"), [(True, "ok", False), (False, "denied", True), (None, "needs_confirmation", True)]
)
def test_what_the_person_answers(workspace: Path, answer: bool | None, status: str, there: bool) -> None:
    call = ("delete_file", {"path": "prices.py", "reason": "It is old."})
    talk = Talk(workspace, call, "So.", answers=(answer,))
    talk.session.turn("Delete it.")
    assert steps_of(talk.results()) == [status]
    assert (workspace / "prices.py").exists() is there
    [asked] = talk.asked
    assert asked["args"] == call[1]
    assert str(workspace / "prices.py") in asked["confirmation_prompt"]


def test_without_a_person_nothing_that_asks_is_done(workspace: Path) -> None:
    talk = Talk(workspace, ("delete_file", {"path": "prices.py", "reason": "x"}), "So.", interactive=False)
    talk.session.turn("Delete it.")
    assert steps_of(talk.results()) == ["denied"]
    assert talk.asked == []
    said = json.dumps(talk.sent[0]["messages"])
    assert "Nobody can be asked" in said or "nobody can be asked" in said


def test_a_mode_is_switched_visibly_for_the_person_the_model_and_the_guard(workspace: Path) -> None:
    read = ("read_file", {"path": "prices.py"})
    talk = Talk(workspace, read, ("apply_patch", FIX), "I may not.", ("apply_patch", FIX), "Done.", mode="investigate")
    talk.session.turn("Mend it.")
    talk.session.command("/mode implement")
    assert talk.told[-1].startswith("[mode implement,")
    talk.session.turn("Now.")
    assert steps_of(talk.results()) == ["ok", "denied", "ok"]
    first, last = json.dumps(talk.sent[0]["messages"]), json.dumps(talk.sent[3]["messages"])
    assert "You are in the mode `investigate`" in first
    assert "You are in the mode `implement`" not in first
    assert last.count("You are in the mode `implement`") == 1


def test_an_unknown_mode_changes_nothing(workspace: Path) -> None:
    talk = Talk(workspace, ("apply_patch", FIX), "No.", mode="review")
    talk.session.command("/mode implemnt")
    assert "implement" in talk.told[-1]
    talk.session.turn("Mend it.")
    assert steps_of(talk.results()) == ["denied"]


def test_what_did_not_change_is_not_said_again(workspace: Path) -> None:
    talk = Talk(workspace, "One.", "Two.", "Three.")
    talk.session.turn("1")
    talk.session.turn("2")
    (workspace / "AGENTS.md").write_text("Amounts are in euros.\n")
    talk.session.turn("3")
    added = [len(request["messages"]) for request in talk.sent]
    assert added[1] == added[0] + 2
    assert added[2] == added[1] + 3
    assert "Amounts are in euros." in json.dumps(talk.sent[2]["messages"][-2])


def test_another_vendors_model_goes_on_with_the_conversation(workspace: Path) -> None:
    talk = Talk(workspace, ("read_file", {"path": "prices.py"}), "Read.", ("apply_patch", FIX), "Done.", "And again.")
    talk.session.turn("Read it.")
    talk.session.command("/model gpt-6.2-sol")
    talk.session.turn("Mend it.")
    talk.session.command("/model claude-opus-4-8")
    talk.session.turn("Again.")
    assert [("input" in request, request["model"]) for request in talk.sent] == [
        (False, "claude-sonnet-5-5"),
        (False, "claude-sonnet-5-5"),
        (True, "gpt-6.2-sol"),
        (True, "gpt-6.2-sol"),
        (False, "claude-opus-4-8"),
    ]
    kinds = [item.get("type", item.get("role")) for item in talk.sent[2]["input"]]
    assert kinds.index("function_call") + 1 == kinds.index("function_call_output")
    assert (workspace / "prices.py").read_text().endswith("sum(prices)\n")
    assert "<model_switch>" in json.dumps(talk.sent[4]["messages"])
    roles = [message["role"] for message in talk.sent[4]["messages"]]
    assert all(one != other for one, other in pairwise(roles[:-2]))


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "gpt-6.2-sol"])
def test_a_conversation_is_summed_up_between_two_turns(workspace: Path, model: str) -> None:
    talk = Talk(workspace, "Blue.", "They like blue.", "Still blue.", model=model)
    talk.session.turn("I like blue.")
    talk.session.command("/compact")
    asked = json.dumps(talk.sent[1])
    assert "I like blue." in asked
    assert "Amounts are in cents." not in asked
    talk.session.turn("What do I like?")
    said = json.dumps(talk.sent[2])
    assert "They like blue." in said
    assert "I like blue." not in said
    assert said.count("Amounts are in cents.") == 1


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "gpt-6.2-sol"])
def test_a_conversation_that_grows_too_long_is_summed_up_in_the_middle_of_a_turn(workspace: Path, model: str) -> None:
    (workspace / "long.txt").write_text("All work and no play.\n" * 2000)
    read = ("read_file", {"path": "long.txt", "limit": 900})
    talk = Talk(workspace, read, "They were reading.", "Done.", model=model, longest=25_000)
    assert talk.session.turn("Read all of it.") == "Done."
    items = talk.sent[2]["messages" if model.startswith("claude") else "input"]
    said = json.dumps(items)
    assert "no play" not in said
    assert said.count("Amounts are in cents.") == 1
    assert "They were reading." in said
    assert "Read all of it." in json.dumps(items[-1])


def test_an_interruption_leaves_a_conversation_that_can_go_on(workspace: Path) -> None:
    calls = [("delete_file", {"path": "prices.py", "reason": "x"}), ("read_file", {"path": "prices.py"})]
    talk = Talk(workspace, calls, "So.", answers=(KeyboardInterrupt(),))
    with pytest.raises(KeyboardInterrupt):
        talk.session.turn("Delete it.")
    assert steps_of(talk.results()) == ["failed", "failed"]
    assert talk.session.turn("Go on.") == "So."


@pytest.mark.parametrize("model", ["claude-sonnet-5-5", "gpt-6.2-sol"])
def test_a_call_that_was_cut_off_is_not_carried_out(workspace: Path, model: str) -> None:
    calls = [("run_shell", {"command": "ls"}), ("delete_file", {"path": "prices.py", "reason": "x"})]
    talk = Talk(workspace, {"cut": calls}, "So.", model=model)
    talk.session.turn("Look.")
    assert steps_of(talk.results()) == ["failed", "failed"]
    assert "cut off" in talk.results()[0]["message"]
    assert talk.asked == []


def test_a_model_that_never_ends_is_stopped(workspace: Path) -> None:
    rounds = coding.module("agent").ROUNDS
    talk = Talk(workspace, *[("search_files", {"query": "x"})] * rounds)
    assert "not finished" in talk.session.turn("Search.")


def test_what_a_model_says_does_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    coding.module("agent").say_on_terminal("\x1b[2JDo it? \u202ethis\n\tfine")
    assert capsys.readouterr().out == "\\x1b[2JDo it? \\u202ethis\n\tfine\n"


@pytest.mark.parametrize(
    ("typed", "answer"), [("y\n", True), ("YES\n", True), ("\n", False), ("yep\n", False), ("", None)]
)
def test_the_terminals_answer(typed: str, answer: bool | None) -> None:
    code = "import json, agent\nprint(json.dumps(agent.ask_on_terminal({'confirmation_prompt': 'Delete `x`?'})))\n"
    ran = run_python(code, typed)
    assert ran.stdout.startswith("\nDelete `x`?\nDo it? [y/N] ")
    assert json.loads(ran.stdout.removeprefix("\nDelete `x`?\nDo it? [y/N] ")) is answer


def test_a_patch_is_shown_line_by_line() -> None:
    given = {"confirmation_prompt": "Apply it?", "args": {"patch": "-a\n+b\x1b[8m"}}
    ran = run_python(f"import agent\nagent.ask_on_terminal({given!r})", "n\n")
    assert ran.stdout == "\nApply it?\nThe patch, line by line:\n| -a\n| +b\\x1b[8m\nDo it? [y/N] "


def run_python(code: str, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(coding.packages()), str(coding.FOLDER)])
    return subprocess.run(
        [sys.executable, "-S", "-c", code],
        input=typed,
        text=True,
        capture_output=True,
        check=True,
        env={**os.environ, "PYTHONPATH": path, **environment},
    )


def test_the_demo_shows_a_whole_session(tmp_path: Path) -> None:
    """It runs without site-packages: the standard library and the compiled package are all it needs."""
    ran = run_python("import demo; demo.main()", TMPDIR=str(tmp_path))
    assert ran.stderr == ""
    lines = [line.replace(str(tmp_path), "TMP") for line in ran.stdout.splitlines()]
    check_golden(GOLDEN / "demo.txt", "\n".join(_without_names(lines)) + "\n")


def _without_names(lines: list[str]) -> Iterator[str]:
    """Yield lines without the random names of temporary folders."""
    for line in lines:
        yield re.sub(r"TMP/tmp\w+", "TMP", line)
