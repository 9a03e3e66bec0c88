"""A folder that is not frieze's is refused after a look at it, however large it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from frieze.emit import Bundle, check_bundle, write_bundle
from frieze.runtime.bundle import MANIFEST

BUNDLE = Bundle("desk", {MANIFEST: b'{"files": {"parts/a.json": "..."}}', "parts/a.json": b"[]"})
_counting: list[list[str]] = []


def _hook(event: str, arguments: tuple[Any, ...]) -> None:
    if _counting and event in ("os.scandir", "os.listdir"):
        _counting[-1].append(str(arguments[0]))


sys.addaudithook(_hook)


def reads(function: Callable[[], Any]) -> tuple[Any, list[str]]:
    """What a function gives, and the folders that it read; Python's own audit events tell."""
    _counting.append([])
    found = function()
    return found, _counting.pop()


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A folder of 400 folders, two levels deep, with a file in each of the lower ones."""
    root = tmp_path / "disk"
    for number in range(400):
        folder = root / f"d{number:03}" / "inner"
        folder.mkdir(parents=True)
        (folder / "file.txt").write_text("mine")
    return root


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("manifest", [None, b"{}", b"[]", b"no JSON", b'{"files": 1}', b"[" * 100_000])
def test_a_large_folder_without_a_bundle_is_not_walked(large: Path, manifest: bytes | None) -> None:
    if manifest is not None:
        (large / MANIFEST).write_bytes(manifest)
    before = everything(large)
    found, read = reads(lambda: write_bundle(BUNDLE, large))
    assert [fault.code for fault in found] == ["F602"]
    assert "holds no `bundle.json` of frieze" in found[0].message
    assert len(read) <= 4, "the folder above, the folder, and the way to a first file"
    assert everything(large) == before


def test_a_bundle_in_a_large_folder_does_not_make_it_frieze_s(large: Path) -> None:
    (large / MANIFEST).write_bytes(BUNDLE.files[MANIFEST])
    before = everything(large)
    found, read = reads(lambda: write_bundle(BUNDLE, large))
    assert [fault.code for fault in found] == ["F602"]
    assert "`d000/inner/file.txt` in it is not frieze's (and there is more)" in found[0].message
    assert len(read) <= 6
    assert everything(large) == before


def test_the_root_of_the_disk_is_refused_at_once() -> None:
    found, read = reads(lambda: write_bundle(BUNDLE, Path("/")))
    assert [fault.code for fault in found] == ["F602"]
    assert len(read) < 50
    found, read = reads(lambda: check_bundle(BUNDLE, Path("/")))
    assert [fault.code for fault in found] == ["F603"]
    assert read == []


def test_a_single_stranger_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    assert write_bundle(BUNDLE, folder) == []
    (folder / "parts" / "notes.txt").write_text("mine")
    [found] = write_bundle(BUNDLE, folder)
    assert found.message.endswith("`parts/notes.txt` in it is not frieze's")


def test_what_the_old_manifest_lists_may_be_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    (folder / "empty" / "inner").mkdir(parents=True)
    assert write_bundle(BUNDLE, folder) == []
    new = Bundle("desk", {MANIFEST: json.dumps({"files": {"b.json": "..."}}).encode(), "b.json": b"[]"})
    assert write_bundle(new, folder) == []
    assert everything(folder) == dict(new.files)
