"""Every code is explained, and its examples are true."""

from __future__ import annotations

import ast
import re
import string
from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Code, Severity
from frieze.diagnostics.catalogue import (
    CODES,
    bundles,
    checks,
    commands,
    models,
    names,
    policies,
    profiles,
    schemas,
    sources,
    templates,
    values,
)
from support.projects import split_files, write_minimal_project

TESTS = Path(__file__).parent

STAGES = (
    ("F1", sources),
    ("F2", schemas),
    ("F3", profiles),
    ("F[37]", models),
    ("F4", templates),
    ("F5", values),
    ("F6", bundles),
    ("F7", checks),
    ("F8[01]", commands),
    ("F8[2-9]", policies),
    ("F(?:7|8[2-9])", names),
)

FILES = "cli/test_bad_files.py::test_a_file_that_is_no_profile"

RAISED_BY = {
    **dict.fromkeys(("F101", "F103", "F104", "F105", "F106", "F107", "F115", "F129", "F308"), FILES),
    "F102": "cli/test_bad_files.py::test_an_unreadable_file",
    "F301": "cli/test_bad_files.py::test_a_project_without_a_part",
    "F309": "cli/test_bad_files.py::test_a_project_without_a_part",
    "F503": "template/test_too_involved.py::test_a_large_one_is_given_up",
    "F601": "emit/test_bundles.py::test_a_full_disk_leaves_the_old_bundle_whole",
    "F602": "cli/test_commands.py::test_a_folder_that_is_not_friezes_is_refused",
    "F603": "cli/test_commands.py::test_check_without_a_bundle",
    "F604": "cli/test_commands.py::test_the_default_folder_and_check",
    "F605": "emit/test_wheel_of_prompts.py::test_a_version_that_no_wheel_can_have_is_shown_in_its_place",
    "F606": "cli/test_verify.py::test_every_file_that_is_not_as_it_was_is_named",
    "F607": "cli/test_verify.py::test_what_is_no_bundle_is_said_so",
    "F801": "cli/test_context.py::test_what_is_not_json_is_f801_with_its_place",
    "F802": "cli/test_commands.py::test_a_bad_context_is_a_finding",
    "F803": "cli/test_commands.py::test_a_required_input_that_is_missing",
    "F804": "cli/test_commands.py::test_a_template_without_a_result",
    "F805": "cli/test_commands.py::test_a_bundle_that_is_not_whole",
    "F806": "cli/test_render_requests.py::test_what_is_not_json_is_f806",
    "F807": "cli/test_render_requests.py::test_a_wrong_shape_is_f807",
}
"""Codes that no profile can show by itself, and the test that makes each of them: `file::function`."""

ALL = sorted(CODES.values(), key=lambda entry: entry.code)
WITH_BAD = [entry for entry in ALL if entry.bad]
WITH_GOOD = [entry for entry in ALL if entry.good]


def identity(entry: Code) -> str:
    return f"{entry.code}-{entry.name}"


def test_codes_and_names_are_unique_and_stand_in_their_stage() -> None:
    entries = [(prefix, entry) for prefix, module in STAGES for entry in module.ENTRIES]
    assert all(re.fullmatch(rf"{prefix}\d+", entry.code) and len(entry.code) == 4 for prefix, entry in entries)
    assert len({entry.code for _, entry in entries}) == len(entries) == len(CODES)
    assert len({entry.name for _, entry in entries}) == len(entries)


@pytest.mark.parametrize("entry", ALL, ids=identity)
def test_a_code_is_documented(entry: Code) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", entry.name)
    assert entry.message
    assert not entry.message.endswith("."), "a headline has no full stop"
    assert "\n" not in entry.message
    assert entry.meaning.endswith((".", "?", ":"))
    for text in (entry.message, entry.help):
        arguments = [(name, spec) for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
        assert all(name.isidentifier() and not spec for name, spec in arguments), "other braces are doubled"
        shown = text.format_map(dict.fromkeys((name for name, _ in arguments), "x"))
        assert not re.search(r"(?<!\{)\{ ", shown), "the braces of a template are written four times"


@pytest.mark.parametrize("entry", WITH_BAD, ids=identity)
def test_the_bad_example_gives_the_code(entry: Code, tmp_path: Path) -> None:
    found = frieze.check(write_minimal_project(tmp_path, entry.bad)).diagnostics
    assert entry.code in {diagnostic.code for diagnostic in found}, [
        f"{diagnostic.code} {diagnostic.span.file}:{diagnostic.span.line}: {diagnostic.message}" for diagnostic in found
    ]
    files = {*split_files(entry.bad), "frieze.yaml"}
    assert any(diagnostic.code == entry.code and diagnostic.span.file in files for diagnostic in found)


@pytest.mark.parametrize("entry", WITH_GOOD, ids=identity)
def test_the_good_example_is_fine(entry: Code, tmp_path: Path) -> None:
    found = frieze.check(write_minimal_project(tmp_path, entry.good)).diagnostics
    wrong = [item for item in found if item.code == entry.code or item.severity is Severity.ERROR]
    assert not wrong, [f"{item.code} {item.span.file}:{item.span.line}: {item.message}" for item in wrong]


@pytest.mark.parametrize("entry", WITH_BAD, ids=identity)
def test_a_bad_example_has_a_good_one(entry: Code) -> None:
    assert entry.good


def test_a_code_without_an_example_is_raised_by_a_test() -> None:
    assert {entry.code for entry in ALL if not entry.bad} == set(RAISED_BY)
    for code, place in RAISED_BY.items():
        file, function = place.split("::")
        tree = ast.parse((TESTS / file).read_bytes())
        assert function in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, place
        texts = {
            node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)
        }
        assert any(code in text for text in texts), f"{file} does not speak of {code}"
