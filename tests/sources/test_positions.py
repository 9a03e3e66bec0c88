"""Offsets in decoded scalars to places in the file, for every style, against an emitter that knows where it writes."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.diagnostics import Span
from frieze.sources import Document, parse_document

PARSERS = pytest.mark.parametrize("pure", [False, True], ids=["C", "pure"])
WORDS = st.text(st.sampled_from("abc\u00e9\u3042\U0001f600{}%|>-"), min_size=1, max_size=6).map(lambda word: "w" + word)
LINES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@dataclass
class Page:
    """A file that is being written: `places` holds (line, column) of every character of the value."""

    rows: list[str] = field(default_factory=lambda: [""])
    value: str = ""
    places: list[tuple[int, int]] = field(default_factory=list)

    def write(self, text: str) -> None:
        first, *rest = text.split("\n")
        self.rows[-1] += first
        self.rows += rest

    def put(self, character: str, written: str | None = None) -> None:
        """Write one character of the value, spelt as `written`."""
        self.places.append((len(self.rows), len(self.rows[-1]) + 1))
        self.value += character
        self.write(character if written is None else written)

    def put_all(self, text: str) -> None:
        for character in text:
            self.put(character)

    def bytes(self, crlf: bool) -> bytes:
        return ("\r\n" if crlf else "\n").join(self.rows).encode()


def write_literal(page: Page, lines: list[str], indent: str, ending: str, numbered: bool) -> None:
    page.write("|" + (str(len(indent) - NEST) if numbered else "") + {"": "-", "\n": ""}.get(ending, "+"))
    page.write("\n")
    for index, line in enumerate(lines):
        page.write(indent if line else "")
        page.put_all(line)
        if index + 1 < len(lines):
            page.put("\n")
    for character in ending:
        page.put(character)
    if not ending:
        page.write("\n")


def write_folded(page: Page, paragraphs: list[list[str]], indent: str, ending: str) -> None:
    page.write(">" + {"": "-", "\n": ""}.get(ending, "+") + "\n")
    for number, paragraph in enumerate(paragraphs):
        for index, line in enumerate(paragraph):
            page.write(indent)
            page.put_all(line)
            if index + 1 < len(paragraph):
                page.put(" ", "\n")
        if number + 1 < len(paragraphs):
            page.write("\n")
            page.put("\n")
    for character in ending:
        page.put(character)
    if not ending:
        page.write("\n")


def write_flow(page: Page, paragraphs: list[list[str]], indent: str, quote: str, escapes: bool) -> None:
    page.write(quote)
    for number, paragraph in enumerate(paragraphs):
        for index, line in enumerate(paragraph):
            for character in line:
                page.put(character, spelling(character, quote, escapes))
            if index + 1 < len(paragraph):
                page.put(" ", "\n" + indent)
        if number + 1 < len(paragraphs):
            page.put("\n", "\n\n" + indent)
    page.write(quote)


def spelling(character: str, quote: str, escapes: bool) -> str | None:
    if quote == "'" and character == "'":
        return "''"
    if quote == '"' and character in '"\\':
        return "\\" + character
    if quote == '"' and escapes and not character.isascii():
        return f"\\U{ord(character):08x}"
    return None


NEST = 2
CASES = st.fixed_dictionaries(
    {
        "style": st.sampled_from(["|", "|2", ">", "'", '"', '"u', ""]),
        "paragraphs": st.lists(st.lists(LINES, min_size=1, max_size=3), min_size=1, max_size=3),
        "quotes": st.booleans(),
        "ending": st.sampled_from(["", "\n", "\n\n", "\n\n\n"]),
        "anchor": st.booleans(),
        "width": st.integers(1, 4),
        "crlf": st.booleans(),
        "comment": st.booleans(),
    }
)


def page_of(case: dict) -> Page:
    page = Page()
    page.write("kind: x # \u3042\nouter:\n  first: 1\n" if case["comment"] else "outer:\n")
    page.write("  text: " + ("&a " if case["anchor"] else ""))
    indent = " " * (NEST + case["width"])
    style = case["style"]
    paragraphs = case["paragraphs"]
    if case["quotes"] and style in {"'", '"', '"u'}:
        paragraphs = [[line + " '\"\\" for line in paragraph] for paragraph in paragraphs]
    if style.startswith("|"):
        lines = "\n\n".join("\n".join(paragraph) for paragraph in paragraphs).split("\n")
        if style == "|2":
            lines = [" " + lines[0], *lines[1:]]
        write_literal(page, lines, indent, case["ending"], numbered=style == "|2")
    elif style == ">":
        write_folded(page, paragraphs, indent, case["ending"])
    else:
        write_flow(page, paragraphs, indent, style[:1], escapes=style.endswith("u"))
        page.write("\n")
    page.write("  last: " + ("*a" if case["anchor"] else "1") + "\n")
    return page


@PARSERS
@settings(max_examples=400, deadline=None)
@given(case=CASES)
def test_every_character_is_found_where_it_was_written(pure: bool, case: dict) -> None:
    page = page_of(case)
    document, faults = parse_document(page.bytes(case["crlf"]), "x.yaml", pure=pure)
    assert document is not None, faults
    path = ("outer", "text")
    assert document.data["outer"]["text"] == page.value
    assert [document.locate(path, at, at + 1)[1:3] for at in range(len(page.value))] == page.places
    if case["anchor"]:
        assert document.locate(("outer", "last"), 0, len(page.value)) == document.locate(path, 0, len(page.value))


@PARSERS
@settings(max_examples=300, deadline=None)
@given(
    lines=st.lists(st.text(st.sampled_from("ab \u3042'\"\\:"), max_size=5), min_size=1, max_size=6),
    header=st.sampled_from(["|", ">", "|-", ">-", "|+", ">+", "|1", ">1", ">1+", "|1-"]),
)
def test_block_texts_of_any_shape_are_retraced(pure: bool, lines: list[str], header: str) -> None:
    source = f"a: {header}\n" + "".join(f" {line}\n" for line in lines) + "b: 1\n"
    document, _ = parse_document(source.encode(), "x.yaml", pure=pure)
    if document is None or document.data["b"] != 1:
        return
    value = document.data["a"]
    rows = source.split("\n")
    last = (0, 0)
    for at, character in enumerate(value):
        span = document.locate(("a",), at, at + 1)
        assert (span.line, span.column) >= last
        last = (span.end_line, span.end_column)
        if character != "\n" and span.line == span.end_line:
            assert rows[span.line - 1][span.column - 1 : span.end_column - 1] == character
        else:
            assert character in " \n"
            assert span.column == len(rows[span.line - 1]) + 1


def check_affine(document: Document, path: tuple[str, ...], value: str) -> bool:
    """Compare the short answer with the long one for every character; only what is empty is shorter in the file."""
    found = document.affine(path)
    if found is None:
        return False
    lines = value.split("\n")
    at = 0
    for number, line in enumerate(lines):
        for column in range(len(line) + (number + 1 < len(lines))):
            span = document.locate(path, at, at + 1)
            place = found[1] + number, found[2] + column
            assert (span.file, span.line) == (found[0], place[0])
            assert span.column == place[1] if line else span.column <= place[1]
            at += 1
    return True


@PARSERS
@settings(max_examples=300, deadline=None)
@given(case=CASES)
def test_lines_one_below_the_other_are_known_by_the_first(pure: bool, case: dict) -> None:
    page = page_of(case)
    document, faults = parse_document(page.bytes(case["crlf"]), "x.yaml", pure=pure)
    assert document is not None, faults
    found = check_affine(document, ("outer", "text"), page.value)
    as_written = page.value in page.rows[page.places[0][0] - 1]
    assert found == (case["style"].startswith("|") or (as_written and case["style"] != ">"))
    if case["anchor"]:
        assert document.affine(("outer", "last")) == document.affine(("outer", "text"))


@PARSERS
@settings(max_examples=300, deadline=None)
@given(
    lines=st.lists(st.text(st.sampled_from("ab \u3042'\"\\:"), max_size=5), min_size=1, max_size=6),
    header=st.sampled_from(["|", ">", "|-", ">-", "|+", "|1", ">1", "|1-", "|2", "&x |"]),
)
def test_lines_of_any_shape_stand_where_their_first_one_says(pure: bool, lines: list[str], header: str) -> None:
    source = f"a: {header}\n" + "".join(f"  {line}\n" for line in lines) + "b: 1\n"
    document, _ = parse_document(source.encode(), "x.yaml", pure=pure)
    if document is not None and document.data["b"] == 1 and isinstance(document.data["a"], str):
        check_affine(document, ("a",), document.data["a"])


AFFINE = {
    "a: |\n  one\n\n  two\n": ("x.yaml", 2, 3),
    "a: |\n\n\n  one\n": ("x.yaml", 2, 3),
    "a: &x |2-\n   one\n  two\n": ("x.yaml", 2, 3),
    "b:\n  c: 1\na: |  # a comment\n      one\n\n      two": ("x.yaml", 4, 7),
    "a: |\n  one\n \n  two\n": None,
    "a: one two\n": ("x.yaml", 1, 4),
    "a: 'one'\n": ("x.yaml", 1, 5),
    "a: one\n  two\n": None,
    "a: 'it''s'\n": None,
    'a: "\\x41"\n': None,
    "a: >\n  one\n": None,
    "a: ''\n": None,
    "a: 12\n": None,
    "a: [one]\n": None,
}


@PARSERS
@pytest.mark.parametrize("source", AFFINE)
def test_where_lines_stand_is_told_of_texts_in_which_they_do(source: str, pure: bool) -> None:
    document, faults = parse_document(source.encode(), "x.yaml", pure=pure)
    assert document is not None, faults
    assert document.affine(("a",)) == AFFINE[source]


GOLDEN = {
    # (file, text looked for in the value): its place
    ("a: |\n  one\n  two\n", "two"): (2 + 1, 3, 3, 6),
    ("a: >\n  one\n  two\n\n    more\n   x\n  end\n", "more"): (5, 5, 5, 9),
    ("a: >\n  one\n  two\n\n    more\n   x\n  end\n", "end"): (7, 3, 7, 6),
    ("a: >-\n  one\n  two\n", "one two"): (2, 3, 3, 6),
    ("a: &x |2-\n   one\n  two\nb: *x\n", "one"): (2, 4, 2, 7),
    ("a: 'it''s x'\n", "s x"): (1, 9, 1, 12),
    ("a: 'it''s x'\n", "'"): (1, 7, 1, 9),
    ('a: "\\u2014 \\"x\\" y"\n', "\u2014"): (1, 5, 1, 11),
    ('a: "\\u2014 \\"x\\" y"\n', "y"): (1, 18, 1, 19),
    ('a: "one \\\n   two"\n', "two"): (2, 4, 2, 7),
    ('a: "one\n\n   two"\n', "two"): (3, 4, 3, 7),
    ("a: one\n  two\n\n  three # x\n", "three"): (4, 3, 4, 8),
    ("a: [one,\n  'two', \"th\\tree\"]\n", "ree"): (2, 15, 2, 18),
    ("a: |  # a comment\n   one\n   two\n", "two"): (3, 4, 3, 7),
    ("a:\n  |\n  one\n", "one"): (3, 3, 3, 6),
    ("a: |\r\n  one\r\n  two\r\n", "two"): (3, 3, 3, 6),
    ("\ufeffa: x y\n", "y"): (1, 6, 1, 7),
    ("a: |\n\n\n  one\n", "one"): (4, 3, 4, 6),
    ("a: |\n  \U0001f600 one\n", "one"): (2, 5, 2, 8),
}


@PARSERS
@pytest.mark.parametrize("row", GOLDEN, ids=[f"{source[:12]!r}-{wanted}" for source, wanted in GOLDEN])
def test_a_word_is_found(row: tuple[str, str], pure: bool) -> None:
    source, wanted = row
    document, faults = parse_document(source.encode(), "x.yaml", pure=pure)
    assert document is not None, faults
    path, value = next(texts(document, wanted))
    start = value.index(wanted)
    assert document.locate(path, start, start + len(wanted)) == Span("x.yaml", *GOLDEN[row])


def texts(document: Document, wanted: str):
    for key, value in document.data.items():
        items = [((key,), value)] if isinstance(value, str) else [((key, at), item) for at, item in enumerate(value)]
        yield from ((path, text) for path, text in items if wanted in text)


def test_the_end_of_a_text_is_a_place() -> None:
    document, _ = parse_document(b"a: |\n  one\nb: two\n", "x.yaml")
    assert document is not None
    assert document.locate(("a",), 4, 4) == Span("x.yaml", 3, 1, 3, 1)
    assert document.locate(("b",), 3, 3) == Span("x.yaml", 3, 7, 3, 7)
    assert document.locate(("b",), 0, 99) == Span("x.yaml", 3, 4, 3, 7)


def test_numbers_and_absent_paths_fall_back() -> None:
    document, _ = parse_document(b"a: 12\nb:\n  c: x\n", "x.yaml")
    assert document is not None
    assert document.locate(("a",), 1, 2) == Span("x.yaml", 1, 5, 1, 6)
    assert document.locate(("b",), 0, 1) == Span("x.yaml", 3, 3, 3, 7)
    assert document.locate(("b", "c", "d"), 0, 1) == Span("x.yaml", 3, 6, 3, 7)


def test_a_scalar_that_cannot_be_retraced_is_answered_with_its_first_line() -> None:
    document, _ = parse_document(b"a: |\n  one\n", "x.yaml")
    assert document is not None
    document.data["a"] = "something else"
    assert document.locate(("a",), 3, 5) == Span("x.yaml", 1, 4, 1, 5)
