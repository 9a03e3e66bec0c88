"""Selectors: known per target only, so that their expressions become questions."""

from __future__ import annotations

from typing import Any

import pytest

from frieze.template import Outcome, Question, Unanswered, expression, parse, specialise
from frieze.template.ir import Body

SELECTORS = frozenset({"agent", "platform", "personality", "model"})
DATA = {
    "agent": {"name": "concierge", "skills": [{"name": "book"}, {"name": "pay"}], "data": {"level": 2}},
    "platform": {"name": "web", "language": "ja", "timezone": None, "awareness": {"time": True}},
    "personality": {"name": "calm", "text": "Stay calm."},
    "model": {"name": "m", "data": {}},
}


def run(source: str, data: dict[str, Any] = DATA, **options: Any) -> tuple[Body, list[str], list[str]]:
    """Answer every question from `data`: the residual, the questions asked, the codes reported."""
    parsed = parse(source, name="t.yaml")
    answers: dict[str, Outcome] = {}
    asked: list[str] = []
    while True:
        try:
            residual, diagnostics = specialise(
                parsed, known={}, selectors=SELECTORS, answers=answers, inputs=frozenset({"u", "v", "xs"}), **options
            )
        except Unanswered as unanswered:
            question = unanswered.question
            assert question.key not in answers
            asked.append(question.key)
            answers[question.key] = outcome(question, data)
        else:
            return residual.body, asked, [each.code for each in diagnostics]


def outcome(question: Question, data: dict[str, Any]) -> Outcome:
    try:
        return Outcome(question.evaluate({name: data[name] for name in question.selectors}))
    except Exception as error:  # noqa: BLE001 - whatever it raises is the outcome
        return Outcome(None, (type(error).__name__, str(error)))


@pytest.mark.parametrize(
    ("source", "body", "asked"),
    [
        ("{{ platform.language }}", ["ja"], ["platform.language"]),
        ("{% if platform.language == 'ja' %}a{% else %}b{% endif %}", ["a"], ['(platform.language == "ja") is true']),
        ("{% if platform.language %}a{% endif %}", ["a"], ["platform.language is true"]),
        ("{{ personality }}|{{ personality.name }}", ["Stay calm.|calm"], ["personality.text", "personality.name"]),
        ("{{ agent.name ~ '-' ~ platform.name }}", ["concierge-web"], ['agent.name ~ "-" ~ platform.name']),
        ("{% for s in agent.skills %}{{ s.name }},{% endfor %}", ["book,pay,"], ["agent.skills"]),
        ("{{ agent.skills | map(attribute='name') | join('/') }}", ["book/pay"], None),
        ("{{ platform.timezone or 'UTC' }}", ["UTC"], ["platform.timezone is true"]),
        ("{% set l = platform.language %}{% if u %}{{ l }}{% endif %}", None, ["platform.language"]),
        ("{% if u == platform.language %}x{% endif %}", None, ["platform.language"]),
        ("{{ platform.nothing | default(u) }}", [["out", ["input", "u"]]], ["platform.nothing is defined"]),
        ("{{ 'x' if platform.nothing is defined else 'y' }}", ["y"], ["(platform.nothing is defined) is true"]),
        ("{{ platform.name.upper()[1:] }}", ["EB"], None),
        ("{{ agent.data.level + 1 }}", ["3"], ["agent.data.level + 1"]),
        ("{% if platform.awareness.time and u %}t{% endif %}", None, ["platform.awareness.time is true"]),
        ("{{ u }}", [["out", ["input", "u"]]], []),
    ],
)
def test_the_largest_expression_is_asked_where_it_is_needed(
    source: str, body: Body | None, asked: list[str] | None
) -> None:
    found, questions, codes = run(source)
    assert codes == []
    if body is not None:
        assert found == body
    if asked is not None:
        assert questions == asked


def test_what_a_condition_decides_is_not_asked() -> None:
    off = {**DATA, "platform": {**DATA["platform"], "awareness": {"time": False}}}
    source = "{% if platform.awareness.time and platform.language == 'ja' %}x{% endif %}"
    assert run(source, off)[1] == ["platform.awareness.time is true"]
    assert len(run(source)[1]) == 2


