"""Templates as agent frameworks, chat models and project generators ship them, in our own words, over many splits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from support.oracle import REFUSED, frozen, jinja

TOOLS = {
    "search": {"name": "search", "description": "Finds pages.", "inputs": {"q": {"type": "string", "description": "words"}}, "output_type": "string"},
    "add": {"name": "add", "description": "Adds.", "inputs": {"a": {"type": "integer", "description": "one"}, "b": {"type": "integer", "description": "two"}}, "output_type": "integer"},
}  # fmt: skip
MESSAGES = [
    {"role": "system", "content": "Be brief. "},
    {"role": "user", "content": " Hi <b> "},
    {"role": "assistant", "content": "Hello\nthere", "tool_calls": []},
    {"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image"}]},
]
DOCS = [
    {"title": "One", "text": "first text", "score": 0.5, "meta": {"url": "u1"}},
    {"title": "Two", "text": "second", "score": 1.0, "meta": {}},
]
CONTEXT: dict[str, Any] = {
    "tools": TOOLS, "messages": MESSAGES, "docs": DOCS, "name": "Ada Löwe", "task": "sum {{ it }} up", "flag": True, "off": False, "n": 3, "x": 1.0,
    "none_value": None, "words": ["beta", "Alpha", "gamma", "alpha"], "empty": [], "nested": {"a": {"b": [1, 2, {"c": "deep"}]}}, "lang": "en",
    "managed": {}, "text": "line one\nline two\n\nline four", "bos_token": "<s>", "eos_token": "</s>", "add_generation_prompt": True,
    "config": {"debug": False, "level": 2, "paths": ["a", "b"]}, "price": 12.5, "unit": "km", "people": [{"n": "Bo", "age": 40, "team": "x"}, {"n": "Al", "age": 31, "team": "y"}, {"n": "Cy", "age": 40, "team": "x"}],
}  # fmt: skip

SUPPORTED = [
    # agents and tools
    "You can use:\n{%- for tool in tools.values() %}\n- {{ tool.name }}: {{ tool.description }}\n    Takes: {{ tool.inputs }}, gives {{ tool.output_type }}\n{%- endfor %}\n{%- if managed and managed.values() | list %}\nTeam:{% for m in managed.values() %}{{ m.name }}{% endfor %}\n{%- endif %}\nTask: {{ task }}",
    '{% for key, tool in tools.items() %}def {{ key }}({% for arg, info in tool.inputs.items() %}{{ arg }}: {{ info.type }}{% if not loop.last %}, {% endif %}{% endfor %}) -> {{ tool.output_type }}:\n    """{{ tool.description }}\n{% for arg, info in tool.inputs.items() %}        {{ arg }}: {{ info.description }}\n{% endfor %}    """\n{% endfor %}',
    "{{ tools | dictsort | map('first') | join(', ') }}|{{ tools | length }}",
    "{{ tools['search'].description }}{{ tools.get('nope', {}).get('x', 'd') }}{{ tools.add.inputs.keys() | list }}",
    "{{ tools | tojson }}\n{{ tools.search.inputs | tojson(indent=2) }}",
    "{{ tools | tojson | indent(2) }}{{ name | e | upper }}{{ task | tojson | trim }}{{ (name | e | trim) ~ '<' }}{{ words | tojson | indent(width=3, first=true) | upper }}",
    # chat templates
    "{% for message in messages %}{{ '<|' + message['role'] + '|>\n' }}{% if message['content'] is string %}{{ message['content'] | trim }}{% else %}{% for part in message['content'] %}{% if part['type'] == 'text' %}{{ part['text'] }}{% else %}[image]{% endif %}{% endfor %}{% endif %}{{ eos_token + '\n' }}{% if loop.last and add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}{% endfor %}",
    "{{ bos_token }}{% if messages[0]['role'] == 'system' %}{% set system = messages[0]['content'] %}{% set rest = messages[1:] %}{% else %}{% set system = 'none' %}{% set rest = messages %}{% endif %}[{{ system | trim }}]{% for m in rest %}{{ m.role }}{{ loop.index0 }}{% if (m['role'] == 'user') != (loop.index0 % 2 == 0) %}!{% endif %}{% endfor %}",
    "{%- for message in messages -%}\n  {%- if not loop.first %}\n{% endif -%}\n  {{ message.role | upper }}: {{ message.content if message.content is string else '(parts)' }}\n{%- endfor -%}\n{%- if add_generation_prompt %} ASSISTANT:{% endif %}",
    "{% set users = messages | selectattr('role', 'equalto', 'user') | list %}{{ users | length }}{{ (messages | last).role }}{{ messages[-1]['role'] }}",
    "{% if messages and messages[-1].tool_calls is defined %}tools{% else %}no tools{% endif %}{{ messages | map(attribute='role') | unique | join('/') }}",
    # retrieval
    "Given these documents, answer.\n{% for doc in docs %}\nDocument[{{ loop.index }}]: {{ doc.text }}{% if doc.meta.url %} ({{ doc.meta.url }}){% endif %}\n{% endfor %}\nQuestion: {{ task }}\nAnswer:",
    "{% for d in docs if d.score > 0.6 %}{{ loop.index }}/{{ loop.length }} {{ d['title'] }}{% else %}nothing{% endfor %}",
    "{% for d in docs | sort(attribute='score', reverse=true) %}{{ d['title'] ~ ': ' ~ d.score | round(1) }}{{ ', ' if not loop.last }}{% endfor %}",
    "{{ docs | map(attribute='text') | join('\n---\n') }}{{ docs | sum(attribute='score') }}",
    "{% for d in docs %}{{ d.meta.url | default('no link') }}{{ d.meta.get('url', '-') }}{{ d.score }}{% endfor %}",
    # project generators and SQL
    "select\n{%- for w in words %}\n    {{ w | lower }}{{ ',' if not loop.last else '' }}\n{%- endfor %}\nfrom t{% if config.debug %} limit {{ n }}{% endif %}\n",
    "{% set columns = ['id', 'at'] %}{% set columns = columns + words %}{{ columns | join(', ') }}",
    "{% macro cents(column, digits=2) %}round({{ column }} / 100, {{ digits }}){% endmacro %}{{ cents('amount') }} {{ cents(unit, digits=n) }}",
    "# {{ name | replace(' ', '_') | lower }}\n\n{%- if flag %}\n[x]\n{%- endif %}\nversion = \"{{ n }}.{{ n + 1 }}\"\n",
    "{% set slug = name | lower | replace(' ', '-') %}{{ slug }}{{ slug | length > 5 and 'long' or 'short' }}",
    # operators and precedence
    "{{ 1 + n * 2 - 3 ** 2 // 2 % 3 }} {{ -n ** 2 }} {{ (n + 1) * 2 }} {{ n / 2 }} {{ 7 // 2 }} {{ 2 ** 3 ** 2 }}",
    "{{ 'a' ~ n + 1 ~ 'b' if off else n ~ x ~ flag ~ none_value }}",
    "{{ not flag or off and flag }} {{ n in [1, 2, 3] and 'x' not in words }} {{ 1 < n <= 3 }} {{ 3 > n > 1 > 0 }}",
    "{{ none_value or off or empty or 'end' }}|{{ flag and n and words[0] }}|{{ empty or {} }}",
    "{{ none_value }} {{ flag }} {{ x }} {{ 1e3 }} {{ 10 / 4 }} {{ [none, true, 1.0] }} {{ (1,) }} {{ {'a': 1} }}",
    # slices, text, unicode
    "{{ words[1:] }}{{ words[:-1][0] }}{{ words[::-1] | join }}{{ name[:3] }}{{ name[-4:] }}{{ text[n:n + 4] }}",
    "{{ name | upper }}{{ name | title }}{{ 'ß' | upper }}{{ name | length }}{{ '日本' ~ name }}{{ name | truncate(6, true, '…') }}",
    "{{ text | indent(4) }}\n{{ text | indent(2, true) }}\n{{ text | wordwrap(6) }}\n{{ text | wordcount }}{{ text | replace('line', 'row', 1) }}",
    "{{ 'a,b,c'.split(',') | join(';') }}{{ ' pad '.strip() }}{{ 'Title Case'.lower().startswith('t') }}{{ '{} of {}'.format(1, 2) }}{{ 'x'.center(5) }}{{ name }}",
    "{{ '%s is %d' | format(name, n) }} {{ '%.2f' | format(price) }} {{ price | round }} {{ price | int }} {{ '3' | int + n }}",
    # whitespace control and comments
    "  {%- if flag -%}  tight  {%- endif -%}  \n  {%+ if flag %}  kept {% endif +%}\n{# a comment\n over lines #}\n{%- raw %}{{ not parsed }} {% nor this %}{% endraw -%}\n end {{ n -}}\n  tail",
    "a\r\nb {{ n }}\r\n{% if flag %}\r\nc\r\n{% endif %}\r\nd",
    "{% for i in words -%}\n  {{ i }}\n{%- endfor %}\n\n{% if off %}\nx\n{% elif n == 3 %}\n  three\n{% else %}\ny\n{% endif %}\nz\n",
    # loops and scopes
    "{% for p in people %}{{ loop.index }}.{{ p.n }}{% if loop.first %} first{% endif %}{% if loop.last %} last{% endif %} {{ loop.revindex }} {{ loop.cycle('odd', 'even') }} {{ loop.previtem.n if loop.previtem is defined }}\n{% endfor %}",
    "{% for w in words %}{% for w in config.paths %}{{ w }}{{ loop.index }}{% endfor %}{{ w }}{{ loop.index }} {% endfor %}",
    "{% set count = 0 %}{% for w in words %}{% set count = count + 1 %}{{ count }}{% endfor %}={{ count }}",
    "{% if flag %}{% set title = 'Dear' %}{% else %}{% set title = 'Hi' %}{% endif %}{{ title }} {{ name }}{% if off %}{% set title = 'No' %}{% endif %}{{ title }}",
    "{% set ns = namespace(total=0, seen=[]) %}{% for w in ['a', 'b'] %}{% set ns.total = ns.total + n %}{% set ns.seen = ns.seen + [w] %}{% endfor %}{{ ns.total }}{{ ns.seen | join }}",
    "{% for team, members in people | groupby('team') %}{{ team }}: {{ members | map(attribute='n') | join(', ') }}\n{% endfor %}",
    "{% for row in words | batch(3, '-') %}{{ row | join('|') }}\n{% endfor %}{% for col in words | slice(2) %}{{ col | list | length }}{% endfor %}",
    "{% for k, v in config | dictsort %}{{ k }}={{ v }};{% endfor %}{% for k in config %}{{ k }}{% endfor %}{% for k, v in config | items %}{{ loop.index }}{% endfor %}",
    "{% for i in range(3) %}{{ i }}{% else %}never{% endfor %}{% for i in empty %}x{% else %}empty {{ n }}{% endfor %}",
    # macros, calls, filters, with
    "{% macro item(label, value='none', bold=false) %}{% if bold %}**{{ label }}**{% else %}{{ label }}{% endif %}: {{ value }}\n{% endmacro %}{{ item('Name', name) }}{{ item('Unit', bold=true) }}{{ item(value=n, label='N') }}",
    "{% macro box(title) %}[{{ title }}: {{ caller() }}]{% endmacro %}{% call box(name) %}inside {{ n }}{% endcall %}",
    "{% macro tag(t) %}<{{ t }}>{{ caller(n) }}</{{ t }}>{% endmacro %}{% call(k) tag(unit) %}{{ k }}{{ name }}{% endcall %}",
    "{% macro tree(node, depth=0) %}{{ '  ' * depth }}{{ node.v }}\n{% for child in node.c %}{{ tree(child, depth + 1) }}{% endfor %}{% endmacro %}{{ tree({'v': 1, 'c': [{'v': 2, 'c': []}, {'v': 3, 'c': [{'v': 4, 'c': []}]}]}) }}{{ n }}",
    "{% filter upper %}shout {{ name }}{% endfilter %}{% filter indent(2) | trim %}\n{{ text }}\n{% endfilter %}",
    "{% with greeting = 'Hi ' ~ name, n = n + 1 %}{{ greeting }}{{ n }}{% endwith %}{{ n }}",
    "{% set body %}<p>{{ name }}</p>{% endset %}{{ body | length }}{{ body | upper }}{% set quoted | replace('a', 'b') %}a {{ unit }} a{% endset %}{{ quoted }}",
    # filters with side conditions
    "{{ none_value | default('d') }}{{ none_value | default('d', true) }}{{ missing | default('m') }}{{ missing | default(n) }}{{ nested.a.q | default('q') }}{{ '' | default('e', boolean=true) }}",
    "{{ people | join(', ', attribute='n') }}{{ people | map(attribute='age') | max }}{{ people | selectattr('age', 'gt', 35) | map(attribute='n') | list }}{{ people | rejectattr('team', 'in', ['x']) | list | length }}",
    "{{ words | sort }}{{ words | sort(case_sensitive=true) }}{{ words | unique | list }}{{ words | first }}{{ words | last }}{{ words | reverse | list }}{{ words | map('upper') | join('-') }}",
    "{{ nested.a.b[2].c }}{{ nested['a']['b'][0] }}{{ nested.a.b | length }}{{ (nested.a.b | last)['c'] | capitalize }}{{ people[0]['n'] }}{{ people.0.n }}",
    "{{ n is odd }}{{ n is divisibleby 3 }}{{ name is string }}{{ words is iterable }}{{ config is mapping }}{{ missing is defined }}{{ none_value is none }}{{ lang is in ['en', 'de'] }}{{ n is not even }}",
    "{{ price ~ ' ' ~ unit }}{{ 5000 | filesizeformat }}{{ n | abs }}{{ 'a b' | urlencode }}{{ '<i>' | e }}{{ name | e }}{{ words | tojson }}{{ 'x' | center(5) }}|",
    "{{ 'yes' if flag }}{{ 'no' if off }}{{ ('a' if off) is defined }}{{ 'x' ~ ('y' if off) }}{{ name if flag else 'anon' }}",
    "{% if lang == 'en' %}Hello{% elif lang == 'de' %}Hallo{% elif lang in ('fr', 'es') %}Salut{% else %}?{% endif %}, {{ 'Ms X'.split(' ')[0] if off else name }}{{ '!' * n if false else '!' }}",
    "{% if not empty and words | length > 2 and (flag or missing) %}ok{% endif %}{% if config.level >= 2 and not config.debug %} quiet{% endif %}",
    "{% set parts = [name, unit, none_value] | select | list %}{{ parts | join(' / ') }}{% set a, b = 1, n %}{{ a + b }}{% set t = (n, unit) %}{{ t[1] }}",
    "{% for label, value in [('Name', name), ('Unit', unit), ('None', none_value)] %}{% if value %}- {{ label }}: {{ value }}\n{% endif %}{% endfor %}",
]  # fmt: skip

REFUSED_ON_UNKNOWN = [
    "{{ name.upper() }}",
    "{% set ns = namespace(found=false) %}{% for w in words %}{% if w == lang %}{% set ns.found = true %}{% endif %}{% endfor %}{{ ns.found }}",
    "{% for d in docs %}{{ d.title }}{% endfor %}",
    "{% for i in range(n) %}{{ i }}{% endfor %}",
    "{% for m in messages %}{% if m.content is string and m.content.startswith(' ') %}!{% endif %}{% endfor %}",
    "{{ words | select('equalto', lang) }}",
    "{{ words | map('upper') | length }}",
    "{% for d in docs recursive %}{{ d.text }}{{ loop(d.children or []) }}{% endfor %}",
]


def splits(source: str, count: int) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """The context with everything known, nothing known, and random parts known."""
    choose = random.Random(source)
    used = [name for name in CONTEXT if name in source]
    found = [(CONTEXT, {}), ({}, CONTEXT)]
    for _ in range(count):
        known = {name for name in used if choose.random() < 0.5}
        unused = {name for name in CONTEXT if name not in used}
        found.append(
            (
                {name: CONTEXT[name] for name in CONTEXT if name in known | unused},
                {name: CONTEXT[name] for name in used if name not in known},
            )
        )
    return found


@pytest.mark.parametrize("source", SUPPORTED, ids=range(len(SUPPORTED)))
def test_every_split_renders_as_jinja(source: str) -> None:
    expected = jinja(source, CONTEXT)
    for known, unknown in splits(source, 12):
        assert frozen(source, known, unknown) == expected, (known.keys(), unknown.keys())


@pytest.mark.parametrize("source", SUPPORTED, ids=range(len(SUPPORTED)))
def test_other_values_render_as_jinja(source: str) -> None:
    choose = random.Random(source)
    for known, unknown in splits(source, 6):
        changed = {name: choose.choice([value, value, None, "", 0, [], "txt"]) for name, value in unknown.items()}
        assert frozen(source, known, changed) == jinja(source, {**known, **changed})


@pytest.mark.parametrize("source", REFUSED_ON_UNKNOWN, ids=range(len(REFUSED_ON_UNKNOWN)))
def test_what_has_no_right_residual_is_refused_and_runs_when_known(source: str) -> None:
    assert frozen(source, {}, CONTEXT) == REFUSED
    expected = jinja(source, CONTEXT)
    assert frozen(source, CONTEXT, {}) == expected or "0x" in str(expected) or "raises" in expected
