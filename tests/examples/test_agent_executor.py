"""The executor of the coding agent: files stay as they are but for what was asked, and nothing reads as done that was not."""

from __future__ import annotations

import json
import os
import resource
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from support import coding
from support.coding import executor, patch


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "w"
    (folder / "src").mkdir(parents=True)
    (folder / "src/app.py").write_text("a\nb\nc\n")
    (folder / "config/secrets").mkdir(parents=True)
    (folder / "config/secrets/db.yml").write_text("needle\n")
    (folder / ".env").write_text("TOKEN=needle\n")
    return folder


def ok(result: Mapping[str, Any]) -> str:
    assert (result["status"], result["exit_code"]) == ("ok", 0), result
    return str(result["stdout"])


def failed(result: Mapping[str, Any]) -> str:
    """Return what a failure says. It must not read like a success in any of its fields."""
    assert result["status"] == "failed", result
    assert result["exit_code"] != 0
    assert "Nothing may be taken as done" in result["message"]
    return str(result["stderr"])


def read(worker: Any, *paths: str) -> None:
    for path in paths:
        ok(worker.call("read_file", {"path": path}))


def update(path: str, *lines: str) -> str:
    return "\n".join([f"*** Update File: {path}", *lines])


CHANGE = ("@@", " a", "-b", "+B")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\nb\nc\n", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", b"a\r\nB\r\nc\r\n"),
        (b"a\nb\r\nc\n", b"a\nB\r\nc\n"),
        (b"a\nb", b"a\nB"),
        (b"a\r\nb", b"a\r\nB"),
        (b"\xef\xbb\xbfa\nb\n", b"\xef\xbb\xbfa\nB\n"),
        ("a\nb\nü\n".encode("utf-16"), "a\nB\nü\n".encode("utf-16")),
        (b"a\nb\n\xe9\n", b"a\nB\n\xe9\n"),
        ("a\nb\n日本\n".encode("euc-jp"), "a\nB\n日本\n".encode("euc-jp")),
        ("a\nb\nx\u2028y\x0bz\x0c\n".encode(), "a\nB\nx\u2028y\x0bz\x0c\n".encode()),
        (b"a\nb\nold\rmac\n", b"a\nB\nold\rmac\n"),
    ],
)
def test_line_endings_and_encoding_are_kept(workspace: Path, before: bytes, after: bytes) -> None:
    (workspace / "src/app.py").write_bytes(before)
    worker = executor(workspace)
    read(worker, "src/app.py")
    ok(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))
    assert (workspace / "src/app.py").read_bytes() == after


def test_what_comes_is_written_in_the_files_encoding_or_not_at_all(workspace: Path) -> None:
    path = workspace / "src/app.py"
    path.write_bytes(b"a\nb\n\xe9\n")
    worker = executor(workspace)
    read(worker, "src/app.py")
    ok(worker.call("apply_patch", patch(update("src/app.py", "@@", "-b", "+ü"))))
    assert path.read_bytes() == b"a\n\xfc\n\xe9\n"
    assert "latin-1" in failed(worker.call("apply_patch", patch(update("src/app.py", "@@", "-a", "+日"))))
    assert path.read_bytes() == b"a\n\xfc\n\xe9\n"


@pytest.mark.parametrize("mode", [0o644, 0o755, 0o600, 0o640, 0o4755])
def test_permission_bits_are_kept(workspace: Path, mode: int) -> None:
    path = workspace / "src/app.py"
    path.chmod(mode)
    worker = executor(workspace)
    read(worker, "src/app.py")
    ok(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))
    assert stat.S_IMODE(path.stat().st_mode) == mode
    ok(worker.call("apply_patch", patch(update("src/app.py", "*** Move to: src/main.py", "@@", "-B", "+b"))))
    assert stat.S_IMODE((workspace / "src/main.py").stat().st_mode) == mode
    assert not path.exists()


