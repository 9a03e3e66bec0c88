"""`extends` of a policy only tightens: every way to be looser is an error at its place, every way to be stricter is fine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from frieze.policy.probing import decide, guard_of
from frieze.policy.report import cases
from frieze.policy.table import made_table
from frieze.profiles import load_policies
from frieze.runtime.guard.vocabulary import RANK
from support.projects import write_files

BASE = """\
kind: permissions
name: base
modes:
  look: {can_edit: false, can_run_tests: false, actions: {run: deny, install: deny, network: ask, secrets: deny}}
  work:
    can_edit: true
    can_run_tests: true
    requires_confirmation_for: [run, install, network, delete, move, commit, push, pull-request, secrets, deploy]
rules:
  units: {action: test, effect: allow, commands: [[unit-tests], [pytest, ...]], match: [pytest]}
  lists: {action: read, effect: ask, commands: [[ls, ...], [tree, ...]], modes: [work], match: [ls]}
  sends: {action: push, effect: deny, commands: [[git, push, ...]], flags: [[-f]], match: [git push -f]}
paths: {deny: [.env, .envrc, private/**], except: [private/open.txt], generated: [dist/**], protected: [ci/**], catastrophic: [data]}
sandbox: workspace-write
network: restricted
approval: on-request
writable_roots: [/srv/cache]
assignments: {harmless: [DEBUG]}
secrets: {token: {pattern: tok_}}
"""


def checked(root: Path, text: str) -> list[Diagnostic]:
    agent = "kind: agent\nname: a\ninstructions: Hi.\n"
    own = f"kind: permissions\nname: own\nextends: base\n{text}"
    files = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/a.yaml": agent,
        "profiles/base.yaml": BASE,
        "profiles/own.yaml": own,
    }
    found = frieze.check(write_files(root, files)).diagnostics
    return [each for each in found if each.severity == "error"]


LOOSER = [
    "modes: {look: {can_edit: true}}",
    "modes: {look: {actions: {network: allow}}}\nnetwork: enabled",
    "modes: {look: {actions: {run: ask}}}",
    "modes: {other: {can_edit: true, can_run_tests: true, actions: {push: allow}}}",
    "rules: {sends: null}",
    "rules: {sends: {effect: ask}}",
    "rules: {sends: {flags: [[-f], [-u]]}}",
    "rules: {sends: {modes: [work]}}",
    "rules: {lists: {commands: [[ls, ...]]}}",
    "rules: {units: {commands: [[unit-tests], [pytest, ...], [nose]]}}",
    "rules: {more: {action: test, effect: allow, commands: [[nose]], match: [nose]}}",
    "paths: {deny: [.env, .envrc]}",
    "paths: {except: [private/open.txt, private/more.txt]}",
    "paths: {generated: null}",
    "paths: {protected: [other/**]}",
    "paths: {catastrophic: null}",
    "sandbox: full-access",
    "network: enabled",
    "approval: granular",
    "writable_roots: [/srv/cache, /srv/more]",
    "assignments: {harmless: [DEBUG, PATH]}",
    "secrets: {token: {pattern: token_}}",
]

STRICTER = [
    "description: The same.",
    "modes: {work: {can_edit: false}}",
    "modes: {work: null}",
    "modes: {other: {can_edit: false, can_run_tests: false, actions: {run: deny, install: deny, network: deny, secrets: deny}}}",
    "rules: {sends: {flags: null, commands: [[git, push, ...], [gh, pr, merge, ...]]}}",
    "rules: {lists: {effect: deny, modes: null}}",
    "rules: {units: {effect: ask}}",
    "rules: {units: {commands: [[pytest, ...]]}}",
    "rules: {more: {action: read, effect: deny, commands: [[cat, ...]], match: [cat x]}}",
    "paths: {deny: [.env, .envrc, private/**, notes], except: null}",
    "sandbox: read-only",
    "approval: never",
    "approval: untrusted",
    "writable_roots: null",
    "secrets: {other: {pattern: other_}}",
]


@pytest.mark.parametrize("text", LOOSER)
def test_what_is_looser_is_an_error_with_both_places(tmp_path: Path, text: str) -> None:
    found = [each for each in checked(tmp_path, text + "\n") if each.code == "F830"]
    assert found, text
    for each in found:
        assert each.span.file == "profiles/own.yaml"
        assert each.span.line > 2
        assert [place.span.file for place in each.related] == ["profiles/base.yaml"]


def tables(root: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    graph, _ = load_policies(root)
    return made_table(graph, "base"), made_table(graph, "own")


@pytest.mark.parametrize("text", STRICTER)
def test_what_is_stricter_is_fine_and_the_guard_is_nowhere_looser(tmp_path: Path, text: str) -> None:
    assert checked(tmp_path, text + "\n") == []
    base, own = tables(tmp_path)
    for mode in set(base["modes"]) & set(own["modes"]):
        guards = guard_of(base, mode, interactive=True), guard_of(own, mode, interactive=True)
        # a program by its bare name is the business of the table, which is the same in both
        probes = [each for each in [*cases(base), *cases(own)] if each.command is None or " " in each.command]
        for probe in probes:
            before, after = (decide(guard, probe).effect for guard in guards)
            assert RANK[after] >= RANK[before], (mode, probe)


def test_a_policy_of_the_project_layer_tightens(tmp_path: Path) -> None:
    assert (
        checked(
            tmp_path,
            "layer: project\nrules: {more: {action: read, effect: ask, commands: [[cat, ...]], match: [cat x]}}\n",
        )
        == []
    )
    _, own = tables(tmp_path)
    layers = {entry["id"]: entry["layer"] for entry in own["entries"] if "/" not in entry["id"]}
    assert layers == {"lists": "developer", "more": "project", "sends": "developer", "units": "developer"}


def test_another_floor_is_looser_unless_it_stands_on_the_first(tmp_path: Path) -> None:
    files = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/ground.yaml": "kind: permissions\nname: ground\npaths: {deny: [x]}\n",
    }
    write_files(tmp_path, files)
    assert checked(tmp_path, "floor: ground\n") == []
    _, own = tables(tmp_path)
    assert {"x", ".env"} <= set(own["paths"]["deny"])
    assert [entry["id"] for entry in own["entries"] if entry["layer"] == "floor"]


def test_what_a_mode_loosens_is_said_at_once(tmp_path: Path) -> None:
    found = checked(tmp_path, "modes: {look: {can_edit: true}}\n")
    assert [fault.message.split(": ", 1)[1] for fault in found if fault.code == "F830"] == [
        "the mode `look` has allow for `edit`, and there it is deny",
        "the mode `look` has ask for `delete`, `move`, `commit`, `push`, `pull-request`, `deploy`, and there it is deny",
    ]
    assert [each.label for fault in found for each in fault.related] == ["`base` says so here"] * 2


def test_a_rule_that_the_base_does_not_have_is_not_said_to_stand_there(tmp_path: Path) -> None:
    more = "rules: {more: {action: test, effect: allow, commands: [[nose]], match: [nose]}}\n"
    (found,) = [fault for fault in checked(tmp_path, more) if fault.code == "F830"]
    assert [each.label for each in found.related] == ["`base` has nothing of it here"]


def test_policies_have_their_name_in_sentences(tmp_path: Path) -> None:
    (unknown,) = checked(tmp_path / "field", "mods: {}\n")
    assert unknown.message == "`mods` is not a field of this permission policy"
    files = {
        "frieze.yaml": "kind: project\nname: p\n",
        "profiles/a.yaml": "kind: agent\nname: a\ninstructions: Hi.\npermissions: on\n",
        "profiles/one.yaml": "kind: permissions\nname: one\nextends: one\n",
    }
    said = [fault.message for fault in frieze.check(write_files(tmp_path / "names", files)).diagnostics]
    assert "there is no permission policy called `on`" in said
    assert "these permission policies extend each other in a circle: one -> one" in said
