"""The wheel works without the checkout: the schemas and the library travel inside it."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that stands for site-packages, with the wheel's content."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=120)
    (wheel,) = folder.glob("frieze-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, *arguments: str, cwd: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "frieze", *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_holds_the_data_and_no_more(unpacked: Path) -> None:
    for name in ("schema", "profiles"):
        shipped = {path.relative_to(ROOT / name) for path in (ROOT / name).rglob("*") if path.is_file()}
        inside = unpacked / "frieze/_data" / name
        assert shipped
        assert {path.relative_to(inside) for path in inside.rglob("*") if path.is_file()} == shipped
    assert {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")} == {"frieze"}
    assert (unpacked / "frieze/py.typed").is_file()


def test_the_wheel_is_what_runs(unpacked: Path, tmp_path: Path) -> None:
    code = "import frieze, frieze.resources as r; print(frieze.__file__, r.schema_folder(), r.profiles_folder())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert all(path.startswith(str(unpacked)) for path in done.stdout.split())


def test_a_project_is_made_checked_and_rendered(unpacked: Path, tmp_path: Path) -> None:
    run(unpacked, "init", "desk", cwd=tmp_path)
    assert "all good" in run(unpacked, "check", "desk", cwd=tmp_path)
    run(unpacked, "compile", "desk", cwd=tmp_path)
    assert "Aiko" in run(unpacked, "render", "desk", "--context", "desk/contexts/example.json", cwd=tmp_path)