def test_a_file_that_nobody_may_write_stays(workspace: Path) -> None:
    (workspace / "src/app.py").chmod(0o444)
    worker = executor(workspace)
    read(worker, "src/app.py")
    assert "read-only" in failed(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))


def test_a_file_that_has_changed_since_it_was_read_is_not_patched(workspace: Path) -> None:
    path = workspace / "src/app.py"
    worker = executor(workspace)
    assert "has to be read" in failed(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))
    read(worker, "src/app.py")
    path.write_text("a\nb\nc\nsomebody's\n")
    assert "has changed since" in failed(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))
    assert path.read_text() == "a\nb\nc\nsomebody's\n"
    read(worker, "src/app.py")
    ok(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))
    ok(worker.call("apply_patch", patch(update("src/app.py", "@@", "-B", "+b"))))
    ok(worker.call("run_shell", {"command": "ls"}))
    assert path.read_text() == "a\nb\nc\nsomebody's\n"


def test_a_change_out_of_the_range_that_was_read_counts(workspace: Path) -> None:
    worker = executor(workspace)
    ok(worker.call("read_file", {"path": "src/app.py", "limit": 1}))
    (workspace / "src/app.py").write_text("a\nb\nC\n")
    assert "has changed since" in failed(worker.call("apply_patch", patch(update("src/app.py", *CHANGE))))


BAD_SECTIONS = {
    "does not fit": update("src/app.py", "@@", "-nothing", "+x"),
    "adds what is there": "*** Add File: src/app.py\n+x",
    "is outside": "*** Add File: ../x.py\n+x",
    "is absolute": "*** Add File: /tmp/x.py\n+x",
    "is closed": "*** Add File: .env.local\n+x",
    "is not there": update("src/none.py", "@@", "-a", "+b"),
    "is a folder": update("src", "@@", "-a", "+b"),
    "is twice there": update("src/other.py", "@@", "-a", "+b"),
    "below a file": "*** Add File: src/app.py/x.py\n+x",
}


@pytest.mark.parametrize("section", BAD_SECTIONS.values(), ids=BAD_SECTIONS)
def test_a_patch_is_applied_whole_or_not_at_all(workspace: Path, section: str) -> None:
    (workspace / "src/other.py").write_text("a\n")
    worker = executor(workspace)
    read(worker, "src/app.py", "src/other.py")
    before = held(workspace)
    good = update("src/other.py", "@@", "-a", "+b")
    for sections in ((good, "*** Add File: new/deep/n.py\n+n", section), (section, good)):
        result = worker.call("apply_patch", patch(*sections))
        assert result["status"] in ("failed", "denied"), result
        assert held(workspace) == before


def test_a_fault_in_the_middle_takes_back_what_was_begun(workspace: Path) -> None:
    """The system lets this process write small files only, and the last file of the patch is a large one."""
    worker = executor(workspace)
    read(worker, "src/app.py")
    before = held(workspace)
    sections = ["*** Add File: new/x.py\n+x", update("src/app.py", *CHANGE), "*** Add File: y.py\n+" + "y" * 100_000]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, limits[1]))
    try:
        result = worker.call("apply_patch", patch(*sections))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "File too large" in failed(result)
    assert held(workspace) == before
    assert [path.name for path in (workspace.parent / "w-state").iterdir()] == ["lock"]
    ok(worker.call("apply_patch", patch(*sections)))


def held(folder: Path) -> dict[str, bytes | None]:
    return {str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None for path in folder.rglob("*")}


def test_one_patch_of_every_kind(workspace: Path) -> None:
    (workspace / "old.py").write_text("x\n")
    worker = executor(workspace, lambda _: True)
    read(worker, "src/app.py", "old.py")
    ok(
        worker.call(
            "apply_patch",
            patch(
                update("src/app.py", "*** Move to: src/deep/main.py", "@@", " a", "+between", " b"),
                "*** Add File: src/new.py\n+one\n+\n+two",
                "*** Delete File: old.py",
            ),
        )
    )
    assert (workspace / "src/deep/main.py").read_text() == "a\nbetween\nb\nc\n"
    assert (workspace / "src/new.py").read_text() == "one\n\ntwo\n"
    assert not (workspace / "src/app.py").exists()
    assert not (workspace / "old.py").exists()
    assert not list(workspace.rglob("*.part"))


