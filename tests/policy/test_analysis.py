"""The analysis of policies: what is found, where, and what is left alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import frieze
from frieze.policy.questions import tool_faults
from frieze.profiles import load_policies
from support.projects import write_files

MODES = """\
kind: permissions
name: own
modes:
  work: {can_edit: true, can_run_tests: true, requires_confirmation_for: [run, install, network, delete, move, commit, push, pull-request, secrets, deploy]}
  look: {can_edit: false, can_run_tests: true, requires_confirmation_for: [run, network], actions: {install: deny, secrets: deny}}
"""
AGENT = "kind: agent\nname: a\ninstructions: Hi.\n"


def codes(root: Path, text: str, **files: str) -> list[str]:
    own = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": AGENT, "profiles/own.yaml": MODES + text}
    own |= {f"profiles/{name}.yaml": content for name, content in files.items()}
    return [found.code for found in frieze.check(write_files(root, own)).diagnostics]


def rule(**fields: Any) -> str:
    import json

    return f"rules:\n  one: {json.dumps(fields)}\n"


def test_a_policy_that_says_what_it_means_has_no_findings(tmp_path: Path) -> None:
    text = rule(
        action="test", effect="allow", commands=[["pytest", "..."]], match=["pytest -q"], not_match=["pytest; frob"]
    )
    assert codes(tmp_path, text) == []


@pytest.mark.parametrize(
    "shape",
    [
        ["python", "..."],
        ["python3"],
        ["bash", "..."],
        [["sh", "zsh"], "..."],
        ["env", "..."],
        ["git", "..."],
        ["npx", "..."],
        ["sudo", "..."],
        ["timeout", "..."],
        ["docker", "..."],
        [["pytest", "node"], "..."],
    ],
)
def test_an_allow_that_means_anything(tmp_path: Path, shape: list[Any]) -> None:
    assert "F834" in codes(tmp_path, rule(action="test", effect="allow", commands=[shape], match=["pytest"]))


@pytest.mark.parametrize("shape", [["git", "status", "..."], ["python", "-m", "pytest", "..."], ["pytest", "..."]])
def test_an_allow_that_says_which_command(tmp_path: Path, shape: list[Any]) -> None:
    example = " ".join(word for word in shape if word != "...")
    assert codes(tmp_path, rule(action="test", effect="allow", commands=[shape], match=[example])) == []


def test_an_allow_for_an_action_as_a_whole(tmp_path: Path) -> None:
    assert "F834" in codes(tmp_path, rule(action="run", effect="allow"))
    assert "F834" not in codes(tmp_path / "ask", rule(action="run", effect="ask"))


@pytest.mark.parametrize("action", ["run", "test", "network"])
def test_what_is_allowed_needs_an_example(tmp_path: Path, action: str) -> None:
    assert "F835" in codes(tmp_path, rule(action=action, effect="allow", commands=[["frob"]]))


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"match": ["pytest --co -p x"]}, "F836"),
        ({"match": ["pytest; rm -rf /"]}, "F836"),
        ({"match": ["pytest"], "not_match": ["pytest -q"]}, "F836"),
        ({"match": ["pytest $HOME"]}, "F836"),
    ],
)
def test_examples_that_fail(tmp_path: Path, fields: dict[str, Any], code: str) -> None:
    assert code in codes(tmp_path, rule(action="test", effect="allow", commands=[["pytest", "..."]], **fields))


def test_an_example_of_a_denial_must_be_that_rules_own(tmp_path: Path) -> None:
    denied = {"action": "push", "effect": "deny", "commands": [["git", "push", "..."]], "flags": [["--force", "-f"]]}
    assert codes(tmp_path / "a", rule(**denied, match=["git push -f", "sudo git push --force origin"])) == []
    assert codes(tmp_path / "b", rule(**denied, match=["git push"])) == ["F836"]
    assert codes(tmp_path / "c", rule(**denied, not_match=["git push", "git log --grep='push --force'"])) == []


PAIRS = [
    ("one: {action: read, effect: ask, commands: [[ls]]}", "two: {action: read, effect: deny, commands: [[ls]]}", "F832"),
    ("one: {action: read, effect: ask, commands: [[ls]], layer: user}", "two: {action: read, effect: deny, commands: [[ls]]}", "F839"),
    ("one: {action: read, effect: ask, commands: [[ls, ...]]}", "two: {action: read, effect: ask, commands: [[ls, -l]]}", "F839"),
    ("one: {action: read, effect: ask, commands: [[[ls, tree], ...]]}", "two: {action: read, effect: ask, commands: [[tree, ...]]}", "F839"),
    ("one: {action: read, effect: ask, commands: [[ls, ...]], modes: [work]}", "two: {action: read, effect: ask, commands: [[ls, -l]]}", ""),
    ("one: {action: read, effect: ask, commands: [[ls, ...]]}", "two: {action: read, effect: deny, commands: [[ls, -l]]}", ""),
    ("one: {action: read, effect: ask, commands: [[ls, ...]], flags: [[-a]]}", "two: {action: read, effect: ask, commands: [[ls, ...]], flags: [[-l]]}", ""),
    ("one: {action: push, effect: deny, commands: [[git, push, ...]]}", "two: {action: push, effect: deny, commands: [[git, push, ...]], flags: [[-f]]}", "F839"),
    ("one: {action: edit, effect: ask, paths: [a, b]}", "two: {action: edit, effect: ask, paths: [a]}", "F839"),
    ("one: {action: edit, effect: ask, paths: [a]}", "two: {action: edit, effect: ask, paths: [a, b]}", "F839"),
    ("one: {action: edit, effect: ask, paths: [a]}", "two: {action: delete, effect: ask, paths: [a]}", ""),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "code"), PAIRS)
def test_pairs_of_rules(tmp_path: Path, one: str, two: str, code: str) -> None:
    found = {each for each in codes(tmp_path, f"rules:\n  {one}\n  {two}\n") if each in {"F832", "F839"}}
    assert found == ({code} if code else set())


@pytest.mark.parametrize("path", ["../x", "a/./b", "!x", "[", "a/../b"])
def test_patterns_that_take_nothing(tmp_path: Path, path: str) -> None:
    assert {"F837", "F838"} & set(codes(tmp_path, f"paths: {{deny: ['{path}']}}\n"))
    assert "F837" in codes(tmp_path / "rule", rule(action="edit", effect="ask", paths=[path]))


@pytest.mark.parametrize(
    "path", [".env", "**/*.pem", "src/generated/**", "a b/c", "*.[ch]", "**/x/**/y", "/srv/x", "x/"]
)
def test_patterns_that_take_something(tmp_path: Path, path: str) -> None:
    assert not {"F837", "F838"} & set(codes(tmp_path, f"paths: {{generated: ['{path}']}}\n"))


def test_an_exception_from_nothing(tmp_path: Path) -> None:
    assert "F837" in codes(tmp_path, "paths: {deny: [.env, .envrc], except: [.env.example]}\n")


@pytest.mark.parametrize(
    ("rule_text", "open_one"),
    [
        ("{action: deploy, effect: deny, commands: [[npm, publish, ...]]}", True),
        ("{action: deploy, effect: deny, commands: [[[npm, yarn, pnpm], publish, ...]]}", False),
        (
            "{action: deploy, effect: deny, commands: [[npm, publish, ...], [yarn, publish, ...], [pnpm, publish, ...]]}",
            False,
        ),
        ("{action: deploy, effect: ask, commands: [[npm, publish, ...]]}", False),
    ],
)
def test_siblings_that_stay_open(tmp_path: Path, rule_text: str, open_one: bool) -> None:
    assert ("F847" in codes(tmp_path, f"rules:\n  one: {rule_text}\n")) is open_one


@pytest.mark.parametrize(
    ("paths", "missed"),
    [("[.env]", True), ("[.env, .envrc]", False), ("['.env*']", False), ("[notes]", False), ("['**/*.pem']", True)],
)
def test_secrets_that_are_just_missed(tmp_path: Path, paths: str, missed: bool) -> None:
    assert ("F846" in codes(tmp_path, f"paths: {{deny: {paths}}}\n")) is missed


QUESTIONS = {
    "May I proceed?": "F842",
    "Continue": "F842",
    "Run {program}?": "F842",
    "Are you sure about {thing}?": "F843",
    "Run {command}?": "",
    "Change {paths} on {branch}?": "",
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions(tmp_path: Path, question: str) -> None:
    found = codes(tmp_path, rule(action="install", effect="ask", commands=[["frob"]], confirm=question))
    assert {each for each in found if each in {"F842", "F843"}} >= ({QUESTIONS[question]} - {""})
    assert bool(QUESTIONS[question]) is bool({"F842", "F843"} & set(found))


def confirming(root: Path, schema: str) -> list[str]:
    tool = f"kind: tool\nname: drop\ndescription: Drops it.\ninput: {schema}\n"
    write_files(root, {"frieze.yaml": "kind: project\nname: p\n", "profiles/tool.yaml": tool})
    graph, faults = load_policies(root)
    assert not faults
    return [dict(found.args)["name"] for found in tool_faults(graph.tools["drop"])]


@pytest.mark.parametrize(
    ("schema", "names"),
    [
        ("{type: object, properties: {user_confirmed: {type: boolean}}}", ["user_confirmed"]),
        ("{type: object, properties: {confirm: {type: string}, approved: {type: boolean}}}", ["confirm", "approved"]),
        ("{type: object, properties: {forceYes: {type: boolean}, hasUserConsent: {}}}", ["forceYes", "hasUserConsent"]),
        ("{type: object, properties: {options: {type: object, properties: {assume-yes: {}}}}}", ["assume-yes"]),
        (
            "{type: object, properties: {rows: {type: array, items: {type: object, properties: {is_approved: {}}}}}}",
            ["is_approved"],
        ),
        ("{type: object, anyOf: [{properties: {confirmed: {}}}]}", ["confirmed"]),
        ("{type: object, properties: {confirmation_number: {type: string}, approval_id: {}, yesterday: {}}}", []),
    ],
)
def test_arguments_by_which_a_model_could_confirm(tmp_path: Path, schema: str, names: list[str]) -> None:
    assert confirming(tmp_path, schema) == names


def test_such_a_tool_is_an_error_of_the_project_with_its_place(tmp_path: Path) -> None:
    tool = "kind: tool\nname: drop\ndescription: D.\ninput:\n  type: object\n  properties:\n    confirmed: {type: boolean}\n"
    files = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": AGENT, "profiles/tool.yaml": tool}
    (found,) = frieze.check(write_files(tmp_path, files)).diagnostics
    assert (found.code, found.span.file, found.span.line) == ("F844", "profiles/tool.yaml", 7)


def test_a_mode_of_which_little_is_said(tmp_path: Path) -> None:
    policy = "kind: permissions\nname: other\nmodes: {idle: {can_edit: true, can_run_tests: true, requires_confirmation_for: [run]}}\n"
    files = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": AGENT, "profiles/other.yaml": policy}
    found = frieze.check(write_files(tmp_path, files)).diagnostics
    assert [each.code for each in found] == ["F840"]
    assert "`run`" not in found[0].message
    assert "`push`" in found[0].message


def test_warnings_about_what_the_library_says_are_not_for_those_who_extend_it(tmp_path: Path) -> None:
    policy = "kind: permissions\nname: mine\nextends: std/coding\nmodes: {implement: {actions: {install: deny}}}\n"
    files = {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": AGENT, "profiles/mine.yaml": policy}
    assert frieze.check(write_files(tmp_path, files)).diagnostics == ()


@pytest.mark.parametrize("effect", ["ask", "deny"])
@pytest.mark.parametrize("given", [{}, {"flags": [["-f"]]}, {"commands": [], "paths": []}, {"modes": ["work"]}])
def test_a_rule_about_nothing_protects_nothing(effect: str, given: dict[str, Any], tmp_path: Path) -> None:
    assert codes(tmp_path, rule(action="push", effect=effect, **given)) == ["F837"]


@pytest.mark.parametrize(
    "given", [{"paths": ["x/**"]}, {"tools": ["send"]}, {"hosts": ["example.com"]}, {"commands": [["git", "gc"]]}]
)
def test_a_rule_about_one_thing_is_enough(given: dict[str, Any], tmp_path: Path) -> None:
    assert "F837" not in codes(tmp_path, rule(action="network", effect="deny", **given))
