"""Bad YAML, one row a fault: which code, and exactly where. Both parsers give the same."""

from __future__ import annotations

import time

import pytest

from frieze.diagnostics import Severity
from frieze.sources import parse_document

ROWS: dict[str, tuple[str | bytes, list[tuple[str, int, int, int, int]]]] = {
    # what is meant: (file, [(code, line, column, end line, end column)])
    "duplicate key": ("a: 1\nb: 2\na: 3\n", [("F121", 3, 1, 3, 2)]),
    "duplicate key in other quotes": ("a: 1\n'a': 3\n", [("F121", 2, 1, 2, 4)]),
    "key given three times": ("a: 1\na: 2\na: 3\n", [("F121", 2, 1, 2, 2), ("F121", 3, 1, 3, 2)]),
    "duplicate key below": ("a:\n  b: 1\n  c: {d: 1, d: 2}\n", [("F121", 3, 13, 3, 14)]),
    "tab as indentation": ("a:\n\tb: 1\n", [("F142", 2, 1, 2, 2)]),
    "tab after spaces": ("a:\n  \tb: 1\n", [("F142", 2, 3, 2, 4)]),
    "tab after a colon": ("a:\tb\n", [("F142", 1, 3, 1, 4)]),
    "unclosed double quote": ('a: 1\nb: "x\nc: 2\n', [("F134", 2, 4, 2, 5)]),
    "unclosed single quote": ("a: 'x\nb: 2\n", [("F134", 1, 4, 1, 5)]),
    "second document": ("a: 1\n---\nb: 2\n", [("F118", 2, 1, 2, 4)]),
    "byte order mark": ("\ufeffa: 1\n", []),
    "byte order mark inside": ("a: 1\n\ufeffb: 2\n", [("F112", 2, 1, 2, 2)]),
    "two byte order marks": ("\ufeff\ufeffa: 1\n", [("F112", 1, 1, 1, 2)]),
    "CRLF": ("a: 1\r\nb: |\r\n  x\r\n", []),
    "lone carriage return": ("a: 1\rb: 2\n", [("F109", 1, 5, 1, 6)]),
    "UTF-16 with a mark": ("a: 1\n".encode("utf-16"), [("F107", 0, 0, 0, 0)]),
    "UTF-16 without a mark": ("a: 1\n".encode("utf-16-le"), [("F107", 0, 0, 0, 0)]),
    "UTF-32": ("a: 1\n".encode("utf-32"), [("F107", 0, 0, 0, 0)]),
    "Latin-1": ("a: 1\nb: caf\u00e9!\n".encode("latin-1"), [("F106", 2, 7, 2, 8)]),
    "cut in a character": ("a: \u3042".encode()[:-1], [("F106", 1, 4, 1, 5)]),
    "NUL": ("a: x\0y\n", [("F108", 1, 5, 1, 6)]),
    "control character in a comment": ("a: 1 # \x1b[31m\n", [("F108", 1, 8, 1, 9)]),
    "several control characters": ("a: \x01\nb: \x02\n", [("F108", 1, 4, 1, 5), ("F108", 2, 4, 2, 5)]),
    "NEL": ("a: x\x85y\n", [("F109", 1, 5, 1, 6)]),
    "line separator": ("a: |\n  x\u2028y\n", [("F109", 2, 4, 2, 5)]),
    "paragraph separator": ("a: |\n  x\u2029y\n", [("F109", 2, 4, 2, 5)]),
    "bidi override": ("a: x\u202ey\n", [("F110", 1, 5, 1, 6)]),
    "bidi isolate": ("a: x\u2067y\n", [("F110", 1, 5, 1, 6)]),
    "tag characters": ("a: x\U000e0041\n", [("F113", 1, 5, 1, 6)]),
    "a flag made of tag characters": (
        "a: \U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f\n",
        [],
    ),
    "zero-width space": ("a: x\u200by\n", [("F111", 1, 5, 1, 6)]),
    "joiner between letters": ("a: \u0915\u094d\u200d\u0937\nb: \u0645\u06cc\u200c\u062e\n", []),
    "joiner in an emoji": ("a: \U0001f468\u200d\U0001f469\n", []),
    "joiner at an end": ("a: x\u200d\n", [("F111", 1, 5, 1, 6)]),
    "ideographic variation": ("a: \u845b\U000e0100\n", []),
    "replacement character": ("a: x\ufffd\n", [("F114", 1, 5, 1, 6)]),
    "no-break space as indentation": ("a:\n\u00a0\u00a0b: 1\n", [("F116", 2, 1, 2, 2)]),
    "ideographic space as indentation": ("a:\n\u3000b: 1\n", [("F116", 2, 1, 2, 2)]),
    "no-break space inside a text": ("a: 5\u00a0km\n", []),
    "directive": ("%YAML 1.1\n---\na: no\n", [("F117", 1, 1, 1, 10)]),
    "two directives": (
        "# x\n%YAML 1.1\n%TAG ! tag:x,2000:\n---\na: 1\n",
        [("F117", 2, 1, 2, 10), ("F117", 3, 1, 3, 19)],
    ),
    "unknown tag": ("a: !foo x\n", [("F120", 1, 4, 1, 8)]),
    "known tag": ("a: !!str 1\n", [("F120", 1, 4, 1, 9)]),
    "include": ("a: !include b.yaml\n", [("F120", 1, 4, 1, 12)]),
    "python tag": ("a: !!python/object/apply:os.system [ls]\n", [("F120", 1, 4, 1, 35)]),
    "tag on a key": ("!!str a: 1\n", [("F120", 1, 1, 1, 6)]),
    "tag behind an anchor": ("a: &x !foo y\nb: *x\n", [("F120", 1, 7, 1, 11)]),
    "number as a key": ("1: a\n", [("F122", 1, 1, 1, 2)]),
    "boolean as a key": ("a: {true: 1}\n", [("F122", 1, 5, 1, 9)]),
    "null as a key": ("~: a\n", [("F122", 1, 1, 1, 2)]),
    "list as a key": ("[a]: b\n", [("F122", 1, 1, 1, 4)]),
    "map as a key": ("? {a: b}\n: c\n", [("F122", 1, 3, 1, 9)]),
    "quoted number as a key": ("'1': a\n", []),
    "merge key": ("a: &x {b: 1}\nc: {<<: *x}\n", [("F123", 2, 5, 2, 7)]),
    "anchor set twice": ("a: &x 1\nb: &x 2\nc: *x\n", [("F124", 2, 4, 2, 6)]),
    "unknown alias": ("a: *x\n", [("F125", 1, 4, 1, 6)]),
    "emphasis as an alias": ("a: *Note* this\n", [("F125", 1, 4, 1, 10)]),
    "alias in its own anchor": ("a: &x [*x]\n", [("F126", 1, 8, 1, 10)]),
    "anchor and colon": ("a: {&b: c}\n", [("F146", 1, 5, 1, 8)]),
    "unused anchor": ("a: &x 1\n", [("F139", 1, 4, 1, 6)]),
    "alias": ("a: &x {b: [1]}\nc: *x\n", []),
    "unquoted template": ("a: {{ x }}\nb: 1\n", [("F119", 1, 4, 1, 11)]),
    "unquoted template with text": ("a: {{ x }} hi\n", [("F119", 1, 4, 1, 11)]),
    "two unquoted templates": ("a: {{ x }}\nb: [1, {{ y }}]\n", [("F119", 1, 4, 1, 11), ("F119", 2, 8, 2, 15)]),
    "unquoted template over two lines": ("a: {{ x\n  }} y\nb: 1\n", [("F119", 1, 4, 2, 5)]),
    "unquoted block tag": ("a: {% if x %}y{% endif %}\nb: 1\n", [("F119", 1, 4, 1, 14)]),
    "unquoted comment": ("a: {# x #}\nb: 1\n", [("F119", 1, 4, 1, 11)]),
    "template as a key": ("{{ x }}: 1\n", [("F119", 1, 1, 1, 8)]),
    "template and a duplicate key": ("a: {{ x }}\nb: 1\nb: 2\n", [("F119", 1, 4, 1, 11), ("F121", 3, 1, 3, 2)]),
    "quoted template": ("a: '{{ x }}'\nb: |\n  {{ y }}\n", []),
    "leading zero": ("a: 017\n", [("F130", 1, 4, 1, 7)]),
    "underscore": ("a: 1_000\n", [("F130", 1, 4, 1, 9)]),
    "hexadecimal": ("a: 0x1F\n", [("F130", 1, 4, 1, 8)]),
    "infinity": ("a: .inf\n", [("F130", 1, 4, 1, 8)]),
    "not a number": ("a: .NaN\n", [("F130", 1, 4, 1, 8)]),
    "long digits": ("a: 1234567890123456789\n", [("F130", 1, 4, 1, 23)]),
    "huge exponent": ("a: 1e999\n", [("F130", 1, 4, 1, 9)]),
    "5,000 digits": (f"a: {'9' * 5000}\n", [("F130", 1, 4, 1, 5004)]),
    "a word behind a hash": ("a: Ask in #support first\n", [("F150", 1, 11, 1, 19)]),
    "words behind a hash in a list": ("a: [b, c #d\n]\n", [("F150", 1, 10, 1, 12)]),
    "comments, hashes in words, quotes and below a bar": (
        "a: x # y\nb: x#y #\nc: 'x' #y\nd: 5 #y\ne: # f\n  g ## h\ni: |\n  j #k\n",
        [],
    ),
    "a list that is folded": ("a: >\n  One:\n  - b\n  - c\n", [("F151", 3, 3, 3, 4)]),
    "a numbered list that is folded": ("a: >-\n\n  1. b\n  2. c\n", [("F151", 4, 3, 4, 5)]),
    "a heading that is folded": ("a:\n- >+\n    b\n    ## C\n", [("F151", 4, 5, 4, 7)]),
    "what folding leaves alone": ("a: >\n  b\n\n  - c\n\n    - d\n    - e\nf: >\n  a - b\n  -c\n  1.5\n", []),
    "other spelling of true": ("a: TRUE\n", [("F131", 1, 4, 1, 8)]),
    "empty file": ("", [("F132", 0, 0, 0, 0)]),
    "only a comment": ("# x\n", [("F132", 0, 0, 0, 0)]),
    "only a document start": ("---\n", [("F132", 0, 0, 0, 0)]),
    "a list": ("- a\n", [("F133", 1, 1, 1, 4)]),
    "a text": ("a:b\n", [("F133", 1, 1, 1, 4)]),
    "a number": ("12\n", [("F133", 1, 1, 1, 3)]),
    "unknown escape": ('a: "\\q"\n', [("F135", 1, 5, 1, 7)]),
    "cut escape": ('a: "\\u12"\n', [("F135", 1, 5, 1, 7)]),
    "escape beyond Unicode": ('a: "\\UFFFFFFFF"\n', [("F135", 1, 5, 1, 15)]),
    "escaped NUL": ('a: "x\\0"\n', [("F136", 1, 6, 1, 8)]),
    "escaped surrogate": ('a: "x\\ud800"\n', [("F136", 1, 6, 1, 12)]),
    "escaped line separator": ('a: "x\\L"\n', [("F136", 1, 6, 1, 8)]),
    "unclosed bracket": ("a: [1, 2\nb: 3\n", [("F137", 1, 4, 1, 5)]),
    "unclosed bracket behind a warning": ("a: {b: TRUE\n", [("F131", 1, 8, 1, 12), ("F137", 1, 4, 1, 5)]),
    "wrong bracket": ("a: [1, 2}\n", [("F137", 1, 4, 1, 5)]),
    "comment behind a bar": ("a: |#x\n  y\n", [("F140", 1, 5, 1, 6)]),
    "text behind a bar": ("a: |x\n  y\n", [("F140", 1, 5, 1, 6)]),
    "colon in a text": ("a: Note: this\n", [("F141", 1, 8, 1, 9)]),
    "reserved character": ("a: @x\n", [("F143", 1, 4, 1, 5)]),
    "wrong indentation": ("a:\n    b: 1\n  c: 2\n", [("F144", 3, 3, 3, 7)]),
    "text indented less than its first line": ("a: |\n    x\n  y\n", [("F144", 3, 3, 3, 4)]),
    "missing colon": ("a: 1\nb\nc: 2\n", [("F145", 2, 1, 2, 2)]),
    "wide colon": ("a: 1\nb\uff1ax\n", [("F145", 2, 1, 2, 4)]),
    "no space behind the colon": ("a: 1\nb:x\n", [("F145", 2, 1, 2, 4)]),
    "spaces before a text": ("a: |\n \n  x\n", [("F147", 2, 1, 2, 2)]),
    "nested 64 deep": (f"a: {'[' * 63}{']' * 63}\n", []),
    "nested 100 deep": (f"a: {'[' * 99}{']' * 99}\n", [("F128", 1, 67, 1, 68)]),
    "nested 100,000 deep": (f"a: {'[' * 100_000}\n", [("F128", 1, 67, 1, 68)]),
    "100,000 nested maps": (f"a: {'{b: ' * 100_000}\n", [("F128", 1, 4 + 63 * 4, 1, 5 + 63 * 4)]),
    "nested 100 deep in a block": (
        "".join(f"{' ' * depth}a:\n" for depth in range(100)),
        [("F128", 65, 65, 65, 66)],
    ),
    "several faults": (
        "kind: 017\nkind: x\nb: !t y\nc: *z\nd: \x01\n",
        [("F130", 1, 7, 1, 10), ("F121", 2, 1, 2, 5), ("F120", 3, 4, 3, 6), ("F125", 4, 4, 4, 6), ("F108", 5, 4, 5, 5)],
    ),
}


