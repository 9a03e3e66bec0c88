"""What validation says, where, and that it says something exactly when the schema refuses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.resources import profiles_folder
from frieze.schema import KINDS, load_schema, validate, validate_merged
from frieze.sources import Document, parse_document, read_document

CHECKOUT = Path(__file__).parents[2]
BLOCK = "kind: block\nname: x\n"
AGENT = "kind: agent\nname: x\n"
PLATFORM = "kind: platform\nname: x\n"
PROJECT = "kind: project\nname: x\n"

ROWS: dict[str, tuple[str, list[tuple[str, int, int, int, int]]]] = {
    # what is meant: (file, [(code, line, column, end line, end column)])
    "nothing wrong": (BLOCK + "body: Hi.\n", []),
    "unknown field": (BLOCK + "colour: red\n", [("F201", 3, 1, 3, 7)]),
    "two unknown fields": (BLOCK + "colour: red\nsize: 3\n", [("F201", 3, 1, 3, 7), ("F201", 4, 1, 4, 5)]),
    "slip in a required field": (AGENT + "instuctions: Hi.\n", [("F201", 3, 1, 3, 12)]),
    "missing field": (AGENT, [("F202", 1, 1, 1, 5)]),
    "missing and unknown": (AGENT + "colour: red\n", [("F201", 3, 1, 3, 7), ("F202", 1, 1, 1, 5)]),
    "missing below": (BLOCK + "inputs:\n  a: {from: b}\n", [("F202", 4, 3, 4, 4)]),
    "missing in a list item": (
        BLOCK + "inputs:\n  a:\n    type: line\n    from:\n      - when: x\n",
        [("F202", 7, 9, 7, 16)],
    ),
    "choice without options": (BLOCK + "inputs:\n  a: {type: choice, from: b}\n", [("F202", 4, 3, 4, 4)]),
    "unknown choice": (BLOCK + "role: sytem\n", [("F203", 3, 7, 3, 12)]),
    "unknown kind": ("kind: blok\nname: x\n", [("F203", 1, 7, 1, 11)]),
    "choice of another type": (BLOCK + "role: [system]\n", [("F203", 3, 7, 3, 15)]),
    "list for text": (BLOCK + "body: [a]\n", [("F204", 3, 7, 3, 10)]),
    "block list for text": (BLOCK + "body:\n  - a\n", [("F204", 3, 1, 3, 5)]),
    "text for a map": (BLOCK + "inputs: none\n", [("F204", 3, 9, 3, 13)]),
    "text for a number": (PLATFORM + "limits: {max_length: many}\n", [("F204", 3, 22, 3, 26)]),
    "map with another key for a text": (BLOCK + "body: {fiel: x.md}\n", [("F201", 3, 8, 3, 12)]),
    "no value": (BLOCK + "heading:\n", [("F205", 3, 1, 3, 8)]),
    "no value of a choice": (BLOCK + "role:\n", [("F205", 3, 1, 3, 5)]),
    "no value in a list": (BLOCK + "inputs:\n  a: {type: choice, options: [a, ]}\n", []),
    "null in a list": (BLOCK + "inputs:\n  a: {type: choice, options: [a, null]}\n", [("F205", 4, 34, 4, 38)]),
    "version as a number": (PROJECT + "version: 1.10\n", [("F206", 3, 10, 3, 14)]),
    "true for text": (BLOCK + "body: true\n", [("F206", 3, 7, 3, 11)]),
    "number in a union": (BLOCK + "inputs: {a: {type: line, from: 3}}\n", [("F206", 3, 32, 3, 33)]),
    "yes for true": (PLATFORM + "tables: yes\n", [("F207", 3, 9, 3, 12)]),
    "off for false": (PLATFORM + "awareness: {time: Off}\n", [("F207", 3, 19, 3, 22)]),
    "malformed input name": (BLOCK + "inputs:\n  a-b: {type: line, from: c}\n", [("F208", 4, 3, 4, 6)]),
    "malformed name": ("kind: block\nname: My Block\n", [("F209", 2, 7, 2, 15)]),
    "name with a line break": ("kind: block\nname: |\n  x\n", [("F209", 2, 7, 3, 4)]),
    "heading of two lines": (BLOCK + "heading: |-\n  a\n  b\n", [("F209", 3, 10, 5, 4)]),
    "malformed date": (PLATFORM + "checked: 14.3.2026\n", [("F209", 3, 10, 3, 19)]),
    "malformed path": (BLOCK + "inputs: {a: {type: line, from: .b}}\n", [("F209", 3, 32, 3, 34)]),
    "empty condition": (BLOCK + 'when: ""\n', [("F210", 3, 7, 3, 9)]),
    "empty list of sources": (BLOCK + "inputs: {a: {type: line, from: []}}\n", [("F210", 3, 32, 3, 34)]),
    "empty record": (BLOCK + "inputs: {a: {type: list, of: {}, from: b}}\n", [("F210", 3, 30, 3, 32)]),
    "no place": (AGENT + "instructions: a\nlayout: {insert: {b: {}}}\n", [("F211", 4, 19, 4, 20)]),
    "two places": (
        AGENT + "instructions: a\nlayout: {insert: {b: {after: c, at: last}}}\n",
        [("F211", 4, 19, 4, 20)],
    ),
    "zero length": (PLATFORM + "limits: {max_length: 0}\n", [("F212", 3, 22, 3, 23)]),
    "word that others read as false": (PLATFORM + "languages: [en, no]\n", [("F213", 3, 17, 3, 19)]),
    "quoted word": (PLATFORM + "languages: [en, 'no']\n", []),
    "null in a patch": (BLOCK + "extends: y\nheading:\nrole: null\ninputs: {a: null}\n", []),
    "nested null in a patch": (PLATFORM + "extends: y\nawareness: {time: null}\nlimits: {length_unit: ~}\n", []),
    "patch of an input": (BLOCK + "extends: y\ninputs: {a: {required: true}}\n", []),
    "unknown field in a patch": (BLOCK + "extends: y\ninputs: {a: {requird: true}}\n", [("F201", 4, 14, 4, 21)]),
    "wrong value in a patch": (PLATFORM + "extends: y\ntables: yes\n", [("F207", 4, 9, 4, 12)]),
    "unknown choice in a patch": (BLOCK + "extends: y\nrole: sytem\n", [("F203", 4, 7, 4, 12)]),
    "malformed name in a patch": (AGENT + "extends: y\nlayout: {remove: [A B]}\n", [("F209", 4, 19, 4, 22)]),
    "number in a patch": (BLOCK + "extends: y\nbody: 3\n", [("F206", 4, 7, 4, 8)]),
    "nothing to extend": (BLOCK + "extends:\n", [("F205", 3, 1, 3, 8)]),
    "project cannot extend": (PROJECT + "extends: y\n", [("F201", 3, 1, 3, 8)]),
    "through an alias": (PLATFORM + "data: {a: &x maybe}\ntables: *x\n", [("F204", 4, 9, 4, 11)]),
    "inside an alias": (
        PLATFORM + "data: {a: &x {timee: true}}\nawareness: *x\n",
        [("F201", 3, 15, 3, 20)],
    ),
    "three faults": (
        BLOCK + "role: sytem\nheding: a\nbody: 3\n",
        [("F203", 3, 7, 3, 12), ("F201", 4, 1, 4, 7), ("F206", 5, 7, 5, 8)],
    ),
}


def read(source: str) -> Document:
    document, faults = parse_document(source.encode(), "x.yaml")
    assert document is not None, faults
    return document


def check(source: str) -> list[Diagnostic]:
    kind = source.split()[1]
    return validate(read(source), kind if kind in KINDS else "block")


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
def test_a_fault_stands_at_the_key_or_value_to_mend(row: tuple[str, list[tuple[str, int, int, int, int]]]) -> None:
    source, expected = row
    assert sorted((fault.code, *fault.span[1:]) for fault in check(source)) == sorted(expected)


SAID = {
    BLOCK + "heding: a\n": (
        "`heding` is not a field of this block",
        "did you mean `heading`? The line above the block. A block has a heading or a tag, or neither.",
    ),
    BLOCK + "role: sytem\n": ("`role` must be `system`, `developer` or `user`, not `sytem`", "did you mean `system`?"),
    BLOCK + "inputs: {a: {type: lien}}\n": (
        "`inputs.a.type` must be one of 16 words, not `lien`",
        "did you mean `line`? It can be `line`, `text`, `integer`, `number`, `boolean`, `choice`, `datetime`, `timezone`, `language`, `accept-language`, `latitude`, `longitude`, `attributes`, `list`, `document` or `verbatim`",
    ),
    PROJECT + "version: 1.10\n": (
        "`version` must be text, but `1.10` reads as the number 1.1",
        'write "1.10" in quotes',
    ),
    PLATFORM + "tables: yes\n": ("`tables` must be `true` or `false`; `yes` is a text in YAML 1.2", "write `true`"),
    PLATFORM + "limits: {max_length: 5k}\n": (
        "`limits.max_length` must be a whole number; here is the text `5k`",
        "The longest message, counted in `length_unit`. For example: `5000`",
    ),
    PLATFORM + "languages: [en, [ja]]\n": (
        "item 2 of `languages` must be text; here is a list",
        "The languages that the channel supports. For example: `[en, ja]`",
    ),
    BLOCK + "body: [a]\n": (
        "`body` must be text or a map with `file`; here is a list",
        'What the block says: a template, or the file that holds it. For example: `"Local time: {{ now | local(timezone) | time }}"`',
    ),
    AGENT: (
        "this agent lacks `instructions`",
        'What the agent is told: a template, or the file that holds it. For example: `"You are {{ agent.name }}."`',
    ),
    AGENT + "instructions: a\ndefaults: {colour: red}\n": (
        "`colour` is not a field of `defaults`",
        "the fields here are `platform`, `model`, `personality`, `audience` and `mode`",
    ),
    BLOCK + "inputs: {a: {type: line, from: [{path: b, wen: c}]}}\n": (
        "`wen` is not a field of item 1 of `inputs.a.from`",
        "did you mean `when`? Take this source only when the condition holds. It sees the context's paths and the selectors.",
    ),
    PLATFORM + "language: Japanese!\n": (
        "`language` must be a language tag such as `en`, `pt-BR` or `zh-Hant-TW`, not `Japanese!`",
        "The language of the channel's users where nothing else says it. For example: `ja`",
    ),
    "kind: rule\nname: x\ntext: ' '\n": (
        "`text` must be a text that is not empty, not `' '`",
        (
            "What the rule asks: plain text, no template. Line breaks become blanks. For example: "
            '`"Change the schema and generate again; never edit what is...`'
        ),
    ),
    "kind: permissions\nname: x\nrules: {a: {action: push, effect: deny, commands: [git]}}\n": (
        "item 1 of `rules.a.commands` must be a list; here is the text `git`",
        (
            "The commands that it is about, each as words. `...` stands for any arguments that the program table knows to be "
            "harmless; a list in the place of a word holds alternatives. For example: `[[pytest, ...], [npm, [test, t]]]`"
        ),
    ),
    PLATFORM + "languages: [no]\n": ("`no` is a text here, but other YAML tools read `false`", "put it in quotes"),
}


@pytest.mark.parametrize("source", SAID, ids=range(len(SAID)))
def test_the_words(source: str) -> None:
    assert [(fault.message, fault.help) for fault in check(source)] == [SAID[source]]


def test_merged_values_are_checked_against_the_full_form() -> None:
    def span_of(path: tuple[str | int, ...]) -> Span:
        return Span("/".join(map(str, path)) or "root", 1, 1, 1, 2)

    good = {"kind": "agent", "name": "x", "extends": "y", "instructions": "a"}
    assert validate_merged(good, "agent", span_of) == []
    bad = {"kind": "agent", "name": "x", "extends": "y", "inputs": {"a": {"from": "b"}}, "zone": 3}
    found = validate_merged(bad, "agent", span_of)
    assert [(fault.code, fault.span.file) for fault in found] == [
        ("F202", "inputs/a"),
        ("F202", "root"),
        ("F203", "zone"),
    ]


def test_a_merged_key_has_its_own_span() -> None:
    def span_of(path: tuple[str | int, ...]) -> Span:
        return Span("value", 1, 1, 1, 2)

    def key_span_of(path: tuple[str | int, ...]) -> Span:
        return Span("key", 1, 1, 1, 2)

    found = validate_merged({"kind": "agent", "name": "x", "instructions": "a", "b": 1}, "agent", span_of, key_span_of)
    assert [fault.span.file for fault in found] == ["key"]


VALUES = st.recursive(
    st.sampled_from(
        [
            None,
            True,
            0,
            1.5,
            "",
            "a",
            "no",
            "std/x",
            "a.b",
            "line",
            "choice",
            "list",
            "a b",
            "x\n",
            "system",
            "2026-01-01",
        ]
    ),
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(st.sampled_from(["file", "path", "type", "at", "A b"]), below, max_size=2)
    ),
    max_leaves=4,
)


def paths_of(value: Any, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Return the path of every key and item below a value."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [found for key, item in items for found in ((*path, key), *paths_of(item, (*path, key)))]


def whole(kind: str) -> dict[str, Any]:
    """Return a declaration that has every field of its kind, made of the examples."""
    fields = load_schema(kind)["$defs"]["full"]["properties"]
    return {name: part["examples"][-1] for name, part in fields.items() if name != "extends"}


@st.composite
def declarations(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    kind = draw(st.sampled_from(KINDS))
    data = json.loads(json.dumps(whole(kind)))
    if draw(st.booleans()):
        data["extends"] = "std/x"
    for _ in range(draw(st.integers(0, 3))):
        *parents, last = draw(st.sampled_from(paths_of(data)))
        target: Any = data
        for step in parents:
            target = target[step]
        action = draw(st.sampled_from(["replace", "delete", "rename"]))
        if action == "replace" or isinstance(last, int):
            target[last] = draw(VALUES)
        elif action == "delete":
            del target[last]
        else:
            target[draw(st.sampled_from([last[:-1], last + "s", "zzz"])) or "q"] = target.pop(last)
        if not paths_of(data):
            break
    return kind, data


@settings(max_examples=400, deadline=None)
@given(declarations())
def test_there_is_an_error_exactly_where_the_schema_refuses(case: tuple[str, dict[str, Any]]) -> None:
    kind, data = case
    document = read(json.dumps(data, ensure_ascii=False) + "\n") if data else None
    if document is None:
        return
    faults = [fault for fault in validate(document, kind) if fault.severity is Severity.ERROR]
    oracle = Draft202012Validator(load_schema(kind))
    if any(isinstance(value, str) and value.endswith("\n") for value in (at(data, path) for path in paths_of(data))):
        # Python's `$` lets a line break at the end pass, which the schema's own dialect does not.
        assert faults or oracle.is_valid(data)
    else:
        assert bool(faults) == (not oracle.is_valid(data)), [fault.message for fault in faults]
    for fault in faults:
        assert fault.span.line >= 1
        words = f"{fault.message} {fault.help}"
        assert not re.search(r"\binstance\b|None|True|False|\{'|\['", words), words


def at(data: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        data = data[step]
    return data


SHIPPED = sorted([*profiles_folder().rglob("*.yaml"), *(CHECKOUT / "examples").rglob("*.yaml")])


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(CHECKOUT).as_posix())
def test_every_shipped_profile_is_valid(path: Path) -> None:
    document, faults = read_document(path, path.name)
    assert document is not None, faults
    assert not faults
    assert validate(document, document.data["kind"]) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_declaration_with_every_field_is_valid(kind: str) -> None:
    assert validate(read(json.dumps(whole(kind)) + "\n"), kind) == []
