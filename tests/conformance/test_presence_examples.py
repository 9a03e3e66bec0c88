"""The published examples of the presence proof, under their numbers: what is accepted and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from support.declared import expression_of, findings, residual_of

INPUTS: dict[str, Any] = {
    "a": {"type": "line"},
    "b": {"type": "line"},
    "r": {"type": "line", "required": True},
    "k": {"type": "integer"},
    "ls": {"type": "list", "of": "line"},
    "xs": {"type": "list", "of": {"fields": {"id": {"type": "line", "required": True}, "note": {"type": "line"}}}},
    "attr": {"type": "attributes"},
}

ACCEPTED = [
    ("{{ a }}", "a"),
    "{% if a %}{{ a }}{% endif %}",
    "{% if not a %}x{% else %}{{ a }}{% endif %}",
    "{{ a or r }}",
    "{{ a or b or 'none' }}",
    "{{ a|default(b)|default('x') }}",
    "{% if a is defined and b is defined %}{{ a ~ b }}{% endif %}",
    "{{ a if a else 'x' }}",
    "{% if a or b %}{{ a or b }}{% endif %}",
    "{% set n = a or 'friend' %}{{ n }}",
    "{% set ok = a and b %}{% if ok %}{{ a }}{{ b }}{% endif %}",
    "{% if a %}{% set n = a %}{% else %}{% set n = r %}{% endif %}{{ n }}",
    "{% for x in xs if x.note %}{{ x.note }}{% endfor %}",
    "{% if k is defined and k > 3 %}{{ k }}{% endif %}",
    "{% if a == 'x' %}{{ a|upper }}{% endif %}",
    "{% if a in ['x','y'] %}{{ a }}{% endif %}",
    "{% if xs %}{{ (xs|first).id }}{{ xs[0].id }}{% endif %}",
    "{% macro m(v) %}{% if v %}{{ v }}{% endif %}{% endmacro %}{{ m(a) }}",
    "{% with n = a %}{% if n %}{{ n }}{% endif %}{% endwith %}",
    "{% set p = a is defined %}{% if p or b %}{% if not p %}{{ b }}{% endif %}{% endif %}",
    "{% if xs|length %}{{ xs[0].id }}{% endif %}",
    "{% if xs|length > 0 %}{{ xs[-1].id }}{% endif %}",
    "{% if a %}{{ a }}{% endif %}-{% if a %}{{ a }}{% endif %}",
    "{% if a %}x{% elif b %}{{ b }}{% else %}{% if r %}{{ r }}{% endif %}{% endif %}",
    "{% if xs %}{% for x in xs %}{% if x.note %}{{ x.id }}: {{ x.note }}{% endif %}{% endfor %}{% endif %}",
    "{% for x in ls %}{% if not loop.first %}{{ loop.previtem }}{% endif %}{{ x }}{% else %}none{% endfor %}",
    "{% if attr and attr.city is defined %}{{ attr.city }}{% endif %}",
]
REFUSED = [
    "{{ a }}",
    "{{ a|upper }}",
    "{{ a ~ 'x' }}",
    "{% if a or b %}{{ a }}{% endif %}",
    "{% if a != 'x' %}{{ a }}{% endif %}",
    "{{ a and r }}",
    "{{ a or b }}",
    "{{ a if r else 'x' }}",
    "{{ a if a }}",
    "{% set n = a %}{{ n }}",
    "{% if a %}{% set n = a %}{% endif %}{{ n }}",
    "{% for x in xs %}{{ x.note }}{% endfor %}",
    "{{ xs|first }}",
    "{% if k > 3 %}{{ k }}{% endif %}",
    "{{ a|default(b) }}",
    ("{{ attr.city }}", "attr"),
    "{% for x in ls if a %}..{% else %}{{ a }}{% endfor %}",
    "{% macro m(v) %}{{ v }}{% endmacro %}{{ m(a) }}",
    "{{ [a, r]|join }}",
    "{% if not (a and b) %}{{ b }}{% endif %}",
    "{{ a|upper|default('x') }}",
    "{% if ls %}{{ xs[0].id }}{% endif %}",
]


def numbered(examples: list[Any]) -> list[Any]:
    rows = [example if isinstance(example, tuple) else (example, "true") for example in examples]
    return [pytest.param(*row, id=f"{number}") for number, row in enumerate(rows, 1)]


@pytest.mark.parametrize(("template", "when"), numbered(ACCEPTED))
def test_accepted(template: str, when: str) -> None:
    assert findings(template, INPUTS, when) == []


@pytest.mark.parametrize(("template", "when"), numbered(REFUSED))
def test_refused(template: str, when: str) -> None:
    """The evaluator refuses an inline `if` without `else` by itself, and gives no residual."""
    if residual_of(template, INPUTS) is None:
        assert template == "{{ a if a }}"
        return
    assert expression_of(when, INPUTS) is not None
    assert {diagnostic.code for diagnostic in findings(template, INPUTS, when)} <= {"F501", "F502"}
    assert len(findings(template, INPUTS, when)) == 1
