"""The sentences of the presence proof, where they point, and templates that grow."""

from __future__ import annotations

import time
from typing import Any

import pytest

from frieze.diagnostics import Span
from frieze.template.hardening import harden
from frieze.template.presence import prove_presence
from support.declared import expression_of, findings, refusals, residual_of

INPUTS: dict[str, Any] = {
    "a": {"type": "line"},
    "b": {"type": "line"},
    "c": {"type": "line"},
    "r": {"type": "line", "required": True},
    "d": {"type": "line", "default": "friend"},
    "e": {"type": "line", "default": ""},
    "k": {"type": "integer"},
    "f": {"type": "boolean"},
    "ls": {"type": "list", "of": "line"},
    "full": {"type": "list", "of": "line", "required": True},
    "xs": {"type": "list", "of": {"fields": {"id": {"type": "line", "required": True}, "note": {"type": "line"}}}},
    "m": {"type": "attributes"},
}

SENTENCES = [
    (
        "{{ a }}",
        "`a` may be absent here",
        (
            "guard it with `{% if a %}`, or give it a value first, as in `a | default('...')`; `when: a` guards a whole block "
            "(guards in other blocks do not count)"
        ),
    ),
    ("{% if a or b %}{{ a }}{% endif %}", "`a` may be absent here: when `b` is given and `a` is not", None),
    (
        "{% if a or b or c %}{{ a or b }}{% endif %}",
        "`a or b` may be absent here: when `c` is given and `a` and `b` are not",
        "end it with a value that is always there, as in `a or b or '...'`",
    ),
    ("{{ a or b }}", "`a or b` may be absent here: when neither `a` nor `b` is given", None),
    ("{% if f %}{{ a }}{% endif %}", "`a` may be absent here: when `f` is true and `a` is not given", None),
    (
        "{% if f %}{% else %}{{ a if f is defined else r }}{% endif %}",
        "`a if f is defined else r` may be absent here: when `f` is false and `a` is not given",
        None,
    ),
    ("{% if k is defined or a %}{{ a }}{% endif %}", "`a` may be absent here: when `k` is given and `a` is not", None),
    (
        "{% if a is defined or k is defined %}{{ k }}{% endif %}",
        "`k` may be absent here: when `a` is given and `k` is not",
        (
            "guard it with `{% if k is defined %}`, or give it a value first, as in `k | default(0)`; `when: k is defined` "
            "guards a whole block (guards in other blocks do not count)"
        ),
    ),
    ("{% set n = a %}{{ n }}", "`a` may be absent here", None),
    (
        "{% if ls %}{{ ls[1] }}{% endif %}",
        "`ls[1]` may be absent here: when `ls` has entries and `ls[1]` is not given",
        None,
    ),
    (
        "{{ full[0] }}",
        "`full[0]` may be absent here: when `full` is empty",
        "guard it with `{% if full %}`, or give it a value first, as in `full[0] | default('...')`",
    ),
    (
        "{{ a | upper }}",
        "the filter `upper` needs `a`, which may be absent here",
        None,
    ),
    (
        "{{ a | upper | default('x') }}",
        "the filter `upper` needs `a`, which may be absent here",
        "`default` comes too late here: put it before `upper`, as in `{{ a | default('...') | upper }}`",
    ),
    (
        "{{ a | default(b) }}",
        "`a | default(b)` may be absent here: when neither `a` nor `b` is given",
        "add a second `default` with a text, as in `a | default(b) | default('...')`",
    ),
    ("{{ a ~ 'x' }}", "the operator `~` needs `a`, which may be absent here", None),
    ("{% if k > 3 %}x{% endif %}", "the comparison `>` needs `k`, which may be absent here", None),
    (
        "{% if r in ls %}x{% endif %}",
        "the comparison `in` needs `ls`, which may be absent here",
        "guard it with `{% if ls %}`; `when: ls` guards a whole block (guards in other blocks do not count)",
    ),
    ("{% if k is odd %}x{% endif %}", "the test `odd` needs `k`, which may be absent here", None),
    ("{{ m.city }}", "reading a part needs `m`, which may be absent here", None),
    ("{% for key, value in m.items() %}x{% endfor %}", "the method `items` needs `m`, which may be absent here", None),
    ("{{ (ls[:2] | join) or 'x' }}", "the slice needs `ls`, which may be absent here", None),
    ("{{ [a] | join }}", "the list needs `a`, which may be absent here", None),
    (
        "{% if xs %}{{ xs | map(attribute='note') | join(', ') }}{% endif %}",
        "the filter `map` needs `item.note`, which may be absent here: when `xs` has entries and `item.note` is not given",
        "pass over the elements without it first: `selectattr('note', 'defined')`",
    ),
    (
        "{% for x in xs %}{{ x.note }}{% endfor %}",
        "`x.note` may be absent here: when `xs` has entries and `x.note` is not given",
        "guard it with `{% if x.note %}`, or give it a value first, as in `x.note | default('...')`",
    ),
    (
        "{% if a %}Name: {{ a | trim }}{% endif %}",
        "`a | trim` may be an empty text here, and leave `Name:` without a value: when `a` is given",
        "guard the whole line with `{% if a | trim %}`",
    ),
    (
        "{% if a %}Name: {{ a[2:] }}{% endif %}",
        "`a[2:]` may be an empty text here, and leave `Name:` without a value: when `a` is given",
        None,
    ),
    (
        "Names: {{ full | join(', ') }}",
        "`full | join(', ')` may be an empty text here, and leave `Names:` without a value: when `full` is empty",
        None,
    ),
    (
        "Name: {{ a | default('') }}",
        "`a | default('')` may be an empty text here, and leave `Name:` without a value: when `a` is not given",
        None,
    ),
    ("Name: {{ e }}", "`e` may be an empty text here, and leave `Name:` without a value", None),
]