@pytest.mark.parametrize("pure", [False, True], ids=["C", "pure"])
@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_fault_is_found_where_it_stands(
    row: tuple[str | bytes, list[tuple[str, int, int, int, int]]], pure: bool
) -> None:
    source, expected = row
    data = source if isinstance(source, bytes) else source.encode()
    document, faults = parse_document(data, "x.yaml", pure=pure)
    found = sorted((fault.code, *fault.span[1:]) for fault in faults)
    assert found == sorted(expected)
    assert all(fault.message and "Error" not in fault.message for fault in faults)
    assert (document is None) == any(fault.severity is Severity.ERROR for fault in faults)


def bomb(levels: int, width: int) -> str:
    rows = ["a0: &a0 [x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * width)}]" for n in range(1, levels)]
    return "\n".join([*rows, f"z: *a{levels - 1}", ""])


@pytest.mark.parametrize("pure", [False, True], ids=["C", "pure"])
def test_an_alias_bomb_ends_at_the_bound(pure: bool) -> None:
    _, faults = parse_document(bomb(10, 10).encode(), "x.yaml", pure=pure)
    assert [fault.code for fault in faults] == ["F127"]


def test_aliases_below_the_bound_are_fine() -> None:
    document, faults = parse_document(bomb(4, 10).encode(), "x.yaml")
    assert not faults
    assert document is not None
    assert len(document.data["a3"]) == 10


