"""The schemas in an editor: the real yaml-language-server, with the modeline that profiles carry."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from frieze.resources import schema_folder
from frieze.schema import KINDS, load_schema
from support.language_server import LanguageServer


@pytest.fixture(scope="module")
def server() -> Iterator[LanguageServer]:
    with LanguageServer() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project as `frieze init` makes it: schemas beside the profiles, no network needed."""
    shutil.copytree(schema_folder(), tmp_path / ".frieze/schema")
    (tmp_path / "profiles").mkdir()
    return tmp_path / "profiles"


def modeline(kind: str) -> str:
    return f"# yaml-language-server: $schema=../.frieze/schema/{kind}.schema.json\n"


def test_a_good_profile_is_left_alone(server: LanguageServer, folder: Path) -> None:
    text = (
        modeline("block")
        + "kind: block\nname: x\nheading: Now\ninputs:\n  a: {type: line, from: [b.c, {path: d, when: e}]}\nbody: Hi {{ a }}.\n"
    )
    assert server.complaints(server.open(folder / "x.yaml", text)) == []


def test_a_wrong_value_and_a_slip_are_marked_where_they_stand(server: LanguageServer, folder: Path) -> None:
    text = modeline("block") + "kind: block\nname: x\nrole: sytem\nheding: Now\nzone: turn\n"
    complaints = sorted(server.complaints(server.open(folder / "x.yaml", text)))
    assert [row[:3] for row in complaints] == [(3, 6, 11), (4, 0, 6)]
    assert '"system", "developer", "user"' in complaints[0][3]
    assert "heding" in complaints[1][3]


def test_what_is_malformed_is_said_in_words(server: LanguageServer, folder: Path) -> None:
    text = modeline("agent") + "kind: agent\nname: My Agent\ninstructions: Hi.\n"
    ((line, *_, message),) = server.complaints(server.open(folder / "x.yaml", text))
    assert line == 2
    assert message.startswith("a name: small letters")


def test_a_missing_field_is_marked(server: LanguageServer, folder: Path) -> None:
    complaints = server.complaints(server.open(folder / "x.yaml", modeline("agent") + "kind: agent\nname: x\n"))
    assert ["instructions" in message for *_, message in complaints] == [True]


def test_a_profile_with_extends_may_leave_out_and_remove(server: LanguageServer, folder: Path) -> None:
    text = (
        modeline("agent") + "kind: agent\nname: x\nextends: y\nzone: null\ninputs:\n  a: {required: true}\n  b: null\n"
    )
    assert server.complaints(server.open(folder / "x.yaml", text)) == []
    text = modeline("agent") + "kind: agent\nname: x\nextends: y\nzone: trun\ninputs:\n  a: {requird: true}\n"
    complaints = sorted(server.complaints(server.open(folder / "y.yaml", text)))
    assert [row[:3] for row in complaints] == [(4, 6, 10), (6, 6, 13)]


@pytest.mark.parametrize("extends", ["", "extends: y\n"], ids=["full", "patch"])
def test_values_and_fields_are_offered(server: LanguageServer, folder: Path, extends: str) -> None:
    head = modeline("block") + "kind: block\nname: x\n" + extends
    top = head.count("\n")
    uri = server.open(folder / f"x{top}.yaml", head + "role: \ninputs:\n  a:\n    type: \n    \n\n")
    assert server.completions(uri, top, 6)[:3] == ["system", "developer", "user"]
    assert {"line", "accept-language", "document"} <= set(server.completions(uri, top + 3, 10))
    assert {"from", "required", "absent_values"} <= set(server.completions(uri, top + 4, 4))
    offered = set(server.completions(uri, top + 5, 0))
    assert {"heading", "when", "zone", "body"} <= offered
    assert not {"role", "inputs", "instructions"} & offered


@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_file_is_offered_every_field_of_its_kind(server: LanguageServer, folder: Path, kind: str) -> None:
    uri = server.open(folder / f"{kind}.yaml", modeline(kind) + "\n")
    offered = server.completions(uri, 1, 0)
    assert set(load_schema(kind)["$defs"]["full"]["properties"]) <= set(offered)
    assert "full" not in offered


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_shows_its_description(server: LanguageServer, folder: Path, kind: str) -> None:
    fields = {
        name: part for name, part in load_schema(kind)["$defs"]["full"]["properties"].items() if name != "extends"
    }
    rows = [f"{name}: {json.dumps(part['examples'][0])}\n" for name, part in fields.items()]
    uri = server.open(folder / f"{kind}.yaml", modeline(kind) + "".join(rows))
    assert server.complaints(uri) == []
    for line, part in enumerate(fields.values(), start=1):
        assert part["description"].replace("\\", "") in server.hover(uri, line, 1)


def test_a_field_that_a_profile_removes_shows_its_description(server: LanguageServer, folder: Path) -> None:
    uri = server.open(folder / "x.yaml", modeline("block") + "kind: block\nname: x\nextends: y\nheading:\n")
    assert "The line above the block." in server.hover(uri, 4, 2)


def test_an_input_shows_the_description_of_its_fields(server: LanguageServer, folder: Path) -> None:
    text = (
        modeline("agent")
        + "kind: agent\nname: x\ninstructions: Hi.\ninputs:\n  a:\n    type: line\n    from: contact.name\n"
    )
    uri = server.open(folder / "x.yaml", text)
    assert "Where the value comes from, in order" in server.hover(uri, 7, 5)