@pytest.mark.parametrize(
    "source", ["{{ platform }}", "{{ platform | tojson }}", "{% if platform %}x{% endif %}", "{% for x in agent %}{% endfor %}", "{{ personality | upper }}", "{{ u ~ model }}", "{% if model == u %}x{% endif %}"]
)  # fmt: skip
def test_a_bare_selector_is_an_error(source: str) -> None:
    assert run(source)[2] == ["F408"]


def test_an_error_of_a_selector_is_a_failure_of_its_branch() -> None:
    body, _, codes = run("{% if u %}{{ platform.nothing }}{% endif %}ok")
    assert codes == ["F406"]
    assert body[0][1][0][1][0][:2] == ["fail", "UndefinedError"]
    assert "`platform` has no `nothing`; it has `name`, `language`" in body[0][1][0][1][0][2]
    assert body[1] == "ok"


def test_names_are_checked_wherever_they_stand() -> None:
    parsed = parse(
        "{{ usr }}{% if false %}{{ vv }}{% endif %}{% for x in xs %}{{ x }}{% endfor %}{{ x }}", name="t.yaml"
    )
    _, diagnostics = specialise(parsed, known={}, inputs=frozenset({"user", "xs"}))
    assert [(each.code, dict(each.args)["name"], each.span.column) for each in diagnostics] == [("F402", "usr", 4), ("F402", "vv", 27), ("F402", "x", 82)]  # fmt: skip
    assert diagnostics[0].help == "did you mean `user`?"
    parsed = parse("{% for x in xs %}{{ x }}{% endfor %}{{ x }}", name="t.yaml")
    _, diagnostics = specialise(parsed, known={}, inputs=frozenset({"user", "xs"}))
    assert [(each.code, each.span.column) for each in diagnostics] == [("F402", 40)]


def test_declared_inputs_need_an_else() -> None:
    assert run("{{ u if u }}")[2] == ["F409"]


def test_the_same_questions_give_the_same_residual() -> None:
    source = "{% if platform.language == 'ja' %}{{ u }}{% else %}{{ v }}{% endif %}{{ agent.name }}"
    assert run(source) == run(source)


def test_includes() -> None:
    parts = {
        "greeting": parse("Hi {{ u }}{% set q = 1 %}{{ x }}", name="greeting.yaml"),
        "loop": parse("{% include 'loop' %}", name="loop.yaml"),
        "typo": parse("{{ uu }}", name="typo.yaml"),
    }
    body, _, codes = run("{% set x = 2 %}{% include 'greeting' %}.{{ q is defined }}", loader=parts.get)
    assert codes == ["F402"]
    body, _, codes = run("{% set x = 2 %}{% include 'greeting' %}.", loader=parts.get)
    assert (body, codes) == (["Hi ", ["out", ["input", "u"]], "2."], [])
    assert run("{% include 'loop' %}", loader=parts.get)[2] == ["F412"]
    assert run("{% include 'none' %}", loader=parts.get)[2] == ["F411"]
    assert run("{% include 'none' ignore missing %}x", loader=parts.get)[0] == ["x"]
    assert run("{% include 'typo' %}", loader=parts.get)[2] == ["F402"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("u", ["input", "u"]),
        ("u is defined and true", ["and", ["test", "defined", ["input", "u"], [], []], True]),
        ("1 < 2", True),
        ("not 'x'", False),
        ("false and u", False),
    ],
)
def test_conditions(text: str, found: Any) -> None:
    assert expression(text, name="t.yaml", known={}, inputs=frozenset({"u"})) == (found, [])


def test_conditions_ask_and_complain() -> None:
    with pytest.raises(Unanswered) as caught:
        expression("platform.name == 'web' and u", name="t", known={}, selectors=SELECTORS, inputs=frozenset({"u"}))
    assert caught.value.question.selectors == ("platform",)
    answers = {caught.value.question.key: Outcome(True)}
    options: dict[str, Any] = {"known": {}, "selectors": SELECTORS, "inputs": frozenset({"u"}), "name": "t"}
    assert expression("platform.name == 'web' and u", answers=answers, **options) == (["input", "u"], [])
    for text, code in [("w", "F402"), ("u ==", "F401"), ("u u", "F401"), ("1 // 0", "F406"), ("platform", "F408")]:
        assert [each.code for each in expression(text, **options)[1]] == [code], text
