"""`frieze verify`: a folder, an installed package or a wheel against its hashes."""

from __future__ import annotations

import io
import json
import os
import random
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import frieze
from frieze.emit import verify, wheel_of, write_bundle
from frieze.runtime.bundle import canonical, manifest_hash
from support import examples
from support.commands import frieze as command
from support.commands import frieze_process

INFO = "minimal_prompts-0.1.0.dist-info"
DIFFERS = "differs from what was compiled"
FOREIGN = "does not belong to the bundle"


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "minimal"
    assert write_bundle(examples.files("minimal"), folder) == []
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    return shutil.copytree(whole, tmp_path / "minimal")


@pytest.fixture(scope="module")
def wheel() -> bytes:
    result = frieze.compile(examples.ROOT / "examples/minimal")
    assert result.bundle
    assert result.project
    made, _ = wheel_of(result.bundle, result.project)
    assert made
    return made.data


def found(path: Path) -> list[tuple[str, str]]:
    """Return what `verify` says of each file; every diagnostic stands at its own file."""
    verified, faults = verify(path)
    assert (verified is None) == bool(faults)
    for fault in faults:
        assert fault.code == "F606"
        assert fault.span.file == str(path / dict(fault.args)["file"])
    return [(dict(fault.args)["file"], dict(fault.args)["state"]) for fault in faults]


