"""Templates where none is read, and headings quoted with a slip: what is blamed, where, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from support.projects import write_files

PROJECT = {"frieze.yaml": "kind: project\nname: probe\n"}
AGENT = "kind: agent\nname: helper\n"
SLOTS = {"profiles/slots.yaml": "kind: block\nname: slots\nheading: Free slots\nbody: Monday.\n"}


def findings(root: Path, files: dict[str, str], code: str) -> list[Diagnostic]:
    result = frieze.check(write_files(root, {**PROJECT, **files}))
    assert not result.failed, result.diagnostics
    return [found for found in result.diagnostics if found.code == code]


def marked(root: Path, found: Diagnostic) -> str:
    line = (root / found.span.file).read_text("utf-8").splitlines()[found.span.line - 1]
    return line[found.span.column - 1 : found.span.end_column - 1]


@pytest.mark.parametrize(
    ("file", "written", "shown"),
    [
        (
            "kind: block\nname: slots\nheading: 'Slots of {{ agent.name }}'\nbody: Monday.\n",
            "{{ agent.name }}",
            "'Slots of {{ agent.name }}'",
        ),
        ("kind: personality\nname: calm\ntext: 'Be calm {% if x %}'\n", "{% if x %}", "{% if x %}"),
        (
            "kind: model\nname: large\nvendor: openai\npersonalities: {friendly: 'Hi {{ name }}'}\n",
            "{{ name }}",
            "{{ name }}",
        ),
        (
            "kind: platform\nname: shop\ngroup: {instructions: 'Several. {# no #}'}\n",
            "{# no #}",
            "'Several. {# no #}'",
        ),
        ("kind: skill\nname: refunds\ntext: 'Refund {{ order }}.'\n", "{{ order }}", "{{ order }}"),
        ("kind: tool\nname: find\ndescription: 'Finds {{ x }}.'\n", "{{ x }}", "'Finds {{ x }}.'"),
    ],
)
def test_every_plain_text_is_looked_at(tmp_path: Path, file: str, written: str, shown: str) -> None:
    name = file.split("name: ")[1].split("\n")[0]
    kind = file.split()[1]
    uses = {"skill": f"skills: [{name}]\n", "tool": f"tools: [{name}]\n"}.get(kind, "")
    if kind == "block":
        uses = f"layout: {{insert: {{{name}: {{after: instructions}}}}}}\n"
    agent = f"{AGENT}{uses}instructions: Help.\n"
    (found,) = findings(tmp_path, {"profiles/helper.yaml": agent, "profiles/it.yaml": file}, "F712")
    assert dict(found.args) == {"written": written}
    assert found.span.file == "profiles/it.yaml"
    assert marked(tmp_path, found) == shown
    assert "plain text, not a template" in found.message


@pytest.mark.parametrize(
    "text", ["Speak calmly.", "Never fill `{{ name }}` in.", "A set {x}.", "```\n  {{ name }}\n  ```\n  Leave it."]
)
def test_examples_between_backticks_and_single_braces_are_left_alone(tmp_path: Path, text: str) -> None:
    files = {
        "profiles/helper.yaml": f"{AGENT}instructions: Help.\n",
        "profiles/calm.yaml": f"kind: personality\nname: calm\ntext: |\n  {text}\n",
    }
    assert findings(tmp_path, files, "F712") == []


def quoting(root: Path, sentence: str) -> list[Diagnostic]:
    agent = f"{AGENT}layout: {{insert: {{slots: {{after: instructions}}}}}}\ninstructions: |\n  {sentence}\n"
    return findings(root, {**SLOTS, "profiles/helper.yaml": agent}, "F713")


@pytest.mark.parametrize(
    ("sentence", "slip", "heading"),
    [
        ('Offer what stands below "Free slot".', "Offer what stands below ", "Free slots"),
        ("See “free slots”.", "See ", "Free slots"),
        ('See "Free slotz."', "See ", "Free slots"),
        ('See "Current user informations".', "See ", "Current user information"),
    ],
)
def test_a_slip_in_a_quoted_heading(tmp_path: Path, sentence: str, slip: str, heading: str) -> None:
    (found,) = quoting(tmp_path, sentence)
    assert found.help == f"did you mean `{heading}`?"
    assert (found.span.line, found.span.column) == (5, 3 + len(slip) + 1)
    assert marked(tmp_path, found) == dict(found.args)["quoted"]


@pytest.mark.parametrize(
    "sentence",
    [
        'See "Free slots".',
        'See "Free slots."',
        'Say "Free of charge" where it is.',
        'Their "skill" does not matter.',
        '{% if platform.name == "Free slot" %}Hello.{% endif %}',
        "See Free slot.",
    ],
)
def test_what_is_right_or_means_something_else_is_left_alone(tmp_path: Path, sentence: str) -> None:
    assert quoting(tmp_path, sentence) == []
