from __future__ import annotations

from pathlib import Path

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.cli.init import project_name
from frieze.cli.project import find


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "one/profiles/deep").mkdir(parents=True)
    (tmp_path / "one/dist/one").mkdir(parents=True)
    (tmp_path / "one/frieze.yaml").write_text("kind: project\n")
    (tmp_path / "one/profiles/a.yaml").write_text("kind: agent\n")
    (tmp_path / "one/dist/one/bundle.json").write_text("{}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("path", "base"), [("one", "one/"), ("one/frieze.yaml", "one/"), ("./one/", "one/")])
def test_a_path_to_a_project(tree: Path, path: str, base: str) -> None:
    found = find(Path(path))
    assert found.root.resolve() == tree / "one"
    assert (found.base, found.compiled) == (base, False)


@pytest.mark.parametrize(("folder", "base"), [("one", ""), ("one/profiles", "../"), ("one/profiles/deep", "../../")])
def test_without_a_path_the_search_goes_upwards(
    tree: Path, monkeypatch: pytest.MonkeyPatch, folder: str, base: str
) -> None:
    monkeypatch.chdir(tree / folder)
    found = find(None)
    assert (found.root, found.base) == (tree / "one", base)


def test_a_compiled_bundle_is_for_those_who_can_use_it(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert find(Path("one/dist/one"), bundles=True).compiled
    assert find(Path("one/dist/one/bundle.json"), bundles=True).compiled
    with pytest.raises(click.UsageError, match="compiled bundle"):
        find(Path("one/dist/one"))
    monkeypatch.chdir(tree / "one/dist/one")
    assert find(None, bundles=True).compiled
    assert find(None).root == tree / "one"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nowhere", "nothing at `nowhere`"),
        ("one/profiles", "seems to be `one`"),
        ("one/profiles/a.yaml", "seems to be `one`"),
        (".", "is not a folder with a frieze.yaml"),
    ],
)
def test_what_is_no_project_is_said(tree: Path, path: str, words: str) -> None:
    with pytest.raises(click.UsageError) as raised:
        find(Path(path))
    assert words in raised.value.message


def test_no_project_anywhere(tree: Path) -> None:
    with pytest.raises(click.UsageError, match="frieze init"):
        find(None)


def test_a_frieze_yaml_that_is_no_file_is_left_to_the_reader(tree: Path) -> None:
    Path("two/frieze.yaml").mkdir(parents=True)
    Path("three").mkdir()
    Path("three/frieze.yaml").symlink_to("frieze.yaml")
    assert find(Path("two")).root == Path("two")
    assert find(Path("two/frieze.yaml")).root == Path("two/frieze.yaml").parent
    assert find(Path("three/frieze.yaml")).root == Path("three")


@given(st.text())
def test_any_folder_gives_a_valid_project_name(folder: str) -> None:
    import re

    assert re.fullmatch(r"[a-z0-9][a-z0-9._-]*", project_name(folder))


@pytest.mark.parametrize(
    ("folder", "name"), [("Support Desk", "support-desk"), ("Crème_brûlée", "creme-brulee"), ("受付", "my-prompts")]
)
def test_project_names(folder: str, name: str) -> None:
    assert project_name(folder) == name
