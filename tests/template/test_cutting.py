"""Cutting a template into pieces gives the texts and the syntax that Jinja2 itself finds in the whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jinja2 import Environment, TemplateSyntaxError, nodes

from frieze.profiles import load_graph
from frieze.template.cutting import cut

ENVIRONMENT = Environment(trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)

BITS = (
    "a", "b c", " ", "  ", "\t", "\n", "\n\n", "\u00a0", "\u2028", "{{ x }}", "{{- x }}", "{{ x -}}", "{{+ x }}", "{{ 'a}}' }}", '{{ "%}" }}',
    "{{ x - 1 }}", "{{ -x }}", "{{ {'a': 1}['a'] }}", "{{ (x }}", "{{ x --}}", "{% if x %}", "{%- if x %}", "{% if x -%}", "{%+ if x +%}",
    "{%if x%}", "{% if x % 2 %}", "{% if '%}' %}", "{% elif y %}", "{% else %}", "{%- else -%}", "{% endif %}", "{%- endif -%}", "{%+ endif +%}",
    "{% for i in x %}", "{% for i in x if i recursive %}", "{% endfor %}", "{% endfor -%}", "{% set a = 1 %}", "{% include 'a' %}", "{# c #}",
    "{#- c -#}", "{#+ c +#}", "{#-#}", "{##}", "{# {{ x }} #}", "{% raw %}", "{% endraw %}", "{% raw -%}", "{%", "{{", "{#", "}}", "%}", "#}",
    "{", "{{%", "{%- if x and\ny -%}", "{{ x\n}}", "{% ifx %}", "{% if\u00e9 %}", "{% endif x %}", "{{ 'it\\'s' }}", "{{ ' }}", "#", "{{}}",
)  # fmt: skip


def flat(body: list[Any]) -> Iterator[str]:
    """Yield statements, texts and outputs as written; neighbouring texts are one."""
    text = ""
    for node in body:
        for part in node.nodes if isinstance(node, nodes.Output) else [node]:
            if isinstance(part, nodes.TemplateData):
                text += part.data
                continue
            if text:
                yield repr(text)
            text = ""
            yield repr(part)
    if text:
        yield repr(text)


def in_pieces(source: str) -> list[str] | None:
    pieces = cut(source)
    if pieces is None:
        return None
    body: list[Any] = []
    for start, text, is_text in pieces:
        if is_text:
            assert source.startswith(text, start), "a text stands where it says"
            body.append(nodes.Output([nodes.TemplateData(text)]))
        else:
            assert source.startswith(text, start), "a statement stands where it says"
            body += ENVIRONMENT.parse(text).body
    return list(flat(body))


def whole(source: str) -> list[str]:
    return list(flat(ENVIRONMENT.parse(source).body))


def outcome(read: Callable[[str], list[str] | None], source: str) -> list[str] | str | None:
    try:
        return read(source)
    except TemplateSyntaxError:
        return "refused"


@settings(max_examples=1_500, deadline=None)
@given(st.lists(st.sampled_from(BITS), max_size=9).map("".join))
def test_the_pieces_are_what_jinja_finds(source: str) -> None:
    found = outcome(in_pieces, source)
    assert found is None or found == outcome(whole, source)


def bodies() -> Iterator[str]:
    body = st.deferred(lambda: st.lists(st.one_of(bit, statement), max_size=4).map("".join))
    bit = st.sampled_from([each for each in BITS[:14] if "{'" not in each] + ["{# c #}", "{#- c -#}"])
    sign = st.sampled_from(["", "-", "+"])
    statement = st.builds(
        "{{%{} if x {}%}}{}{{%{} else {}%}}{}{{%{} endif {}%}}".format, sign, sign, body, sign, sign, body, sign, sign
    ) | st.builds("{{%{} for i in x {}%}}{}{{%{} endfor {}%}}".format, sign, sign, body, sign, sign)
    yield body


@settings(max_examples=400, deadline=None)
@given(next(bodies()))
def test_well_formed_templates_are_cut(source: str) -> None:
    assert in_pieces(source) == whole(source)


def test_the_shipped_templates_are_cut_as_jinja_reads_them() -> None:
    root = Path(__file__).parents[2]
    graphs = [load_graph(root / "examples" / name)[0] for name in ("support-desk", "coding-agent")]
    blocks = [each for graph in graphs if graph for each in graph.blocks.values()]
    blocks += [each.instructions for graph in graphs if graph for each in graph.agents.values() if each.instructions]
    templates = [block.body.value for block in blocks if block.body]
    found = [(in_pieces(text), whole(text)) for text in templates]
    cut_up = [(pieces, expected) for pieces, expected in found if pieces is not None]
    assert len(cut_up) > 40
    assert all(pieces == expected for pieces, expected in cut_up)


@pytest.mark.parametrize(
    "source", ["{% set a = 1 %}", "{% if x %}", "{% endif %}", "{% if x %}{% endfor %}", "{{ {} }}", "a\r\nb"]
)
def test_what_is_not_plain_is_left_whole(source: str) -> None:
    assert cut(source) is None
