"""The reference prompt says what the function written by hand says, and its figures are ratios."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from frieze.bench import Reference
from frieze.bench.rendering import _jinja_template, emitted_prompt, ratio
from frieze.runtime import Bundle

FOLDER = Path(__file__).parent / "reference"


@pytest.mark.parametrize("name", ["context", "context-cjk"])
def test_both_ways_give_the_text_of_the_floor(name: str) -> None:
    context = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    with Reference.compiled(FOLDER) as reference:
        expected = reference.floor(context).replace("<3", "&lt;3")
        prompt = emitted_prompt(reference)
        assert prompt._direct.read(context, None, []) is not None
        assert prompt.render(context).text == expected
        assert Bundle.open(reference.package / reference.name).prompt(reference.agent).render(context).text == expected
        assert _jinja_template(reference).render(context).rstrip("\n") == reference.floor(context)
    assert 5_500 < len(expected) < 6_500


def test_a_ratio_is_one_of_equal_sides() -> None:
    assert 0.5 < ratio(lambda: sum(range(200)), lambda: sum(range(200))) < 2