def test_too_many_values_are_refused() -> None:
    document, faults = parse_document(("a: [" + "1, " * 20_001 + "]\n").encode(), "x.yaml")
    assert document is None
    assert [fault.code for fault in faults] == ["F129"]


def test_many_forbidden_characters_are_counted() -> None:
    _, faults = parse_document(b"a: " + b"\x01" * 50 + b"\n", "x.yaml")
    assert [fault.code for fault in faults] == ["F108"] * 20 + ["F115"]
    assert dict(faults[-1].args)["count"] == "30"


def test_a_duplicate_key_shows_the_first_one() -> None:
    _, faults = parse_document(b"a: 1\nb: 2\na: 3\n", "x.yaml")
    assert [(related.span[1:3], related.label) for related in faults[0].related] == [((1, 1), "first given here")]


SAID = {
    "a: 017\n": 'write 17 for the number, or "017" for the text',
    "a: 0x1F\n": 'write 31 for the number, or "0x1F" for the text',
    "a: 1_000\n": 'write 1000 for the number, or "1_000" for the text',
    "a: -.5\n": 'write -0.5 for the number, or "-.5" for the text',
    "a: .inf\n": 'write ".inf" for the text',
    "a: |\n    x\n  y\n": "the first line of the text above is indented further; indent all of its lines alike",
    "a: 1\nb\uff1ax\n": "the colon here is the wide one of East Asian keyboards: write `:` and a space",
    "a:b\n": "put a space after the colon: `a: ...`",
    "a: !include x\n": "write `{file: name.md}` where a text may stand, or `extends: NAME` to build on another profile",
    "a: {<<: 1}\n": "to build on another profile write `extends: NAME`",
    "a: {{ x }}\n": "put the whole value in quotes, or write it on its own line under `|`",
}


