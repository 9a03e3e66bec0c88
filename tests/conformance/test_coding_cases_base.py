"""Base instructions of a coding agent: the model's template, personalities, overrides, names of models."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from frieze.runtime import Bundle, Catalog, Override, Result, Saved, UnknownSelector
from support.projects import split_files, write_files

TEMPLATE = "# Terminal\n\n{{ personality }}\n\nYou are {{ agent.name }}.\n"
PLAIN = "Intro {{ personality }} {% if\n# Personality\nBe kind.\n## Style\nShort.\n# Safety\nAsk first.\n"
PROJECT = """# file: frieze.yaml
kind: project
name: probe
# file: profiles/agent.yaml
kind: agent
name: coder
instructions: Look before you leap.
layout: std/coding
allows: {models: [gpt-5.4, gpt-5.4-foo-mini, plain, rest], personalities: [friendly, pragmatic, none]}
defaults: {model: gpt-5.4}
tasks: {classify: gpt-5.4-foo-mini, large-codebase: plain}
# file: profiles/model.yaml
kind: model
name: gpt-5.4
template: {file: template.md}
personalities: {default: Speak plainly., friendly: Speak warmly.}
texts: {sandbox: {read-only: Nothing can be written here.}}
# file: profiles/mini.yaml
kind: model
name: gpt-5.4-foo-mini
slug: gpt-5.4-foo-mini-2026
template: {file: template.md}
# file: profiles/plain.yaml
kind: model
name: plain
slugs: [simple-, gpt-5.4-bar]
instructions: {file: plain.md}
# file: profiles/rest.yaml
kind: model
name: rest
fallback: true
instructions: For whoever comes along.
# file: profiles/pragmatic.yaml
kind: personality
name: pragmatic
text: ""
# file: profiles/friendly.yaml
kind: personality
name: friendly
text: Speak as a friend.
"""
FRIENDLY = "Speak warmly."


def project(tmp_path: Path, plain: str = PLAIN, template: str = TEMPLATE, more: str = "") -> Path:
    files = {**split_files(PROJECT), "profiles/plain.md": plain, "profiles/template.md": template, **split_files(more)}
    return write_files(tmp_path, {name: text for name, text in files.items() if name != "profiles/example.yaml"})


def compiled(tmp_path: Path, plain: str = PLAIN, template: str = TEMPLATE, more: str = "") -> Bundle:
    result = frieze.compile(project(tmp_path, plain, template, more))
    assert result.bundle, result.diagnostics
    return Bundle.from_files(result.bundle.files)


def found(tmp_path: Path, plain: str = PLAIN, more: str = "") -> list[Diagnostic]:
    return list(frieze.check(project(tmp_path, plain, more=more)).diagnostics)


def spoken(result: Result) -> list[str]:
    return [part.text for part in result.parts if part.id == "personality"]


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return compiled(tmp_path)


def test_case_1_the_placeholder_becomes_the_text(bundle: Bundle) -> None:
    result = bundle.prompt("coder", personality="friendly").render()
    assert result.base.text == f"# Terminal\n\n{FRIENDLY}\n\nYou are coder.\n"
    assert result.text.startswith(result.base.text)
    assert result.text.count(FRIENDLY) == 1
    assert "{{" not in result.base.text


def test_case_2_no_text_leaves_nothing(bundle: Bundle) -> None:
    result = bundle.prompt("coder", personality="pragmatic").render()
    assert result.base.text == "# Terminal\n\n\n\nYou are coder.\n"
    assert spoken(result) == []


def test_case_3_none_is_nothing_and_unset_is_the_default(bundle: Bundle) -> None:
    assert bundle.prompt("coder", personality="none").render().base.text == "# Terminal\n\n\n\nYou are coder.\n"
    unset = bundle.prompt("coder")
    assert unset.target["personality"] == "default"
    assert unset.render().base.text == "# Terminal\n\nSpeak plainly.\n\nYou are coder.\n"


def test_case_4_plain_instructions_stay_as_they_are(tmp_path: Path) -> None:
    plain = "\ufeff# Only\r\n\r\nplain {{ personality }} {# text\r\n\r\n"
    bundle = compiled(tmp_path / "one", plain)
    result = bundle.prompt("coder", model="plain", personality="friendly").render()
    assert result.base.text == plain.removeprefix("\ufeff")
    assert spoken(result) == []
    warnings = [fault for fault in found(tmp_path / "two", plain) if fault.code == "F714"]
    assert [(fault.span.file, dict(fault.args)["model"]) for fault in warnings] == [
        ("profiles/plain.yaml", "plain"),
        ("profiles/rest.yaml", "rest"),
    ]
    assert "friendly" in str(dict(warnings[0].args)["personalities"])


def test_case_5_who_wins_and_where_it_says_so(bundle: Bundle) -> None:
    prompt = bundle.prompt("coder", personality="friendly")
    override, saved, own = (prompt.render(base=base) for base in (Override("O\n"), Saved("R\r\n", "thread 7"), None))
    assert (override.base.text, override.base.origin, override.base.provenance) == ("O\n", "override", "")
    assert (saved.base.text, saved.base.origin, saved.base.provenance) == ("R\r\n", "history", "thread 7")
    assert (own.base.origin, own.base.provenance) == ("model", "gpt-5.4")
    assert len(spoken(override)) == len(spoken(saved)) == 1
    assert spoken(own) == []
    assert spoken(prompt.render(base=Saved(own.base.text))) == []
    by_chance = prompt.render(base=Override(f"Others may tell you: {FRIENDLY} Do not."))
    assert len(spoken(by_chance)) == 1


def test_case_6_an_override_is_never_cut(bundle: Bundle) -> None:
    text = "O\n# Personality\nLoud.\n"
    prompt = bundle.prompt("coder", personality="none")
    result = prompt.render(base=Override(text))
    assert result.base.text == text
    assert result.text.startswith(text)
    assert spoken(result) == []


def test_case_6_the_texts_of_the_model_stay(tmp_path: Path) -> None:
    more = """# file: profiles/permissions.yaml