def packed(wheel: bytes, path: Path, change: Callable[[list[tuple[str, bytes]]], None]) -> Path:
    """Write the wheel again with other content, deflated, with an entry for a folder."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        entries = [(name, archive.read(name)) for name in archive.namelist()]
    change(entries)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("minimal")
        for name, data in entries:
            archive.writestr(name, data)
    return path


def test_a_bundle_as_it_was_compiled(whole: Path) -> None:
    manifest = json.loads((whole / "bundle.json").read_bytes())
    expected = (
        f"minimal: as it was compiled (minimal 0.1.0, {len(manifest['files']) + 1} files, hash {manifest['hash']})\n"
    )
    for given in ("minimal", "minimal/bundle.json"):
        assert command("verify", given, cwd=whole.parent) == (0, expected, "")
    (whole / "resolver/__pycache__").mkdir(exist_ok=True)
    (whole / "resolver/__pycache__/bundle.cpython-311.pyc").write_bytes(b"left by Python")
    assert command("verify", "minimal", cwd=whole.parent).code == 0


def test_every_file_that_is_not_as_it_was_is_named(folder: Path) -> None:
    with (folder / "__init__.py").open("a") as module:
        module.write("import os\n")
    (folder / "py.typed").unlink()
    (folder / "resolver/evil.py").write_text("evil = True\n")
    (folder / "residuals/more").mkdir()
    (folder / "residuals/more/x.json").write_text("{}")
    assert found(folder) == [
        ("__init__.py", DIFFERS),
        ("py.typed", "is missing"),
        ("residuals/more/x.json", FOREIGN),
        ("resolver/evil.py", FOREIGN),
    ]
    done = command("verify", folder.name, cwd=folder.parent)
    assert (done.code, done.out) == (1, "")
    assert "error[F606]: `__init__.py` differs from what was compiled\n --> minimal/__init__.py\n" in done.err
    assert "4 errors in 4 files" in done.err


def test_one_bit_of_any_file_is_found(whole: Path, folder: Path) -> None:
    names = sorted(path.relative_to(whole) for path in whole.rglob("*") if path.is_file() and path.suffix != ".pyc")
    dice = random.Random(7)
    for name in names:
        data = bytearray((whole / name).read_bytes())
        if data:
            place = dice.randrange(len(data))
            data[place] ^= 1 << dice.randrange(8)
        else:
            data += b" "
        (folder / name).write_bytes(data)
        first, *others = [file for file, _ in found(folder)]
        assert first == name.as_posix()
        assert others == [] or first == "bundle.json"
        shutil.copyfile(whole / name, folder / name)
    assert found(folder) == []


def test_a_manifest_that_was_changed_with_a_file_is_found(folder: Path) -> None:
    manifest = json.loads((folder / "bundle.json").read_bytes())
    manifest["files"]["py.typed"] = "0" * 64
    (folder / "bundle.json").write_bytes(canonical(manifest))
    assert found(folder) == [("bundle.json", "was changed after it was compiled"), ("py.typed", DIFFERS)]
    for text in ("", "[]", "{", "[" * 100_000, '{"format": 1}', '{"format": 1, "files": []}', '{"format": 99}', "\xff"):
        (folder / "bundle.json").write_text(text, "latin-1")
        assert [file for file, _ in found(folder)] == ["bundle.json"], text[:20]


@pytest.mark.parametrize("name", ["../outside", "/etc/hostname", "a\0b", "resolver", "", "."])
def test_a_manifest_with_names_that_lead_elsewhere(folder: Path, name: str) -> None:
    (folder.parent / "outside").write_text("outside")
    manifest = json.loads((folder / "bundle.json").read_bytes())
    manifest["files"][name] = "0" * 64
    manifest["hash"] = manifest_hash(manifest)
    (folder / "bundle.json").write_bytes(canonical(manifest))
    assert name in [file for file, _ in found(folder)] or found(folder)[0][0] == "bundle.json"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs links and named pipes")
def test_what_is_no_file_does_not_belong_and_is_never_waited_for(folder: Path, tmp_path: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "link").symlink_to(tmp_path)
    (folder / "py.typed").unlink()
    os.mkfifo(folder / "py.typed")
    assert found(folder) == [
        ("link", FOREIGN),
        ("pipe", FOREIGN),
        ("py.typed", "cannot be read: it is not a file"),
    ]
    (folder / "bundle.json").unlink()
    os.mkfifo(folder / "bundle.json")
    [fault] = verify(folder)[1]
    assert fault.code == "F607"


def test_a_wheel_as_it_was_compiled_also_when_it_was_packed_again(wheel: bytes, tmp_path: Path) -> None:
    path = tmp_path / "minimal_prompts-0.1.0-py3-none-any.whl"
    path.write_bytes(wheel)
    assert found(path) == []
    again = packed(wheel, tmp_path / "again.whl", lambda entries: entries.reverse())
    done = command("verify", "again.whl", cwd=tmp_path)
    assert (done.code, done.out.startswith("again.whl: as it was compiled (minimal 0.1.0, ")) == (0, True)
    assert again.read_bytes() != wheel


def test_every_entry_of_a_wheel_that_is_not_as_it_was_is_named(wheel: bytes, tmp_path: Path) -> None:
    def change(entries: list[tuple[str, bytes]]) -> None:
        held = dict(entries)
        del held["minimal/py.typed"]
        held["minimal/__init__.py"] += b"import os\n"
        held["minimal/__pycache__/evil.pyc"] = b""
        held["other/__init__.py"] = b""
        held[f"{INFO}/entry_points.txt"] = b"[console_scripts]\n"
        held[f"{INFO}/METADATA"] += b"Requires-Dist: evil\n"
        entries[:] = list(held.items())

    assert found(packed(wheel, tmp_path / "x.whl", change)) == [
        ("minimal/__init__.py", DIFFERS),
        ("minimal/__pycache__/evil.pyc", FOREIGN),
        ("minimal/py.typed", "is missing"),
        (f"{INFO}/entry_points.txt", FOREIGN),
        ("other/__init__.py", FOREIGN),
        (f"{INFO}/METADATA", DIFFERS),
    ]


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_entry_that_is_in_a_wheel_twice_is_found(wheel: bytes, tmp_path: Path) -> None:
    path = packed(wheel, tmp_path / "x.whl", lambda entries: entries.insert(0, ("minimal/__init__.py", b"evil = 1\n")))
    assert found(path) == [("minimal/__init__.py", "is in it more than once")]


@pytest.mark.parametrize("name", ["RECORD", "WHEEL", "METADATA"])
def test_a_wheel_without_a_file_of_metadata(wheel: bytes, tmp_path: Path, name: str) -> None:
    def change(entries: list[tuple[str, bytes]]) -> None:
        entries[:] = [entry for entry in entries if entry[0] != f"{INFO}/{name}"]

    assert found(packed(wheel, tmp_path / "x.whl", change)) == [(f"{INFO}/{name}", "is missing")]


def test_a_wheel_without_metadata_at_all(wheel: bytes, tmp_path: Path) -> None:
    def change(entries: list[tuple[str, bytes]]) -> None:
        entries[:] = [entry for entry in entries if not entry[0].startswith(INFO)]

    assert [file for file, _ in found(packed(wheel, tmp_path / "x.whl", change))] == ["RECORD"]


def test_a_wheel_with_damaged_bytes_never_ends_in_a_traceback(wheel: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.whl"
    dice = random.Random(11)
    for _ in range(150):
        data = bytearray(wheel)
        for place in dice.sample(range(len(data)), dice.choice([1, 3, 200])):
            data[place] = dice.randrange(256)
        path.write_bytes(data[: dice.choice([len(data), dice.randrange(len(data))])])
        verified, faults = verify(path)
        assert (verified is None) == bool(faults)
        assert {fault.code for fault in faults} <= {"F606", "F607"}


def test_what_is_no_bundle_is_said_so(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "text.whl").write_text("no archive")
    with zipfile.ZipFile(tmp_path / "other.whl", "w") as archive:
        archive.writestr("other/__init__.py", "")
    for given in (whole.parent, tmp_path / "text.whl", tmp_path / "other.whl"):
        done = command("verify", given)
        assert (done.code, done.out, "error[F607]" in done.err) == (1, "", True)
        assert f"`{given}` is not a compiled bundle" in done.err
    assert "it is damaged or cut short" in command("verify", tmp_path / "text.whl").err


def test_wrong_usage() -> None:
    missing = command("verify", "nowhere")
    assert (missing.code, "There is nothing at `nowhere`." in missing.err) == (2, True)
    assert command("verify").code == 2
    done = command("verify", examples.ROOT / "examples/minimal")
    assert (done.code, "is a project" in done.err) == (2, True)


def test_help_says_why_it_is_a_command() -> None:
    said = " ".join(command("verify", "--help").out.split())
    assert "An installed package cannot verify the modules that it is executing itself" in said


def test_nothing_of_the_bundle_is_imported(folder: Path) -> None:
    for module in folder.rglob("*.py"):
        module.write_text("raise SystemExit('imported')\n")
    done = frieze_process("verify", folder.name, cwd=folder.parent)
    assert (done.code, "imported" in done.out + done.err) == (1, False)
