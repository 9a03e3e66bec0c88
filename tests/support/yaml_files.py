"""YAML to read in several ways: files, short texts, and edits that make something else of them."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from hypothesis import strategies as st

from frieze.diagnostics.catalogue import CODES
from frieze.resources import profiles_folder

CHECKOUT = Path(__file__).parents[2]
FILES = sorted(chain(profiles_folder().rglob("*.yaml"), (CHECKOUT / "examples").rglob("*.yaml")))

SEEDS = [
    *(text for code in CODES.values() for text in (code.bad, code.good) if text and len(text) < 800),
    'kind: agent\nb: "x\\\n  y"\na: &x |2-\n   foo\nc: *x\nd: {e: [1, 2], ? f, g: }\nf:\nl:\n  - a\n  -\n  - b: c\n',
    "a: >+\n  foo\n  bar\n\n   more\n\n\nb: 'it''s\n\n  ok'\nc: plain\n  text\n\n  more # c\nd: - x\n",
    "? a\n: b\n? - c\n: d\n",
    "--- \na: b\n...\n",
    "a: # c\n  - 1 # x\n  # y\n  - # z\n  - [a, , b]\n",
    "a: {{ x }} hi\nb: [{{ y }}, z]\nc: {% if %}\nd: ok\n",
]
PIECES = [
    *" \n\t:-?[]{},#&*!|>'\"%@`\\~=<x1.", "\n  ", "\n    ", ": ", "- ", "&a ", "*a", "&a: ", "{{ x }}", "\u3042", "\u2028", "\u00a0", "\ufeff", "---",
    "...", "%YAML 1.1\n", "|\n", "|2-\n", ">+\n", "\\u00e9", "\\ud800", "\\UFFFFFFFF", "<<: ", "null", "\r\n", "\r", "? ", "!t ", "# c", "\U0001f600", "",
]  # fmt: skip
EDIT = st.tuples(st.floats(0, 1), st.sampled_from([0, 0, 1, 2, 5]), st.sampled_from(PIECES))


def mutated(seed: str, edits: list[tuple[float, int, str]]) -> str:
    for place, length, piece in edits:
        at = int(place * len(seed))
        seed = seed[:at] + piece + seed[at + length :]
    return seed
