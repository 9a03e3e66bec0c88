"""What variants share is done once, and gives what doing it every time gives: texts, marks, files and findings."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import frieze.pipeline
from frieze.runtime.bundle import canonical
from frieze.template.fragments import Fragments
from frieze.template.sound import Sound

FILES = {
    "frieze.yaml": "kind: project\nname: shared\ncontext:\n  guest.name: {type: line, zone: session}\n"
    "  guest.city: {type: line, zone: session}\n  guest.plans: {type: list, of: line, zone: session}\n"
    "  guest.nights: {type: integer, zone: session}\n",
    "profiles/layout.yaml": "kind: layout\nname: std\nblocks: {instructions: {}}\n",
    "profiles/one.yaml": "kind: platform\nname: one\ntables: true\nmarkup: none\ndata: {word: first, list: [a, b]}\n",
    "profiles/two.yaml": "kind: platform\nname: two\nlanguage: de\ndata: {word: second, list: [c]}\n",
    "profiles/three.yaml": "kind: platform\nname: three\ntables: true\ndata: {word: first, list: []}\n",
}
AGENT = """\
kind: agent
name: {name}
defaults: {{platform: one, model: gemma-3-4b-it, personality: none}}
inputs:
{inputs}
zone: session
instructions: {style}
{text}
"""
INPUTS = {
    "ada": (
        "  name: {type: line, from: guest.name}\n  city: {type: line, from: guest.city, required: true}\n"
        "  plans: {type: list, of: line, from: guest.plans}\n  nights: {type: integer, from: guest.nights}"
    ),
    "bob": (
        "  name: {type: line, from: guest.name, default: you}\n  city: {type: line, from: guest.city, required: true}\n"
        "  plans: {type: line, from: guest.name}\n  nights: {type: integer, from: guest.nights, required: true}\n"
        "  item: {type: line, from: guest.name}"
    ),
    "cleo": "  city: {type: line, from: guest.city}\n  plans: {type: list, of: line, from: guest.plans, required: true}",
}

PIECES = (
    "Some words.", "# Heading", "- ", "< b", "Name: ", "{{ city }}", "{{ name }}", "{{ nobody }}", "{{ plans }}",
    "{{ platform.data.word }}", "{{ platform.data.gone }}", "{{ agent.name }}", "{{ platform.language or 'none' }}",
    "{{ plans | join(', ') }}", "{{ nights + 1 }}", "{{ (city if name else 'x') | upper }}",
    "{% set kept = city %}", "{{ kept }}", "{# a remark #}", "   {{- city -}}   ", "{% raw %}{{ x }}{% endraw %}", "a\n", "{{ platform.data.list | join }}", "{{ 1 / (platform.tables | int) }}",
)  # fmt: skip
TESTS = (
    "name", "not name", "platform.tables", "platform.data.word == 'first'", "name and platform.tables", "plans", "nights > 2",
    "platform.data.gone", "city == platform.data.word",
)  # fmt: skip
LISTS = ("plans", "platform.data.list", "[city, platform.data.word]", "[1, 2]")


SOUND = (
    "Some words.",
    "",
    "",
    "in a line {{ city }},",
    "{{ agent.name }}",
    "x {{ platform.data.word }}",
    "{# a remark #}",
    "a\n\n",
    "  b",
    "c\u00a0",
    "d\u3000",
)
SOUND_TESTS = (
    "name",
    "not name",
    "platform.tables",
    "platform.data.word == 'first'",
    "name and platform.tables",
)


def statements(depth: int, pieces: Sequence[str], tests: Sequence[str]) -> st.SearchStrategy[str]:
    piece = st.sampled_from(pieces)
    if not depth:
        return piece
    body = st.lists(statements(depth - 1, pieces, tests), min_size=1, max_size=3).map("\n".join)
    test = st.sampled_from(tests)
    return st.one_of(
        piece,
        piece,
        st.builds("{{% if {} %}}\n{}\n{{% endif %}}".format, test, body),
        st.builds("{{% if {} %}}\n{}\n{{% else %}}\n{}\n{{% endif %}}".format, test, body, body),
        st.builds("  {{%- if {} -%}}  \n{}\n  {{%+ endif +%}}\n".format, test, body),
        st.builds(
            "{{% for item in {} %}}\n{}\n- {{{{ item }}}}\n{{% endfor %}}".format, st.sampled_from(LISTS[1:]), body
        ),
    )


texts = st.lists(statements(2, PIECES, TESTS), min_size=2, max_size=7).map("\n".join)
sound_texts = st.lists(statements(2, SOUND, SOUND_TESTS), min_size=3, max_size=9).map("\n".join)
styles = st.sampled_from(["|", "|-", ">"])


def result(root: Path) -> tuple[Any, ...]:
    found = frieze.pipeline.compile(root)
    told = [(entry, entry.related, entry.advice) for entry in found.diagnostics]
    files = dict(found.bundle.files) if found.bundle else {}
    return told, {path: data for path, data in files.items() if not path.startswith("resolver/")}


def written(root: Path, texts: Mapping[str, str], styles: Sequence[str]) -> None:
    for name, text in FILES.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    for (name, text), style in zip(texts.items(), styles, strict=True):
        lines = "".join(f"  {line}\n" if line else "\n" for line in text.split("\n"))
        agent = AGENT.format(name=name, inputs=INPUTS[name], style=style, text=f"  Hello.\n{lines}")
        (root / f"profiles/{name}.yaml").write_text(agent, encoding="utf-8")


def compared(root: Path) -> tuple[Any, ...]:
    """Compile with and without what is shared, and return what both give."""
    shared = result(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Fragments, "of", lambda *_: None)
        patch.setattr(Sound, "get", lambda *_: None)
        assert result(root) == shared
    for path, data in shared[1].items():
        if path.startswith("residuals/"):
            for name, content in json.loads(data)["residuals"].items():
                assert hashlib.sha256(canonical(content)).hexdigest().startswith(name), "a residual's name is its hash"
    return shared


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(texts, texts, texts), st.tuples(styles, styles, styles))
def test_what_is_shared_is_what_would_be_done_again(
    tmp_path_factory: pytest.TempPathFactory, instructions: tuple[str, ...], style: tuple[str, ...]
) -> None:
    root = tmp_path_factory.mktemp("shared")
    written(root, dict(zip(INPUTS, instructions, strict=True)), style)
    compared(root)


@settings(max_examples=40, deadline=None, phases=[Phase.generate], suppress_health_check=[HealthCheck.too_slow])
@given(st.tuples(sound_texts, sound_texts), st.tuples(styles, styles))
def test_and_so_it_is_where_nothing_is_wrong(
    tmp_path_factory: pytest.TempPathFactory, instructions: tuple[str, ...], style: tuple[str, ...]
) -> None:
    root = tmp_path_factory.mktemp("sound")
    written(root, dict(zip(INPUTS, instructions, strict=False)), style)
    told, files = compared(root)
    assert files, told