def test_a_deletion_in_a_patch_asks(workspace: Path) -> None:
    asked: list[Any] = []
    worker = executor(workspace, lambda confirmation: bool(asked.append(confirmation)))
    read(worker, "src/app.py")
    result = worker.call("apply_patch", patch("*** Delete File: src/app.py"))
    assert (result["status"], len(asked)) == ("denied", 1)
    assert (workspace / "src/app.py").exists()


def test_a_link_is_written_through_and_stays_one(workspace: Path) -> None:
    (workspace / "link.py").symlink_to("src/app.py")
    worker = executor(workspace, lambda _: True)
    read(worker, "link.py")
    ok(worker.call("apply_patch", patch(update("link.py", *CHANGE))))
    assert (workspace / "link.py").is_symlink()
    assert (workspace / "src/app.py").read_text() == "a\nB\nc\n"


def test_a_link_out_of_the_workspace_is_not_written_whoever_agrees(workspace: Path) -> None:
    outside = workspace.parent / "outside.py"
    outside.write_text("a\nb\n")
    (workspace / "link.py").symlink_to(outside)
    worker = executor(workspace, lambda _: True)
    worker.call("read_file", {"path": "link.py"})
    assert worker.call("apply_patch", patch(update("link.py", *CHANGE)))["status"] != "ok"
    assert outside.read_text() == "a\nb\n"


def test_reads_are_bounded(workspace: Path) -> None:
    (workspace / "long.txt").write_text("".join(f"line {number}\n" for number in range(1, 2001)))
    worker = executor(workspace)
    lines = ok(worker.call("read_file", {"path": "long.txt"})).split("\n")
    assert lines[0] == "long.txt: lines 1 to 220 of 2000"
    assert (lines[1], lines[-1], len(lines)) == ("     1\tline 1", "   220\tline 220", 221)
    lines = ok(worker.call("read_file", {"path": "long.txt", "start_line": 1990, "limit": 1000})).split("\n")
    assert (lines[0], lines[-1]) == ("long.txt: lines 1990 to 2000 of 2000", "  2000\tline 2000")
    for args in (
        {"limit": 1001},
        {"limit": 0},
        {"start_line": 0},
        {"start_line": 2001},
        {"limit": "9"},
        {"limit": True},
    ):
        failed(worker.call("read_file", {"path": "long.txt", **args}))


def test_a_very_long_line_is_cut_visibly(workspace: Path) -> None:
    (workspace / "long.txt").write_text("x" * 5_000_000)
    out = ok(executor(workspace).call("read_file", {"path": "long.txt"}))
    assert len(out) < 61_000
    assert out.endswith(" […]")


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.mkdir(), lambda path: path.write_bytes(b"a\0b")])
def test_what_is_no_text_is_no_success(workspace: Path, make: Any) -> None:
    make(workspace / "thing")
    failed(executor(workspace).call("read_file", {"path": "thing"}))


def test_search_passes_over_what_the_policy_closes(workspace: Path) -> None:
    (workspace / "src/needle.py").write_text("needle = 1\n")
    (workspace / "src/way_out").symlink_to(workspace / "config/secrets")
    (workspace / "src/env_link").symlink_to(workspace / ".env")
    (workspace / "src/again").symlink_to(workspace / "src")
    (workspace / "binary").write_bytes(b"needle\0")
    worker = executor(workspace)
    assert ok(worker.call("search_text", {"query": "needle"})) == "src/needle.py:1:needle = 1"
    assert (
        ok(worker.call("search_text", {"query": "NEEDLE", "ignore_case": True, "glob": "*.py"}))
        == "src/needle.py:1:needle = 1"
    )
    assert ok(worker.call("search_text", {"query": "NEEDLE"})) == "No line holds that."
    for query in ("db", "secret", "env"):
        assert ok(worker.call("search_files", {"query": query})) == "No path holds that."
    assert worker.call("search_text", {"query": "needle", "path": "config/secrets"})["status"] == "denied"


