"""Bundles on disk: the same bytes everywhere, verified on opening, replaced as a whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import frieze
from frieze.emit import check_bundle, write_bundle
from frieze.freeze import freeze_project
from frieze.freeze.trees import Leaf
from frieze.profiles import load_graph
from frieze.runtime import Bundle, BundleError
from support import examples

SCHEMA = json.loads((examples.ROOT / "schema/bundle.schema.json").read_text("utf-8"))
PRINT_HASH = """
import sys, hashlib, pathlib, frieze
files = frieze.compile(pathlib.Path(sys.argv[1])).bundle.files
print(hashlib.sha256(b"".join(name.encode() + data for name, data in files.items())).hexdigest())
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    shutil.copytree(examples.ROOT / "examples/minimal", root, ignore=shutil.ignore_patterns("dist"))
    return root


def compiled(root: Path) -> frieze.emit.Bundle:
    bundle = frieze.compile(root).bundle
    assert bundle is not None
    return bundle


def change(root: Path, text: str) -> None:
    agent = next(path for path in root.rglob("*.yaml") if "kind: agent" in path.read_text("utf-8"))
    agent.write_text(agent.read_text("utf-8") + f"description: {text}\n", "utf-8")


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", examples.NAMES)
def test_files_have_the_shape_that_the_schema_gives(name: str) -> None:
    def check(part: str, data: bytes) -> None:
        validator = Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{part}"})
        assert [error.message[:200] for error in validator.iter_errors(json.loads(data))] == []

    checked = set()
    for path, data in examples.files(name).files.items():
        part = "manifest" if path == "bundle.json" else path.split("/")[0]
        if part in ("manifest", "residuals", "provenance"):
            check(part, data)
            checked.add(part)
    assert checked == {"manifest", "residuals", "provenance"}


def test_the_schema_refuses_a_wrong_residual() -> None:
    validator = Draft202012Validator({**SCHEMA, "$ref": "#/$defs/body"})
    assert validator.is_valid(["text", ["out", ["input", "name"], "escape"]])
    assert not validator.is_valid([["print", "x"]])
    assert not validator.is_valid([["if", "no arms"]])


def test_same_bytes_under_other_hash_seeds_and_file_orders(tmp_path: Path) -> None:
    source = examples.ROOT / "examples/support-desk"
    hashes = set()
    for number, seed in enumerate(("0", "1", "4242")):
        root = tmp_path / str(number)
        paths = [path for path in source.rglob("*") if path.is_file() and "dist" not in path.parts]
        random.Random(number).shuffle(paths)
        for path in paths:
            target = root / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
        run = subprocess.run(
            [sys.executable, "-c", PRINT_HASH, root],
            env={**os.environ, "PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo"},
            capture_output=True,
            check=True,
            text=True,
        )
        hashes.add(run.stdout)
    assert len(hashes) == 1


def test_nothing_of_this_machine_is_in_a_bundle(project: Path) -> None:
    everything = b"\n".join(compiled(project).files.values())
    assert str(project.parent).encode() not in everything
    assert str(examples.ROOT).encode() not in everything
    assert b"\r" not in everything.replace(rb"\r", b"")


def test_a_bundle_needs_nothing_but_the_standard_library(tmp_path: Path) -> None:
    files = examples.files("support-desk")
    assert write_bundle(files, tmp_path / files.package) == []
    script = (
        "import sys; sys.path.insert(0, sys.argv[1]); import json, support_desk, datetime\n"
        "now = datetime.datetime(2026, 3, 14, 9, 26, 53, tzinfo=datetime.timezone.utc)\n"
        "result = support_desk.prompt('concierge', platform='line').render(json.loads(sys.argv[2]), now)\n"
        "sys.stdout.buffer.write(result.text.encode())"
    )
    context = examples.given_contexts("support-desk")["line-tokyo"]
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", script, tmp_path, json.dumps(context)], capture_output=True, check=True
    )
    from datetime import UTC, datetime

    here = examples.bundle("support-desk").prompt("concierge", platform="line")
    assert run.stdout.decode() == here.render(context, datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)).text


