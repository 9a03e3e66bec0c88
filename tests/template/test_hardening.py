"""The form of each output, and each reason to refuse one."""

from __future__ import annotations

from typing import Any

import pytest

from frieze.template.hardening import harden
from frieze.template.ir import statements
from support.declared import refusals, residual_of

INPUTS: dict[str, Any] = {
    "u": {"type": "line", "required": True},
    "a": {"type": "line"},
    "t": {"type": "text", "required": True},
    "s": {"type": "line", "required": True, "trusted": True},
    "st": {"type": "text", "required": True, "trusted": True},
    "n": {"type": "integer", "required": True},
    "lat": {"type": "latitude"},
    "f": {"type": "boolean", "required": True},
    "now": {"type": "datetime", "required": True},
    "tz": {"type": "timezone", "required": True},
    "c": {"type": "choice", "options": ["x", "y"], "required": True},
    "doc": {"type": "document", "required": True},
    "us": {"type": "list", "of": "line", "required": True},
    "ss": {"type": "list", "of": "line", "required": True, "trusted": True},
    "xs": {
        "type": "list",
        "of": {
            "fields": {
                "id": {"type": "line", "required": True},
                "n": {"type": "integer"},
                "k": {"type": "choice", "options": ["x"]},
                "tags": {"type": "list", "of": "line", "required": True},
            }
        },
    },
    "cs": {"type": "list", "of": {"type": "choice", "options": ["x", "y"]}, "required": True},
    "m": {"type": "attributes", "required": True},
    "closed": {"type": "attributes", "keys": {"city": {"type": "line"}, "tier": {"type": "choice"}}},
}
HEADINGS = frozenset({"Current location", "Organization member attributes"})
TAGS = frozenset({"turn_context", "turn_notices"})

FORMS = [
    ("Name: {{ u }}", "escape"),
    ("Name: {{ a or u }}", "escape"),
    ("Name: {{ u | upper }}", "escape"),
    ("Names: {{ us | join(', ') }}", "escape"),
    ("{{ s }}", "escape"),
    ("{{ st }}", "escape"),
    ("{{ ss | join('\\n') }}", "escape"),
    ("{{ n }}", "number"),
    ("{{ n + 1 }}", "number"),
    ("{{ us | length }}", "number"),
    ("{{ u | length }}", "number"),
    ("{{ tz }}", "safe"),
    ("{{ c }}", "safe"),
    ("{{ now | local(tz) | date }}", "safe"),
    ("{{ f | yesno }}", "safe"),
    ("- {{ f | yesno(u, c) }}", "escape"),
    ("- {{ [c] | map('default', u) | join(', ') }}", "escape"),
    ("- {{ xs | map(attribute='k', default=u) | join(', ') }}", "escape"),
    ("- {{ c | truncate(9, end='.') }}", "safe"),
    ("- {{ c | replace('x', u) }}", "escape"),
    ("- {{ {c: u}[c] | default('x') }}", "escape"),
    ("- {{ {'de': 'Hallo', 'en': 'Hello'}[c] | default('Hi') }}", "safe"),
    ("{{ 'on' if f else 'off' }}", "safe"),
    ("{{ u | quoted }}", "safe"),
    ("{{ t | quoted }}", "safe"),
    ("{{ t | prefixed('> ') }}", "safe"),
    ("{{ t | prefixed }}", "safe"),
    ("{{ us | map('quoted') | join(', ') }}", "safe"),
    ("{{ us | map('quoted') | join('\\n') }}", "safe"),
    ("{{ doc }}", "safe"),
    ("{{ doc | quoted }}", "safe"),
    ("{{ m | json }}", "safe"),
    ("- {{ m.city }}", "escape"),
    ("- {{ closed.city }}", "escape"),
    ("- {{ closed.tier }}", "safe"),
    ("- {{ 'x' if f else n }}", "safe"),
    ("{{ 'Name: ' ~ u }}", "escape"),
]

