"""What a finding says to an author: the word that was meant, where it belongs, and no more than helps."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import frieze as package
from frieze.cli import run
from frieze.diagnostics import Diagnostic
from support.commands import frieze
from support.projects import AGENT, PROJECT, write_files


def only(root: Path, code: str, files: dict[str, str]) -> Diagnostic:
    result = package.check(write_files(root, {"frieze.yaml": PROJECT, **files}))
    (found,) = [found for found in result.diagnostics if found.code == code]
    return found


def marked(root: Path, found: Diagnostic) -> str:
    line = (root / found.span.file).read_text("utf-8").splitlines()[found.span.line - 1]
    return line[found.span.column - 1 : found.span.end_column - 1]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("string", "`line` or `text`"), ("int", "`integer`"), ("dict", "`attributes`"), ("lien", "`line`")],
)
def test_types_go_by_other_names_elsewhere(tmp_path: Path, written: str, meant: str) -> None:
    agent = f"{AGENT}inputs:\n  shop: {{type: {written}, from: contact.name}}\n"
    found = only(tmp_path, "F203", {"profiles/helper.yaml": agent})
    assert found.help.startswith(f"did you mean {meant}? It can be ")


def test_an_unknown_word_is_followed_by_two_sentences(tmp_path: Path) -> None:
    agent = f"{AGENT}inputs:\n  shop: {{type: zzz, from: contact.name}}\n"
    assert ". It can be " in only(tmp_path, "F203", {"profiles/helper.yaml": agent}).help


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("personalty: calm", "`personality` stands under `defaults:`"),
        ("platform: line", "`platform` stands under `defaults:`"),
        ("models: [small]", "`models` stands under `allows:`"),
        ("descripton: x", "did you mean `description`?"),
    ],
)
def test_a_field_that_belongs_a_level_below(tmp_path: Path, line: str, advice: str) -> None:
    assert only(tmp_path, "F201", {"profiles/helper.yaml": f"{AGENT}{line}\n"}).help.startswith(advice)


def test_an_empty_list_allows_none(tmp_path: Path) -> None:
    agent = f"{AGENT}defaults: {{platform: line}}\nallows: {{platforms: []}}\n"
    message = only(tmp_path, "F360", {"profiles/helper.yaml": agent}).message
    assert message == "the default platform `line` is not among the platforms that the agent allows; it allows none"


def test_the_slot_that_does_not_exist_is_marked(tmp_path: Path) -> None:
    files = {
        "profiles/helper.yaml": f"{AGENT}layout: {{insert: {{file: {{after: user-nam}}}}}}\n",
        "profiles/file.yaml": "kind: block\nname: file\nbody: It is long.\n",
    }
    found = only(tmp_path, "F341", files)
    assert marked(tmp_path, found) == "user-nam"
    assert found.help == "did you mean `user-name`?"


def test_an_own_block_called_like_a_slot_takes_its_place_as_advised(tmp_path: Path) -> None:
    files = {"profiles/location.yaml": "kind: block\nname: location\nbody: Kyoto.\n", "profiles/helper.yaml": AGENT}
    advice = only(tmp_path, "F703", files).help
    layout = advice.split("`")[1]
    assert layout.startswith("layout: {remove: [location], insert: ")
    files["profiles/helper.yaml"] = f"{AGENT}{layout}\n"
    result = package.check(write_files(tmp_path, files))
    assert result.diagnostics == ()


def test_many_inputs_are_counted_and_not_listed(tmp_path: Path) -> None:
    names = [f"value{number:03}" for number in range(60)]
    inputs = "".join(f"  {name}: {{type: line, from: contact.attributes.{name}, default: x}}\n" for name in names)
    printed = "".join(f"  Value {{{{ {name} | quoted }}}}.\n" for name in names)
    agent = f"kind: agent\nname: helper\ninputs:\n{inputs}instructions: |\n{printed}"
    assert "`value005` and 54 more, so they are not" in only(tmp_path, "F701", {"profiles/helper.yaml": agent}).message


def test_a_model_that_the_library_does_not_have_can_be_declared(tmp_path: Path) -> None:
    agent = AGENT + "defaults: {{platform: api, model: {}}}\n"
    found = only(tmp_path, "F312", {"profiles/helper.yaml": agent.format("gpt-4o")})
    assert found.help.endswith("? A file with `kind: model` and `name: gpt-4o` declares a new one")
    found = only(tmp_path / "2", "F312", {"profiles/helper.yaml": agent.format("zzzz")})
    assert found.help.endswith(" more; a file with `kind: model` and `name: zzzz` declares a new one")


@pytest.mark.parametrize("written", ["{shop}", "${shop}", "$shop", "{ shop }", "[[shop]]"])
def test_the_placeholders_of_other_languages(tmp_path: Path, written: str) -> None:
    text = f"kind: agent\nname: helper\ninputs: {{shop: {{type: line, from: contact.name}}}}\ninstructions: |\n  In {written}, $5.\n"
    found = only(tmp_path, "F702", {"profiles/helper.yaml": text})
    assert found.help == f"the text has `{written}`, which is printed as it stands: write `{{{{ shop }}}}`"
    other = text.replace(written, "workshop {shops} shop")
    assert only(tmp_path / "2", "F702", {"profiles/helper.yaml": other}).help.startswith("remove it, or use it")


def test_an_empty_project_file_says_what_it_begins_with(tmp_path: Path) -> None:
    write_files(tmp_path, {"frieze.yaml": "", "profiles/helper.yaml": "# later\n"})
    helps = [found.help for found in package.check(tmp_path).diagnostics if found.code == "F132"]
    assert helps == ["begin with `kind: project` and `name: ...`"]
    files = {"profiles/helper.yaml": "# later\n"}
    assert only(tmp_path / "2", "F132", files).help == "begin with `kind: ...` and `name: ...`"


@pytest.mark.parametrize(
    ("kind", "field", "example"), [("list", "of", "`line`"), ("choice", "options", "`[open, closed]`")]
)
def test_what_a_type_needs_besides_is_said(tmp_path: Path, kind: str, field: str, example: str) -> None:
    agent = f"{AGENT}inputs:\n  shop: {{type: {kind}, from: message.metadata.shop}}\n"
    found = only(tmp_path, "F202", {"profiles/helper.yaml": agent})
    assert found.message == f"`inputs.shop` lacks `{field}`"
    assert found.help.endswith(f"For example: {example}")


def test_instructions_leave_the_zone_that_they_declare(tmp_path: Path) -> None:
    text = (
        "inputs: {order: {type: line, from: message.metadata.order, default: x}}\ninstructions: 'Order {{ order }}.'\n"
    )
    found = only(tmp_path, "F701", {"profiles/helper.yaml": f"kind: agent\nname: helper\nzone: session\n{text}"})
    assert found.message.endswith("they are not the same for every message and leave the session zone")
    found = only(tmp_path / "2", "F701", {"profiles/helper.yaml": f"kind: agent\nname: helper\n{text}"})
    assert found.message.endswith("they are not the same for every user and leave the never zone")


def test_a_profile_does_not_extend_itself_by_a_slip(tmp_path: Path) -> None:
    agent = "kind: agent\nname: {name}\nextends: {base}\ninstructions: Help.\n"
    files = {"profiles/helper.yaml": agent.format(name="helper", base="helpr")}
    assert only(tmp_path, "F312", files).help.startswith("no agent is declared anywhere; a file with `kind: agent`")
    files["profiles/other.yaml"] = "kind: agent\nname: helper2\ninstructions: Help.\n"
    assert only(tmp_path / "2", "F312", files).help == "did you mean `helper2`?"


def test_a_project_may_be_named_by_text(tmp_path: Path) -> None:
    write_files(tmp_path, {"frieze.yaml": "kind: project\nname: shop\n", "profiles/helper.yaml": AGENT})
    assert package.check(str(tmp_path)) == package.check(tmp_path)
    assert package.compile(str(tmp_path)).bundle is not None
    assert package.load(str(tmp_path))[0] is not None


def test_what_no_policy_can_stop_is_said_once_where_it_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    every, one = frieze("policy").out, frieze("policy", "--policy", "std/read-only").out
    assert "std/read-only" in every
    assert "std/full-access" in every
    assert every.count("What no policy can stop") == one.count("What no policy can stop") == 1
    assert every.endswith(one[one.index("What no policy") :])


@pytest.mark.parametrize(
    ("asked", "said"),
    [("nothing", "`frieze rule` lists all."), ("unused-inptu", "did you mean `unused-input`"), ("F0312", "`F312`")],
)
def test_a_rule_is_suggested_only_where_it_is_near(asked: str, said: str) -> None:
    outcome = frieze("rule", asked)
    assert outcome.code == 2
    assert said in outcome.err
    assert ("did you mean" in outcome.err) == (asked != "nothing")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete a folder that somebody is in")
@pytest.mark.parametrize("command", [["check"], ["init", "x"], ["compile"], ["check", "/"]])
def test_a_current_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: list[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run(command) == 2
    said = capsys.readouterr().err
    assert "The current folder cannot be used" in said
    assert "internal error" not in said


def test_the_shape_that_the_help_on_a_context_names_is_there(tmp_path: Path) -> None:
    write_files(tmp_path, {"frieze.yaml": PROJECT, "profiles/helper.yaml": AGENT, "context.json": '{"contact": 1}'})
    outcome = frieze("render", "--context", "context.json", cwd=tmp_path)
    assert "`context.schema.json` in the compiled bundle" in outcome.err
    frieze("compile", cwd=tmp_path)
    assert (tmp_path / "dist/example_project/context.schema.json").is_file()


@pytest.mark.parametrize(
    ("tag", "layout", "taken"),
    [
        ("turn_context", "", True),
        ("turn_notices", "", True),
        ("greeting", "", False),
        ("facts", "tags: {context: facts}\n", True),
        ("turn_context", "tags: {context: facts}\n", False),
    ],
)
def test_a_block_cannot_have_the_tag_of_its_layout(tmp_path: Path, tag: str, layout: str, taken: bool) -> None:
    files = {
        "frieze.yaml": PROJECT,
        "profiles/helper.yaml": f"{AGENT}layout: own\n",
        "profiles/own.yaml": f"kind: layout\nname: own\nblocks: {{instructions: {{}}, hello: {{}}}}\n{layout}",
        "profiles/hello.yaml": f"kind: block\nname: hello\ntag: {tag}\nbody: Greet first.\n",
    }
    found = package.check(write_files(tmp_path, files)).diagnostics
    assert [(entry.code, entry.span.file) for entry in found] == ([("F352", "profiles/hello.yaml")] if taken else [])


def test_an_output_that_cannot_be_written_is_called_as_given(tmp_path: Path) -> None:
    write_files(tmp_path, {"frieze.yaml": PROJECT, "profiles/helper.yaml": AGENT})
    outcome = frieze("compile", "-o", tmp_path / "frieze.yaml/x", cwd=tmp_path)
    assert outcome.code == 1
    assert f"`{tmp_path.as_posix()}/frieze.yaml/x`" in outcome.err
    assert "the right to write there" in outcome.err
