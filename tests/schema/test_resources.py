"""The shipped data is found from a checkout and inside an installed package, and its absence is said."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from frieze import resources
from frieze.resources import profiles_folder, reference_folder, schema_folder

CHECKOUT = Path(__file__).parents[2]
SCRIPT = "import frieze.resources as r; print(r.schema_folder()); print(r.profiles_folder())"


def run(root: Path) -> subprocess.CompletedProcess[str]:
    command = f"import sys; sys.path.insert(0, {str(root)!r}); {SCRIPT}"
    return subprocess.run([sys.executable, "-I", "-S", "-c", command], capture_output=True, text=True, check=False)


def package(root: Path) -> Path:
    """Write a package that holds nothing but the finder."""
    folder = root / "frieze"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text("")
    shutil.copy(resources.__file__, folder)
    return folder


def test_a_checkout_has_its_own_folders() -> None:
    assert schema_folder() == CHECKOUT / "schema"
    assert profiles_folder() == CHECKOUT / "profiles"


def test_an_installed_package_carries_its_data(tmp_path: Path) -> None:
    data = package(tmp_path / "lib") / "_data"
    for name in ("schema", "profiles"):
        (data / name).mkdir(parents=True)
    assert run(tmp_path / "lib").stdout.split() == [str(data / "schema"), str(data / "profiles")]


def test_a_broken_installation_says_so(tmp_path: Path) -> None:
    package(tmp_path / "lib")
    assert "frieze is not installed completely: its `schema` folder is missing" in run(tmp_path / "lib").stderr


def test_a_wheel_holds_schemas_and_profiles(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)],
        cwd=CHECKOUT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"frieze/_data/schema/{path.name}" for path in schema_folder().glob("*.json")} <= names
    assert "frieze/_data/profiles/frieze.yaml" in names
    assert {f"frieze/_data/reference/{path.name}" for path in reference_folder().glob("*.*")} <= names
    assert not [name for name in names if name.startswith("tests/")]
