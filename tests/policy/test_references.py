"""What a policy names must be there: tools, programs, roles, tables, modes, rules that enforce."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.policy.references import reference_faults, slip_of
from frieze.policy.table import made_table
from frieze.profiles import load_policies
from frieze.runtime.guard import Action, Guard
from frieze.runtime.guard.programs import spread
from support.policy_tables import std_table
from support.projects import write_files

MODES = """\
kind: permissions
name: own
modes:
  work: {can_edit: true, can_run_tests: true, requires_confirmation_for: [run, install, network, delete, move, commit, push, pull-request, secrets, deploy]}
"""
AGENT = "kind: agent\nname: a\ninstructions: Hi.\n"
TOOL = "kind: tool\nname: drop_table\ndescription: Drops a table.\naction: delete\n"


def project(root: Path, text: str, **files: str) -> Path:
    own = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": AGENT, "profiles/own.yaml": MODES + text}
    return write_files(root, own | {f"profiles/{name}.yaml": content for name, content in files.items()})


def found(root: Path, text: str, **files: str) -> list[tuple[str, str, str]]:
    """Return code, the text at the place, and the advice of each finding."""
    result = frieze.check(project(root, text, **files))
    rows = []
    for entry in result.diagnostics:
        span = entry.span
        line = result.texts[span.file].split("\n")[span.line - 1]
        rows.append((entry.code, line[span.column - 1 : span.end_column - 1], entry.help))
    return rows


def only(rows: list[tuple[str, str, str]]) -> tuple[str, str, str]:
    assert len(rows) == 1, rows
    return rows[0]


def rule(tools: str, more: str = "") -> str:
    return f"rules:\n  one: {{action: delete, effect: deny, tools: [{tools}]{more}}}\n"


@pytest.mark.parametrize(
    ("written", "near"),
    [
        ("delet_file", "`delete_file`"),
        ("drop_tabel", "`drop_table`"),
        ("std/delete_fil", "`std/delete_file`"),
        ("std/drop_table", "`std/"),
        ("zzzz", "the tools are `drop_table`"),
    ],
)
def test_a_rule_about_a_tool_that_there_is_not(tmp_path: Path, written: str, near: str) -> None:
    code, place, advice = only(found(tmp_path, rule(f"drop_table, {written}"), tool=TOOL))
    assert (code, place) == ("F312", written)
    assert near in advice or written == "std/drop_table"


def test_every_tool_that_is_not_there_is_named_also_by_an_ask_without_modes(tmp_path: Path) -> None:
    text = "kind: permissions\nname: ground\nrules:\n  one: {action: delete, effect: ask, tools: [x_one, delete_file, x_two]}\n"
    rows = found(tmp_path, "", ground=text)
    assert [(code, place) for code, place, _ in rows] == [("F312", "x_one"), ("F312", "x_two")]


@pytest.mark.parametrize("written", ["delete_file", "std/delete_file", "drop_table"])
def test_a_tool_that_is_there_is_denied_by_the_guard(tmp_path: Path, written: str) -> None:
    assert found(tmp_path, rule(written), tool=TOOL) == []
    graph, faults = load_policies(tmp_path)
    assert faults == []
    table = made_table(graph, "own")
    name = written.removeprefix("std/")
    arguments = {"path": "notes"} if name == "delete_file" else {}
    guard = Guard(table, mode="work", workspace=str(tmp_path), interactive=True)
    decision = guard.check_tool(name, arguments)
    assert (decision.effect, decision.rule) == ("deny", "one")


def test_a_tool_that_nobody_can_read_is_said_once(tmp_path: Path) -> None:
    broken = TOOL.replace("description: Drops a table.", "description: 3")
    assert [code for code, _, _ in found(tmp_path, rule("drop_table"), tool=broken)] == ["F206"]


def test_a_tool_without_an_action_is_matched_by_no_rule(tmp_path: Path) -> None:
    code, place, advice = only(found(tmp_path, rule("drop_table"), tool=TOOL.replace("action: delete\n", "")))
    assert (code, place) == ("F837", "drop_table")
    assert "`action`" in advice


@pytest.mark.parametrize("more", [", commands: [[rm, ...]]", ", paths: [data]", ", paths: [x], commands: [[rm]]"])
def test_tools_beside_commands_or_paths_are_compared_by_nothing(tmp_path: Path, more: str) -> None:
    assert ("F837", "tools") in [row[:2] for row in found(tmp_path, rule("delete_file", more))]


@pytest.mark.parametrize(
    ("shape", "word", "near"),
    [
        ("[git, psuh, ...]", "psuh", "push"),
        ("[git, [pull, comit], ...]", "comit", "commit"),
        ("[terrafrom, apply]", "terrafrom", "terraform"),
        ("[[kubectl, kubetl], delete]", "kubetl", "kubectl"),
        ("[dokcer, ...]", "dokcer", "docker"),
        ("[docker, compsoe, down]", "compsoe", "compose"),
    ],
)
@pytest.mark.parametrize("effect", ["deny", "ask"])
def test_a_slip_in_a_command(tmp_path: Path, shape: str, word: str, near: str, effect: str) -> None:
    result = frieze.check(
        project(tmp_path, f"rules:\n  one: {{action: deploy, effect: {effect}, commands: [{shape}]}}\n")
    )
    slips = [dict(entry.args) for entry in result.diagnostics if entry.code == "F854"]
    assert slips == [{"name": "one", "word": word, "near": near}]


@pytest.mark.parametrize(
    "shape",
    [
        "[git, push, ...]",
        "[git, frobnicate]",
        "[git, --git-dir, psuh]",
        "[own-tool, psuh]",
        "[dockerd, ...]",
        "[docker, top]",
        "[kubectx, ...]",
        "[gti, push]",
        '["terrafrom*"]',
        "[frob, psuh]",
        "[pytohn, ...]",
    ],
)
def test_other_commands_are_left_alone(tmp_path: Path, shape: str) -> None:
    own = "programs: {frob: {commands: {psuh: {}, push: {}}}, pytohn: {}}\n"
    text = f"{own}rules:\n  one: {{action: deploy, effect: deny, commands: [{shape}]}}\n"
    assert [row for row in found(tmp_path, text) if row[0] == "F854"] == []


def test_no_program_and_no_verb_of_the_library_is_a_slip_of_another() -> None:
    table = std_table()
    known = dict(spread({**table["programs"], **table["wrappers"]}))
    for name, row in known.items():
        assert slip_of(name, known.keys() - {name}) is None, name
        verbs = dict(spread(row.get("commands", {})))
        for verb in verbs:
            assert slip_of(verb, verbs.keys() - {verb}) is None, (name, verb)


@pytest.mark.parametrize(
    ("text", "place", "near"),
    [
        ("aliases: {python4: pyhton}\n", "pyhton", "`python`"),
        ("aliases: {mine: gti-lfs-thing}\n", "gti-lfs-thing", "declared under `programs`"),
        ("executables: {/opt/git: gut}\n", "gut", "`gut`"),
        ("programs: {frob: {modules: pytest pytset}}\n", "pytest pytset", "`pytest`"),
        ("programs: {frob: {arguments: raed*}}\n", "raed*", "`read`"),
        ("programs: {frob: {commands: {go: {arguments: text comand}}}}\n", "text comand", "`command`"),
        ("programs: {frob: {commands: {go: {commands: {on: {grammar: pyton}}}}}}\n", "pyton", "`python`"),
        ("wrappers: {frob: {arguments: qqq}}\n", "qqq", "the roles are `text`"),
        ("wrappers: {frob: {grammar: qqq}}\n", "qqq", "the grammars are `find`"),
    ],
)
def test_what_tables_of_programs_name(tmp_path: Path, text: str, place: str, near: str) -> None:
    code, shown, advice = only(found(tmp_path, text))
    assert (code, shown) == ("F852", place)
    assert near in advice or place == "gut"
    assert "python4" not in advice, "a name is no advice for itself"


@pytest.mark.parametrize(
    "text",
    [
        "aliases: {python4: python, python5: python4}\nexecutables: {/opt/git: git, /opt/py: python4}\n",
        "programs: {frob: {flags: -v}}\naliases: {frobnicate: frob}\nexecutables: {/opt/frob: frobnicate}\n",
        "executables: {/opt/my: own-tool}\nrules: {x: {action: run, effect: deny, commands: [[[other, own-tool]]], match: [other]}}\n",
        "programs: {frob: {modules: pytest frob, arguments: text read* destination, grammar: python}}\n",
        "wrappers: {frob: {arguments: assignment* command}}\n",
        "programs: std/programs\nfloor: std/floor\n",
        "programs: table\n",
        "floor: ground\n",
    ],
)
def test_names_that_mean_something(tmp_path: Path, text: str) -> None:
    table = "kind: permissions\nname: table\nprograms: {ls: {arguments: read*}}\n"
    ground = "kind: permissions\nname: ground\npaths: {protected: [x]}\n"
    assert found(tmp_path, text, table=table, ground=ground) == []


@pytest.mark.parametrize(("text", "key"), [("programs: std/floor\n", "std/programs"), ("floor: empty\n", "std/floor")])
def test_a_policy_of_another_sort(tmp_path: Path, text: str, key: str) -> None:
    empty = "kind: permissions\nname: empty\n"
    code, place, advice = only(found(tmp_path, text, empty=empty))
    assert (code, place) == ("F853", text.split()[1])
    assert key in advice
    assert "`own`" not in advice


FLOOR = "kind: permissions\nname: ground\nrules:\n  x: {action: delete, effect: deny, modes: [MODE], commands: [[rm, -x]]}\n"


def test_a_mode_that_nobody_above_a_floor_has(tmp_path: Path) -> None:
    code, place, advice = only(found(tmp_path, "floor: ground\n", ground=FLOOR.replace("MODE", "wrok")))
    assert (code, place) == ("F831", "wrok")
    assert "`work`" in advice


@pytest.mark.parametrize("above", ["floor: ground\n", ""])
def test_modes_of_a_floor_that_somebody_may_have(tmp_path: Path, above: str) -> None:
    mode = "work" if above else "anything"
    assert found(tmp_path, above, ground=FLOOR.replace("MODE", mode)) == []


def test_actions_under_a_mode_are_told_by_name(tmp_path: Path) -> None:
    text = "actions: {psuh: {risk: leak}, qqq: {risk: leak}}\n"
    rows = found(tmp_path, text)
    assert [row[:2] for row in rows] == [("F208", "psuh"), ("F208", "qqq")]
    assert "did you mean `push`?" in rows[0][2]
    assert rows[1][2].startswith("It can be `read`")


RULE = "kind: rule\nname: r\ntext: Keep it.\nenforced_by: [NAME]\n"
FOLLOWS = AGENT + "rules: [r]\nlayout: {insert: {rules: {after: instructions}}}\n"
BLOCK = "kind: block\nname: b\nbody: Keep it.\nenforced_by: [NAME]\n"


@pytest.mark.parametrize("name", ["force-pusch", "paths.denied", "work.actions.psh"])
@pytest.mark.parametrize("shape", ["rule", "block", "agent"])
def test_what_enforces_must_be_somewhere_without_a_policy_too(tmp_path: Path, shape: str, name: str) -> None:
    files = {
        "rule": {"a": FOLLOWS, "r": RULE.replace("NAME", name)},
        "block": {"a": AGENT + "layout: {insert: {b: {at: last}}}\n", "b": BLOCK.replace("NAME", name)},
        "agent": {"a": AGENT + f"enforced_by: [{name}]\n"},
    }[shape]
    code, place, advice = only(found(tmp_path, "", **files))
    assert (code, place) == ("F852", name)
    assert "`force-push`" in advice or name != "force-pusch"


@pytest.mark.parametrize(
    "name", ["force-push", "paths.deny", "implement.actions.read", "work.can_edit", "floor/remove-the-root"]
)
def test_what_some_policy_has_may_enforce(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, "", a=AGENT + f"enforced_by: [{name}]\n") == []


def test_a_policy_that_has_no_such_rule_is_said_once(tmp_path: Path) -> None:
    rows = found(tmp_path, "", a=FOLLOWS + "permissions: own\n", r=RULE.replace("NAME", "force-pusch"))
    assert [row[:2] for row in rows] == [("F851", "force-pusch")]


def test_the_library_names_only_what_is_there() -> None:
    graph, faults = load_policies(None)
    assert faults == []
    for name, policy in graph.policies.items():
        assert list(reference_faults(graph, policy, made_table(graph, name))) == [], name


OPEN = MODES.replace("delete, ", "").replace("run, ", "")
"""A policy that says nothing of two actions."""


@pytest.mark.parametrize("effect", ["allow", "ask", "deny"])
def test_commands_with_paths_are_refused(tmp_path: Path, effect: str) -> None:
    rows = found(
        tmp_path,
        f'rules:\n  tidy: {{action: delete, effect: {effect}, commands: [[rm, ...]], paths: ["build/**"], match: [rm build/x]}}\n',
    )
    assert [text for code, text, _ in rows if code == "F837"] == ["paths"]


@pytest.mark.parametrize("about", ["tools: [drop_table]", 'paths: ["build/**"]', "hosts: [example.com]"])
def test_a_rule_allows_commands_alone(tmp_path: Path, about: str) -> None:
    rows = found(tmp_path, f"rules:\n  one: {{action: delete, effect: allow, {about}}}\n", tool=TOOL)
    assert [(code, text) for code, text, _ in rows if code == "F837"] == [("F837", "allow")]


@pytest.mark.parametrize(("text", "counts"), [(OPEN, True), (MODES, False)])
def test_an_allow_counts_where_the_mode_says_nothing(tmp_path: Path, text: str, counts: bool) -> None:
    rule = "rules:\n  tidy: {action: delete, effect: allow, commands: [[rm, build/x]], match: [rm build/x]}\n"
    root = project(tmp_path, rule)
    (root / "profiles/own.yaml").write_text(text + rule, encoding="utf-8")
    codes = {entry.code for entry in frieze.check(root).diagnostics}
    graph, _ = load_policies(root)
    guard = Guard(made_table(graph, "own"), mode="work", workspace=str(root), interactive=True)
    decision = guard.decide(Action("run", command="rm build/x"))
    assert ("F833" not in codes) == counts == (decision.rule == "tidy")
