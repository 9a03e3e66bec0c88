"""The shipped table of programs holds together, and reads arguments as the programs do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from frieze.runtime.guard.deeds import Access, Deeds
from frieze.runtime.guard.grammars import GRAMMARS, read_command
from frieze.runtime.guard.programs import ROLES, STYLES, Cells, Program, ProgramTable, base_name, matches, spread
from frieze.runtime.guard.vocabulary import ACTIONS, RISKS
from support.shipped_policy import table

DATA = {**dict(spread(table()["programs"])), **dict(spread(table()["wrappers"]))}


def all_rows(name: str, row: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield a row and those of its verbs, with their names."""
    yield name, row
    for verbs, below in row.get("commands", {}).items():
        yield from all_rows(f"{name} {verbs}", below)


ROWS = [pair for name, row in DATA.items() for pair in all_rows(name, row)]


def test_every_word_of_the_table_is_known() -> None:
    for name, row in ROWS:
        roles = set(row.get("options", {})) | set(row.get("attached", {})) | set(row.get("become", {}))
        roles |= {role.removesuffix("*") for role in row.get("arguments", "").split()}
        assert roles <= set(ROLES), name
        assert row.get("style", "gnu") in STYLES, name
        assert row.get("grammar", "") in {"", *GRAMMARS}, name
        effects = [row, *row.get("effects", ())]
        assert {effect.get("action", "run") for effect in effects} <= set(ACTIONS), name
        assert {effect.get("risk", "unknown") for effect in effects} <= set(RISKS), name
        assert row.get("with_arguments", "run") in ACTIONS, name


def test_flags_that_are_spoken_of_are_known() -> None:
    for name, row in ROWS:
        program = Program(name, row)
        spoken = [*row.get("first", "").split(), *row.get("listing", "").split()]
        spoken += [flag for flags in row.get("become", {}).values() for flag in flags.split()]
        assert set(spoken) <= set(program.flags), name
        assert all(flag.startswith("-") or program.grammar for flag in program.flags), name


def test_several_arguments_of_a_role_stand_only_once() -> None:
    for name, row in ROWS:
        assert row.get("arguments", "").count("*") <= 1, name


def test_no_interpreter_or_shell_is_harmless() -> None:
    for name in (
        "bash",
        "sh",
        "zsh",
        "python",
        "node",
        "perl",
        "ruby",
        "php",
        "lua",
        "deno",
        "make",
        "vim",
        "less",
        "man",
    ):
        assert DATA[name].get("action", "run") == "run", name
        assert not DATA[name].get("transparent"), name


def test_only_what_changes_nothing_is_transparent() -> None:
    found = {name for name, row in DATA.items() if row.get("transparent")}
    assert found == {"timeout", "nice", "nohup", "time", "stdbuf", "command"}


def deeds_of(line: str) -> Deeds:
    program, *words = line.split()
    found = ProgramTable(table()).find(program)
    assert found is not None
    deeds = Deeds()
    read_command(found, tuple(words), deeds)
    return deeds


@pytest.mark.parametrize(
    ("line", "flags"),
    [
        ("ls -la", ["-l", "-a"]),
        ("ls -l -a", ["-l", "-a"]),
        ("head -n5 -q", ["-n", "-q"]),
        ("head -qn 5", ["-q", "-n"]),
        ("head --lines 5", ["--lines"]),
        ("head --lines=5", ["--lines"]),
        ("git -c a=b push -uf x", ["-c", "-u", "-f"]),
        ("git push -of x", ["-o"]),
        ("git log -p -- -f", ["-p"]),
        ("terraform apply --auto-approve", ["-auto-approve"]),
        ("rm -rf -- -x", ["-r", "-f"]),
    ],
)
def test_flags(line: str, flags: list[str]) -> None:
    assert deeds_of(line).flags == flags


@pytest.mark.parametrize(
    "line",
    [
        "ls --al",
        "ls -l5",
        "ls --color-x",
        "head --lines",
        "git stat",
        "git push --forc x",
        "cat -zz",
        "wc -l x --files0-from=y",
    ],
)
def test_what_is_not_known_asks(line: str) -> None:
    assert "ask" in {act.minimum for act in deeds_of(line).acts}


