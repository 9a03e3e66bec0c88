"""`frieze render` for a conversation that goes on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.commands import Outcome, frieze
from support.projects import write_files

FILES = {
    "frieze.yaml": "kind: project\nname: desk\nversion: 1.0.0\n",
    "profiles/guest.yaml": "kind: block\nname: guest\ntag: guest\nrole: developer\nsend: on-change\nwhen: name\n"
    "inputs: {name: {type: line, from: contact.name}}\nbody: '{{ name | quoted }}'\n",
    "profiles/helper.yaml": "kind: agent\nname: helper\ninstructions: Help.\n"
    "layout: {insert: {guest: {after: instructions}}}\n"
    "defaults: {platform: api, model: claude-sonnet-4-6, personality: none}\n",
    "aiko.json": '{"contact": {"name": "Aiko"}}',
    "bo.json": '{"contact": {"name": "Bo"}}',
}
AIKO = '--- developer ---\n\n<guest>\n"Aiko"\n</guest>\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return write_files(tmp_path, FILES)


def render(project: Path, *arguments: str) -> Outcome:
    return frieze("render", *arguments, cwd=project)


def test_a_conversation_from_its_start(project: Path) -> None:
    both = ("--previous", "said.json", "--snapshot", "said.json")
    assert render(project, "--context", "aiko.json", *both) == (0, AIKO, "")
    first = json.loads((project / "said.json").read_text())
    assert list(first["parts"]) == ["guest"]
    nothing = render(project, "--context", "aiko.json", *both)
    assert nothing[:2] == (0, "")
    assert "nothing to say" in nothing.err
    assert render(project, "--context", "bo.json", *both).out == AIKO.replace("Aiko", "Bo")
    ended = render(project, *both)
    assert ended.out == "--- developer ---\n\n<guest>\nWhat stood here before does not hold any more.\n</guest>\n"
    assert json.loads((project / "said.json").read_text())["parts"] == {}
    assert [path.name for path in project.glob("*said*")] == ["said.json"]


def test_the_updates_as_json_and_in_a_request(project: Path) -> None:
    start = ("--context", "aiko.json", "--previous", "said.json", "--snapshot", "said.json")
    found = json.loads(render(project, *start, "--format", "json").out)
    assert found["updates"] == [{"role": "developer", "parts": ['<guest>\n"Aiko"\n</guest>']}]
    later = ("--context", "bo.json", "--previous", "said.json")
    request = json.loads(render(project, *later, "--format", "anthropic").out)
    assert request["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": '<guest>\n"Bo"\n</guest>'}]},
        {"role": "user", "content": "Hello."},
    ]
    assert "<guest>" not in str(request["system"])
    assert "updates" not in json.loads(render(project, "--format", "json").out)


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"\xff", b'{"format": 99}', b" " * 1_500_000])
def test_a_snapshot_that_cannot_be_read_is_a_note(project: Path, content: bytes) -> None:
    (project / "said.json").write_bytes(content)
    outcome = render(project, "--context", "aiko.json", "--previous", "said.json")
    assert (outcome.code, outcome.out) == (0, AIKO)
    assert "note[unreadable-snapshot]" in outcome.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--previous", "nowhere.json"], "`nowhere.json` cannot be read"),
        (["--previous", "."], "`.` cannot be read"),
        (["--snapshot", "nowhere/said.json"], "`nowhere/said.json` cannot be written"),
        (["--snapshot", "profiles"], "`profiles` cannot be written"),
    ],
)
def test_wrong_usage(project: Path, arguments: list[str], words: str) -> None:
    before = sorted(project.rglob("*"))
    outcome = render(project, "--context", "aiko.json", *arguments)
    assert (outcome.code, outcome.out) == (2, "")
    assert words in outcome.err
    assert sorted(project.rglob("*")) == before


def test_without_a_conversation_the_snapshot_is_of_everything(project: Path) -> None:
    outcome = render(project, "--context", "aiko.json", "--snapshot", "said.json")
    assert "Help." in outcome.out
    assert render(project, "--context", "aiko.json", "--previous", "said.json").out == ""


def test_findings_leave_the_snapshot_as_it_was(project: Path) -> None:
    (project / "said.json").write_text("{}")
    (project / "bad.json").write_text('{"contact": 7}')
    assert render(project, "--context", "bad.json", "--previous", "said.json", "--snapshot", "said.json").code == 1
    assert (project / "said.json").read_text() == "{}"
