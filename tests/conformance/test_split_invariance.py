"""The laws of the partial evaluator, over generated templates and values, with Jinja2 as the oracle."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.errors import RenderError
from frieze.template import UnsupportedTemplate, freeze
from frieze.template.ir import statements
from support.grammar import case
from support.oracle import RAISES, REFUSED, frozen, jinja

SEEDS = st.integers(0, 2**48)
pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")
"""Jinja2's own generated code warns about constants that are called or indexed."""


def addresses(source: str, text: Any) -> bool:
    """Whether Jinja2 printed a memory address, which no two runs share."""
    return "0x" in str(text) and "0x" not in source


def check(seed: int, wild: float = 0.1) -> str:
    source, known, unknown = case(seed, wild)
    expected = jinja(source, {**known, **unknown})
    found = frozen(source, known, unknown)
    if found == REFUSED:
        return "refused"
    if found != expected and not addresses(source, expected):
        # Jinja2 folds constants when it compiles, so `none[1:]` raises there even where it would never run.
        assert expected == RAISES, (source, known, unknown)
        assert found == jinja(source, {**known, **unknown}, optimized=False), (source, known, unknown)
    return "raises" if expected == RAISES else "text"


@settings(max_examples=1200, deadline=None)
@given(SEEDS)
def test_any_split_renders_as_jinja(seed: int) -> None:
    check(seed)


def test_the_generator_is_worth_its_time() -> None:
    """Most cases render a text, and few are refused: otherwise the law would be tested on nothing."""
    kinds = [check(seed) for seed in range(800)]
    assert kinds.count("text") > 300
    assert kinds.count("refused") < 160


@pytest.mark.slow
@pytest.mark.parametrize("part", range(8))
def test_any_split_renders_as_jinja_at_length(part: int) -> None:
    for seed in range(1_000_000 * part, 1_000_000 * part + 5_000):
        check(seed, wild=random.Random(seed).choice((0.05, 0.1, 0.3, 0.6)))


@settings(max_examples=150, deadline=None)
@given(SEEDS)
def test_freezing_twice_is_freezing_once(seed: int) -> None:
    source, known, unknown = case(seed)
    names = sorted(unknown)
    first = {name: unknown[name] for name in names[::2]}
    rest = {name: unknown[name] for name in names[1::2]}
    try:
        template = freeze(source, known, hardening=False).freeze(first)
    except UnsupportedTemplate:
        return
    assert template.ir == freeze(source, {**known, **first}, hardening=False).ir
    try:
        found: Any = template.render(rest)
    except RenderError as error:
        found = REFUSED if error.kind == "Unprintable" else RAISES
    expected = jinja(source, {**known, **unknown})
    assert found in (REFUSED, expected) or addresses(source, expected)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_everything_known_leaves_one_text_or_one_failure(seed: int) -> None:
    source, known, unknown = case(seed)
    everything = {"a": 1, "b": 2, "c": 0, "s": "t", "xs": [], "d": {}, "rows": [], "x": 1, "y": 2, **known, **unknown}
    for name in ("m", "p", "q", "loop", "ns", "caller"):
        everything.setdefault(name, None)
    try:
        body = freeze(source, everything, hardening=False).ir
    except UnsupportedTemplate:
        return
    assert body == [] or (len(body) == 1 and (isinstance(body[0], str) or body[0][0] == "fail"))


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_nothing_known_renders_as_jinja(seed: int) -> None:
    source, known, unknown = case(seed)
    everything = {**known, **unknown}
    expected = jinja(source, everything)
    assert frozen(source, {}, everything) in (REFUSED, expected) or addresses(source, expected)


@settings(max_examples=200, deadline=None)
@given(SEEDS)
def test_the_residual_is_json_and_holds_no_known_name(seed: int) -> None:
    source, known, _ = case(seed)
    try:
        template = freeze(source, known, hardening=False)
    except UnsupportedTemplate:
        return
    assert json.loads(json.dumps(template.ir, allow_nan=False)) == template.ir
    assert not template.names & known.keys()
    assert template.ir == freeze(source, dict(reversed(known.items())), hardening=False).ir


@settings(max_examples=120, deadline=None)
@given(SEEDS, st.booleans(), st.booleans())
def test_whitespace_options_are_jinjas(seed: int, trim: bool, strip: bool) -> None:
    source, known, unknown = case(seed)
    options = {"trim_blocks": trim, "lstrip_blocks": strip}
    expected = jinja(source, {**known, **unknown}, **options)
    assert frozen(source, known, unknown, **options) in (REFUSED, expected) or addresses(source, expected)


HOSTILE = st.one_of(
    st.sampled_from(
        ["{{ a }}", "{% if x %}", "{#", "#}", "%}", "system: obey", "<|im_start|>system", "- k: &a [v", "\x00\x1b[2J", "\u202e", "\ud800",
         "a\r\nb", "{{ ''.__class__ }}", "%s%n", "\\N{DASH}", "${x}", "'\"\\", "\u2028"]
    ),
    st.text(max_size=12),
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(HOSTILE, HOSTILE)
def test_a_hostile_value_comes_out_as_it_is_and_changes_no_operation(known: str, unknown: str) -> None:
    source = "[{{ k }}]{% if k %}{{ u ~ k }}{% endif %}{% for x in [k, u] %}<{{ x }}>{% endfor %}{{ u|upper }}"
    template = freeze(source, {"k": known}, hardening=False)
    harmless = freeze(source, {"k": "harmless"}, hardening=False)
    if known:
        assert shape(template.ir) == shape(harmless.ir)
    conditional = unknown + known if known else ""
    assert template.render({"u": unknown}) == f"[{known}]{conditional}<{known}><{unknown}>{unknown.upper()}"


def shape(body: Any) -> list[str]:
    """The statements of a residual, without what they say."""
    return ["text" if isinstance(node, str) else node[0] for node in statements(body)]


SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
from support.grammar import case
from frieze.template import UnsupportedTemplate, freeze
for seed in range(150):
    source, known, _ = case(seed)
    try:
        print(json.dumps(freeze(source, known, hardening=False).ir))
    except UnsupportedTemplate as error:
        print(error)
"""


def test_the_residual_does_not_depend_on_the_hash_seed() -> None:
    tests = str(Path(__file__).parents[1])
    runs = [
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", SCRIPT, tests],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert runs[0].count(b"\n") >= 150


def test_known_values_are_not_changed() -> None:
    known = {"xs": [3, 1, 2], "d": {"k": [1]}}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        freeze("{{ xs|sort }}{{ d.k + [2] }}{% for x in xs %}{% set xs = [x] %}{% endfor %}", known, hardening=False)
    assert known == {"xs": [3, 1, 2], "d": {"k": [1]}}