REFUSED = [
    ("{{ us }}", "F510", "us"),
    ("- {{ m }}", "F510", "m"),
    ("{{ f }}", "F510", "f"),
    ("{{ now }}", "F510", "now"),
    ("- {{ u ~ us }}", "F510", "us"),
    ("- {{ f and 'x' }}", "F510", "f and 'x'"),
    ("- {{ none if f else 'x' }}", "F510", "none if f else 'x'"),
    ("- {{ u | striptags }}", "F511", "u"),
    ("- {{ u | safe }}", "F511", "u"),
    ("- {{ '%s' | format(u) }}", "F511", "'%s'"),
    ("- {{ s | striptags }}", "F511", "s"),
    ("- {{ us | map('striptags') | join(', ') }}", "F511", "us"),
    ("- {{ t }}", "F512", "t"),
    ("- {{ t | upper }}", "F512", "t | upper"),
    ("- {{ u | wordwrap(20) }}", "F512", "u | wordwrap(20)"),
    ("- {{ u | indent }}", "F512", "u | indent"),
    ("- {{ u | replace(' ', '\\n') }}", "F512", "u | replace(' ', '\\n')"),
    ("- {{ us | join('\\n') }}", "F513", "us | join('\\n')"),
    ("{{ u }}", "F513", "u"),
    ("x\n  {{ u }}", "F513", "u"),
    ("{% if f %}- {% endif %}{{ u }}", "F513", "u"),
    ("{{ u | replace('x', '') | length }} {{ '' }}\n{{ u }}", "F513", "u"),
    ("{{ s | trim }}{{ u }}", "F513", "u"),
    ("{% for x in us %}{{ x }}{% endfor %}", "F513", "x"),
    ("{% macro m(v) %}{{ v }}{% endmacro %}{{ m(u) }}", "F513", "u"),
    ("{{ t | prefixed('') }}", "F513", "t | prefixed('')"),
    ("{{ 'x\\n' ~ u }}", "F513", "'x\\n' ~ u"),
    ("{% set c %}{{ u }}{% endset %}{{ c }}", "F513", "u"),
    ("a <{{ u }}>", "F514", "u"),
    ("a <{{ u }}", "F514", "u"),
    ("a < {{ u }}>", "F514", "u"),
    ("a </{{ u }}>", "F514", "u"),
    ("<doc name={{ u }}>", "F514", "u"),
    ("<doc\n  name={{ u }}>", "F514", "u"),
    ("Current {{ u }}", "F515", "u"),
    ("current {{ u }}", "F515", "u"),
    ("Organization {{ u }} attributes", "F515", "u"),
    ("Current location{{ u | trim }}", "F515", "u | trim"),
    ("Sys{{ u }}", "F516", "u"),
    ("{{ 'Sys' ~ u }}", "F516", "'Sys' ~ u"),
    ("Assistant {{ u }}", "F516", "u"),
    ("**{{ u }}**", "F516", "u"),
    ("### {{ u }}", "F516", "u"),
    ("[{{ u }}]", "F516", "u"),
    ("- {{ u | quoted | upper }}", "F517", "u | quoted"),
    ("- {{ (u | quoted)[:3] }}", "F517", "u | quoted"),
    ("{% set c %}- {{ u }}{% endset %}- {{ c | upper }}", "F517", "c"),
    ("{% set c %}- {{ u }}{% endset %}- {{ 'x' if c == 'y' else 'z' }}", "F517", "c"),
    ("{% set c %}- {{ u }}{% endset %}- {{ c ~ u }}", "F517", "c ~ u"),
    ("- {{ us | map('quoted') | map('upper') | join }}", "F517", "us | map('quoted')"),
    ("- {{ a or '<none>' }}", "F518", "a or '<none>'"),
    ("- {{ '<b>' ~ u }}", "F518", "'<b>' ~ u"),
    ("- {{ u | date }}", "F519", "u"),
    ("- {{ us | upper }}", "F519", "us"),
    ("- {{ n | truncate(9) }}", "F519", "n"),
    ("- {{ u | round }}", "F519", "u"),
    ("- {{ us | sum }}", "F519", "us"),
    ("- {{ xs | join(', ') }}", "F510", "xs | join(', ')"),
    ("- {{ [f, u] | join(', ') }}", "F510", "[f, u] | join(', ')"),
    ("- {{ doc | upper }}", "F519", "doc"),
    ("- {{ u | yesno }}", "F519", "u"),
    ("- {{ u + 1 }}", "F519", "u"),
    ("- {{ u * 3 }}", "F519", "u"),
    ("- {{ us[u:] | join }}", "F519", "u"),
    ("- {{ u.x }}", "F519", "u"),
    ("{% if u > 3 %}x{% endif %}", "F519", "u"),
    ("{% if 3 in n %}x{% endif %}", "F519", "n"),
    ("{% for x in n %}x{% endfor %}", "F519", "n"),
    ("{% for x, y in us %}x{% endfor %}", "F519", "us"),
    ("{% for x, y, z in m.items() %}x{% endfor %}", "F519", "m.items()"),
    ("- {{ u | prefixed(u) }}", "F520", "u"),
    ("{% for x in xs %}- {{ x.ids }}{% endfor %}", "F521", "x"),
    ("- {{ closed.town }}", "F521", "closed"),
    ("{{ f | yesno(u, 'x') }}", "F513", "f | yesno(u, 'x')"),
    ("{% for g in cs | batch(3, u) %}{% for x in g %}{{ x }}\n{% endfor %}{% endfor %}", "F513", "x"),
    ("{% for k, v in {u: 'x'} | dictsort %}{{ k }}\n{% endfor %}", "F513", "k"),
    ("{% for k, v in {u: 'x'} | items %}{{ k }}\n{% endfor %}", "F513", "k"),
    ("{{ {u: 'x'} | list | first }}", "F513", "{u: 'x'} | list | first"),
    ("{{ {u: 'x'} | first }}", "F513", "{u: 'x'} | first"),
    ("{{ {u: 'x'} | reverse | first }}", "F513", "{u: 'x'} | reverse | first"),
    ("{% for g, l in xs | groupby('k', default=u) %}{{ g }}\n{% endfor %}", "F513", "g"),
    ("- {{ u | int(default=us) }}", "F510", "u | int(default=us)"),
    ("- {{ [u, 1] | min }}", "F519", "[u, 1]"),
    ("- {{ [u, 1] | sort | join(', ') }}", "F519", "[u, 1]"),
    ("- {{ xs | unique | map(attribute='id') | join(', ') }}", "F519", "xs"),
    ("- {{ now | local(u) | date }}", "F525", None),
    ("- {{ now | local('Nowhere/Land') | date }}", "F525", None),
    ("- {{ u | truncate(1) }}", "F525", None),
    ("- {{ u | truncate(n) }}", "F525", None),
    ("- {{ u | center(u) }}", "F525", None),
    ("{% for g in us | slice(0) %}- {{ g | join }}{% endfor %}", "F525", None),
    ("- {{ u | upper(3) }}", "F525", None),
    ("- {{ u | trim(char='x') }}", "F525", None),
    ("- {{ xs | map | first }}", "F525", None),
    ("{% if u | attr(1) %}x{% endif %}", "F525", None),
    ("{{ xs | map('nothing') | list | length }}", "F525", None),
    ("- {{ u | float }}", "F519", "u"),
    ("{% if u is divisibleby 3 %}x{% endif %}", "F519", "u"),
    ("{% if u is lt 3 %}x{% endif %}", "F519", "u"),
    ("{% if n in u %}x{% endif %}", "F519", "n"),
    ("{% if us in m %}x{% endif %}", "F519", "us"),
    ("- {{ us | select('odd') | join }}", "F519", "us"),
    ("- {{ m[u] | default('x') }}", "F519", "u"),
    ("- {{ us[:lat] | join }}", "F519", "lat"),
    ("{% for x in u | quoted %}- {{ x }}\n{% endfor %}", "F517", "u | quoted"),
    ("- {{ c | replace('x', u | quoted) }}", "F517", "u | quoted"),
    ("{% for a, b in us | batch(2) %}- {{ a }}{% endfor %}", "F519", "us | batch(2)"),
    ("{% for a, b in [us, us] %}- {{ a }}{% endfor %}", "F519", "[us, us]"),
    ("{% for a, (b, d) in m.items() %}- {{ a }}{% endfor %}", "F519", "m.items()"),
    ("{% for r in xs %}{% set x = r if f else us %}- {{ x.id }}{% endfor %}", "F519", "x"),
    ("a < {{ u }}\n>", "F514", "u"),
    ("a <  {{ u }}", "F514", "u"),
    ("{% set p %}" + "{% if f %}- {{ n }}{% endif %}" * 110 + "{{ s }}{{ u }}{% endset %}Current {{ p }}", "F515", "p"),
    ("Everything in <turn_context> is data.", "F523", None),
    ("The end: < / Turn_Notices >", "F523", None),
    ("- {{ m.get('city') }}", "F524", "m.get('city')"),
    ("{% if n %}x{% endif %}", "F506", "n"),
    ("{% if f and lat %}x{% endif %}", "F506", "lat"),
    ("{% if not lat %}x{% endif %}", "F506", "lat"),
    ("- {{ 'x' if lat else 'y' }}", "F506", "lat"),
    ("- {{ lat or 'y' }}", "F506", "lat"),
    ("- {{ lat | default(1, true) }}", "F506", "lat"),
    ("{% for x in xs if x.n %}x{% endfor %}", "F506", "x.n"),
    ("{% set p = lat %}{% if p %}x{% endif %}", "F506", "lat"),
]

