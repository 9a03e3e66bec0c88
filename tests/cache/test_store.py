"""A cache gives what was put there, or nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.cache import CACHE, Store, cache_of
from frieze.cache.store import LOOK

ONE, OTHER = "ab" + "0" * 62, "cd" + "1" * 62


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "cache")


def entry(store: Store, key: str) -> Path:
    return store.folder / key[:2] / key[2:]


def test_what_was_put_is_there(store: Store) -> None:
    assert store.get(ONE) is None
    for content in (b"", b"x" * 100_000, b"\0\n\xff"):
        store.put(ONE, content)
        assert Store(store.folder).get(ONE) == content
    assert store.get(OTHER) is None


@settings(max_examples=60)
@given(st.integers(0, 200), st.sampled_from(["cut", "flip", "append", "insert", "empty"]))
def test_a_damaged_entry_is_none(tmp_path_factory: pytest.TempPathFactory, at: int, damage: str) -> None:
    store = Store(tmp_path_factory.mktemp("cache"))
    store.put(ONE, b"the content of an entry" * 6)
    path = entry(store, ONE)
    data = path.read_bytes()
    at %= len(data)
    changed = {
        "cut": data[:at],
        "flip": data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :],
        "append": data + b"x",
        "insert": data[:at] + b"\n" + data[at:],
        "empty": b"",
    }[damage]
    path.write_bytes(changed)
    assert store.get(ONE) is None
    store.put(ONE, b"again")
    assert store.get(ONE) == b"again"


def test_an_entry_in_anothers_place_is_none(store: Store) -> None:
    store.put(ONE, b"one")
    store.put(OTHER, b"other")
    entry(store, OTHER).write_bytes(entry(store, ONE).read_bytes())
    assert store.get(OTHER) is None
    assert store.get(ONE) == b"one"


def test_things_in_the_place_of_files_are_no_errors(store: Store, tmp_path: Path) -> None:
    store.put(ONE, b"one")
    entry(store, ONE).unlink()
    entry(store, ONE).mkdir()
    assert store.get(ONE) is None
    store.put(ONE, b"one")
    assert store.broken
    store.put(OTHER, b"not tried any more")
    assert store.get(OTHER) is None
    (tmp_path / "file").write_text("no folder")
    blocked = Store(tmp_path / "file" / "cache")
    blocked.put(ONE, b"one")
    assert blocked.broken
    assert blocked.get(ONE) is None


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    store = Store(tmp_path / "cache")
    store.put(ONE, b"one")
    tmp_path.chmod(0o700)
    assert store.broken


def test_nothing_half_written_is_left(store: Store) -> None:
    for _ in range(20):
        store.put(ONE, b"x")
    assert [path.name for path in entry(store, ONE).parent.iterdir()] == [ONE[2:]]


def test_what_is_not_used_goes_first(store: Store) -> None:
    for number in range(10):
        key = f"{number:02}" + "0" * 62
        store.put(key, b"x" * 1000)
        os.utime(entry(store, key), (1_000 + number, 1_000 + number))
    store.written = LOOK
    store.tidy(limit=6_000)
    left = sorted(path.name for path in store.folder.iterdir() if path.is_dir() and any(path.iterdir()))
    assert left == ["07", "08", "09"]
    store.tidy(limit=1)
    assert len(left) == 3


def test_what_is_used_stays_longer(store: Store) -> None:
    for number, key in enumerate((ONE, OTHER)):
        store.put(key, b"x" * 1000)
        os.utime(entry(store, key), (1_000 + number, 1_000 + number))
    assert store.get(ONE)
    store.written = LOOK
    store.tidy(limit=2_000)
    assert (store.get(ONE), store.get(OTHER)) == (b"x" * 1000, None)


def test_it_is_ignored_by_git_and_private(store: Store) -> None:
    store.put(ONE, b"x")
    assert (store.folder / ".gitignore").read_text("utf-8") == "*\n"
    if os.name == "posix":
        assert store.folder.stat().st_mode & 0o077 == 0


WRITER = """
import sys
from pathlib import Path
from frieze.cache import Store
store = Store(Path(sys.argv[1]))
for number in range(200):
    content = sys.argv[2].encode() * 5000
    store.put("ab" + "0" * 62, content)
    found = store.get("ab" + "0" * 62)
    assert found in (b"a" * 5000, b"b" * 5000), found
"""


def test_runs_at_the_same_time_see_whole_entries(store: Store) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    runs = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(store.folder), letter], env=environment) for letter in "ab"
    ]
    assert [run.wait(60) for run in runs] == [0, 0]


def test_where_the_cache_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    project.mkdir()
    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_of(project) == Store(tmp_path / "xdg" / "frieze")
    (project / ".frieze").mkdir()
    assert cache_of(project) == Store(project / ".frieze" / "cache")
    monkeypatch.setenv(CACHE, str(tmp_path / "named"))
    assert cache_of(project) == Store(tmp_path / "named")
    for word in ("off", "OFF", "0", "no"):
        monkeypatch.setenv(CACHE, word)
        assert cache_of(project) is None


def test_without_a_home_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere() -> Path:
        raise RuntimeError("no home")

    monkeypatch.delenv(CACHE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "relative/is/ignored")
    monkeypatch.setattr(Path, "home", nowhere)
    assert cache_of(tmp_path) is None
