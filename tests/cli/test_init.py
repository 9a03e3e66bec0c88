from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from support.commands import frieze


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def test_a_new_project_is_fine_at_once(tmp_path: Path) -> None:
    outcome = frieze("init", "Support Desk", cwd=tmp_path)
    assert (outcome.code, outcome.err) == (0, "")
    root = tmp_path / "Support Desk"
    commands = [shlex.split(line) for line in outcome.out.split("Next:\n")[1].splitlines()]
    assert commands[0] == ["cd", "Support Desk"]
    for command in commands[1:]:
        assert command[0] == "frieze"
        done = frieze(*command[1:], cwd=root)
        assert (done.code, done.err) == (0, ""), command
    assert "all good" in frieze("check", cwd=root).out
    assert "You are talking to Aiko." in frieze("render", "--context", "contexts/example.json", cwd=root).out
    assert "do not guess a name" in frieze("render", cwd=root).out
    assert (root / "dist/support_desk/bundle.json").is_file()
    assert (root / ".gitignore").read_text() == "dist/\n"


def test_modelines_lead_to_the_schemas_without_a_network(tmp_path: Path) -> None:
    frieze("init", cwd=tmp_path)
    profiles = list(tmp_path.rglob("*.yaml"))
    assert len(profiles) == 2
    for profile in profiles:
        first, kind = profile.read_text().splitlines()[:2]
        modeline = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", first)
        assert modeline
        assert (profile.parent / modeline[1]).is_file()
        assert kind.removeprefix("kind: ") in modeline[1]


def test_a_second_start_names_a_few_of_the_files(tmp_path: Path) -> None:
    frieze("init", cwd=tmp_path)
    err = frieze("init", cwd=tmp_path).err
    assert "frieze.yaml, profiles/assistant.yaml, contexts/example.json and " in err
    assert " more files would be overwritten." in err
    assert ".schema.json" not in err


@pytest.mark.parametrize("taken", ["frieze.yaml", "contexts/example.json", ".frieze/schema/agent.schema.json"])
def test_nothing_is_overwritten(tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / taken).write_text("mine")
    before = files(tmp_path)
    outcome = frieze("init", cwd=tmp_path)
    assert outcome.code == 2
    assert taken in outcome.err
    assert files(tmp_path) == before


def test_a_gitignore_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("mine\n")
    outcome = frieze("init", cwd=tmp_path)
    assert outcome.code == 0
    assert "dist/" in outcome.out
    assert (tmp_path / ".gitignore").read_text() == "mine\n"


def test_a_broken_link_counts_as_taken(tmp_path: Path) -> None:
    (tmp_path / "frieze.yaml").symlink_to("nowhere")
    assert frieze("init", cwd=tmp_path).code == 2
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.parametrize("place", ["profiles/second", "second", "contexts/a/b", ".", "second/../third"])
@pytest.mark.parametrize("way", ["argument", "folder"])
def test_no_project_inside_of_another_one(tmp_path: Path, place: str, way: str) -> None:
    frieze("init", "first", cwd=tmp_path)
    first = tmp_path / "first"
    start = first / "contexts"
    if way == "folder":
        start = first / "contexts" / place
        start.mkdir(parents=True, exist_ok=True)
    before = files(first)
    outcome = frieze("init", *([place] if way == "argument" else []), cwd=start)
    assert outcome.code == 2
    named = re.search(r"the project of `(\S+)`", " ".join(outcome.err.split()))
    assert named
    assert (start / named[1]).resolve() == first / "frieze.yaml"
    assert "outside of it" in " ".join(outcome.err.split())
    assert files(first) == before
    assert frieze("check", cwd=first).code == 0


def test_no_project_behind_a_link_into_another_one(tmp_path: Path) -> None:
    frieze("init", "first", cwd=tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "first" / "profiles")
    before = files(tmp_path / "first")
    outcome = frieze("init", "link/second", cwd=tmp_path)
    assert (outcome.code, "first/frieze.yaml" in outcome.err) == (2, True)
    assert files(tmp_path / "first") == before


def test_projects_beside_each_other_and_above(tmp_path: Path) -> None:
    for folder in ("group/one", "group/two", "group/one/../three"):
        assert frieze("init", folder, cwd=tmp_path).code == 0
        assert frieze("check", cwd=tmp_path / folder).code == 0
    assert frieze("init", "../two/../one/five", cwd=tmp_path / "group" / "one").code == 2
    assert frieze("init", str(tmp_path / "group" / "four"), cwd=tmp_path / "group" / "one").code == 0


def test_where_nothing_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert frieze("init", "file", cwd=tmp_path).code == 2
    outcome = frieze("init", "file/below", cwd=tmp_path)
    assert outcome.code == 2
    assert "Traceback" not in outcome.err


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("1", "prompts-1"),
        ("2026 plan", "prompts-2026-plan"),
        ("class", "class-prompts"),
        ("json", "json-prompts"),
        ("null", "null-prompts"),
        ("No", "no-prompts"),
        ("std", "std-prompts"),
        ("frieze", "frieze-prompts"),
        ("日本", "my-prompts"),
    ],
)
def test_folders_that_give_no_name_of_a_package(tmp_path: Path, folder: str, name: str) -> None:
    outcome = frieze("init", folder, cwd=tmp_path)
    assert outcome.out.startswith(f"Project `{name}` (`name:` in frieze.yaml changes it):\n")
    done = frieze("check", cwd=tmp_path / folder)
    assert done.code == 0
    assert "all good" in done.out