FINE = [
    "{{ d }}",
    "{{ e }}",
    "{{ r | trim }}",
    "{% if a and a | trim %}Name: {{ a | trim }}{% endif %}",
    "{% if full %}Names: {{ full | join(', ') }}{% endif %}",
    "Wi-Fi is on{{ ', really' if f else '' }}",
    "{% if f %}{% set n = a or 'x' %}{% elif a %}{% set n = a %}{% else %}{% set n = r %}{% endif %}{{ n }}",
    "{% set c %}{% if a %}{{ a }}{% endif %}{% endset %}{{ c }}",
    "{% if m %}{% for key, value in m.items() %}{{ key }}{{ value }}{% endfor %}{% endif %}",
    "{{ xs | selectattr('note', 'defined') | map(attribute='note') | join(', ') if xs else 'x' }}",
    "{% if ls | length >= 1 %}{{ ls | first }}{% endif %}",
    "{% if ls | length == 0 %}none{% else %}{{ ls | last }}{% endif %}",
    "{% for x in ls %}{{ x }}{% if not loop.last %}{{ loop.nextitem }}{% endif %}{% endfor %}",
]


@pytest.mark.parametrize(("template", "message", "help_text"), SENTENCES)
def test_the_sentence(template: str, message: str, help_text: str | None) -> None:
    [found] = findings(template, INPUTS)
    assert found.message == message
    assert found.help == help_text if help_text is not None else found.help


@pytest.mark.parametrize("template", FINE)
def test_what_is_fine(template: str) -> None:
    assert findings(template, INPUTS) == []


def test_a_finding_stands_at_its_use_and_every_use_has_one() -> None:
    found = findings("x\n{{ a }}\n{{ r }} {{ a }}\n{% if r in ls %}{% elif k > 3 %}{% endif %}\n{{ a ~ b }}", INPUTS)
    assert [(each.code, each.span.line, each.span.column) for each in found] == [
        ("F501", 2, 4),
        ("F501", 3, 12),
        ("F502", 4, 4),
        ("F502", 4, 20),
        ("F502", 5, 4),
        ("F502", 5, 4),
    ]
    assert {each.span.file for each in found} == {"t.yaml"}


def test_the_condition_of_the_block_guards_and_is_proved_itself() -> None:
    residual = residual_of("{{ a }}", INPUTS)
    assert residual is not None
    span = Span("b.yaml", 3, 7)
    assert prove_presence(residual, INPUTS, expression_of("a and r", INPUTS), when_span=span) == []
    assert [found.code for found in prove_presence(residual, INPUTS, False, when_span=span)] == []
    found = prove_presence(residual, INPUTS, expression_of("a and k > 3", INPUTS), when_span=span)
    assert [(each.code, each.span) for each in found] == [("F502", span)]


def test_what_grows_stays_quick() -> None:
    doubled = "{% if a %}{% set n = a %}" + "{% set n = n ~ ', ' ~ n %}" * 40 + "- {{ n }}{% endif %}"
    chosen = "{% set n = r %}" + "{% if a %}{% set n = n ~ 'x' %}{% endif %}" * 40 + "- {{ n }}"
    many = "{% if a and b %}x{% elif c %}- {{ c }}\n{% endif %}" * 300
    started = time.process_time()
    assert findings(doubled, INPUTS) == findings(chosen, INPUTS) == findings(many, INPUTS) == []
    assert refusals(doubled, INPUTS) == refusals(chosen, INPUTS) == refusals(many, INPUTS) == []
    assert time.process_time() - started < 20


def test_the_passes_change_nothing_that_they_are_given() -> None:
    residual = residual_of("{% if a %}- {{ a }}{% endif %}", INPUTS)
    assert residual is not None
    before = repr(residual)
    harden(residual, INPUTS)
    prove_presence(residual, INPUTS)
    assert repr(residual) == before


@pytest.mark.parametrize(
    ("template", "subject"),
    [
        ("{{ [full, ls or [r]] | map('first') | join(', ') }}", "item | first"),
        ("{{ [full, ls or [r]] | map('min') | join(', ') }}", "item | min"),
        ("{{ (xs or []) | map(attribute='note', default=none) | join(', ') }}", "item.note"),
        ("{{ (xs or []) | groupby('note', default=none) | list | length }}", "item.note"),
        ("{% for g in [r, d] | slice(3) %}- {{ g | first }}{% endfor %}", "g | first"),
        ("{{ [r, d] | map(attribute=9) | list | length }}", "item.9"),
        ("{{ (xs or []) | selectattr('note.x', 'defined') | list | length }}", "item.note"),
    ],
)
def test_elements_are_there_for_what_a_filter_reads_of_them(template: str, subject: str) -> None:
    assert [dict(finding.args)["subject"] for finding in findings(template, INPUTS)] == [subject]


@pytest.mark.parametrize(
    "template",
    [
        "{% for g in [r, d] | batch(3) %}- {{ g | first }}{% endfor %}",
        "{% for g, rows in (xs or []) | groupby('id') %}- {{ (rows | first).id }}{% endfor %}",
        "{{ [[r], [d]] | map('first') | join(', ') }}",
        "{{ (xs or []) | map(attribute='note', default='-') | list | length }}",
        "{% if 0 < full | length %}{{ full[0] }}{% endif %}",
        "{% if 1 <= ls | length %}{{ ls | first }}{% endif %}",
        "{% if 0 == ls | length %}-{% else %}{{ ls | last }}{% endif %}",
        "{{ r | replace('input', 'foo') | length }}",
    ],
)
def test_what_is_there_for_certain_is_accepted(template: str) -> None:
    assert findings(template, INPUTS) == []
