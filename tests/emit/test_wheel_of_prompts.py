"""`compile --wheel`: the same bytes everywhere, a form that pip and packaging read, and prompts in an empty environment."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.metadata import Metadata
from packaging.utils import canonicalize_name, parse_wheel_filename
from packaging.version import InvalidVersion, Version

import frieze
from frieze.emit import Wheel, check_wheel, distribution_name, wheel_of, write_wheel
from frieze.emit.versions import normal_version
from support import examples
from support.commands import frieze as command
from support.projects import write_minimal_project

DESK = examples.ROOT / "examples/support-desk"
NAME = "support_desk_prompts-1.0.0-py3-none-any.whl"
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
PROJECT = "# file: frieze.yaml\nkind: project\nname: example-project\nversion: {}\n"


def build(root: Path) -> Wheel:
    result = frieze.compile(root)
    assert result.bundle
    assert result.project
    wheel, faults = wheel_of(result.bundle, result.project)
    assert faults == []
    assert wheel
    return wheel


@pytest.fixture(scope="module")
def wheel() -> Wheel:
    return build(DESK)


@pytest.fixture(scope="module")
def environment(wheel: Wheel, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment that holds the wheel and nothing else."""
    root = tmp_path_factory.mktemp("environment")
    assert write_wheel(wheel, root) == []
    folder = root / "env"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True, timeout=60)
    install = ["install", "--quiet", "--disable-pip-version-check", "--no-deps", "--no-index", root / NAME]
    subprocess.run([sys.executable, "-m", "pip", "--python", folder, *install], check=True, timeout=60)
    return folder


def python(environment: Path, *arguments: str | Path, **variables: str) -> str:
    program = environment / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    variables["PATH"] = os.environ["PATH"]
    done = subprocess.run(
        [program, *arguments], env=variables, cwd=environment, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_two_builds_give_the_same_bytes(tmp_path: Path) -> None:
    wheels = set()
    for number, (seed, zone, mask) in enumerate([("0", "UTC", 0o022), ("1", "Asia/Tokyo", 0o077)]):
        root = tmp_path / f"copy-{number}"
        shutil.copytree(DESK, root, ignore=shutil.ignore_patterns("dist"))
        for path in root.rglob("*"):
            os.utime(path, (number * 1e9, number * 1e9))
        variables = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "SOURCE_DATE_EPOCH": str(number * 10**9)}
        program = [sys.executable, "-m", "frieze", "compile", "--wheel", "-o", tmp_path / seed]
        subprocess.run(program, cwd=root, env=variables, umask=mask, check=True, capture_output=True, timeout=120)
        written = tmp_path / seed / NAME
        assert written.stat().st_mode & 0o777 == 0o644
        wheels.add(written.read_bytes())
    assert len(wheels) == 1


