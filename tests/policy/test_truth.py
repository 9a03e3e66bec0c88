"""What the model reads is what the guard does: for every shipped policy, and for every combination of the settings."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.policy.analysis import policy_faults
from frieze.policy.probing import broken_claims, guard_of
from frieze.policy.sentences import PermissionsText, Probe
from frieze.policy.shipped import shipped_graph
from frieze.policy.table import made_table
from frieze.policy.text import permissions_text
from frieze.policy.vocabulary import CATEGORIES
from frieze.policy.wording import Wording, wording_of
from frieze.runtime.guard.vocabulary import ACTIONS, EFFECTS
from support.policy_tables import std_table

POLICIES = ("read-only", "coding", "customer-support", "full-access")


def wording(name: str = "coding") -> Wording:
    graph = shipped_graph()
    return wording_of(graph, graph.policies[f"std/{name}"])


def broken(table: dict[str, Any], mode: str, *, interactive: bool) -> list[str]:
    text = permissions_text(table, mode, wording(), interactive=interactive)
    found = broken_claims(text, guard_of(table, mode, interactive=interactive))
    return [
        f"{each.sentence.line}: {each.probe.shown} -> {each.decision.effect} ({each.decision.rule})" for each in found
    ]


@pytest.mark.parametrize("name", POLICIES)
def test_the_shipped_policies_have_no_fault(name: str) -> None:
    graph = shipped_graph()
    policy = graph.policies[f"std/{name}"]
    found = policy_faults(graph, policy, made_table(graph, policy.name))
    # std names .env, *.pem and *.key, as designed, and leaves what lies near them to the project
    assert {fault.code for fault in found} <= {"F846"}, [f"{fault.code} {fault.message}" for fault in found]


@pytest.mark.parametrize("interactive", [True, False])
@pytest.mark.parametrize("name", POLICIES)
def test_every_sentence_of_the_shipped_policies_is_kept(name: str, interactive: bool) -> None:
    table = std_table(name)
    for mode in table["modes"]:
        text = permissions_text(table, mode, wording(), interactive=interactive)
        assert sum(len(sentence.probes) for sentence in text.sentences) > 30
        assert broken(table, mode, interactive=interactive) == []


SWITCHES = [
    None,
    dict.fromkeys(CATEGORIES, True),
    dict.fromkeys(CATEGORIES, False),
    {**dict.fromkeys(CATEGORIES, False), "rules": True},
    {**dict.fromkeys(CATEGORIES, False), "sandbox_approval": True},
]


def variants() -> list[dict[str, Any]]:
    """Every combination of the settings about sandbox and approval."""
    found = []
    approvals = [("never", None), ("on-request", None), ("untrusted", None), *(("granular", s) for s in SWITCHES[1:])]
    for mode, network, (approval, switches), inline, tool, roots, reviewer in product(
        ("read-only", "workspace-write", "full-access"),
        ("enabled", "restricted"),
        approvals,
        (True, False),
        (True, False),
        ([], ["/roots/b", "/roots/a"]),
        ("user", "auto"),
    ):
        sandbox: dict[str, Any] = {"mode": mode, "network": network, "approval": approval, "reviewer": reviewer}
        sandbox |= {"writable_roots": roots, "escalation": {"inline": inline, "tool": tool}}
        if switches:
            sandbox["granular"] = switches
        found.append(sandbox)
    return found


def with_sandbox(table: dict[str, Any], sandbox: dict[str, Any]) -> dict[str, Any]:
    """Return a table with other settings, its cells as the compiler would settle them."""
    reading = ("read", "search")
    for mode in table["modes"].values():
        for action, cell in mode["cells"].items():
            asks = sandbox["approval"] == "untrusted" and action not in reading
            asks |= sandbox["mode"] == "read-only" and action in {"edit", "delete", "move", "commit"}
            asks |= sandbox["network"] == "restricted" and action == "network"
            if asks and cell["effect"] == "allow":
                cell["effect"] = "ask"
    return {**table, "sandbox": sandbox}


@pytest.mark.parametrize(("name", "mode"), [("coding", "implement"), ("full-access", "work")])
def test_every_sentence_is_kept_for_every_combination_of_the_settings(name: str, mode: str) -> None:
    seen = 0
    for sandbox in variants():
        table = with_sandbox(std_table(name), sandbox)
        # every combination has its text; the guard is asked about those that differ in what it looks at
        text = permissions_text(table, mode, wording(), interactive=True).text
        assert f"Sandbox `{sandbox['mode']}`" in text or "Sandbox `read-only`" in text
        if sandbox["escalation"] == {"inline": True, "tool": False} and sandbox["reviewer"] == "user":
            seen += 1
            assert broken(table, mode, interactive=bool(seen % 2)) == [], sandbox
    assert seen == 84


RULES = st.lists(
    st.fixed_dictionaries(
        {
            "action": st.sampled_from(ACTIONS),
            "effect": st.sampled_from(["ask", "deny"]),
            "commands": st.sampled_from(
                [
                    [["git", "push", "..."]],
                    [["ls", "..."]],
                    [["rm", ["-r", "-f"], "..."]],
                    [["cat"], ["sed", "..."]],
                    [],
                ]
            ),
        },
        optional={
            "flags": st.just([["--force", "-f"]]),
            "paths": st.sampled_from([["src/**"], ["notes", "*.md"], ["docs/a.md"]]),
            "hosts": st.just(["*.example.com"]),
            "modes": st.sampled_from([["implement"], ["review"]]),
        },
    ),
    max_size=4,
)


@settings(max_examples=80, deadline=None)
@given(
    st.fixed_dictionaries({action: st.sampled_from(EFFECTS) for action in ACTIONS}),
    RULES,
    st.sampled_from(variants()),
    st.booleans(),
    st.sampled_from([[], [".env.example"]]),
)
def test_every_sentence_of_any_policy_is_kept(
    effects: dict[str, str], rules: list[Any], sandbox: dict[str, Any], interactive: bool, exceptions: list[str]
) -> None:
    table = std_table("coding")
    mode = table["modes"]["implement"]
    for action, effect in effects.items():
        mode["cells"][action]["effect"] = effect
    mode["flags"] = {"can_edit": True, "can_run_tests": True}
    table["paths"]["except"] = exceptions
    told = {"layer": "developer", "risk": "unknown", "confirm": None, "reason": "", "modes": None}
    table["entries"] += [{**told, **rule, "id": f"rule-{number}"} for number, rule in enumerate(rules)]
    assert broken(with_sandbox(table, sandbox), "implement", interactive=interactive) == []


def test_a_sentence_that_the_guard_does_not_keep_is_found() -> None:
    table = std_table("coding")
    text = permissions_text(table, "implement", wording(), interactive=True)
    looser = std_table("coding")
    looser["modes"]["implement"]["cells"]["install"]["effect"] = "allow"
    looser["paths"]["deny"].remove(".env")
    looser["entries"] = [entry for entry in looser["entries"] if entry["id"] != "force-push"]
    names = {each.sentence.line for each in broken_claims(text, guard_of(looser, "implement", interactive=True))}
    assert any(line.startswith("After a person's answer:") for line in names)
    assert "- `.env`" in names
    assert any("force-push" in line for line in names)


def probes(text: PermissionsText) -> set[Probe]:
    return {probe for sentence in text.sentences for probe in sentence.probes}


def test_unattended_nothing_waits_for_an_answer() -> None:
    for name in POLICIES:
        table = std_table(name)
        for mode in table["modes"]:
            text = permissions_text(table, mode, wording(), interactive=False)
            assert "waits for a person" not in text.text
            assert not [probe for probe in probes(text) if probe.effects == frozenset({"ask"})]