def test_every_changed_cut_or_missing_file_is_found(tmp_path: Path) -> None:
    files = examples.files("minimal")
    folder = tmp_path / files.package
    write_bundle(files, folder)
    Bundle.open(folder)
    for name, data in files.files.items():
        path = folder / name
        spoilt = [data[:-1], data + b" ", b""] if data else [b"x"]
        if len(data) > 2:
            spoilt.append(data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :])
        for other in spoilt:
            if name == "bundle.json" and json_equal(other, data):
                continue
            path.write_bytes(other)
            with pytest.raises(BundleError) as raised:
                Bundle.open(folder)
            assert raised.value.file == name
        path.unlink()
        with pytest.raises(BundleError) as raised:
            Bundle.open(folder)
        assert raised.value.file == name
        path.write_bytes(data)
    Bundle.open(folder)


def json_equal(one: bytes, other: bytes) -> bool:
    """The manifest's hash covers what it says, not the blanks around it."""
    try:
        return json.loads(one) == json.loads(other)
    except ValueError:
        return False


def test_files_that_change_after_opening_change_no_prompt(tmp_path: Path) -> None:
    files = examples.files("minimal")
    folder = tmp_path / files.package
    write_bundle(files, folder)
    bundle = Bundle.open(folder)
    for path in (*(folder / "residuals").rglob("*.json"), *(folder / "provenance").rglob("*.json")):
        path.write_bytes(path.read_bytes().replace(b"e", b"f"))
    prompt = bundle.prompt(bundle.agents[0])
    assert prompt.render().text == examples.bundle("minimal").prompt(bundle.agents[0]).render().text
    with pytest.raises(BundleError):
        prompt.explain()


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b'{"format": 99}', b'{"format": 1}', b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_a_manifest_is_an_error_and_nothing_else(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "bundle.json").write_bytes(data)
    with pytest.raises(BundleError) as raised:
        Bundle.open(tmp_path)
    assert raised.value.file == "bundle.json"


def test_writing_twice_changes_nothing(project: Path, tmp_path: Path) -> None:
    bundle = compiled(project)
    folder = tmp_path / "out" / bundle.package
    assert write_bundle(bundle, folder) == []
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    assert write_bundle(bundle, folder) == []
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before
    assert check_bundle(bundle, folder) == []
    assert sorted(path.name for path in folder.parent.iterdir()) == [bundle.package]


def test_check_names_every_file_that_differs(project: Path, tmp_path: Path) -> None:
    bundle = compiled(project)
    folder = tmp_path / bundle.package
    assert [entry.code for entry in check_bundle(bundle, folder)] == ["F603"]
    write_bundle(bundle, folder)
    (folder / "py.typed").unlink()
    (folder / "__init__.py").write_text("")
    (folder / "left.json").write_text("{}")
    found = check_bundle(bundle, folder)
    assert {dict(entry.args)["file"] for entry in found} == {"py.typed", "__init__.py", "left.json"}
    assert {entry.code for entry in found} == {"F604"}


@pytest.mark.parametrize("kind", ["foreign", "extra", "file", "link", "linked-file"])
def test_a_folder_that_is_not_ours_is_left_alone(project: Path, tmp_path: Path, kind: str) -> None:
    bundle = compiled(project)
    folder = tmp_path / bundle.package
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    if kind == "foreign":
        folder.mkdir()
        (folder / "thesis.txt").write_text("mine")
    elif kind == "extra":
        write_bundle(bundle, folder)
        (folder / "residuals" / "notes.txt").write_text("mine")
    elif kind == "file":
        folder.write_text("mine")
    elif kind == "link":
        folder.symlink_to(elsewhere)
    else:
        write_bundle(bundle, folder)
        (folder / "mine").symlink_to(elsewhere)
    change(project, "changed")
    before = content(tmp_path)
    found = write_bundle(compiled(project), folder)
    assert [entry.code for entry in found] == ["F602"]
    assert content(tmp_path) == before


