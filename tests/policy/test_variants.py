"""The text's variants, one test for each numbered case, and the whole texts as reviewed goldens."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import frieze
from frieze.policy.listing import MOST_PREFIX_CHARACTERS, MOST_PREFIXES
from frieze.policy.probing import guard_of
from frieze.policy.shipped import shipped_graph
from frieze.policy.text import permissions_text
from frieze.policy.wording import Wording, wording_of
from frieze.runtime.guard import Action
from support.golden import check_golden
from support.policy_tables import std_table, table_of
from support.projects import write_files

HERE = Path(__file__).parent

MODE = """\
modes:
  work:
    description: Do it.
    can_edit: true
    can_run_tests: true
    requires_confirmation_for: [run, install, network, delete, move, commit, push, pull-request, secrets, deploy]
"""
TESTS = "rules:\n  units: {action: test, effect: allow, commands: [[unit-tests]], match: [unit-tests]}\n"


def wording() -> Wording:
    return wording_of(shipped_graph(), shipped_graph().policies["std/coding"])


def said(table: dict[str, Any], *, interactive: bool = True, texts: Any = None, mode: str = "work") -> str:
    return permissions_text(table, mode, wording(), interactive=interactive, texts=texts).text


def names(table: dict[str, Any], *, interactive: bool = True, texts: Any = None) -> list[str]:
    found = permissions_text(table, "work", wording(), interactive=interactive, texts=texts)
    return [sentence.name for sentence in found.sentences]


OPTIONAL = {"escalation.inline", "escalation.tool", "reviewer.auto", "prefixes.heading", "prefix"}


def test_case_10_the_sandbox_follows_from_what_can_be_written() -> None:
    full = said(table_of(MODE + "sandbox: full-access\nnetwork: enabled\n"))
    assert "Sandbox `full-access`" in full
    nothing = table_of(MODE + "writable_roots: []\n")
    assert nothing["sandbox"]["mode"] == "read-only"
    assert "Sandbox `read-only`" in said(nothing)
    roots = said(table_of(MODE + "writable_roots: [/srv/b, /srv/a]\n"))
    assert "Sandbox `workspace-write`" in roots
    assert (
        "\nThese folders can be written to as well, but for closed and protected files in them: `/srv/a`, `/srv/b`."
        in roots
    )
    one = names(table_of(MODE + "writable_roots: [/srv/b]\n"))
    assert "roots.one" in one
    assert "roots.many" not in one


@pytest.mark.parametrize("approval", ["on-request", "never"])
def test_case_11_what_can_be_asked_for_and_never_under_never(approval: str) -> None:
    texts = []
    for inline, tool, prefix in itertools.product([False, True], repeat=3):
        escalation = f"escalation: {{inline: {str(inline).lower()}, tool: {str(tool).lower()}}}\n"
        policy = f"{MODE}approval: {approval}\n{escalation}{TESTS if prefix else ''}"
        table = table_of(policy, floor=False)
        found = set(names(table)) & OPTIONAL
        expected = {"escalation.inline"} if inline else set()
        expected |= {"escalation.tool"} if tool else set()
        expected |= {"prefixes.heading", "prefix"} if prefix else set()
        assert found == (expected if approval == "on-request" else set())
        texts.append(f"inline {inline}, tool {tool}, prefix {prefix}\n\n{said(table)}\n")
    assert len(set(texts)) == 8
    if approval == "on-request":
        check_golden(HERE / "golden/on-request.txt", ("\n" + "=" * 20 + "\n").join(texts))


@pytest.mark.parametrize(
    ("approval", "expected"), [("on-request", True), ("untrusted", True), ("granular", True), ("never", False)]
)
def test_case_12_the_reviewer_is_named_unless_nothing_is_asked(approval: str, expected: bool) -> None:
    table = table_of(f"{MODE}approval: {approval}\nreviewer: auto\n")
    assert ("reviewer.auto" in names(table)) is expected
    assert "reviewer.auto" not in names(table, interactive=False)
    assert "reviewer.auto" not in names(table, texts={"approval": {f"{approval}-auto": "Mine.", "never": "Mine."}}) or (
        approval == "granular"
    )


def test_case_13_granular_lists_what_reaches_a_person() -> None:
    switches = "{sandbox_approval: false, rules: true, skill_approval: false, request_permissions: true, mcp_elicitations: false}"
    table = table_of(f"{MODE}approval: granular\ngranular: {switches}\n")
    found = names(table)
    assert found[found.index("granular.prompted") :][:2] == ["granular.prompted", "granular.rules"]
    rejected = found[found.index("granular.rejected") :][1:4]
    assert rejected == ["granular.sandbox_approval", "granular.skill_approval", "granular.mcp_elicitations"]
    assert "granular.request_permissions" not in found
    assert "escalation.tool" not in found
    offered = table_of(f"{MODE}approval: granular\ngranular: {switches}\nescalation: {{tool: true}}\n", floor=False)
    assert {"granular.request_permissions", "escalation.tool"} <= set(names(offered))
    check_golden(HERE / "golden/granular.txt", said(offered) + "\n")


def test_case_14_a_models_text_takes_the_place_of_a_section() -> None:
    table = table_of(f"{MODE}{TESTS}writable_roots: [/srv/a]\n")
    silent = said(table, texts={"sandbox": {"workspace-write": ""}})
    assert "Sandbox `" not in silent
    assert "in it: `/srv/a`" in silent
    assert "Approval `on-request`" in silent
    own = "Net: {{ network_access }}. {{ other }} {{network_access}} {{ unclosed"
    literal = said(table, texts={"sandbox": {"workspace-write": own}})
    assert "Net: restricted. {{ other }} {{network_access}} {{ unclosed" in literal
    approval = said(table, texts={"approval": {"on-request": "Ask me."}})
    assert "Ask me." in approval
    assert "## Approved commands" not in approval
    assert said(table, texts={"sandbox": {"read-only": "x"}, "approval": {"untrusted": "x"}}) == said(table)


def prefixes(count: int, length: int = 1) -> str:
    rows = "".join(f"[tool{number:0{length}}, go], " for number in range(count))
    return f"{MODE}rules:\n  many: {{action: test, effect: allow, commands: [{rows}[a-much-longer-name], [b, c, d]]}}\n"


def test_case_15_approved_commands_are_sorted_and_cut_visibly() -> None:
    table = table_of(prefixes(103))
    table["entries"].append({**table["entries"][-1], "id": "hidden", "effect": "ask", "commands": [["never-listed"]]})
    rows = [line for line in said(table).splitlines() if line.startswith('- ["')]
    assert len(rows) == MOST_PREFIXES == 100
    assert rows[0] == '- ["a-much-longer-name"] [many]'
    assert rows[1] == '- ["tool0", "go"] [many]'
    assert rows[11] == '- ["tool10", "go"] [many]'
    assert "\n...\n[The list is cut: 100 of 105 are shown.]" in said(table)
    assert "never-listed" not in "".join(rows)
    assert "- `never-listed` waits for a person's answer [hidden]" in said(table)
    long = said(table_of(prefixes(60, 90)))
    shown = [line for line in long.splitlines() if line.startswith('- ["')]
    assert sum(len(line) + 1 for line in shown) <= MOST_PREFIX_CHARACTERS
    assert f"[The list is cut: {len(shown)} of 62 are shown.]" in long
    few = said(table_of(prefixes(2)))
    assert few.index('"tool1"') < few.index('["b", "c", "d"]')
    assert "is cut" not in few


def test_case_16_single_paths_stand_before_patterns() -> None:
    text = said(table_of(MODE + 'paths: {deny: ["**/*.pem", zz/secret.txt]}\n'))
    closed = text[text.index("## Closed paths") :].splitlines()
    assert closed[0] == "## Closed paths"
    assert closed[2:] == ["- `zz/secret.txt`", "- `**/*.pem`"]


RULES = """\
rules:
  git: {action: read, effect: allow, commands: [[git, [status, log, push], ...]]}
  push: {action: push, effect: ask, commands: [[git, push, ...]]}
  force: {action: push, effect: deny, commands: [[git, push, ...]], flags: [[--force]]}