@pytest.mark.parametrize(
    ("line", "accesses"),
    [
        ("cat a b", [("a", "read"), ("b", "read")]),
        ("cat - /dev/stdin", []),
        ("cp a b c", [("a", "read"), ("b", "read"), ("c", "write"), ("c/a", "write"), ("c/b", "write")]),
        ("mv a b", [("a", "read"), ("a", "delete"), ("b", "write"), ("b/a", "write")]),
        ("sort -o x y", [("x", "write"), ("y", "read")]),
        ("sort y -ox", [("x", "write"), ("y", "read")]),
        ("uniq a b", [("a", "read"), ("b", "write")]),
        ("sed -i 3d a", [("a", "write")]),
        ("sed -e 3d a", [("a", "read")]),
        ("grep x a", [("a", "search")]),
        ("grep -e x a", [("a", "search")]),
        ("grep -r x", [(".", "tree")]),
        ("grep -f a b", [("a", "read"), ("b", "search")]),
        ("rg x", [(".", "visible")]),
        ("rg --hidden x a", [("a", "tree")]),
        ("tee a b", [("a", "write"), ("b", "write")]),
        ("dd if=a of=b bs=1", [("a", "read"), ("b", "write")]),
        ("find a b -name c", [("a", "search"), ("b", "search")]),
        ("find -name c", [(".", "search")]),
        ("tar czf a b", [("a", "write"), ("b", "tree")]),
        ("git show HEAD:a/b", [("a/b", "read")]),
        ("git diff --no-index a b", [("a", "read"), ("b", "read")]),
        ("git log --output=a", [("a", "write")]),
        ("pytest a::b", [("a", "read")]),
        ("curl -d @a -o b http://c", [("a", "read"), ("b", "write")]),
        ("rm -r a b", [("a", "delete"), ("b", "delete")]),
    ],
)
def test_paths(line: str, accesses: list[tuple[str, str]]) -> None:
    found = [(path, access) for path, access, denials_only in deeds_of(line).accesses if not denials_only]
    assert found == accesses


def test_words_that_may_be_paths_are_kept_for_denials() -> None:
    deeds = deeds_of("docker cp .env box:/x")
    assert Access(".env", "read", denials_only=True) in deeds.accesses
    assert Access("/x", "read", denials_only=True) in deeds.accesses
    assert Access(".env", "read", denials_only=True) in deeds_of("git diff HEAD:x .env").accesses


@pytest.mark.parametrize(
    ("line", "inner"),
    [
        ("timeout -k 5 10 a b", [("a", "b")]),
        ("nice -5 a", [("a",)]),
        ("env -i A=1 B=2 a -b", [("a", "-b")]),
        ("sudo -u root A=1 a", [("a",)]),
        ("xargs -n 1 a -b", [("a", "-b")]),
        ("find . -exec a {} ; -execdir b {} +", [("a", "{}"), ("b", "{}")]),
        ("docker exec -it box a b", [("a", "b")]),
        ("npx -y a b", [("a", "b")]),
        ("uv run --with x a b", [("a", "b")]),
        ("command -p a", [("a",)]),
        ("command -v a", []),
        ("flock x a", [("a",)]),
    ],
)
def test_inner_commands(line: str, inner: list[tuple[str, ...]]) -> None:
    assert deeds_of(line).inner == inner


def test_a_program_is_found_by_its_own_name_alone() -> None:
    programs = ProgramTable(table())
    assert programs.find("git") is not None
    for word in ("GIT", "./git", "/opt/git", "git.exe", "gіt", ""):
        assert programs.find(word) is None
    for word in ("GIT", "./git", "/opt/git", "git.exe", "C:\\x\\Git.EXE", "/proc/self/root/usr/bin/git"):
        found = programs.resemble(word)
        assert found is not None
        assert found.name == "git"
    assert programs.resemble("gіt") is None
    assert programs.find("python3") is programs.find("python") or programs.find("python3") is not None


def test_names_and_patterns() -> None:
    assert base_name("/a/B.cmd") == "b"
    assert base_name("rm/") == "rm"
    assert matches("+*", "+main")
    assert not matches("+*", "main")
    assert matches("*s*,*", "as,b")
    assert not matches("a*a", "a")
    assert matches("a*b*c", "axxbxxc")
    assert not matches("a*b*c", "axxcxxb")


def test_a_cell_that_is_missing_asks_and_no_editing_is_kept() -> None:
    cells = Cells(
        {
            "flags": {"can_edit": False},
            "cells": {"edit": {"effect": "allow", "rule": "x"}, "read": {"effect": "allow", "rule": "y"}},
        }
    )
    assert cells.of("edit")[0] == "deny"
    assert cells.of("read")[:2] == ("allow", "y")
    assert cells.of("run")[0] == "ask"
