"""`--cwd`: the documents of a working directory in a rendered and in an explained prompt."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import frieze as run
from support.projects import write_files

PROJECT = {
    "frieze.yaml": "kind: project\nname: coding\nproject_documents: {max_bytes: 20}\n",
    "profiles/coder.yaml": """kind: agent
name: coder
defaults: {platform: api, model: claude-sonnet-4-6}
layout: {from: std, insert: {project-docs: {at: last}}}
instructions: You write code.
""",
}


@pytest.fixture
def folders(tmp_path: Path) -> tuple[str, str]:
    """Return a project of prompts, and a working directory with documents around it."""
    write_files(tmp_path / "prompts", PROJECT)
    write_files(tmp_path / "repo", {".git/x": "", "AGENTS.md": "Root rules.\n", "a/AGENTS.md": "Nested rules.\n"})
    return str(tmp_path / "prompts"), str(tmp_path / "repo/a")


def test_rendered_with_documents_and_told_what_was_cut(folders: tuple[str, str]) -> None:
    outcome = run("render", folders[0], "--cwd", folders[1])
    assert outcome.code == 0
    assert f"# AGENTS.md instructions for {folders[1]}\n\n<INSTRUCTIONS>\nRoot rules.\n\nNested r\n" in outcome.out
    assert f"note[document-cut]: {folders[1]}/AGENTS.md: 6 of 14 bytes" in outcome.err


def test_explained_with_file_and_bytes(folders: tuple[str, str]) -> None:
    outcome = run("explain", folders[0], "--cwd", folders[1], "--format", "json")
    root = str(Path(folders[1]).parent)
    assert json.loads(outcome.out)["documents"] == [
        {"block": "project-docs", "file": f"{root}/AGENTS.md", "start": 0, "end": 11, "size": 12},
        {"block": "project-docs", "file": f"{folders[1]}/AGENTS.md", "start": 0, "end": 8, "size": 14},
    ]
    text = run("explain", folders[0], "--cwd", folders[1]).out
    assert text.rstrip().endswith("bytes 0-8 of 14")


def test_the_users_folder(folders: tuple[str, str], tmp_path: Path) -> None:
    write_files(tmp_path / "home", {"AGENTS.md": "Mine."})
    outcome = run("render", folders[0], "--cwd", folders[1], "--user-folder", str(tmp_path / "home"))
    assert "<INSTRUCTIONS>\nMine.\n\n--- project-doc ---\n\nRoot rules." in outcome.out


@pytest.mark.parametrize("options", [["--cwd", "no-such-folder"], ["--user-folder", "."]])
def test_wrong_use(folders: tuple[str, str], options: list[str]) -> None:
    outcome = run("render", folders[0], *options)
    assert (outcome.code, outcome.out) == (2, "")
