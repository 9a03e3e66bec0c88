"""Where things are: columns of errors, marks of the residual, and what the diagnostics say to write instead."""

from __future__ import annotations

from typing import Any

import pytest

from frieze.diagnostics import Span
from frieze.template import UnsupportedTemplate, freeze, parse, specialise
from frieze.template.ir import statements


def faults(source: str, **known: Any) -> list[tuple[str, int, int]]:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, known, hardening=False, name="t.md")
    assert all(each.span.file == "t.md" for each in caught.value.diagnostics)
    return [(each.code, each.span.line, each.span.column) for each in caught.value.diagnostics]


@pytest.mark.parametrize(
    ("source", "line", "column"),
    [
        ("Hello {{ user }", 1, 15),
        ("a\nb {% if x %}\nc", 2, 6),
        ("a\n  {% fi x %}", 2, 6),
        ("## Title {#anchor}\ntext", 1, 10),
        ("x {%20}", 1, 5),
        ("{{ a b }}", 1, 6),
        ("é {{ a | }}", 1, 10),
        ("a\r\nbc {{ a b }}", 2, 9),
        ("a\r\n\r\nbc {{ ? }}", 3, 7),
        ("{{ 'open }}", 1, 4),
        ("{% raw %}x", 1, 10),
        ("{% for x in xs %}{% endif %}", 1, 21),
        ("{{ (a }}", 1, 7),
    ],
)
def test_syntax_errors(source: str, line: int, column: int) -> None:
    assert faults(source) == [("F401", line, column)]


@pytest.mark.parametrize(
    ("source", "code", "column"),
    [
        ("ab {{ user.upper() }}", "F414", 17),
        ("ab {{ user.title }}", "F415", 11),
        ("ab {{ user | nofilter }}", "F404", 14),
        ("ab {{ user is notest }}", "F405", 12),
        ("{% extends 'x' %}", "F403", 4),
        ("{% block a %}{% endblock %}", "F403", 4),
        ("{% import 'x' as y %}", "F403", 4),
        ("{% include 'x' %}", "F403", 4),
        ("{{ u|map('upper') }}", "F416", 6),
        ("{% if u|select %}{% endif %}", "F416", 7),
        ("{{ (u|e) + 'x' }}", "F417", 5),
    ],
)
def test_refusals(source: str, code: str, column: int) -> None:
    found = faults(source)
    assert [found[0][0], found[0][1]] == [code, 1]
    assert found[0][2] == pytest.approx(column, abs=6)


def test_several_are_reported_together_in_order() -> None:
    source = (
        "{{ a.upper() }}\n{{ b.title }}\n{% set q = c.split() %}{{ q }}{{ q }}\n{% if d %}{{ e|map('x') }}{% endif %}\n"
    )
    assert [fault[:2] for fault in faults(source)] == [("F414", 1), ("F415", 2), ("F414", 3), ("F416", 4)]


@pytest.mark.parametrize(
    ("source", "advice"),
    [
        ("## Title {#anchor}", "`{#` starts a comment: to print it, write `{{ '{#' }}`; a comment ends with `#}`"),
        ("{% break %}", "filter the loop instead"),
        ("{% iff x %}", "did you mean `if`"),
        ("{{ u.upper() }}", "write `| upper`"),
        ("{{ u.strip() }}", "write `| trim`"),
        ("{{ u.title }}", "write `['title']`"),
        ("{{ u | uper }}", "did you mean `upper`"),
        ("{% if u is definde %}{% endif %}{{ u is definde }}", "did you mean `defined`"),
        ("{{ {'a': 1 }", "to print a literal `{{`"),
        ("{% for x in u %}{% set n.a = x %}{% endfor %}{% set n = namespace() %}{% if u %}{% set n.a = 1 %}{% endif %}", "use `set`, a filtered loop"),
    ],
)  # fmt: skip
def test_advice_says_what_to_write(source: str, advice: str) -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, {}, hardening=False)
    assert any(advice in each.help for each in caught.value.diagnostics), [
        each.help for each in caught.value.diagnostics
    ]
    assert caught.value.file == "<template>"
    assert str(caught.value).startswith("<template>:1:")


def test_places_go_through_locate() -> None:
    def locate(start: int, end: int) -> Span:
        return Span("agent.yaml", 40, start + 100, 40, end + 100)

    parsed = parse("ab\n{{ x.upper() }}", name="other", locate=locate)
    _, diagnostics = specialise(parsed, known={})
    assert [each.span.file for each in diagnostics] == ["agent.yaml"]
    assert diagnostics[0].span.column == 100 + "ab\n{{ x.upper() }}".index("(")


def test_every_statement_has_its_mark() -> None:
    source = "one\ntwo {{ k }} {{ u }}\n{% if u %}\n  x{{ v }}\n{% elif v %}\ny\n{% endif %}\n{% for i in u %}\n{{ i }}\n{% endfor %}\n{% set q %}{{ u }}{% endset %}{{ q|length }}\n"
    residual, diagnostics = specialise(parse(source, name="t"), known={"k": "K"})
    assert diagnostics == []
    nodes = list(statements(residual.body))
    assert len(nodes) == len(residual.marks)
    lines = source.split("\n")
    for node, mark in zip(nodes, residual.marks, strict=True):
        if isinstance(node, str):
            assert mark[0][0] == 0
            for offset, file, line, column in mark:
                assert file == "t"
                piece = node[offset:].split("\n")[0]
                assert piece[:1] == "K" or lines[line - 1][column - 1 :].startswith(piece[:1])
        elif node[0] == "if":
            assert [span[1] for span in mark] == [3, 5]
            assert lines[2][mark[0][2] - 1 : mark[0][4] - 1] == "if u"
        else:
            line, column, end = mark[1], mark[2], mark[4]
            text = lines[line - 1][column - 1 : end - 1]
            assert text in ("u", "v", "i", "for i in u", "set q", "q|length")


