"""`--jobs`, `--no-cache` and FRIEZE_CACHE: the same words and bytes, and where things are kept."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from frieze.cache import CACHE
from frieze.cli import run

MINIMAL = Path(__file__).parents[2] / "examples" / "minimal"


def kept(folder: Path) -> set[str]:
    return {path.name for path in folder.rglob("*") if path.is_file()} if folder.exists() else set()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return Path(shutil.copytree(MINIMAL, tmp_path / "project"))


def said(capsysbinary: pytest.CaptureFixture[bytes], *arguments: str) -> tuple[int, bytes]:
    code = run(list(arguments))
    return code, capsysbinary.readouterr().out


def test_results_are_kept_and_change_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    folder = tmp_path / "kept"
    monkeypatch.setenv(CACHE, str(folder))
    first = said(capsysbinary, "check", "--no-cache", str(project))
    assert kept(folder) == set()
    assert said(capsysbinary, "check", str(project)) == first
    before = kept(folder)
    assert before
    assert said(capsysbinary, "check", "-j", "2", str(project)) == first
    for command in ("render", "explain"):
        whole = said(capsysbinary, command, "--no-cache", "--now", "2026-03-14T09:26:53Z", str(project))
        assert said(capsysbinary, command, "--now", "2026-03-14T09:26:53Z", str(project)) == whole
    assert kept(folder) == before


def test_a_folder_of_the_projects_own(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.delenv(CACHE)
    (project / ".frieze").mkdir()
    assert said(capsysbinary, "compile", str(project))[0] == 0
    assert ".gitignore" in kept(project / ".frieze")
    monkeypatch.setenv(CACHE, "off")
    shutil.rmtree(project / ".frieze" / "cache")
    assert said(capsysbinary, "compile", "--check", str(project))[0] == 0
    assert kept(project / ".frieze") == set()


def test_no_process_is_too_few(project: Path) -> None:
    assert run(["check", "--jobs", "0", str(project)]) == 2