@pytest.mark.parametrize("source", SAID)
def test_the_help_says_what_to_write(source: str) -> None:
    _, faults = parse_document(source.encode(), "x.yaml")
    assert [fault.help for fault in faults] == [SAID[source]]


def test_latin_1_is_recognised() -> None:
    _, faults = parse_document("a: caf\u00e9\n".encode("latin-1"), "x.yaml")
    assert faults[0].message == "byte 0xE9 is not UTF-8 text"
    assert "`\u00e9`" in faults[0].help


HOSTILE = {
    "control characters": "\x01" * (1 << 20),
    "directives": "%a\n" * (1 << 18),
    "brackets": "[" * (1 << 20),
    "templates": "a: {{ x }}\n" * (1 << 16),
    "joiners": "a: " + "\u200d" * (1 << 18),
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_file_is_answered_soon(source: str) -> None:
    started = time.process_time()
    _, faults = parse_document(source.encode(), "x.yaml")
    assert faults
    assert time.process_time() - started < 20


@pytest.mark.parametrize(
    ("written", "quoted"),
    [
        ("a: {{ b }}\n", "{{ b }}"),
        ("{{kind: agent\nname: helper\ntext: {{ x }}\n", "{{kind: agent …"),
        ("a: {{ " + "b" * 100 + " }}\n", "{{ " + "b" * 57 + " …"),
    ],
)
def test_an_unquoted_template_is_quoted_in_one_short_line(written: str, quoted: str) -> None:
    _, found = parse_document(written.encode(), "a.yaml")
    assert next(dict(each.args)["written"] for each in found if each.code == "F119") == quoted
    assert all("\n" not in each.message for each in found)