"""


def test_case_25_the_strictest_rule_answers() -> None:
    table = table_of(MODE + RULES)

    def effect(command: str, *, interactive: bool = True, **changes: Any) -> str:
        changed = {**table, **changes}
        return guard_of(changed, "work", interactive=interactive).decide(Action("run", command=command)).effect

    assert effect("git status") == "allow"
    assert effect("git push origin main") == "ask"
    assert effect("git push --force x") == "deny"
    assert effect("/usr/bin/git status") == "allow"
    assert effect("/usr/bin/git status", executables={}) == "ask"
    assert effect("/opt/git/git status") == "ask"
    assert effect("/opt/git/git push --force") == "deny"
    assert effect("ls && rm -rf x") == "ask"
    never = {**table["sandbox"], "approval": "never"}
    assert effect("ls && rm -rf x", sandbox=never) == "deny"
    assert effect("ls && rm -rf x", interactive=False) == "deny"
    assert effect("PATH=. ls") == "ask"


def test_case_25_a_failing_example_is_a_compile_error_with_its_place(tmp_path: Path) -> None:
    policy = f"kind: permissions\nname: own\n{MODE}{TESTS.replace('match: [unit-tests]', 'match: [other-tests]')}"
    project = {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": policy}
    agent = {"profiles/a.yaml": "kind: agent\nname: a\ninstructions: Hi.\n"}
    found = [
        each for each in frieze.check(write_files(tmp_path, {**project, **agent})).diagnostics if each.code == "F836"
    ]
    assert [(each.span.file, each.span.line) for each in found] == [("profiles/own.yaml", 10)]


@pytest.mark.parametrize("name", ["attended", "unattended"])
def test_the_whole_text_of_a_policy(name: str) -> None:
    policy = (
        MODE
        + TESTS
        + (
            "  sends: {action: push, effect: deny, commands: [[git, push, ...]], flags: [[-f, --force]], reason: it is final}\n"
            "  notes: {action: read, effect: ask, paths: [notes/**], reason: they are private}\n"
            "paths: {deny: [.env, '.env.*'], except: [.env.example], generated: [dist/**]}\n"
            "approval: on-request\nnetwork: enabled\nreviewer: auto\nwritable_roots: [/srv/cache]\n"
        )
    )
    text = said(table_of(policy, floor=False), interactive=name == "attended")
    check_golden(HERE / f"golden/{name}.txt", text + "\n")


def test_the_modes_of_the_coding_policy_differ() -> None:
    table = std_table("coding")
    texts = {said(table, mode=mode, interactive=each) for mode in table["modes"] for each in (True, False)}
    assert len(texts) == 6
