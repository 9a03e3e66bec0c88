"""Files that no profile text can show: what stands on the disk in the place of a profile, end to end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from support.commands import frieze
from support.projects import AGENT, PROJECT, write_files

BAD = "profiles/bad.yaml"
AGENT_FILE = {"profiles/agent.yaml": AGENT}


def written(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


def folder_link(path: Path) -> None:
    (path.parent.parent / "elsewhere").mkdir()
    path.symlink_to(path.parent.parent / "elsewhere")


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "dangling link": (lambda path: path.symlink_to("nowhere.yaml"), "F101"),
    "pipe": (os.mkfifo, "F103"),
    "link loop": (lambda path: path.symlink_to(path.name), "F104"),
    "50 MB": (written(b"# " + b"x" * 50_000_000), "F105"),
    "Latin-1": (written("kind: agent\nname: caf\xe9\n".encode("latin-1")), "F106"),
    "UTF-16": (written("kind: agent\n".encode("utf-16")), "F107"),
    "NUL": (written(b"kind: agent\0\n"), "F108"),
    "thousands of control characters": (written(b"kind: agent # " + b"\x01" * 5000), "F115"),
    "100 levels": (written(b"a: " + b"[" * 100 + b"]" * 100), "F128"),
    "100,000 levels": (written(b"a: " + b"[" * 100_000), "F128"),
    "30,000 values": (written(b"kind: agent\ndata:\n" + b"".join(b"  k%d: 1\n" % n for n in range(30_000))), "F129"),
    "rare syntax": (written(b"kind: |9x\n"), "F140"),
    "link to a folder": (folder_link, "F308"),
    "empty": (written(b""), "F132"),
    "second document": (written(b"kind: agent\n---\nkind: agent\n"), "F118"),
}


def found(root: Path) -> list[dict[str, object]]:
    outcome = frieze("check", "--format", "json", cwd=root)
    assert outcome.err == ""
    diagnostics: list[dict[str, object]] = json.loads(outcome.out)["diagnostics"]
    assert outcome.code == any(item["severity"] == "error" for item in diagnostics)
    return diagnostics


@pytest.mark.skipif(sys.platform != "linux", reason="makes pipes, links and unreadable files as Linux has them")
@pytest.mark.parametrize(("make", "code"), FAULTS.values(), ids=FAULTS)
def test_a_file_that_is_no_profile(tmp_path: Path, make: Callable[[Path], object], code: str) -> None:
    write_files(tmp_path, {"frieze.yaml": PROJECT, **AGENT_FILE})
    make(tmp_path / BAD)
    diagnostics = found(tmp_path)
    assert (BAD, code) in {(item["file"], item["code"]) for item in diagnostics}
    assert {item["file"] for item in diagnostics} == {BAD}, "one bad file must not make others look bad"


@pytest.mark.parametrize(
    ("files", "code", "file"),
    [
        (AGENT_FILE, "F301", "frieze.yaml"),
        ({"frieze.yaml": PROJECT}, "F309", "frieze.yaml"),
    ],
)
def test_a_project_without_a_part(tmp_path: Path, files: dict[str, str], code: str, file: str) -> None:
    import frieze as package

    write_files(tmp_path, files)
    diagnostics = package.check(tmp_path).diagnostics
    assert [(diagnostic.code, diagnostic.span.file) for diagnostic in diagnostics] == [(code, file)]


@pytest.mark.skipif(sys.platform != "linux", reason="needs a file that not even root can read")
def test_an_unreadable_file(tmp_path: Path) -> None:
    (tmp_path / "frieze.yaml").symlink_to("/proc/self/mem")
    assert [(item["file"], item["code"]) for item in found(tmp_path)] == [("frieze.yaml", "F102")]


AS_SOMEBODY = """\
import json, os, sys
from pathlib import Path

import frieze

frieze.compile(Path(sys.argv[1]))  # loads every module that is loaded late
os.chmod(Path(sys.argv[1], sys.argv[2]), int(sys.argv[3]))
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
result = frieze.compile(Path(sys.argv[1]))
print(json.dumps([result.bundle is None, [(found.span.file, found.code) for found in result.diagnostics]]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs rights as Linux has them")
@pytest.mark.parametrize(
    ("folder", "mode", "file"),
    [
        ("profiles/sub", 0o000, "profiles/sub"),
        ("profiles/sub", 0o444, "profiles/sub/second.yaml"),
        ("profiles", 0o000, "profiles"),
    ],
)
def test_an_unreadable_folder_is_never_passed_over(folder: str, mode: int, file: str) -> None:
    second = AGENT.replace("example-agent", "second")
    with tempfile.TemporaryDirectory() as name:  # not tmp_path: nobody else may enter that one
        root = write_files(Path(name), {"frieze.yaml": PROJECT, **AGENT_FILE, "profiles/sub/second.yaml": second})
        for path in (root, *root.rglob("*")):
            path.chmod(0o755 if path.is_dir() else 0o644)
        try:
            run = subprocess.run(
                [sys.executable, "-c", AS_SOMEBODY, str(root), folder, str(mode)], stdout=subprocess.PIPE, check=True
            )
        finally:
            (root / folder).chmod(0o755)
    nothing, diagnostics = json.loads(run.stdout)
    assert nothing
    assert [file, "F102"] in diagnostics


def test_all_bad_files_are_reported_in_one_run(tmp_path: Path) -> None:
    write_files(tmp_path, {"frieze.yaml": PROJECT, **AGENT_FILE})
    chosen = ["Latin-1", "UTF-16", "NUL", "100,000 levels", "empty", "second document"]
    for number, name in enumerate(chosen):
        FAULTS[name][0](tmp_path / f"profiles/{number}.yaml")
    assert {(item["file"], item["code"]) for item in found(tmp_path)} >= {
        (f"profiles/{number}.yaml", FAULTS[name][1]) for number, name in enumerate(chosen)
    }
