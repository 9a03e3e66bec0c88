"""Whatever is read exactly predicts everything that bash starts and writes: random lines against a real bash."""

from __future__ import annotations

import posixpath
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.bash_oracle import BASH, Run, run_all
from support.command_lines import STUBS, Lines
from support.shipped_policy import Workspace

pytestmark = pytest.mark.skipif(BASH is None, reason="there is no bash to compare with")


WRAPPERS = [
    name for name in ("timeout", "nice", "nohup", "stdbuf", "setsid", "env", "xargs", "find") if shutil.which(name)
]


def accepted(make: Callable[[], str], count: int, workspace: Workspace) -> list[str]:
    """Return different random lines that are read exactly in every part."""
    found: dict[str, None] = {}
    while len(found) < count:
        text = make()
        if workspace.judge(text)[1] is not None:
            found[text] = None
    return list(found)


def surprises(text: str, run: Run, workspace: Workspace) -> list[str]:
    """Return what bash did and nobody had predicted."""
    _, parsed = workspace.judge(text)
    assert parsed is not None
    root = str(workspace.root)
    folders: dict[tuple[str, ...], set[str]] = {}
    written: set[str] = set()
    lost = False
    for command in parsed.commands:
        folders.setdefault(command.argv, set()).update(command.cwds)
        lost = lost or "" in command.cwds
        for path, access in command.accesses:
            if access == "write":
                written.update(posixpath.relpath(posixpath.join(cwd or root, path), root) for cwd in command.cwds)
    found = []
    for folder, words in run.started:
        if words not in folders:
            found.append(f"{text!r} started {words}")
        elif not {"", posixpath.normpath(posixpath.join(root, folder))} & folders[words]:
            found.append(f"{text!r} started {words} in {folder}")
    if not lost:
        found += [f"{text!r} wrote {path}" for path in sorted(run.written - written)]
    return found


def compare(make: Callable[[], str], count: int, folder: Path, *, wrapped: bool = False) -> tuple[int, int]:
    """Run accepted lines and compare; return how many programs were started and files written."""
    workspace = Workspace(folder)
    texts = accepted(make, count, workspace)
    root = folder / "runs"
    root.mkdir()
    runs = run_all(texts, root, wrappers=WRAPPERS, stubs=STUBS) if wrapped else run_all(texts, root)
    found = [surprise for text, run in zip(texts, runs, strict=True) for surprise in surprises(text, run, workspace)]
    assert not found, "\n".join(found)
    return sum(len(run.started) for run in runs), sum(len(run.written) for run in runs)


def test_random_lines(tmp_path: Path) -> None:
    started, written = compare(Lines(20).any, 2_000, tmp_path)
    assert started > 2_000, "the lines start too little to tell anything"
    assert written > 300, "the lines write too little to tell anything"


def test_what_real_wrappers_start(tmp_path: Path) -> None:
    started, _ = compare(Lines(21).wrapped, 400, tmp_path, wrapped=True)
    assert started > 200, "the wrappers start too little to tell anything"


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200, 205))
def test_what_real_wrappers_start_more_often(seed: int, tmp_path: Path) -> None:
    compare(Lines(seed).wrapped, 3_000, tmp_path, wrapped=True)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 110))
def test_many_random_lines(seed: int, tmp_path: Path) -> None:
    compare(Lines(seed).any, 4_000, tmp_path)


FLAGS = ("-p", "--", "-p --", r"-\p", '"-p"', r"\-p", "'--'", r"-p -\-", "-p '-p'", "-- -p", "-- '-p'", "--p")


def test_what_is_timed(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path)
    texts = [text for flags in FLAGS if workspace.judge(text := f"time {flags} aa b")[1] is not None]
    assert len(texts) > 3
    runs = run_all(texts, tmp_path)
    assert [found for text, run in zip(texts, runs, strict=True) for found in surprises(text, run, workspace)] == []


def test_the_oracle_sees_what_is_hidden(tmp_path: Path) -> None:
    """The oracle itself: what no reader of the text would find is logged."""
    texts = ["x=aa; $x b", "echo $(bb 'c d') > o", "cd d && aa > p; bb", "{ aa,b; }", "a\\\na", "aa 2>&1 >| 'o p'"]
    runs = run_all(texts, tmp_path)
    assert [sorted(run.started) for run in runs] == [
        [(".", ("aa", "b"))],
        [(".", ("bb", "c d"))],
        [("d", ("aa",)), ("d", ("bb",))],
        [(".", ("aa,b",))],
        [(".", ("aa",))],
        [(".", ("aa",))],
    ]
    assert [run.written for run in runs] == [set(), {"o"}, {"d/p"}, set(), set(), {"o p"}]