def test_an_empty_folder_is_taken(project: Path, tmp_path: Path) -> None:
    bundle = compiled(project)
    folder = tmp_path / bundle.package
    folder.mkdir()
    assert write_bundle(bundle, folder) == []
    Bundle.open(folder)


def test_a_full_disk_leaves_the_old_bundle_whole(project: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    write_bundle(compiled(project), folder)
    before = content(folder)
    change(project, "changed")
    bundle = compiled(project)
    largest = max(map(len, bundle.files.values()))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest - 1, limits[1]))
        found = write_bundle(bundle, folder)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert [entry.code for entry in found] == ["F601"]
    assert content(folder) == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
    assert write_bundle(bundle, folder) == []


@pytest.mark.parametrize("name", ["out", "out[1]", "out*"])
def test_what_a_killed_compile_left_is_cleared_away(project: Path, tmp_path: Path, name: str) -> None:
    left = tmp_path / f".{name}.4194305.abc.new"
    left.mkdir()
    assert write_bundle(compiled(project), tmp_path / name) == []
    assert not left.exists()


def test_a_name_that_the_system_refuses_is_a_diagnostic(project: Path, tmp_path: Path) -> None:
    assert [entry.code for entry in write_bundle(compiled(project), tmp_path / ("x" * 300))] == ["F601"]


@pytest.mark.parametrize("damage", [b'"a":NaN', b'"a":1e999', b'"a":"\\ud800"'])
def test_a_manifest_that_has_no_canonical_form_is_damaged(project: Path, damage: bytes) -> None:
    files = dict(compiled(project).files)
    files["bundle.json"] = b"{" + damage + b"," + files["bundle.json"][1:]
    with pytest.raises(BundleError, match="was changed"):
        Bundle.from_files(files)


def test_a_block_that_stands_twice_is_counted_once_for_each_target(project: Path) -> None:
    (project / "profiles/note.yaml").write_text("kind: block\nname: note\nbody: Hello.\n")
    (project / "profiles/layout.yaml").write_text(
        "kind: layout\nname: std\nblocks: {one: {block: note}, instructions: {}, two: {block: note}}\n"
    )
    graph, _ = load_graph(project)
    assert graph is not None
    frozen, _ = freeze_project(graph)
    tree = frozen.trees["note"]
    assert isinstance(tree, Leaf)
    assert len(tree.targets.boxes) == len(frozen.space.targets().boxes)


WRITE_FOREVER = """
import sys, pathlib, frieze, pickle
from frieze.emit import Bundle, write_bundle
folder = pathlib.Path(sys.argv[1])
bundles = [Bundle(package, files) for package, files in pickle.load(open(sys.argv[2], "rb"))]
print("ready", flush=True)
while True:
    for bundle in bundles:
        assert write_bundle(bundle, folder) == []
"""


def test_a_compile_that_is_killed_leaves_the_old_bundle_or_the_new_one(project: Path, tmp_path: Path) -> None:
    import pickle

    first = compiled(project)
    change(project, "changed")
    second = compiled(project)
    folder = tmp_path / "out" / first.package
    write_bundle(first, folder)
    whole = {Bundle.from_files(first.files).hash, Bundle.from_files(second.files).hash}
    store = tmp_path / "bundles"
    store.write_bytes(pickle.dumps([(each.package, dict(each.files)) for each in (first, second)]))
    choose = random.Random(7)
    for _ in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITE_FOREVER, folder, store], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(choose.uniform(0.0, 0.05))
        process.kill()
        process.wait()
        process.stdout.close()
        assert Bundle.open(folder).hash in whole
    assert write_bundle(first, folder) == []
    assert sorted(path.name for path in folder.parent.iterdir()) == [first.package]


def test_the_manifest_has_the_hash_of_every_other_file() -> None:
    files = examples.files("support-desk").files
    hashes = examples.manifest("support-desk")["files"]
    assert set(hashes) == set(files) - {"bundle.json"}
    assert all(hashlib.sha256(files[name]).hexdigest() == value for name, value in hashes.items())
