"""`Bundle.watch`: always the last good bundle, whatever happens to the folder meanwhile."""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

import frieze
from frieze.emit import write_bundle
from frieze.emit.exchange import exchange
from frieze.runtime import Bundle, BundleError
from support.projects import write_files

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
CONTEXT = {"contact": {"name": "Aiko"}, "message": {"metadata": {"timezone": "Asia/Tokyo"}}}
THREADS = 16
SWAPS = 100


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two bundles that differ in every text, by what they say."""
    root = tmp_path_factory.mktemp("compiled")
    for word in ("first", "second"):
        agent = f"kind: agent\nname: helper\ninstructions: This is the {word} prompt.\n"
        project = f"kind: project\nname: {word}\n"
        result = frieze.compile(write_files(root / f"of-{word}", {"frieze.yaml": project, "profiles/a.yaml": agent}))
        assert result.bundle, result.diagnostics
        assert write_bundle(result.bundle, root / word) == []
    return {word: root / word for word in ("first", "second")}


@pytest.fixture
def folder(compiled: dict[str, Path], tmp_path: Path) -> Path:
    return shutil.copytree(compiled["first"], tmp_path / "bundle")


def replace(folder: Path, source: Path, damaged: str = "") -> None:
    """Put another bundle in the place of the folder, as a compile does."""
    fresh = shutil.copytree(source, folder.with_suffix(".new"))
    if damaged:
        path = fresh / damaged
        path.write_bytes(path.read_bytes()[:-2])
    exchange(fresh, folder)
    shutil.rmtree(fresh, ignore_errors=True)


def residual(folder: Path) -> str:
    return next(path.relative_to(folder).as_posix() for path in sorted((folder / "residuals").rglob("*.json")))


def text(bundle: Bundle) -> str:
    return bundle.prompt("helper").render(CONTEXT, NOW).text


def test_a_new_bundle_takes_the_place_of_the_old(folder: Path, compiled: dict[str, Path]) -> None:
    watch = Bundle.watch(folder, interval=0)
    before = watch.bundle
    assert "the first prompt" in watch.prompt("helper", platform=None).render(CONTEXT, NOW).text
    assert watch.bundle is before
    replace(folder, compiled["second"])
    assert "the second prompt" in watch.prompt("helper").render(CONTEXT, NOW).text
    assert (watch.bundle.name, watch.error) == ("second", None)
    assert "the first prompt" in text(before)


def test_the_old_bundle_needs_no_file_any_more(folder: Path, compiled: dict[str, Path]) -> None:
    bundle = Bundle.watch(folder, interval=None).bundle
    replace(folder, compiled["second"])
    assert "the first prompt" in text(bundle)
    lines = bundle.prompt("helper").explain(CONTEXT, NOW)
    shutil.rmtree(folder)
    assert lines == Bundle.open(compiled["first"]).prompt("helper").explain(CONTEXT, NOW)


def test_it_looks_only_when_the_interval_is_over(folder: Path, compiled: dict[str, Path]) -> None:
    seldom, never, often = (Bundle.watch(folder, interval=seconds) for seconds in (3600, None, 0.05))
    replace(folder, compiled["second"])
    time.sleep(0.1)
    assert [watch.bundle.name for watch in (seldom, never, often)] == ["first", "first", "second"]
    assert [watch.refresh() for watch in (seldom, never, often)] == [True, True, False]
    assert [watch.bundle.name for watch in (seldom, never, often)] == ["second"] * 3


def test_a_broken_bundle_never_takes_the_place_of_a_good_one(folder: Path, compiled: dict[str, Path]) -> None:
    watch = Bundle.watch(folder, interval=0)
    before = watch.bundle
    for damaged in ("bundle.json", residual(folder), "resolver/prompt.py", "__init__.py"):
        replace(folder, compiled["second"], damaged)
        assert watch.bundle is before
        assert watch.error
        assert watch.error.file == damaged
    shutil.rmtree(folder)
    assert watch.bundle is before
    assert watch.error
    assert "`bundle.json` cannot be read" in str(watch.error)
    folder.mkdir()
    assert watch.bundle is before
    replace(folder, compiled["first"])
    assert watch.bundle is before
    assert watch.error is None
    replace(folder, compiled["second"])
    assert watch.bundle.name == "second"


def test_a_bundle_that_is_copied_file_by_file_is_taken_when_it_is_whole(
    folder: Path, compiled: dict[str, Path]
) -> None:
    watch = Bundle.watch(folder, interval=0)
    names = sorted(path.relative_to(compiled["second"]) for path in compiled["second"].rglob("*") if path.is_file())
    changed = [name for name in names if not (folder / name).exists() or (folder / name).read_bytes() != (compiled["second"] / name).read_bytes()]  # fmt: skip
    assert changed[1] == Path("bundle.json")
    for name in changed[:-1]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(compiled["second"] / name, folder / name)
        assert watch.bundle.name == "first"
    assert watch.error
    shutil.copyfile(compiled["second"] / changed[-1], folder / changed[-1])
    assert watch.bundle.name == "second"
    assert watch.error is None


def test_a_link_that_is_set_to_another_release(compiled: dict[str, Path], tmp_path: Path) -> None:
    link = tmp_path / "current"
    link.symlink_to(compiled["first"])
    watch = Bundle.watch(link, interval=0)
    (tmp_path / "next").symlink_to(compiled["second"])
    (tmp_path / "next").replace(link)
    assert watch.bundle.name == "second"


def test_the_first_bundle_must_be_good(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleError, match=r"bundle.json. cannot be read in `"):
        Bundle.watch(tmp_path / "nowhere")
    (folder / "py.typed").unlink()
    with pytest.raises(BundleError, match=r"py\.typed"):
        Bundle.watch(folder)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_in_the_middle_of_a_look_does_not_stop_the_child(folder: Path, compiled: dict[str, Path]) -> None:
    watch = Bundle.watch(folder, interval=0)
    assert watch._lock.acquire(blocking=False)
    replace(folder, compiled["second"])
    child = os.fork()
    if child == 0:
        os._exit(0 if watch.bundle.name == "second" and watch.refresh() is False else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert watch.bundle.name == "first"
    watch._lock.release()
    assert watch.bundle.name == "second"


def test_sixteen_threads_while_the_folder_is_swapped_a_hundred_times(
    folder: Path, compiled: dict[str, Path], tmp_path: Path
) -> None:
    texts = {bundle.hash: text(bundle) for bundle in map(Bundle.open, compiled.values())}
    spare = {word: shutil.copytree(path, tmp_path / f"spare-{word}") for word, path in compiled.items()}
    for number, damaged in enumerate(("bundle.json", residual(folder), "py.typed")):
        broken = shutil.copytree(compiled["second"], tmp_path / f"broken-{number}")
        path = broken / damaged
        path.write_bytes(path.read_bytes()[:-2] or b"x")
        spare[f"broken-{number}"] = broken
    turns = ["second", "broken-0", "first", "broken-1", "second", "broken-2", "first"]
    watch = Bundle.watch(folder, interval=0.002)
    over = threading.Event()
    wrong: list[object] = []
    seen: list[set[str]] = [set() for _ in range(THREADS)]

    def work(own: set[str]) -> None:
        try:
            while not over.is_set():
                bundle = watch.bundle
                own.add(bundle.hash)
                if text(bundle) != texts[bundle.hash]:
                    wrong.append(bundle.name)
                if watch.prompt("helper").render(CONTEXT, NOW).text not in texts.values():
                    wrong.append("prompt")
        except Exception as error:  # noqa: BLE001 - whatever it is, the test shows it
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(own,)) for own in seen]
    for thread in threads:
        thread.start()
    there = "first"
    switch = sys.getswitchinterval()
    sys.setswitchinterval(0.0002)
    for swap in range(SWAPS):
        word = turns[swap % len(turns)]
        if word != there:
            exchange(spare[word], folder)
            spare[there], there = spare[word], word
        time.sleep(0.005)
    exchange(spare["second"], folder)
    watch.refresh()
    over.set()
    for thread in threads:
        thread.join()
    sys.setswitchinterval(switch)
    assert wrong == []
    assert (watch.bundle.name, watch.error) == ("second", None)
    assert set().union(*seen) == set(texts)


def test_what_is_no_bundle_is_said_with_its_folder_and_what_is_one_with_its_name(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(BundleError) as caught:
        Bundle.open(tmp_path / "nowhere")
    assert str(caught.value).startswith(f"`bundle.json` cannot be read in `{tmp_path / 'nowhere'}`: ")
    bundle = Bundle.open(folder)
    assert repr(bundle) == f"<Bundle of {bundle.name} {bundle.version}>"
    prompt = bundle.prompt(bundle.agents[0])
    chosen = ", ".join(f"{key} {value}" for key, value in prompt.target.items() if value and key != "agent")
    assert repr(prompt) == f"<Prompt of {bundle.agents[0]}: {chosen}>"