def test_search_results_are_bounded_and_in_order(workspace: Path) -> None:
    (workspace / "many.txt").write_text("hit\n" * 500)
    lines = ok(executor(workspace).call("search_text", {"query": "hit"})).split("\n")
    assert (lines[0], lines[199], len(lines)) == ("many.txt:1:hit", "many.txt:200:hit", 201)
    assert "more than 200" in lines[-1]


@pytest.mark.parametrize(
    ("path", "glob", "expected"),
    [
        ("src/a/b.py", "*.py", True),
        ("src/a/b.py", "src/*.py", False),
        ("src/a/b.py", "src/**/*.py", True),
        ("src/b.py", "src/**/*.py", True),
        ("src/b.py", "**/b.py", True),
        ("b.py", "**/b.py", True),
        ("src/a/b.py", "src/**", True),
        ("tests/a.py", "src/**", False),
        ("a/b/c/d", "a/**/c/**/d", True),
        ("a/b/d", "a/**/c/**/d", False),
        ("a" * 5000, "*a" * 200 + "b", False),
    ],
)
def test_patterns_of_paths(path: str, glob: str, expected: bool) -> None:
    assert coding.module("searching").fits(path, glob) is expected


def test_secrets_in_output_are_masked(workspace: Path) -> None:
    token = "ghp_" + "a1B2" * 9
    (workspace / "src/app.py").write_text(f"token = '{token}'\n")
    worker = executor(workspace)
    for name, args in (
        ("read_file", {"path": "src/app.py"}),
        ("search_text", {"query": "token"}),
        ("run_shell", {"command": "cat src/app.py"}),
    ):
        out = ok(worker.call(name, args))
        assert token not in out
        assert "[secret:" in out
    (workspace / "src/app.py").write_text(f"token = '{token}x'\n")
    assert token not in ok(worker.call("show_diff", {}))


@pytest.mark.parametrize("command", ["false", "exit 3", "kill -9 $$", "no-such-program", "echo done; false"])
def test_a_command_that_fails_never_reads_as_a_success(workspace: Path, command: str) -> None:
    failed(executor(workspace, lambda _: True).call("run_shell", {"command": command}))


def test_a_denied_command_never_runs(workspace: Path) -> None:
    for mode, command in (
        ("review", "touch made"),
        ("implement", "git push --force"),
        ("implement", "cat .env > made"),
    ):
        result = executor(workspace, mode=mode).call("run_shell", {"command": command})
        assert (result["status"], result["exit_code"], result["stdout"]) == ("denied", None, "")
    assert not (workspace / "made").exists()


@pytest.mark.parametrize(("answer", "status"), [(False, "denied"), (None, "needs_confirmation"), ("yes", "denied")])
def test_what_nobody_agreed_to_never_runs(workspace: Path, answer: Any, status: str) -> None:
    result = executor(workspace, lambda _: answer).call("run_shell", {"command": 'python -c \'open("made", "w")\''})
    assert result["status"] == status
    assert not (workspace / "made").exists()


def test_a_person_agrees_to_one_command_once(workspace: Path) -> None:
    worker = executor(workspace, lambda _: True)
    first = {"command": "touch one; mv one two"}
    decision = worker.guard.check_tool("run_shell", first)
    token = worker.guard.approve(decision.confirmation)
    for name, args in (
        ("run_shell", {"command": "touch one; mv one three"}),
        ("delete_file", {"path": "src/app.py", "reason": "x"}),
    ):
        assert worker.guard.check_tool(name, args, token).effect == "ask"
    assert worker.guard.check_tool("run_shell", first, token).effect == "allow"
    assert worker.guard.check_tool("run_shell", first, token).effect == "ask"


