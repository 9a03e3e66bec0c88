"""Files read section by section, against the same files read as a whole: data, positions, faults."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.bench.projects import agent
from frieze.sources import document_data, kept_document, parse_document
from frieze.sources.sections import Rows, Sections, section_entries
from support.yaml_files import EDIT, FILES, PIECES, SEEDS, mutated

VALUES = [
    "one", "two words", "a: b", "x #y", "# z", "true", "yes", "null", "No", "12", "017", "'q'", '"w"', "''", "~", "ends:",
    "{a: 1, b: [c, d]}", "{a: 1,\n  b: 2}", "[a,\nb: 2]", "{{ x }}", "\n  a: 1\n  b: {c: d}", "\n- 1\n- two", "\n  - a: 1\n    b: |\n      t\n",
    "|\n  one\n\n   two {{ x }}\n", "|-\n  one\n  two\n\n\n", "|+\n  one\n\n\n", "|\n\n  one\n", "|2\n   one\n", "|\n  one\n # c\n",
    "|\n  one\n# c\n", "|\n  one\n   \n  two\n    \n", "|\n  one\n \n  two\n", "|\n  one\n  # c\n", "|\n     one\n  two\n", "|  \n  one\n", "|",
    ">\n  a\n  b\n", "&a one", "*a", "&b {c: *b}", "!t x", "a\n  b", "a\nb", "a  ", "\u3042 \u3000", "a\u3000", "a # c", "one\n\n\n", "one\n# c\n", "",
    "|\n  one\u3000\n", "|\n  ---\n", "|\n  %x\n", "'a\nb: c'", '"a\\\n  b"', "<<", "x:y",
]  # fmt: skip
KEYS = [
    "a",
    "b",
    "kind",
    "c_d",
    "true",
    "yes",
    "null",
    "Key",
    "'q'",
    "1",
    "? x",
    "<<",
    "---\ne",
    "...\nf",
    "%f",
    "- g",
    " h",
]
SECTION = st.tuples(st.sampled_from(KEYS[:4] * 6 + KEYS), st.sampled_from(VALUES)).map(
    lambda found: (
        f"{found[0]}:{'' if found[1][:1] == chr(10) else ' '}{found[1]}" + ("" if found[1][-1:] == "\n" else "\n")
    )
)
FILE = st.tuples(
    st.sampled_from(["", "", "# c\n", "\n  \n", "---\n", "%YAML 1.1\n"]), st.lists(SECTION, max_size=5)
).map(lambda found: found[0] + "".join(found[1]))


def outcome(data: bytes, known: Sections | None) -> tuple[Any, ...]:
    document, faults = parse_document(data, "x.yaml", known=known)
    return (document and (repr(document.data), repr(document.root), document.doubtful, document.text), faults)


def kept_positions(data: bytes) -> tuple[str, str] | None:
    """Return the positions of a file as it is kept, and as it is read; None for one that is not kept."""
    document, faults = parse_document(data, "x.yaml")
    kept = document_data(document) if document and not faults else None
    if document is None or kept is None:
        return None
    again = kept_document("x.yaml", document.text, json.loads(json.dumps(kept)))
    return repr(again.root), repr(document.root)


def is_in_sections(data: bytes) -> bool:
    document, _ = parse_document(data, "x.yaml", known={})
    return document is not None and type(document.root.children).__name__ == "Rows"


@settings(max_examples=400, deadline=None)
@given(st.lists(FILE, min_size=1, max_size=3), st.booleans(), st.booleans())
def test_files_are_the_same_in_sections(files: list[str], stripped: bool, crlf: bool) -> None:
    known: Sections = {}
    for text in files:
        data = (text.rstrip("\n") if stripped else text).replace("\n", "\r\n" if crlf else "\n").encode()
        assert outcome(data, known) == outcome(data, None)
        positions = kept_positions(data)
        assert positions is None or positions[0] == positions[1]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from([*SEEDS, agent(1), agent(2)]), st.lists(EDIT, max_size=5))
def test_mutated_profiles_are_the_same_in_sections(seed: str, edits: list[tuple[float, int, str]]) -> None:
    data = mutated(seed, edits).encode()
    known: Sections = {}
    assert outcome(data, known) == outcome(data, None)
    assert outcome(data, known) == outcome(data, None)


@pytest.mark.slow
@settings(max_examples=15_000, deadline=None)
@given(st.sampled_from([*SEEDS, agent(1), agent(2)]), st.lists(EDIT, max_size=6), st.sampled_from(PIECES))
def test_many_mutated_profiles_are_the_same_in_sections(
    seed: str, edits: list[tuple[float, int, str]], end: str
) -> None:
    data = (mutated(seed, edits) + end).encode()
    assert outcome(data, {}) == outcome(data, None)
    positions = kept_positions(data)
    assert positions is None or positions[0] == positions[1]


def test_every_shipped_file_is_the_same_in_sections() -> None:
    known: Sections = {}
    files = [path.read_bytes() for path in FILES]
    for data in files:
        assert outcome(data, known) == outcome(data, None)
        positions = kept_positions(data)
        assert positions
        assert positions[0] == positions[1]
    assert sum(map(is_in_sections, files)) > 0.8 * len(files)


def test_what_stands_in_several_files_is_read_once() -> None:
    known: Sections = {}
    first, second = (parse_document(agent(number).encode(), f"{number}.yaml", known=known)[0] for number in (1, 2))
    assert first
    assert second
    assert first.data["inputs"] is second.data["inputs"]
    path = ("inputs", "items", "of", "fields", "label", "required")
    assert first.span(path) == parse_document(agent(1).encode(), "1.yaml")[0].span(path)
    assert second.span(path)[0] == "2.yaml"


@pytest.mark.parametrize(
    "text",
    [
        'a: "one\nb: two"\nc: three\n',
        "a: {x: 1,\nb: 2}\nc: three\n",
        "a: &x one\nb: *x\nc: [1, 2]\n",
        "'a': one\nb: two\n",
        "a: |\n  one\n# c\nb: two\n",
        "a:\n- one\nb:\n- two\n",
        "a: null\nb: 1.5\nc: true\n",
    ],
)
def test_a_kept_file_has_its_positions(text: str) -> None:
    positions = kept_positions(text.encode())
    assert positions
    assert positions[0] == positions[1]


def test_a_place_in_a_kept_file_needs_its_section_alone() -> None:
    text = agent(1)
    document, _ = parse_document(text.encode(), "x.yaml")
    assert document
    built: list[str] = []

    def build(part: str) -> None:
        built.append(part)

    entry = section_entries(text, document.data, build, lambda: document.root)
    assert isinstance(entry.children, Rows)
    assert entry.children["inputs"] == document.root.children["inputs"]
    assert [part.split(":")[0] for part in built] == ["inputs"]


@pytest.mark.parametrize(
    ("text", "alike"),
    [
        ("a: one\nb: {c: 1}\n", True),
        ("# c\n\na: |\n  one\nb: two\n", True),
        ("a: |\n  one", True),
        ("a: &x one\nb: *x\n", False),
        ("a: &x [one, *x]\n", False),
        ("a: [&x one, *x]\n", False),
        ("true: |\n  one\n", False),
        ("yes: |\n  one\n", True),
        ("null: one\n", False),
        ("a: one\na: two\n", False),
        ("a: one\n---\nb: two\n", False),
        ("a: yes\n", False),
        ("a: one\nb\n", False),
        ("a: {{ x }}\n", False),
        ("a: |\n  \tone\n", False),
        ("- a\n", False),
        ("a: " + "[" * 70 + "]" * 70 + "\n", False),
        ("a: |\n" + 3000 * "  some text\n", False),
    ],
)
def test_which_files_are_read_in_sections(text: str, alike: bool) -> None:
    assert is_in_sections(text.encode()) == alike
    assert outcome(text.encode(), {}) == outcome(text.encode(), None)
