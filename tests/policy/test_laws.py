"""Laws of combining: order means nothing, the strictest holds, and what is added only tightens."""

from __future__ import annotations

from functools import reduce
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.policy.probing import decide, guard_of
from frieze.policy.sentences import Probe
from frieze.runtime.guard.vocabulary import ACTIONS, EFFECTS, RANK, strictest
from support.policy_tables import std_table, table_of

BASE = std_table("coding")
BASE["entries"] = [entry for entry in BASE["entries"] if entry["effect"] == "allow"]
MODES = sorted(BASE["modes"])

COMMANDS = (
    "ls -la",
    "cat README.md",
    "git status",
    "git push origin main",
    "git push --force",
    "rm -rf build",
    "npm install",
    "pytest -q",
    "curl https://example.com",
    "ls && rm -rf x",
    "sudo git push",
    "FOO=1 ls",
)
PROBES = [Probe(frozenset(EFFECTS), "run", command=command) for command in COMMANDS]
PROBES += [Probe(frozenset(EFFECTS), action) for action in ACTIONS]
PROBES += [
    Probe(frozenset(EFFECTS), action, path=path)
    for action in ("read", "edit", "delete")
    for path in ("src/a.py", ".env", "/etc/x", "docs/b.md")
]

SHAPES: tuple[Any, ...] = (
    [["ls", "..."]],
    [["git", "push", "..."]],
    [["git", "..."]],
    [["rm", "..."]],
    [["npm", "install", "..."]],
    [],
)


@st.composite
def entries(draw: st.DrawFn) -> dict[str, Any]:
    """A rule that asks or denies, about commands, paths or an action as a whole."""
    entry: dict[str, Any] = {
        "id": f"rule-{draw(st.integers(0, 10**6))}",
        "layer": draw(st.sampled_from(["system", "developer", "project", "user"])),
        "action": draw(st.sampled_from(ACTIONS)),
        "effect": draw(st.sampled_from(["ask", "deny"])),
        "commands": draw(st.sampled_from(SHAPES)),
        "modes": draw(st.none() | st.lists(st.sampled_from(MODES), min_size=1, unique=True)),
        "risk": "unknown",
        "confirm": None,
        "reason": "",
    }
    if not entry["commands"] and draw(st.booleans()):
        entry["paths"] = draw(st.lists(st.sampled_from(["src/**", "docs", "*.md"]), min_size=1, unique=True))
    if entry["commands"] and draw(st.booleans()):
        entry["flags"] = [["--force", "-f"]]
    return entry


def answers(rules: list[dict[str, Any]], mode: str) -> list[str]:
    guard = guard_of({**BASE, "entries": [*BASE["entries"], *rules]}, mode, interactive=True)
    return [decide(guard, probe).effect for probe in PROBES]


@given(st.lists(st.sampled_from(EFFECTS), min_size=1), st.randoms())
def test_the_strictest_does_not_depend_on_order_or_grouping(effects: list[str], random: Any) -> None:
    mixed = list(effects)
    random.shuffle(mixed)
    assert strictest(effects) == strictest(mixed) == strictest([*effects, *effects])
    assert strictest(effects) == reduce(lambda one, other: strictest([one, other]), mixed)
    assert strictest(effects) == max(effects, key=RANK.__getitem__)


@settings(max_examples=40, deadline=None)
@given(st.lists(entries(), max_size=4), st.sampled_from(MODES), st.randoms())
def test_the_order_and_number_of_rules_means_nothing(rules: list[Any], mode: str, random: Any) -> None:
    mixed = [*rules, *rules]
    random.shuffle(mixed)
    assert answers(rules, mode) == answers(mixed, mode)


@settings(max_examples=40, deadline=None)
@given(st.lists(entries(), max_size=3), st.lists(entries(), max_size=3), st.sampled_from(MODES))
def test_rules_together_answer_with_the_strictest_of_both(one: list[Any], other: list[Any], mode: str) -> None:
    apart = zip(answers(one, mode), answers(other, mode), strict=True)
    assert answers([*one, *other], mode) == [strictest(pair) for pair in apart]


@settings(max_examples=40, deadline=None)
@given(st.lists(entries(), max_size=3), entries(), st.sampled_from(MODES))
def test_one_more_rule_never_loosens(rules: list[Any], added: Any, mode: str) -> None:
    before, after = answers(rules, mode), answers([*rules, added], mode)
    assert all(RANK[now] >= RANK[then] for then, now in zip(before, after, strict=True))


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["never", "untrusted", "on-request"]),
    st.sampled_from(["read-only", "workspace-write"]),
    st.sets(st.sampled_from(ACTIONS)),
)
def test_settings_only_tighten_the_cells(approval: str, sandbox: str, allowed: set[str]) -> None:
    actions = ", ".join(f"{action}: {'allow' if action in allowed else 'ask'}" for action in ACTIONS)
    mode = f"modes:\n  work: {{can_edit: true, can_run_tests: true, actions: {{{actions}}}}}\n"
    plain = table_of(f"{mode}network: enabled\n")["modes"]["work"]["cells"]
    bound = table_of(f"{mode}approval: {approval}\nsandbox: {sandbox}\n")["modes"]["work"]["cells"]
    assert all(RANK[bound[action]["effect"]] >= RANK[plain[action]["effect"]] for action in ACTIONS)