def test_what_is_judged_is_what_is_done(workspace: Path) -> None:
    """The caller's own arguments change while the person thinks."""
    args = {"path": "src/app.py", "reason": "x"}

    def ask(_: Any) -> bool:
        args["path"] = "config"
        return True

    ok(executor(workspace, ask).call("delete_file", args))
    assert not (workspace / "src/app.py").exists()
    assert (workspace / "config").exists()


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("delete_file", {"path": "src/app.py", "reason": "x", "user_confirmed": True}),
        ("delete_file", {"path": "src/app.py"}),
        ("delete_file", {"path": "src/app.py", "reason": ""}),
        ("read_file", {"path": ["src/app.py"]}),
        ("read_file", None),
        ("read_file", "src/app.py"),
        ("read_file", {"path": float("nan")}),
        ("no_tool", {}),
        ("call", {}),
        ("read-skill", {}),
    ],
)
def test_arguments_that_are_not_the_tools(workspace: Path, name: str, args: Any) -> None:
    failed(executor(workspace).call(name, args))
    assert (workspace / "src/app.py").exists()


def test_a_command_sees_no_secrets_of_this_process(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-secret")
    monkeypatch.setenv("BASH_ENV", str(workspace / "evil.sh"))
    (workspace / "evil.sh").write_text("touch made\n")
    out = ok(executor(workspace, lambda _: True).call("run_shell", {"command": "env"}))
    assert "ANTHROPIC" not in out
    assert "PATH=" in out
    assert not (workspace / "made").exists()


def test_a_command_is_bounded_in_time_and_output() -> None:
    shell = coding.module("shell")
    began = time.monotonic()
    ran = shell.run("echo started; sleep 60 & sleep 60", Path("/"), timeout=1.5)
    assert time.monotonic() - began < 30
    assert (ran.exit_code, ran.stdout) == (None, b"started\n")
    assert ran.stderr.endswith(b"Stopped after 1.5 seconds.")
    ran = shell.run("yes | head -c 3000000; echo end", Path("/"))
    assert (ran.exit_code, len(ran.stdout) < 500_000) == (0, True)
    assert ran.stdout.endswith(b"end\n")
    assert b"bytes left out" in ran.stdout


def test_what_a_command_leaves_running_is_stopped(workspace: Path) -> None:
    coding.module("shell").run("(sleep 1; touch made) & true", workspace)
    time.sleep(1.3)
    assert not (workspace / "made").exists()


def test_changes_are_counted_whoever_made_them(workspace: Path) -> None:
    (workspace / "big.bin").write_bytes(b"\0" * 100)
    worker = executor(workspace, lambda _: True)
    assert ok(worker.call("show_diff", {})) == "Nothing has changed."
    (workspace / "src/app.py").write_text("a\nB\nc\nd\n")
    (workspace / "new.py").write_text("1\n2\n")
    (workspace / "big.bin").write_bytes(b"\0" * 101)
    (workspace / "src/node_modules").mkdir()
    (workspace / "src/node_modules/x.js").write_text("x\n")
    (workspace / ".env").write_text("OTHER=1\n")
    assert [str(change) for change in worker.changes.listed()] == [
        "big.bin (changed, lines not counted)",
        "new.py (new, +2 -0)",
        "src/app.py (changed, +2 -1)",
    ]
    (workspace / "src/app.py").unlink()
    text = ok(worker.call("show_diff", {"path": "src"}))
    assert text.startswith("src/app.py (deleted, +0 -3)\n\n--- a/src/app.py\n+++ /dev/null\n")
    assert "OTHER" not in ok(worker.call("show_diff", {}))


KILLED = """
import sys
from pathlib import Path
from journal import Journal, Write
folder, state = map(Path, sys.argv[1:])
names = [folder / f"{number}.txt" for number in range(16)]
journal = Journal(state)
print("ready", flush=True)
old, new = b"old\\n" * 5_000, b"new\\n" * 5_000
while True:
    journal.replace([Write(name, old, new, 0o640) for name in names] + [Write(folder / "extra/x.txt", None, b"x", None)])
    journal.replace([Write(name, new, old, 0o640) for name in names] + [Write(folder / "extra/x.txt", b"x", None, None)])
"""


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_an_end_in_the_middle_leaves_every_file_whole_and_all_of_one_patch(
    tmp_path: Path, sent: signal.Signals
) -> None:
    journal = coding.module("journal")
    folder, state = tmp_path / "w", tmp_path / "state"
    folder.mkdir()
    names = [folder / f"{number}.txt" for number in range(16)]
    for name in names:
        name.write_bytes(b"old\n" * 5_000)
        name.chmod(0o640)
    taken_back = 0
    for attempt in range(12):
        environment = {**os.environ, "PYTHONPATH": str(coding.FOLDER)}
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", KILLED, str(folder), str(state)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        assert process.stdout
        assert process.stdout.readline() == b"ready\n"
        if attempt % 3:
            wait_for_a_patch_in_the_middle(names)
        else:
            time.sleep(0.003 + 0.009 * attempt)
        process.send_signal(sent)
        process.wait()
        process.stdout.close()
        assert {name.read_bytes() for name in names} <= {b"old\n" * 5_000, b"new\n" * 5_000}
        taken_back += bool(journal.Journal(state).recover())
        [now] = {name.read_bytes() for name in names}
        assert (folder / "extra/x.txt").exists() is now.startswith(b"new")
        assert {stat.S_IMODE(name.stat().st_mode) for name in names} == {0o640}
        assert not [path for path in folder.rglob("*") if path.name.endswith(".part")]
        reset = [journal.Write(name, now, b"old\n" * 5_000, 0o640) for name in names if now.startswith(b"new")]
        extra = folder / "extra/x.txt"
        journal.Journal(state).replace([*reset, *([journal.Write(extra, b"x", None, None)] if extra.exists() else [])])
    assert taken_back or sent == signal.SIGINT, "no kill came in the middle of a patch"


def wait_for_a_patch_in_the_middle(names: list[Path]) -> None:
    """Return when the first file is of another version than the last, which lasts for some milliseconds."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        with names[0].open("rb") as first, names[-1].open("rb") as last:
            if first.read(3) != last.read(3):
                return


def test_what_somebody_wrote_after_the_kill_is_not_taken_back(tmp_path: Path) -> None:
    journal = coding.module("journal")
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"old")
    two.write_bytes(b"old")
    book = journal.Journal(tmp_path / "state")
    book._note([journal.Write(path, b"old", b"new", 0o644) for path in (one, two)], [None, None], [])
    one.write_bytes(b"new")
    two.write_bytes(b"a person's")
    assert book.recover() == [str(one)]
    assert (one.read_bytes(), two.read_bytes()) == (b"old", b"a person's")


def test_a_session_tells_what_it_has_taken_back(workspace: Path) -> None:
    journal = coding.module("journal")
    path = workspace / "src/app.py"
    book = journal.Journal(workspace.parent / "w-state")
    book._note([journal.Write(path, b"a\nb\nc\n", b"new", 0o644)], [None], [])
    path.write_bytes(b"new")
    assert executor(workspace).recovered == [str(path)]
    assert path.read_bytes() == b"a\nb\nc\n"


def test_results_are_json(workspace: Path) -> None:
    worker = executor(workspace)
    (workspace / "odd").write_bytes(b"\xff\xfe\xfd")
    for name, args in (
        ("run_shell", {"command": "cat odd"}),
        ("read_file", {"path": "odd"}),
        ("read_file", {"path": "\ud800"}),
    ):
        result = worker.call(name, args)
        assert json.loads(json.dumps(result)) == result
