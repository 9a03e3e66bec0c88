"""Whatever an editor's slip makes of a profile: findings with a code and a place, in every format, never an exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import frieze
from frieze.cli.reporters import FORMATS, Report, render
from frieze.diagnostics.catalogue import CODES
from support.projects import write_files

FILES = {
    "frieze.yaml": """\
kind: project
name: desk
version: 1.2.3
context:
  order.number: {type: line, zone: session, trust: user, description: The order.}
  order.items: {type: list, of: line, zone: session, trust: user, description: What was ordered.}
""",
    "profiles/helper.yaml": """\
kind: agent
name: helper
description: Helps.
defaults: {platform: web-chat, model: claude-sonnet-4-6, personality: friendly}
instructions: |
  You help on {{ platform.name }}.
  {% if personality.name == "friendly" %}
  Be {{ personality }}
  {% endif %}
layout:
  from: std
  insert: {order: {after: instructions}}
  remove: [citation-rule]
""",
    "profiles/order.yaml": """\
kind: block
name: order
heading: Order
when: number is defined or items
inputs:
  number: {type: line, from: [order.number], max_length: 20}
  items: {type: list, of: line, from: order.items, max_items: 5}
body: |
  {% if number %}
  Number: {{ number | upper }}
  {% endif %}
  {% for item in items %}
  - {{ item }}
  {% else %}
  Nothing was ordered.
  {% endfor %}
""",
    "profiles/calm.yaml": """\
kind: personality
name: calm
extends: friendly
text: >-
  Speak calmly,
  and slowly.
""",
}

SLIPS = (
    *(
        "",
        " ",
        "\t",
        ":",
        ": ",
        "- ",
        "#",
        "'",
        '"',
        "|",
        ">",
        "&a ",
        "*a",
        "!!int ",
        "<<: ",
        "---\n",
        "...\n",
        "%YAML 1.1\n",
    ),
    *("{", "}", "[", "]", "{{", "}}", "{%", "%}", "{#", "~", "null", "no", "017", "1.10", "2026-01-01", "0x1F", ".nan"),
    *(
        "{{ x }}",
        "{% if %}",
        "{{ 1 // 0 }}",
        "{{ 'x' * 10**9 }}",
        "{{ personality.__class__ }}",
        "{% include 'order' %}",
    ),
    *(
        "extends: helper\n",
        "name: helper\n",
        "kind: block\n",
        "\u202e",
        "\u200b",
        "\x00",
        "\x1b[31m",
        "\ufeff",
        "\u2028",
        "\r",
        "保守",
    ),
    *("\ud800", "x" * 300, "[" * 200, "a: " * 50),
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, str]:
    files = dict(FILES)
    for _ in range(draw(st.integers(1, 3))):
        name = draw(st.sampled_from(sorted(files)))
        text = files[name]
        at = draw(st.integers(0, len(text)))
        match draw(st.sampled_from(["insert", "replace", "cut", "drop line", "double line", "indent line"])):
            case "insert":
                text = text[:at] + draw(st.sampled_from(SLIPS)) + text[at:]
            case "replace":
                text = text[:at] + draw(st.sampled_from(SLIPS)) + text[at + draw(st.integers(1, 12)) :]
            case "cut":
                text = text[:at]
            case other:
                lines = text.split("\n")
                index = min(text.count("\n", 0, at), len(lines) - 1)
                line = lines[index]
                lines[index : index + 1] = {"drop line": [], "double line": [line, line], "indent line": [f" {line}"]}[
                    other
                ]
                text = "\n".join(lines)
        files[name] = text
    return files


def hold_the_line(root: Path) -> None:
    result = frieze.check(root)
    for diagnostic in result.diagnostics:
        assert diagnostic.code in CODES
        assert diagnostic.span.file
        assert diagnostic.message
        assert "\n" not in diagnostic.message
    report = Report.of(result.diagnostics, texts=result.texts, project=result.project_name, counts=result.counts)
    for form in FORMATS:
        shown = render(report, form)
        assert shown.endswith("\n")
        if form in {"json", "sarif"}:
            json.loads(shown)
    if not report.failed and "F309" not in {diagnostic.code for diagnostic in result.diagnostics}:
        assert frieze.compile(root).bundle is not None


@pytest.mark.parametrize(
    "line",
    [
        '"x\\ny": 1',
        'data: {"x\\ny": 1, "x\\ny": 2}',
        'inputs: {"x\\ny": {type: line}}',
        'inputs: {n: {type: "x\\ny", from: contact.name}}',
        'layout: {insert: {"x\\ny": {at: last}}}',
        'layout: {remove: ["x\\ny"]}',
        'defaults: {platform: "x\\ny"}',
        'skills: ["x\\ny"]',
        'extends: "x\\ny"',
        "{{ a\nb }}",
    ],
)
def test_a_line_break_in_a_word_is_shown_on_the_line_of_the_message(tmp_path: Path, line: str) -> None:
    helper = f"kind: agent\nname: helper\ninstructions: Help.\n{line}\n"
    write_files(tmp_path, {**FILES, "profiles/helper.yaml": helper})
    assert frieze.check(tmp_path).failed
    hold_the_line(tmp_path)


def test_the_project_itself_is_fine(tmp_path: Path) -> None:
    assert not frieze.check(write_files(tmp_path, FILES)).diagnostics


@given(mutated())
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_mutated_profiles(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    hold_the_line(write_files(tmp_path_factory.mktemp("mutated"), files))


@pytest.mark.slow
@given(mutated())
@settings(max_examples=1500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_many_mutated_profiles(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    hold_the_line(write_files(tmp_path_factory.mktemp("mutated"), files))