def test_text_from_several_lines_knows_each() -> None:
    residual, _ = specialise(parse("one\ntwo\n{% if k %}\nthree\n{% endif %}\n", name="t"), known={"k": 1})
    assert residual.body == ["one\ntwo\nthree\n"]
    assert residual.marks == [[[0, "t", 1, 1], [4, "t", 2, 1], [8, "t", 4, 1]]]


@pytest.mark.parametrize(
    ("source", "known", "body"),
    [
        ("{{ k }}{{ u }}", {"k": "x"}, ["x", ["out", ["input", "u"]]]),
        ("a{{ 1 // 0 }}b{{ u }}", {}, [["fail", "ZeroDivisionError", "integer division or modulo by zero"]]),
        (
            "a{{ u }}b{{ 1 // 0 }}c",
            {},
            [["out", ["input", "u"]], ["fail", "ZeroDivisionError", "integer division or modulo by zero"]],
        ),
        ("{% if u %}{{ k }}{% endif %}", {"k": 2}, [["if", [[["input", "u"], ["2"]]], []]]),
        ("{% if k %}a{% elif u %}b{% else %}c{% endif %}", {"k": 0}, [["if", [[["input", "u"], ["b"]]], ["c"]]]),
        ("{% for x in k %}{{ x }}{{ u }}{% endfor %}", {"k": [1, 2]}, ["1", ["out", ["input", "u"]], "2", ["out", ["input", "u"]]]),
        ("{% set x = u %}{{ x }}", {}, [["out", ["input", "u"]]]),
        ("{% set x = u.a %}{{ x }}", {}, [["let", "x#1", ["attr", ["input", "u"], "a"]], ["out", ["local", "x#1"]]]),
        ("{% macro m(a) %}<{{ a }}>{% endmacro %}{{ m(u) }}", {}, ["<", ["out", ["input", "u"]], ">"]),
        ("{{ k ~ u ~ 'a' ~ 'b' }}", {"k": 1}, [["out", ["concat", "1", ["input", "u"], "ab"]]]),
        ("{{ 1 < u < k }}", {"k": 5}, [["out", ["cmp", 1, ["<", ["input", "u"]], ["<", 5]]]]),
        ("{{ k or u }}{{ k and u }}", {"k": "t"}, ["t", ["out", ["input", "u"]]]),
        ("{% if u %}{% set x = 1 %}{% else %}{% set x = 1 %}{% endif %}{{ x }}", {}, [["if", [[["input", "u"], []]], []], "1"]),
    ],
)  # fmt: skip
def test_the_residual_is_small(source: str, known: dict[str, Any], body: list[Any]) -> None:
    assert freeze(source, known, hardening=False).ir == body


def test_hardening_without_types_prints_anything_as_a_line() -> None:
    template = freeze("{{ a }}{% set x %}<{{ b }}>{% endset %}{{ x }}", {}, name="t")
    assert template.render({"a": "<i>\nx", "b": "<"}) == "&lt;i&gt; x<&lt;>"
    assert template.render({"a": None, "b": 1.5}) == "None<1.5>"
    assert template.names == {"a", "b"}


def test_hardening_with_types() -> None:
    assert (
        freeze("Hi {{ n }}, {{ k }}.", {"k": "<b>"}, inputs={"n": "line"}).render({"n": "<x>"}) == "Hi &lt;x&gt;, <b>."
    )
    with pytest.raises(UnsupportedTemplate):
        freeze("{{ m }}", {}, inputs={"n": "line"})
    with pytest.raises(UnsupportedTemplate):
        freeze("{{ xs }}", {}, inputs={"xs": "list"})


def test_names_of_jinjas_globals_can_be_values() -> None:
    template = freeze("{% for x in range(2) %}{{ x }}{% endfor %}", {}, hardening=False)
    assert template.render({}) == "01"
    with pytest.raises(UnsupportedTemplate):
        template.render({"range": 5})


@pytest.mark.parametrize(
    "source",
    [
        "{% set g = k|map('upper') %}{% for x in g %}{{ g|first }}{% endfor %}",
        "{% set g = k|map('upper') %}{% for x in k if x in g %}{{ x }}{% endfor %}",
        "{% set t = [k|map('upper')] %}{% if u %}{{ t[0]|join }}{% endif %}{{ t[0]|join }}",
        "{% set t = {'a': k|map('upper')} %}{{ t.a|join }}",
        "{% set ns = namespace(a=k|map('upper')) %}{% if u %}{{ ns.a|join }}{% endif %}{{ ns.a|join }}",
        "{% set t = dict(a=k|map('upper')) %}{{ t.a|join }}",
        "{% set g = k|map('upper') %}{% if u %}{{ g|join }}{% endif %}{{ g|join }}",
        "{% set g = k|map('upper') %}{% for x in u %}{{ g|join }}{% endfor %}",
    ],
)
def test_an_iterator_is_used_where_it_certainly_is_or_refused(source: str) -> None:
    assert faults(source, k=["a", "b"])[0][0] == "F416"
