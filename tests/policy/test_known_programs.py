"""What a policy says of programs over the shared table: each name counts alone, and whoever extends loosens nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from support.policy_tables import std_table, table_of
from support.projects import write_files


def test_a_name_of_several_is_replaced_alone() -> None:
    names = next(key for key in std_table("coding")["programs"] if len(key.split()) > 1)
    first, *others = names.split()
    table = table_of(f"modes: {{m: {{can_edit: true}}}}\nprograms:\n  {first}: {{action: deploy}}\n")
    assert table["programs"][first] == {"action": "deploy"}
    assert [key for key in table["programs"] if first in key.split()] == [first]
    assert table["programs"][" ".join(others)] == std_table("coding")["programs"][names]


@pytest.mark.parametrize(
    "fields",
    [
        "programs: {chmod: {action: read}}",
        "wrappers: {sudo: {transparent: true}}",
        "assignments: {harmless: [LD_PRELOAD]}",
    ],
)
def test_whoever_extends_does_not_loosen_what_is_known(fields: str, tmp_path: Path) -> None:
    files = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/own.yaml": f"kind: permissions\nname: own\nextends: std/coding\n{fields}\n",
        "profiles/a.yaml": "kind: agent\nname: a\ndefaults: {platform: api, model: gpt-5.5, mode: implement}\n"
        "permissions: own\ninstructions: Hi.\n",
    }
    found = frieze.check(write_files(tmp_path, files)).diagnostics
    assert "F830" in {each.code for each in found}
