"""Names that no file system takes or no encoding knows, and streams that are closed: a sentence, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.commands import frieze
from support.projects import write_minimal_project

LONG = "a" * 300


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_minimal_project(tmp_path, "kind: personality\nname: calm\ntext: Speak calmly.\n")


@pytest.mark.parametrize("arguments", [("-o", LONG), ("--check", "-o", LONG), ("-o", "a/" * 3000 + "b")])
def test_an_output_folder_that_cannot_be(project: Path, arguments: tuple) -> None:
    outcome = frieze("compile", project, *arguments, cwd=project)
    assert outcome.code == 1
    assert "internal error" not in outcome.err


@pytest.mark.parametrize("name", [LONG + ".md", "a" * 5000, "a/" * 3000 + "b.md"])
def test_a_text_file_that_cannot_be(project: Path, name: str) -> None:
    (project / "profiles/long.yaml").write_text(f"kind: personality\nname: long\ntext: {{file: {name}}}\n")
    outcome = frieze("check", project, cwd=project)
    assert outcome.code == 1
    assert "F320" in outcome.out
    assert "internal error" not in outcome.err


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github"])
def test_a_profile_whose_file_name_is_not_text(project: Path, form: str) -> None:
    path = os.fsencode(project / "profiles") + b"/b\xffd.yaml"
    with open(path, "w") as file:  # noqa: PTH123 - a name in bytes
        file.write("kind: personality\nname: bad\ntext: {{ x }}\n")
    outcome = frieze("check", project, "--format", form, cwd=project)
    assert outcome.code == 1
    assert "F119" in outcome.out
    assert "internal error" not in outcome.err


def test_a_context_from_a_closed_stdin(project: Path) -> None:
    run = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m frieze render {project} --context - <&-"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert "stdin is closed" in run.stderr
