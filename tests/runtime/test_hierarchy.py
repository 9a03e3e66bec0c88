"""Which rule holds: the table of cases, and what is true of any set of rules."""

from __future__ import annotations

import random
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.hierarchy import AUTHORITIES, EFFECTS, Rule, covers, meet, settle

RANK = {"system": 4, "developer": 3, "project": 2, "user": 1}


def rule(name: str, authority: str = "project", **more: object) -> Rule:
    return Rule(name, f"Do {name}.", authority, "files", **more)  # type: ignore[arg-type] # fields as keywords


@pytest.mark.parametrize(
    ("rules", "standing", "because"),
    [
        ([rule("a", "system"), rule("b", "user")], "a", "the system stands above the user"),
        ([rule("a", "user"), rule("b", "developer")], "b", "the developer stands above the user"),
        ([rule("a"), rule("b")], "a", "it was there first"),
        ([rule("a", effect="allow"), rule("b", effect="deny")], "b", "it is stricter"),
        ([rule("a", effect="ask"), rule("b", effect="deny")], "b", "it is stricter"),
        ([rule("a", "system", effect="allow"), rule("b", "user", effect="deny")], "b", "it is stricter"),
        ([rule("a", "system", effect="deny"), rule("b", "user", effect="allow")], "a", "it is stricter"),
        ([rule("a", "developer", must=False), rule("b", "user")], "b", "the other one is only a default"),
        (
            [rule("a", "developer", must=False), rule("b", "user", must=False)],
            "a",
            "the developer stands above the user",
        ),
        ([rule("a", must=False), rule("b")], "b", "the other one is only a default"),
        ([rule("a", scope=("src/**",)), rule("b", scope=("src/gen/**",))], "ab", "it is about fewer files"),
        ([rule("a"), rule("b", scope=("src/gen/**",))], "ab", "it is about fewer files"),
        ([rule("a", "user", scope=("src/**",)), rule("b", "project", scope=("src/gen/**",))], "ab", "above the user"),
        (
            [rule("a", "user", scope=("src/gen/a.py",)), rule("b", "project", scope=("src/gen/**",))],
            "b",
            "above the user",
        ),
    ],
)
def test_two_rules_on_one_topic(rules: list[Rule], standing: str, because: str) -> None:
    outcomes = settle(rules)
    assert "".join(each.rule.id for each in outcomes if each.holds) == standing
    [overruled] = [each for each in outcomes if each.by]
    assert because in overruled.because
    assert overruled.wholly is (len(standing) == 1)


@pytest.mark.parametrize(
    "rules",
    [
        [rule("a", scope=("src/**",)), rule("b", "system", scope=("docs/**",))],
        [rule("a"), rule("b", "system")._replace(topic="tests")],
        [rule("a")._replace(topic=""), rule("b", "system")._replace(topic="")],
        [rule("a"), rule("b", "system")._replace(text="do  A.")],
        [rule("a", effect="deny"), rule("b", "system", effect="deny")],
    ],
)
def test_what_does_not_contend(rules: list[Rule]) -> None:
    assert all(outcome.by is None for outcome in settle(rules))


def test_a_circle_is_broken_by_the_strongest() -> None:
    rules = [rule("a"), rule("b", must=False, effect="ask"), rule("c", effect="allow")]
    outcomes = settle(rules)
    assert [each.rule.id for each in outcomes if each.holds] == ["a"]
    assert all(each.by is rules[0] for each in outcomes[1:])


def test_what_does_not_hold_overrules_nothing() -> None:
    strong, middle, same = rule("a", "system"), rule("b", "developer"), rule("c", "user")._replace(text="Do a.")
    outcomes = settle([strong, middle, same])
    assert [(each.holds, each.by and each.by.id) for each in outcomes] == [(True, None), (False, "a"), (True, None)]


