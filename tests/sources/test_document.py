"""`Document`: data, and the spans of keys and values."""

from __future__ import annotations

import pytest

from frieze.diagnostics import Span
from frieze.sources import DataPath, Document, parse_document

SOURCE = b"""\
# a comment
kind: agent
text: |
  one
  two

map:
  a: &x {b: 1}
  "quoted key": 'v'
list:
  - one
  - two: 2
    three: [3, 33]
  -
empty:
flow: {a: [1, {b: c}],
  d: e}
use: *x
"""


def read(data: bytes, pure: bool = False) -> Document:
    document, faults = parse_document(data, "x.yaml", pure=pure)
    assert document is not None, faults
    return document


VALUES: dict[DataPath, tuple[int, int, int, int]] = {
    (): (2, 1, 2, 5),
    ("kind",): (2, 7, 2, 12),
    ("text",): (3, 7, 5, 6),
    ("map",): (7, 1, 7, 4),
    ("map", "a"): (8, 6, 8, 15),
    ("map", "a", "b"): (8, 13, 8, 14),
    ("map", "quoted key"): (9, 17, 9, 20),
    ("list",): (10, 1, 10, 5),
    ("list", 0): (11, 5, 11, 8),
    ("list", 1): (12, 5, 12, 11),
    ("list", 1, "two"): (12, 10, 12, 11),
    ("list", 1, "three"): (13, 12, 13, 19),
    ("list", 1, "three", 1): (13, 16, 13, 18),
    ("list", 2): (14, 4, 14, 4),
    ("empty",): (15, 7, 15, 7),
    ("flow",): (16, 7, 17, 8),
    ("flow", "a", 1, "b"): (16, 19, 16, 20),
    ("use",): (18, 6, 18, 8),
    ("use", "b"): (8, 13, 8, 14),
    ("absent",): (2, 1, 2, 5),
    ("map", "absent", "deeper"): (7, 1, 7, 4),
    ("list", 9): (10, 1, 10, 5),
    ("kind", "below"): (2, 7, 2, 12),
}
KEYS: dict[DataPath, tuple[int, int, int, int]] = {
    ("kind",): (2, 1, 2, 5),
    ("map",): (7, 1, 7, 4),
    ("map", "quoted key"): (9, 3, 9, 15),
    ("list", 0): (11, 5, 11, 8),
    ("list", 1, "three"): (13, 5, 13, 10),
    ("flow", "d"): (17, 3, 17, 4),
    ("use",): (18, 1, 18, 4),
    ("use", "b"): (8, 10, 8, 11),
    (): (2, 1, 2, 5),
}
STYLES: dict[DataPath, str] = {
    (): ":",
    ("kind",): "",
    ("text",): "|",
    ("map", "quoted key"): "'",
    ("list",): ":",
    ("flow",): "{",
    ("use",): "{",
}


@pytest.mark.parametrize("pure", [False, True], ids=["C", "pure"])
@pytest.mark.parametrize("ending", [b"\n", b"\r\n"], ids=["LF", "CRLF"])
def test_spans(pure: bool, ending: bytes) -> None:
    document = read(SOURCE.replace(b"\n", ending), pure)
    assert {path: document.span(path)[1:] for path in VALUES} == VALUES
    assert {path: document.key_span(path)[1:] for path in KEYS} == KEYS
    assert {path: document.style(path) for path in STYLES} == STYLES
    assert document.text == SOURCE.decode()
    assert document.file == "x.yaml"


def test_data_is_plain() -> None:
    document = read(SOURCE)
    assert document.data == {
        "kind": "agent",
        "text": "one\ntwo\n",
        "map": {"a": {"b": 1}, "quoted key": "v"},
        "list": ["one", {"two": 2, "three": [3, 33]}, None],
        "empty": None,
        "flow": {"a": [1, {"b": "c"}], "d": "e"},
        "use": {"b": 1},
    }
    assert list(document.data) == ["kind", "text", "map", "list", "empty", "flow", "use"]


def test_columns_count_code_points() -> None:
    document = read("a: {\U0001f600: x, b: y}\n".encode())
    assert document.span(("a", "b")) == Span("x.yaml", 1, 14, 1, 15)


def test_an_alias_may_be_a_key_and_stand_twice() -> None:
    document = read(b"a: &x name\n*x : 1\nl: [*x, *x]\n")
    assert document.data == {"a": "name", "name": 1, "l": ["name", "name"]}
    assert document.key_span(("name",)) == Span("x.yaml", 2, 1, 2, 3)
    assert document.span(("l", 1)) == Span("x.yaml", 3, 9, 3, 11)


def test_locate_answers_again_for_the_same_text() -> None:
    document = read(SOURCE)
    assert document.locate(("text",), 4, 7) == document.locate(("text",), 4, 7) == Span("x.yaml", 5, 3, 5, 6)


def test_a_document_compares_by_what_it_holds() -> None:
    first, second = read(SOURCE), read(SOURCE)
    first.locate(("text",), 0, 1)
    assert first == second
    assert first != read(SOURCE + b"more: 1\n")