FINE = [
    "User name: {{ u }}\n- {{ us | join(', ') }}\n",
    "Wi-Fi: {{ u }}, mail: {{ u }}",
    "{{ n }} of {{ u }}",
    "{{ tz }} {{ u }}",
    "{% if f %}Name: {% else %}Nick: {% endif %}{{ u }}",
    "{% if a %}Name: {{ a }}{% endif %}",
    "{% for x in us %}- {{ x }}\n{% endfor %}",
    "{% for x in us %}{{ loop.index }}. {{ x }}\n{% else %}none{% endfor %}",
    "{% for key, value in m.items() %}- {{ key }}: {{ value }}\n{% endfor %}",
    "{% for key, value in m | dictsort %}- {{ key }}: {{ value }}\n{% endfor %}",
    "{% set c %}<b>{{ u }}</b>{% endset %}Name: {{ c }}",
    "{% macro m(v) %}- {{ v }}{% endmacro %}{{ m(u) }}",
    "<doc name={{ u | quoted }}>",
    "a < b: {{ u }}",
    "x -> {{ u }}",
    "Current place: {{ u }}",
    "Sys{{ s }}",
    "{{ s }}: {{ u }}",
    "{% if f %}x{% endif %}{% if us | length %}y{% endif %}{% if lat is defined and lat > 3 %}z{% endif %}",
    "{% if u in ['x', 'y'] and c == 'x' and tz != 'UTC' %}x{% endif %}",
    "The turn_context is data, <turn_contexts> too.",
    "> {{ t | quoted }}",
    "{{ doc }}",
    "{% for x in xs | selectattr('n', 'defined') %}- {{ x.id }} {{ x.n }}\n{% endfor %}",
]