PATTERNS = ["src/**", "src/gen/**", "docs/**", "*.py", "src/a.py", "**/secrets/**", "src/*.py", "docs"]
SCOPES = st.lists(st.sampled_from(PATTERNS), max_size=2).map(tuple)
SOMEWHERE = st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=2).map(tuple)
RULES = st.lists(
    st.builds(
        Rule,
        id=st.just("r"),
        text=st.sampled_from(["Do a.", "Do b.", "Do c."]),
        authority=st.sampled_from(AUTHORITIES),
        topic=st.sampled_from(["", "files", "Files", "tests"]),
        scope=SCOPES,
        must=st.booleans(),
        effect=st.sampled_from([None, None, *EFFECTS]),
    ),
    max_size=6,
).map(lambda rules: [each._replace(id=f"r{index}") for index, each in enumerate(rules)])


@given(RULES)
def test_a_lower_rule_never_overrides_a_higher_one_silently(rules: list[Rule]) -> None:
    outcomes = settle(rules)
    assert [each.rule for each in outcomes] == rules
    for outcome in outcomes:
        if outcome.by is None:
            assert outcome.holds
            continue
        assert outcome.because
        assert outcome.by.topic.casefold() == outcome.rule.topic.casefold() != ""
        winner = next(each for each in outcomes if each.rule is outcome.by)
        assert winner.holds
        if RANK[outcome.by.authority] < RANK[outcome.rule.authority]:
            stricter = outcome.because == "it is stricter"
            assert stricter or (outcome.by.must and not outcome.rule.must)
        if outcome.by.effect and outcome.rule.effect:
            assert EFFECTS.index(outcome.by.effect) > EFFECTS.index(outcome.rule.effect)


@given(RULES)
def test_no_two_rules_that_hold_contradict_each_other_unsaid(rules: list[Rule]) -> None:
    outcomes = settle(rules)
    said = {(each.rule.id, each.by.id) for each in outcomes if each.by}
    for first in outcomes:
        for second in outcomes:
            if first.rule is second.rule or not first.holds or not second.holds:
                continue
            one, other = first.rule, second.rule
            if not one.topic or one.topic.casefold() != other.topic.casefold() or not meet(one.scope, other.scope):
                continue
            same = one.effect == other.effect if one.effect and other.effect else one.text == other.text
            named = (one.id, other.id) in said or (other.id, one.id) in said
            # One rule names one winner; of a pair the one that is overruled at all says so.
            assert same or named or first.by or second.by


@given(RULES, st.randoms(use_true_random=False))
def test_the_order_matters_only_where_nothing_else_decides(rules: list[Rule], shuffled: random.Random) -> None:
    if any(each.because == "it was there first" for each in settle(rules)):
        return
    mixed = list(rules)
    shuffled.shuffle(mixed)
    if any(each.because == "it was there first" for each in settle(mixed)):
        return
    before = {each.rule.id: each.holds for each in settle(rules)}
    assert {each.rule.id: each.holds for each in settle(mixed)} == before


PATHS = ["src/a.py", "src/b.txt", "src/gen/a.py", "src/secrets/k", "docs/a.md", "docs/secrets/x.py", "top.py", "docs"]


@given(SOMEWHERE, SOMEWHERE)
def test_scopes_agree_with_git(outer: tuple[str, ...], inner: tuple[str, ...]) -> None:
    wide, narrow = ignored(outer), ignored(inner)
    if covers(outer, inner):
        assert narrow <= wide
    if not meet(outer, inner):
        assert not narrow & wide


def ignored(patterns: tuple[str, ...]) -> set[str]:
    """Return which paths git matches with these patterns."""
    if patterns not in _IGNORED:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["git", "init", "-q", folder], check=True)
            Path(folder, ".gitignore").write_text("\n".join(patterns) + "\n")
            found = subprocess.run(
                ["git", "-C", folder, "check-ignore", "--no-index", "--stdin"],
                input="\n".join(PATHS),
                capture_output=True,
                text=True,
                check=False,
            )
            _IGNORED[patterns] = set(found.stdout.split())
    return _IGNORED[patterns]


_IGNORED: dict[tuple[str, ...], set[str]] = {}