kind: block
name: permissions
extends: std/permissions
when: null
inputs: null
body: "{{ model.texts.sandbox.get('read-only') or 'Built in.' }}"
# file: profiles/layout.yaml
kind: layout
name: own
extends: std/coding
blocks: {permissions: {block: permissions}}
# file: profiles/agent.yaml
""" + split_files(PROJECT)["profiles/agent.yaml"].replace("std/coding", "own")
    prompt = compiled(tmp_path, more=more).prompt("coder", personality="none")
    result = prompt.render(base=Override("O"))
    assert "Nothing can be written here." in result.text


@pytest.mark.parametrize(
    ("plain", "left"),
    [
        (PLAIN, "Intro {{ personality }} {% if\n# Safety\nAsk first.\n"),
        (PLAIN.replace("\n", "\r\n"), "Intro {{ personality }} {% if\r\n# Safety\r\nAsk first.\r\n"),
        ("a\n# Personality\nb", "a\n"),
        ("a\n# Personality", "a\n"),
        ("a\n# Personality\nb\n#\nc", "a\n#\nc"),
        ("a\n# Personality\nb\n#\tc", "a\n#\tc"),
        ("a\n# Personality\nb\n#c\n##\n# d", "a\n# d"),
        ("a\n## Personality\nb\n", None),
        ("a\n# Personality \nb\n", None),
        ("a\n#  Personality\nb\n", None),
        ("a\n # Personality\nb\n", None),
        ("a\n# personality\nb\n", None),
        ("a\n# Personality\nb\n# Personality\nc\n", "a\n# Personality\nc\n"),
    ],
)
def test_case_7_none_takes_the_section_out(tmp_path: Path, plain: str, left: str | None) -> None:
    bundle = compiled(tmp_path, plain)
    assert bundle.prompt("coder", model="plain", personality="friendly").render().base.text == plain
    expected = plain if left is None else left
    prompt = bundle.prompt("coder", model="plain", personality="none")
    assert prompt.render().base.text == expected
    assert prompt.render(base=Catalog(instructions=plain)).base.text == expected
    assert prompt.render(base=Saved(plain)).base.text == plain


@pytest.mark.parametrize(
    ("file", "code"), [("empty.md", "F138"), ("gone.md", "F320"), ("folder", "F103"), ("latin.md", "F106")]
)
@pytest.mark.parametrize("field", ["instructions", "template"])
def test_case_8_a_file_without_instructions_is_an_error(tmp_path: Path, field: str, file: str, code: str) -> None:
    (tmp_path / "profiles/folder").mkdir(parents=True)
    (tmp_path / "profiles/empty.md").write_text(" \n\n")
    (tmp_path / "profiles/latin.md").write_bytes(b"caf\xe9\n")
    model = f"# file: profiles/other.yaml\nkind: model\nname: other\n{field}: {{file: {file}}}\n"
    result = frieze.compile(project(tmp_path, more=model))
    assert result.bundle is None
    errors = [fault for fault in result.diagnostics if fault.code == code]
    assert len(errors) == 1
    assert file in str(errors[0].args) or errors[0].span.file.endswith(file)


@pytest.mark.parametrize(
    ("asked", "record", "sent"),
    [
        ("gpt-5.4", "gpt-5.4", "gpt-5.4"),
        ("gpt-5.4-foo", "gpt-5.4", "gpt-5.4-foo"),
        ("gpt-5.4-foo-mini", "gpt-5.4-foo-mini", "gpt-5.4-foo-mini-2026"),
        ("gpt-5.4-foo-mini-2026", "gpt-5.4-foo-mini", "gpt-5.4-foo-mini-2026"),
        ("gpt-5.4-foo-mini-2027", "gpt-5.4-foo-mini", "gpt-5.4-foo-mini-2027"),
        ("gpt-5.4-bar-1", "plain", "gpt-5.4-bar-1"),
        ("simple-3", "plain", "simple-3"),
        ("ns/gpt-5.4", "gpt-5.4", "ns/gpt-5.4"),
        ("n_s-1/gpt-5.4-foo", "gpt-5.4", "n_s-1/gpt-5.4-foo"),
    ],
)
def test_case_9_the_longest_beginning_answers(bundle: Bundle, asked: str, record: str, sent: str) -> None:
    prompt = bundle.prompt("coder", model=asked, personality="none")
    assert prompt.target["model"] == record
    result = prompt.render()
    assert result.notes == ()
    message = [{"role": "user", "content": "Hello"}]
    assert result.anthropic(message, max_tokens=9)["model"] == sent
    assert result.openai_chat(message)["model"] == sent
    assert result.openai_responses(message)["model"] == sent
    assert result.openai_chat(message, model="mine")["model"] == "mine"


@pytest.mark.parametrize("asked", ["a/b/gpt-5.4", "gpt-5", "GPT-5.4", "/gpt-5.4", "gpt-5.4/", "a.b/gpt-5.4", "ä/plain"])
def test_case_9_what_nobody_answers_for_goes_to_the_fallback(bundle: Bundle, asked: str) -> None:
    if asked == "gpt-5.4/":
        assert bundle.prompt("coder", model=asked).target["model"] == "gpt-5.4"
        return
    prompt = bundle.prompt("coder", model=asked, personality="none")
    assert prompt.target["model"] == "rest"
    for result in (prompt.render(), prompt.render(base=Override("O")), prompt.render(previous={})):
        assert [note.code for note in result.notes] == ["unknown-model"]
        assert asked not in str(result.notes)
    assert prompt.render().openai_chat([{"role": "user", "content": "Hello"}])["model"] == asked


def test_without_a_fallback_the_nearest_names_are_told(tmp_path: Path) -> None:
    more = "# file: profiles/rest.yaml\nkind: model\nname: rest\n"
    bundle = compiled(tmp_path, more=more)
    with pytest.raises(UnknownSelector, match=r"did you mean `gpt-5\.4`\?"):
        bundle.prompt("coder", model="gtp-5.4")


def test_a_task_has_its_model(bundle: Bundle) -> None:
    prompt = bundle.prompt("coder")
    assert prompt.model_for("classify") == "gpt-5.4-foo-mini-2026"
    assert prompt.model_for("large-codebase") == "plain"
    with pytest.raises(UnknownSelector, match=r"there is no task `clasify`, did you mean `classify`\?"):
        prompt.model_for("clasify")


def test_a_catalogue_that_is_read_with_the_request(bundle: Bundle) -> None:
    prompt = bundle.prompt("coder", personality="friendly")
    own = prompt.render(base=Catalog(template="A {{ personality }} B {{personality}} {{ personality }}"))
    assert own.base.text == "A Speak warmly. B {{personality}} Speak warmly."
    given = Catalog(
        template="A {{ personality }}", instructions="unused", personalities={"friendly": "{{ personality }}"}
    )
    assert prompt.render(base=given).base.text == "A {{ personality }}"
    assert prompt.render(base=given).base.origin == "model"
    assert spoken(prompt.render(base=Catalog(template="{{ personality }}"))) == []
    unset = bundle.prompt("coder").render(base=Catalog(template="<{{ personality }}>", personalities={"default": "D"}))
    assert unset.base.text == "<D>"


def test_findings_and_provenance_stand_in_the_models_own_file(tmp_path: Path) -> None:
    wrong = list(frieze.check(project(tmp_path / "wrong", template="# Terminal\n\n{{ personalty }}\n")).diagnostics)
    assert [
        (fault.code, fault.span.file, fault.span.line, fault.span.column) for fault in wrong if fault.code == "F402"
    ] == [("F402", "profiles/template.md", 3, 4)]
    explanation = compiled(tmp_path / "right").prompt("coder", personality="friendly").explain()
    assert [(line.text, line.file, line.line) for line in explanation.lines[:5]] == [
        ("# Terminal", "profiles/template.md", 1),
        ("", "profiles/template.md", 2),
        (FRIENDLY, "profiles/template.md", 3),
        ("", "profiles/template.md", 4),
        ("You are coder.", "profiles/template.md", 5),
    ]
    states = {state.block: (state.state, state.why) for state in explanation.blocks}
    assert states["base-instructions"] == ("in", "always")
    assert states["personality"] == ("out", "`base-instructions` says it already")
    plain = compiled(tmp_path / "plain").prompt("coder", model="plain", personality="none").explain()
    assert [(line.text, line.line) for line in plain.lines[:3]] == [
        ("Intro {{ personality }} {% if", 1),
        ("# Safety", 6),
        ("Ask first.", 7),
    ]


def test_a_new_model_is_told_what_is_written_for_it(bundle: Bundle) -> None:
    told = bundle.prompt("coder", personality="friendly").render(previous={}).snapshot()
    for model, text in (("plain", PLAIN), ("rest", "For whoever comes along.")):
        (message,) = bundle.prompt("coder", model=model, personality="friendly").render(previous=told).updates
        switch = next(part for part in message.parts if part.startswith("<model_switch>"))
        assert switch.endswith(f"\n{text.rstrip(chr(10))}\n</model_switch>")
    same = bundle.prompt("coder", model="gpt-5.4-foo", personality="friendly").render(previous=told)
    assert same.updates == ()


def test_only_one_record_answers_for_the_rest(tmp_path: Path) -> None:
    more = "# file: profiles/any.yaml\nkind: model\nname: any\nfallback: true\n# file: profiles/agent.yaml\n"
    agent = split_files(PROJECT)["profiles/agent.yaml"].replace("plain, rest]", "plain, any, rest]")
    assert [fault.code for fault in found(tmp_path, more=more + agent) if fault.code == "F368"] == ["F368"]


def test_base_instructions_may_speak_of_markers(tmp_path: Path) -> None:
    text = "The project's rules stand in <environment_context> and </permissions instructions>.\n"
    bundle = compiled(tmp_path, plain=text, template=text + "{{ personality }}\n")
    told = bundle.prompt("coder", personality="friendly").render(previous={})
    assert told.base.text == f"{text}{FRIENDLY}\n"
    (message,) = bundle.prompt("coder", model="plain", personality="friendly").render(previous=told.snapshot()).updates
    assert text in message.parts[0]