def test_what_the_archive_says_of_its_entries(wheel: Wheel) -> None:
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        entries = archive.infolist()
        assert archive.testzip() is None
        assert archive.comment == b""
    assert {entry.date_time for entry in entries} == {(1980, 1, 1, 0, 0, 0)}
    assert {entry.compress_type for entry in entries} == {zipfile.ZIP_STORED}
    assert {(entry.create_system, entry.external_attr >> 16) for entry in entries} == {(3, 0o100644)}
    names = [entry.filename for entry in entries]
    inside = [name for name in names if name.startswith("support_desk/")]
    info = "support_desk_prompts-1.0.0.dist-info"
    assert names == [*sorted(inside), f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD"]
    assert len(names) == wheel.files


def test_the_package_is_the_bundle(wheel: Wheel) -> None:
    result = frieze.compile(DESK)
    assert result.bundle
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        held = {name: archive.read(name) for name in archive.namelist() if ".dist-info/" not in name}
    assert held == {f"support_desk/{name}": data for name, data in result.bundle.files.items()}


def test_record_lists_every_file(wheel: Wheel) -> None:
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        record = next(name for name in archive.namelist() if name.endswith("/RECORD"))
        rows = {name: rest for name, *rest in csv.reader(archive.read(record).decode().splitlines())}
        assert set(rows) == set(archive.namelist())
        assert rows.pop(record) == ["", ""]
        for name, (digest, size) in rows.items():
            data = archive.read(name)
            expected = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            assert (digest, size) == (f"sha256={expected}", str(len(data)))


def test_metadata_is_valid_and_asks_for_nothing(wheel: Wheel) -> None:
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        data = archive.read("support_desk_prompts-1.0.0.dist-info/METADATA")
        tags = archive.read("support_desk_prompts-1.0.0.dist-info/WHEEL").decode()
    metadata = Metadata.from_email(data, validate=True)
    assert (metadata.name, str(metadata.version)) == ("support-desk-prompts", "1.0.0")
    assert metadata.summary
    assert metadata.summary.startswith("The concierge of Komorebi Stays")
    assert "3.11" in (metadata.requires_python or "")
    assert [str(needed.marker) for needed in metadata.requires_dist or []] == ['extra == "tz"']
    assert tags == (
        f"Wheel-Version: 1.0\nGenerator: frieze {frieze.__version__}\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )


def test_a_description_of_several_lines_cannot_add_a_field(tmp_path: Path) -> None:
    text = PROJECT.format("1.0.0") + 'description: "One.\\nRequires-Dist: evil\\n \\u3000x \\u3042"\n'
    with zipfile.ZipFile(io.BytesIO(build(write_minimal_project(tmp_path, text)).data)) as archive:
        data = archive.read("example_project_prompts-1.0.0.dist-info/METADATA")
    metadata = Metadata.from_email(data, validate=True)
    assert metadata.summary == "One. Requires-Dist: evil x \u3042"
    assert len(metadata.requires_dist or []) == 1


@pytest.mark.parametrize(
    ("project", "name"),
    [
        ("support-desk", "support-desk-prompts"),
        ("my-prompts", "my-prompts"),
        ("prompts", "prompts"),
        ("shop.de_2", "shop-de-2-prompts"),
        ("shop-", "shop-prompts"),
    ],
)
def test_the_name_of_the_distribution(project: str, name: str) -> None:
    assert distribution_name(project) == name == canonicalize_name(name)


@pytest.mark.parametrize(
    ("version", "normal"), [("1.4.0-beta.1", "1.4.0b1"), ("01.4", "1.4"), ("1.4.0+Tokyo-2", "1.4.0+tokyo.2")]
)
def test_the_file_name_holds_the_normal_version(tmp_path: Path, version: str, normal: str) -> None:
    wheel = build(write_minimal_project(tmp_path, PROJECT.format(json.dumps(version))))
    name, found, _, tags = parse_wheel_filename(wheel.name)
    assert (name, str(found), {str(tag) for tag in tags}) == ("example-project-prompts", normal, {"py3-none-any"})
    with zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        assert f"Version: {normal}\n".encode() in archive.read(f"example_project_prompts-{normal}.dist-info/METADATA")


PIECES = "0 1 23 007 . .0 - _ + ! a b c rc alpha beta pre preview dev post rev r v V RC x \u00e9 \u0663 1.4.0"
VERSIONS = st.lists(
    st.sampled_from(PIECES.split()),
    min_size=1,
    max_size=8,
).map("".join)


@settings(max_examples=2000, deadline=None)
@given(VERSIONS)
def test_versions_are_normal_as_packaging_has_them(version: str) -> None:
    try:
        expected = str(Version(version))
    except InvalidVersion:
        expected = None
    assert normal_version(version) == expected


def test_a_version_that_no_wheel_can_have_is_shown_in_its_place(tmp_path: Path) -> None:
    root = write_minimal_project(tmp_path, PROJECT.format("1.4.0-tokyo"))
    assert command("check", root).code == 0
    done = command("compile", "--wheel", cwd=root)
    assert (done.code, done.out) == (1, "")
    assert "error[F605]: the version `1.4.0-tokyo` cannot be the version of a wheel" in done.err
    assert "frieze.yaml:3:10" in done.err
    assert done.err.endswith("Nothing was written.\n")
    assert not (root / "dist").exists()
    assert command("compile", cwd=root).code == 0


def test_the_command_writes_and_checks(tmp_path: Path) -> None:
    root = write_minimal_project(tmp_path, PROJECT.format("1.4.0"))
    path = root / "dist/example_project_prompts-1.4.0-py3-none-any.whl"
    missing = command("compile", "--wheel", "--check", cwd=root)
    assert (missing.code, "is missing" in missing.err, path.exists()) == (1, True, False)
    done = command("compile", "--wheel", cwd=root)
    assert done.code == 0
    assert done.out.startswith("dist/example_project_prompts-1.4.0-py3-none-any.whl: written (")
    assert [entry.name for entry in (root / "dist").iterdir()] == [path.name]
    assert "is up to date" in command("compile", "--wheel", "--check", cwd=root).out
    path.write_bytes(path.read_bytes() + b"\0")
    changed = command("compile", "--wheel", "--check", cwd=root)
    assert (changed.code, "error[F604]" in changed.err, "differs" in changed.err) == (1, True, True)
    assert command("compile", "--wheel", cwd=root).code == 0
    assert command("compile", "--wheel", "--check", cwd=root).code == 0


def test_what_cannot_be_replaced_stays(wheel: Wheel, tmp_path: Path) -> None:
    (tmp_path / NAME / "mine").mkdir(parents=True)
    assert [fault.code for fault in write_wheel(wheel, tmp_path)] == ["F602"]
    assert (tmp_path / NAME / "mine").is_dir()
    (tmp_path / "file").write_text("mine")
    assert [fault.code for fault in write_wheel(wheel, tmp_path / "file")] == ["F601"]
    bundle = tmp_path / "bundle"
    bundle.mkdir()
    (bundle / "bundle.json").write_text("{}")
    assert [fault.code for fault in write_wheel(wheel, bundle)] == ["F602"]
    assert [entry.name for entry in bundle.iterdir()] == ["bundle.json"]


def test_a_write_that_fails_leaves_the_old_wheel(wheel: Wheel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / NAME).write_bytes(b"old")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        [fault] = write_wheel(wheel, tmp_path)
    assert (fault.code, dict(fault.args)["reason"]) == ("F601", "no space left on device")
    assert [(entry.name, entry.read_bytes()) for entry in tmp_path.iterdir()] == [(NAME, b"old")]
    assert [fault.code for fault in check_wheel(wheel, tmp_path)] == ["F604"]


def test_the_wheel_is_all_that_an_environment_needs(environment: Path) -> None:
    site = Path(python(environment, "-I", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    assert {path.name for path in site.iterdir()} == {"support_desk", "support_desk_prompts-1.0.0.dist-info"}
    script = (
        "import datetime, importlib.metadata, json, sys, support_desk\n"
        "now = datetime.datetime.fromisoformat(sys.argv[2])\n"
        "prompt = support_desk.prompt('concierge', platform='line')\n"
        "result = prompt.render(json.loads(sys.argv[1]), now)\n"
        "version = importlib.metadata.version('support-desk-prompts')\n"
        "print(json.dumps([version, support_desk.bundle().hash, result.text]))\n"
    )
    context = examples.given_contexts("support-desk")["line-tokyo"]
    found = json.loads(python(environment, "-I", "-c", script, json.dumps(context), NOW.isoformat()))
    bundle = examples.bundle("support-desk")
    text = bundle.prompt("concierge", platform="line").render(context, NOW).text
    assert "Aiko" in text
    assert found == ["1.0.0", bundle.hash, text]


def test_the_installed_package_verifies(environment: Path, tmp_path: Path) -> None:
    [package] = environment.rglob("site-packages/support_desk")
    python(environment, "-c", "import support_desk; support_desk.prompt('concierge')")
    done = command("verify", package)
    assert done.code == 0, done.err
    shutil.copytree(package, tmp_path / "support_desk")
    with (tmp_path / "support_desk/resolver/prompt.py").open("a") as module:
        module.write("evil = True\n")
    done = command("verify", tmp_path / "support_desk")
    assert (done.code, done.err.count("error["), "`resolver/prompt.py` differs" in done.err) == (1, 1, True)


def test_the_service_of_the_example_runs(environment: Path) -> None:
    said = python(environment, DESK / "service.py", PYTHONPATH=sysconfig.get_path("purelib"))
    assert said == "I read the guide '# Late arrival'. Yes, you can.\n"
