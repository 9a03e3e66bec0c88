"""Documents that a run leaves to the next one."""

from __future__ import annotations

import json
from pathlib import Path

from frieze.cache import Store
from frieze.profiles.desk import FEW, Desk
from frieze.schema import validate
from frieze.sources import document_data, kept_document, parse_document
from support.yaml_files import FILES

KEY = "abc"


def read_all(folder: Path, store: Store) -> list[bool]:
    """Read every file, keep what is sound, and tell which ones were known."""
    desk = Desk(store, KEY)
    known = []
    for path in sorted(folder.iterdir()):
        document, faults = desk.document(path, path.name)
        assert document
        assert not faults
        assert document.data["description"] == path.read_text().split("description: ")[1].strip()
        known.append(document.known)
        if not document.known:
            assert not validate(document, "skill")
            desk.sound(document)
    desk.keep()
    return known


def test_a_few_new_documents_are_not_worth_writing_all(tmp_path: Path) -> None:
    folder, store = tmp_path / "skills", Store(tmp_path / "cache")
    folder.mkdir()
    paths = [folder / f"skill-{number:03}.yaml" for number in range(3 * FEW)]

    def write(path: Path, text: str) -> None:
        path.write_text(f"kind: skill\nname: {path.stem}\nwhen_to_use: always\ntext: Look.\ndescription: {text}\n")

    for path in paths:
        write(path, "first")
    assert not any(read_all(folder, store))
    assert all(read_all(folder, store))
    kept = store.get(KEY)
    for path in paths[:3]:
        write(path, "second")
    assert sum(read_all(folder, store)) == len(paths) - 3
    assert store.get(KEY) == kept
    for path in paths[:4]:
        write(path, "third")
    assert sum(read_all(folder, store)) == len(paths) - 4
    assert store.get(KEY) != kept
    assert all(read_all(folder, store))


def test_what_is_kept_of_a_document_stands_where_it_stood() -> None:
    for path in FILES:
        document, faults = parse_document(path.read_bytes(), "x.yaml")
        assert document
        data = None if faults else document_data(document)
        if data is not None:
            again = kept_document("x.yaml", document.text, json.loads(json.dumps(data)))
            assert (again.data, again.known) == (document.data, True)
            assert repr(again.root) == repr(document.root)