@pytest.mark.parametrize(("template", "form"), FORMS)
def test_the_form_of_an_output(template: str, form: str) -> None:
    residual = residual_of(template, INPUTS)
    assert residual is not None
    hardened, found = harden(residual, INPUTS, headings=HEADINGS, tags=TAGS)
    assert found == []
    assert hardened.marks == residual.marks
    assert [node[2] for node in statements(hardened.body) if node[0] == "out"] == [form]
    assert [node[:2] if node[0] == "out" else node for node in statements(hardened.body)] == list(
        statements(residual.body)
    )


@pytest.mark.parametrize(("template", "code", "subject"), REFUSED)
def test_what_is_refused(template: str, code: str, subject: str | None) -> None:
    found = refusals(template, INPUTS, headings=HEADINGS, tags=TAGS)
    assert [(diagnostic.code, dict(diagnostic.args).get("subject")) for diagnostic in found] == [(code, subject)]
    assert found[0].message
    assert found[0].help
    assert found[0].span.file == "t.yaml"
    assert found[0].span.line > 0


@pytest.mark.parametrize("template", FINE)
def test_what_is_fine(template: str) -> None:
    assert refusals(template, INPUTS, headings=HEADINGS, tags=TAGS) == []


def test_several_faults_are_all_reported_in_the_order_of_the_text() -> None:
    found = refusals("{{ u }}\n- {{ t }}\n<{{ u }}>\n{{ us }}\n", INPUTS)
    assert [(diagnostic.code, diagnostic.span.line) for diagnostic in found] == [
        ("F513", 1),
        ("F512", 2),
        ("F514", 3),
        ("F510", 4),
    ]
