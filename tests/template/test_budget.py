"""Known values are evaluated within limits: a diagnostic, never a hang, never a way out of the sandbox."""

from __future__ import annotations

import time

import pytest

from frieze.template import UnsupportedTemplate, freeze

BLOWUPS = [
    "{% for i in range(10**9) %}x{% endfor %}",
    "{{ range(100000000)|list }}",
    "{{ range(99999)|list + range(99999)|list + range(99999)|list }}",
    "{{ 'x' * 10**9 }}",
    "{{ 10**9 * 'x' }}",
    "{{ [0] * 10**9 }}",
    "{{ 9**999999999 }}",
    "{{ 2**100000 }}",
    "{{ (10**4000)|string ~ (10**4000 * 10**4000) }}",
    "{{ '%0999999999d'|format(1) }}",
    "{{ '%0999999999d' % 1 }}",
    "{{ '%*d' % (999999999, 1) }}",
    "{{ '{:>999999999}'.format(1) }}",
    "{{ '{:>{w}}'.format(1, w=999999999) }}",
    "{{ 'x'.ljust(10**9) }}",
    "{{ 'x'.rjust(10**9) }}",
    "{{ 'x'.zfill(10**9) }}",
    "{{ 'x'|center(10**9) }}",
    "{{ 'x'.center(10**9) }}",
    "{{ ('\t' * 1000).expandtabs(10**6) }}",
    "{{ ('x' * 10**6)|replace('x', 'x' * 10**4) }}",
    "{{ ('x' * 10**6).replace('', 'y' * 10**4) }}",
    "{{ (['x'] * 10**5)|join('y' * 10**5) }}",
    "{{ ('y' * 10**5).join(['x'] * 10**5) }}",
    "{{ [1]|batch(10**9, 'x')|list }}",
    "{{ [1]|slice(10**9)|list }}",
    "{{ 'x\ny'|indent(10**9) }}",
    "{{ ('x\n' * 10**5)|indent('y' * 10**4) }}",
    "{{ {'a': 1}|tojson(indent=10**9) }}",
    "{{ ('a' * 1000).translate({97: 'b' * 10**5}) }}",
    "{{ (1).to_bytes(10**9, 'big') }}",
    "{{ ['x']|map('center', 10**9)|list }}",
    "{{ 1.5|round(10**9) }}",
    "{% set ns = namespace(x='x') %}{% for i in range(100) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=[]) %}{% for i in range(100) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=[]) %}{% for i in range(5000) %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x }}",
    "{% set ns = namespace(x=2) %}{% for i in range(100) %}{% set ns.x = ns.x * ns.x %}{% endfor %}{{ ns.x }}",
    "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "{% macro m() %}x{{ m() }}{{ m() }}{% endmacro %}{{ m() }}",
    "{% for x in [[]] recursive %}{{ loop([x]) }}{% endfor %}",
    "{% for a in range(1000) %}{% for b in range(1000) %}{% for c in range(1000) %}{% endfor %}{% endfor %}{% endfor %}",
    "{% for a in range(1000) if range(99999)|list|length %}{% endfor %}",
    "{% for a in range(99999) %}{{ 'x' * 100000 }}{% endfor %}",
    "{{ ('x' * 10**6)|wordwrap(1, true, 'y' * 10**4) }}",
    "{{ " + "(" * 5000 + "1" + ")" * 5000 + " }}",
    "{{ " + "[" * 300 + "]" * 300 + " }}",
    "{{ " + "not " * 3000 + "1 }}",
    "{% if a %}" * 120 + "{% endif %}" * 120,
    "{% for x in [1] %}" * 25 + "{% endfor %}" * 25,
    "{{ ('x' * 10**6)|urlize }}{% for i in range(5000) %}{{ ('x.y ' * 10**5)|urlize }}{% endfor %}",
]

WALKS = [
    "{{ ''.__class__ }}",
    "{{ ''.__class__.__mro__ }}",
    "{{ [].__init__.__globals__ }}",
    "{{ ''['__class__'] }}",
    "{{ ''|attr('__class__') }}",
    "{{ ['']|map(attribute='__class__')|list }}",
    "{{ '{0.__class__}'.format(1) }}",
    "{{ namespace.__init__ }}",
    "{{ range.__class__ }}",
    "{{ dict.__subclasses__() }}",
    "{{ xs.append(1) }}",
    "{{ d.update({1: 2}) }}",
    "{{ d.pop('k') }}",
]

UNCERTAIN = [
    "{{ [1, 2]|random }}",
    "{{ lipsum() }}",
    "{% set j = joiner(',') %}{{ j() }}",
    "{% set c = cycler(1, 2) %}{{ c.next() }}",
    "{{ [1]|map('string') }}",
    "{{ [[1]|map('string')] }}",
    "{{ 'x'.upper }}",
    "{{ namespace() }}",
    "{{ range }}",
    "{{ 'x' ~ d.items }}",
    "{{ d.keys() - ['k'] }}",
    "{% for x in d.keys() - ['k'] %}{{ x }}{% endfor %}",
    "{{ (d.keys() - ['k'])|list }}",
    "{% macro m() %}{% endmacro %}{{ m }}",
    "{% for x in xs %}{{ loop }}{% endfor %}",
    "{{ 1000 is sameas 1000 }}",
    "{{ xs|map('random')|list }}",
]

KNOWN = {"xs": [[1], [2]], "d": {"k": 1, "j": 2}, "a": 1}


@pytest.mark.parametrize("source", BLOWUPS, ids=range(len(BLOWUPS)))
def test_a_blowup_is_a_diagnostic(source: str) -> None:
    start = time.process_time()
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, KNOWN, hardening=False)
    assert {each.code for each in caught.value.diagnostics} <= {"F407", "F401"}
    assert time.process_time() - start < 20


@pytest.mark.parametrize("source", WALKS)
def test_the_inside_of_python_is_out_of_reach(source: str) -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, KNOWN, hardening=False)
    assert [each.code for each in caught.value.diagnostics] == ["F410"]
    assert KNOWN == {"xs": [[1], [2]], "d": {"k": 1, "j": 2}, "a": 1}


@pytest.mark.parametrize("source", UNCERTAIN)
def test_a_text_that_no_two_runs_share_is_refused(source: str) -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, KNOWN, hardening=False)
    assert {each.code for each in caught.value.diagnostics} <= {"F413", "F416"}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{{ ('x' * 1000)|length }}", "1000"),
        ("{{ range(1000)|sum }}", "499500"),
        ("{{ 2**1000 }}", str(2**1000)),
        ("{{ 'x'.ljust(20) }}|", "x" + " " * 19 + "|"),
        ("{{ '%05d'|format(7) }}", "00007"),
        ("{% for i in range(300) %}{% if i == 299 %}{{ i }}{% endif %}{% endfor %}", "299"),
    ],
)
def test_ordinary_sizes_are_fine(source: str, text: str) -> None:
    assert freeze(source, {}, hardening=False).ir == [text]


def test_a_known_value_of_any_size_is_bounded() -> None:
    deep: list[object] = []
    for _ in range(500):
        deep = [deep]
    wide = ["x" * 1000] * 300_000
    for value in (deep, wide, 10**6000, "x" * 2_000_000):
        with pytest.raises(UnsupportedTemplate) as caught:
            freeze("{{ a }}", {"a": value}, hardening=False)
        assert [each.code for each in caught.value.diagnostics] == ["F407"]
