"""Questions of several trees about the same targets: each is evaluated once, and equal outcomes are one object."""

from __future__ import annotations

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.freeze.questions import Answered, Questions
from frieze.freeze.targets import Combination, Targets
from frieze.template import Question

PLATFORMS = ("chat", "mail", "voice")
AGENTS = ("first", "second", "third")
VALUES = st.sampled_from([0, 0.0, False, None, "", "0", [0], [0.0], (0,), {"a": 0}, {"a": False}, "error"])


def own(agent: str) -> Targets:
    return Targets(({"agent": (agent,), "platform": PLATFORMS},))


@settings(max_examples=150)
@given(
    st.dictionaries(st.tuples(st.sampled_from(AGENTS), st.sampled_from(PLATFORMS)), VALUES, min_size=9),
    st.dictionaries(st.sampled_from(PLATFORMS), VALUES, min_size=3),
    st.permutations(AGENTS),
)
def test_trees_that_share_answers_split_as_those_that_do_not(both: dict, platforms: dict, order: list[str]) -> None:
    asked: Counter[tuple[str, Any]] = Counter()

    def answer(key: str, row: Any, value: Any) -> Any:
        asked[key, row] += 1
        if value == "error":
            raise ValueError(f"no answer for {row}")
        return tuple(value) if type(value) is tuple else value

    def data(selectors: tuple[str, ...], row: Combination) -> dict[str, Any]:
        return dict(zip(selectors, row, strict=True))

    def on_both(seen: Any) -> Any:
        row = (seen["agent"], seen["platform"])
        return answer("both", row, both[row])

    def on_platform(seen: Any) -> Any:
        return answer("platform", seen["platform"], platforms[seen["platform"]])

    questions = [Question("both", ("agent", "platform"), on_both), Question("platform", ("platform",), on_platform)]
    shared = Answered()
    outcomes: dict[tuple[str, str], int] = {}
    for agent in order:
        together, alone = Questions(data, answered=shared), Questions(data)
        for question in questions:
            found = [(number, part) for _, number, part in together.split(question, own(agent))]
            asked_before = asked.copy()
            assert found == [(number, part) for _, number, part in alone.split(question, own(agent))]
            asked = asked_before
            entry = together.asked[question.key]
            assert [repr(outcome) for outcome in entry.outcomes] == [
                repr(outcome) for outcome in alone.asked[question.key].outcomes
            ]
            for outcome in entry.outcomes:
                assert outcomes.setdefault((question.key, repr(outcome)), id(outcome)) == id(outcome)
    assert set(asked.values()) == {1}
    assert len(asked) == len(AGENTS) * len(PLATFORMS) + len(PLATFORMS)


READ = st.sampled_from(
    [
        0,
        0.0,
        -0.0,
        1,
        True,
        False,
        None,
        "",
        "0",
        "1",
        [],
        (),
        {},
        [0],
        [0.0],
        [True],
        [1],
        (0,),
        {"a": 0},
        {"a": False},
        object,
    ]
)


@settings(max_examples=300)
@given(st.lists(st.tuples(READ, READ), min_size=2, max_size=6), st.booleans())
def test_agents_alike_in_what_is_read_have_one_answer(rows: list[tuple[Any, Any]], both: bool) -> None:
    names = tuple(f"agent-{number}" for number in range(len(rows)))
    seen = {name: {"first": first, "second": second} for name, (first, second) in zip(names, rows, strict=True)}
    asked = 0

    def evaluate(data: Any) -> str:
        nonlocal asked
        asked += 1
        return repr([data["agent"][field] for field in (("first", "second") if both else ("second",))])

    parts = frozenset({"agent.first", "agent.second"} if both else {"agent.second"})
    questions = Questions(lambda _, row: {"agent": seen[str(row[0])]})
    question = Question("what is read", ("agent",), evaluate, parts)
    found = {
        part.boxes[0]["agent"]: entry.outcomes[number].value
        for entry, number, part in questions.split(question, Targets(({"agent": names},)))
    }
    for alike, value in found.items():
        assert {evaluate({"agent": seen[str(name)]}) for name in alike} == {value}
    assert sum(map(len, found)) == len(names)
