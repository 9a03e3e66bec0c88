"""What only a process of its own shows: the entry point, terminals, signals, broken pipes, the last net."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import frieze as package
from frieze.cli import check as check_command
from frieze.cli import group
from support.commands import frieze, frieze_process

pty = pytest.importorskip("pty", reason="needs a system with pseudo-terminals")


def in_terminal(code: str, env: dict[str, str] | None = None) -> str:
    """Run Python code with stdout and stderr on a pseudo-terminal and return what it showed."""
    leader, follower = pty.openpty()
    environment = {key: value for key, value in os.environ.items() if key not in {"NO_COLOR", "TERM"}}
    process = subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.DEVNULL,
        stdout=follower,
        stderr=follower,
        env={**environment, "TERM": "xterm", **(env or {})},
    )
    os.close(follower)
    shown = b""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if select.select([leader], [], [], 0.1)[0]:
            try:
                data = os.read(leader, 65536)
            except OSError:
                break
            if not data:
                break
            shown += data
    os.close(leader)
    process.wait(10)
    return shown.decode()


REPORT = """
from frieze.cli.output import publish, complain
from frieze.cli.reporters import Report
from frieze.diagnostics import Diagnostic, Span
report = Report.of([Diagnostic.of("F801", Span("a.json", 1, 2, 1, 3), problem="x")], texts={"a.json": "{x"})
publish(report, "text")
"""

PROGRESS = """
import time
from frieze.cli.progress import shown_progress
with shown_progress() as progress:
    assert progress is not None
    progress("too early", 1, 2)
    time.sleep(0.5)
    progress("freezing", 1200, 5000)
print("done")
"""


def test_colour_on_a_terminal_alone() -> None:
    assert "\x1b[31m" in in_terminal(REPORT)
    assert "\x1b" not in in_terminal(REPORT, {"NO_COLOR": "1"})
    assert "\x1b" not in in_terminal(REPORT, {"TERM": "dumb"})
    piped = subprocess.run([sys.executable, "-c", REPORT], capture_output=True, check=True, timeout=60)
    assert b"\x1b" not in piped.stdout


def test_progress_is_for_people_and_leaves_nothing_behind() -> None:
    shown = in_terminal(PROGRESS)
    assert "freezing 1,200 of 5,000" in shown
    assert "too early" not in shown
    assert shown.rstrip().endswith("\r\x1b[2Kdone")
    quiet = subprocess.run(
        [
            sys.executable,
            "-c",
            PROGRESS.replace("assert progress is not None", "assert progress is None; raise SystemExit"),
        ],
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert quiet.stderr == b""


def test_version_and_help() -> None:
    assert frieze_process("--version") == (0, f"frieze {package.__version__}\n", "")
    shown = frieze_process("--help")
    assert shown.code == 0
    for name in group.commands:
        assert re.search(rf"^  {name} ", shown.out, re.MULTILINE)
        assert frieze(name, "--help").code == 0


@pytest.mark.parametrize(
    "arguments", [["nope"], ["check", "--format", "xml"], ["check", "a", "b"], ["render", "--now", "x"]]
)
def test_wrong_usage_is_2(arguments: list[str]) -> None:
    outcome = frieze(*arguments)
    assert outcome.code == 2
    assert outcome.out == ""
    assert "Error: " in outcome.err


def test_no_command_shows_help() -> None:
    outcome = frieze()
    assert outcome.code == 2
    assert "Commands:" in outcome.out + outcome.err


def test_the_last_net(monkeypatch: pytest.MonkeyPatch) -> None:
    def fall(**_: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr(check_command, "callback", fall)
    outcome = frieze("check", "a b")
    assert outcome.code == 2
    assert "internal error: RuntimeError: boom" in outcome.err
    assert "frieze check 'a b'" in outcome.err
    assert package.__version__ in outcome.err
    assert "Traceback" not in outcome.err
    monkeypatch.setenv("FRIEZE_TRACEBACK", "1")
    assert "Traceback" in frieze("check").err


def test_a_broken_pipe_is_silent() -> None:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys; sys.stdin.read(); from frieze.cli import main; sys.argv = ['frieze', 'rule']; main()",
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(b"", timeout=60)
    assert (process.returncode, err) == (141, b"")


WAITING = """
import sys
from frieze.cli import run
print("ready", flush=True)
sys.exit(run(["render", "--context", "-"]))
"""


def test_ctrl_c_says_so(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Interrupted" in err
    assert b"Traceback" not in out + err


def test_output_is_utf_8_whatever_the_locale() -> None:
    env = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    assert frieze_process("rule", "F801", env=env).code == 0
    outcome = frieze_process("rule", "受付", env=env)
    assert outcome.code == 2
    assert "There is no code" in outcome.err
    assert "Traceback" not in outcome.err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's /dev/full")
def test_a_full_disk_behind_stdout() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "frieze", "rule"], stdout=full, stderr=subprocess.PIPE, check=False, timeout=60
        )
    assert done.returncode == 2
    assert done.stderr == b"Error: the output cannot be written: No space left on device.\n"


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_outputs(closed: str) -> None:
    command = f"{sys.executable} -m frieze rule F801 {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert done.returncode == 0
    assert done.stderr == b""


def test_shell_completion() -> None:
    env = {"_FRIEZE_COMPLETE": "bash_complete", "COMP_WORDS": "frieze exp", "COMP_CWORD": "1"}
    assert frieze_process(env=env).out == "plain,explain\n"
