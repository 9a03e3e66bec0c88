"""The block `permissions`: the generated text for the mode, the model and whether a person can be asked."""

from __future__ import annotations

from pathlib import Path

import frieze
from frieze.policy import shipped_table
from frieze.policy.shipped import shipped_graph
from frieze.policy.text import permissions_text
from frieze.policy.wording import wording_of
from frieze.runtime import Bundle
from support.projects import write_files

AGENT = """\
kind: agent
name: coder
permissions: std/coding
instructions: You write code.
allows: {models: [plain, own, silent]}
layout: {from: std, insert: {permissions: {after: instructions}}}
"""
MODELS = {
    "plain": "",
    "own": 'texts: {sandbox: {workspace-write: "Net {{ network_access }}, {{other}}, {{network_access}}."}}\n',
    "silent": 'texts: {sandbox: {workspace-write: ""}, approval: {on-request: "", never: "Ask nobody."}}\n',
}


def opened(root: Path) -> Bundle:
    files = {f"profiles/{name}.yaml": f"kind: model\nname: {name}\nvendor: x\n{text}" for name, text in MODELS.items()}
    project = {"frieze.yaml": "kind: project\nname: permitted\n", "profiles/agent.yaml": AGENT, **files}
    result = frieze.compile(write_files(root, project))
    assert result.bundle, result.diagnostics
    return Bundle.from_files(result.bundle.files)


def expected(mode: str, *, interactive: bool) -> str:
    wording = wording_of(shipped_graph(), shipped_graph().policies["std/coding"])
    return permissions_text(shipped_table("coding"), mode, wording, interactive=interactive).text


def framed(text: str) -> str:
    return f"<permissions instructions>\n{text}\n</permissions instructions>"


def test_the_text_follows_the_mode_and_whether_a_person_can_be_asked(tmp_path: Path) -> None:
    bundle = opened(tmp_path)
    for mode in ("investigate", "review", "implement"):
        prompt = bundle.prompt("coder", model="plain", mode=mode)
        for context, interactive in (({}, True), ({"session": {"interactive": False}}, False)):
            assert framed(expected(mode, interactive=interactive)) in prompt.render(context).text
        assert prompt.render({"session": {"interactive": True}}).text == prompt.render({}).text


def test_a_models_own_text_replaces_a_section_and_only_one_placeholder_is_filled(tmp_path: Path) -> None:
    text = opened(tmp_path).prompt("coder", model="own", mode="implement").render({}).text
    assert "Net restricted, {{other}}, {{network_access}}." in text
    assert "Sandbox `workspace-write`" not in text
    assert "Approval `on-request`" in text


def test_an_empty_text_takes_the_section_out(tmp_path: Path) -> None:
    prompt = opened(tmp_path).prompt("coder", model="silent", mode="implement")
    asked = prompt.render({}).text
    assert "Sandbox" not in asked
    assert "Approval" not in asked
    assert "## Approved commands" not in asked
    assert "## Actions" in asked
    assert "\nAsk nobody.\n" in prompt.render({"session": {"interactive": False}}).text


def test_the_part_belongs_to_the_developer_and_changes_with_the_session_alone(tmp_path: Path) -> None:
    result = frieze.compile(
        write_files(
            tmp_path,
            {
                "frieze.yaml": "kind: project\nname: p\n",
                "profiles/a.yaml": AGENT.replace("allows: {models: [plain, own, silent]}\n", ""),
            },
        )
    )
    assert result.bundle
    prompt = Bundle.from_files(result.bundle.files).prompt("coder", mode="review")
    part = next(part for part in prompt.render({}).parts if part.id == "permissions")
    assert (part.role, part.zone) == ("developer", "session")


def test_in_a_session_a_change_is_told_once(tmp_path: Path) -> None:
    agent = "kind: agent\nname: coder\npermissions: std/coding\ninstructions: Code.\nlayout: coding\n"
    result = frieze.compile(
        write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": agent})
    )
    assert result.bundle
    bundle = Bundle.from_files(result.bundle.files)
    first = bundle.prompt("coder", mode="implement").render({}, previous={})
    assert sum("<permissions instructions>" in part for message in first.updates for part in message.parts) == 1
    same = bundle.prompt("coder", mode="implement").render({}, previous=first.snapshot())
    assert same.updates == ()
    for mode, context in (("implement", {"session": {"interactive": False}}), ("review", {})):
        changed = bundle.prompt("coder", mode=mode).render(context, previous=first.snapshot())
        parts = [part for message in changed.updates for part in message.parts]
        assert len(parts) == 1
        assert parts[0].startswith("<permissions instructions>")
        assert [message.role for message in changed.updates] == ["developer"]
