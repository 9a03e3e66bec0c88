from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze import __version__
from frieze.cli.reporters import FORMATS, Report, github, render, sarif, text
from frieze.cli.reporters.visible import cells, expand_tabs, pieces, visible
from frieze.diagnostics import Code, Diagnostic, Related, Severity, Span
from frieze.diagnostics.catalogue import CODES
from support.golden import check_golden

GOLDEN = Path(__file__).parent / "golden"

ENTRIES = (
    Code(
        "T101",
        "not-a-choice",
        Severity.ERROR,
        "`{key}` must be one of {choices}",
        "The key has a closed set of values.",
        "write {first}",
    ),
    Code("T102", "said-twice", Severity.WARNING, "`{name}` is said twice", "One of them is never read."),
    Code("T103", "by-the-way", Severity.NOTE, "100% of this: a, b", "Only a note."),
)

YAML = "kind: agent\nname: 保守\naction: alow\n\tx: \u202eevil\u200b\n"
TEXTS = {"profiles/a.yaml": YAML, "profiles/b, c.yaml": "name: 保守\r\nlong: |\r\n  text\r\n"}


@pytest.fixture(autouse=True)
def _test_codes(monkeypatch: pytest.MonkeyPatch) -> None:
    for entry in ENTRIES:
        monkeypatch.setitem(CODES, entry.code, entry)


def choice(line: int = 3, column: int = 9, end: int = 13, file: str = "profiles/a.yaml") -> Diagnostic:
    span = Span(file, line, column, line, end)
    return Diagnostic.of("T101", span, key="action", choices="`allow`, `deny`", first="`allow`")


def findings() -> list[Diagnostic]:
    again = Related(Span("profiles/b, c.yaml", 1, 7, 1, 9), "first said here")
    return [
        Diagnostic.of("T103", Span("std/blocks/x.yaml", 2, 1, 2, 4)),
        Diagnostic.of("T102", Span("profiles/a.yaml", 2, 7, 2, 9), name="保守", related=(again,), advice="drop\none"),
        choice(),
        choice(),
        Diagnostic.of("T102", Span("profiles/b, c.yaml", 2, 7, 4, 1), name="a\x1b[31m"),
        Diagnostic.of("T102", Span("frieze.yaml"), name="whole"),
        Diagnostic.of("T102", Span("profiles/a.yaml", 4, 5, 4, 12), name="hidden"),
    ]


def report(base: str = "examples/one/") -> Report:
    return Report.of(findings(), texts=TEXTS, project="one", counts={"agents": 1, "blocks": 12}, base=base)


@pytest.mark.parametrize("form", FORMATS)
def test_snapshot_of_each_format(form: str) -> None:
    shown = render(report(), form).replace(f'"semanticVersion": "{__version__}"', '"semanticVersion": "VERSION"')
    check_golden(GOLDEN / f"report.{form}", shown)


def test_snapshot_in_colour() -> None:
    check_golden(GOLDEN / "report.colour", render(report(), "text", colour=True))


def test_sorted_by_place_and_without_doubles() -> None:
    places = [(d.span.file, d.span.line, d.code) for d in report().diagnostics]
    assert places == sorted(places)
    assert len(places) == len(findings()) - 1


@pytest.mark.parametrize(
    ("line", "column", "end", "excerpt", "marks"),
    [
        ("action: alow", 9, 13, "action: alow", "        ^^^^"),
        ("名前: 保守", 5, 7, "名前: 保守", "      ^^^^"),
        ("\ta\tb", 4, 5, "    a   b", "        ^"),
        ("a\u200bb", 2, 3, "a<U+200B>b", " ^^^^^^^^"),
        ("ab", 3, 3, "ab", "  ^"),
        ("ab", 9, 12, "ab", "  ^"),
        ("", 1, 1, "", "^"),
    ],
)
def test_carets_stand_under_the_span(line: str, column: int, end: int, excerpt: str, marks: str) -> None:
    shown = render(Report.of([choice(1, column, end)], texts={"profiles/a.yaml": line}), "text").split("\n")
    at = shown.index("1 | " + excerpt if excerpt else "1 |")
    assert shown[at + 1] == "  | " + marks


@given(st.integers(0, 400), st.integers(0, 60), st.sampled_from("a保\t"))
@settings(max_examples=150)
def test_a_long_line_is_cut_around_the_span(start: int, length: int, filler: str) -> None:
    line = filler * start + "XY" + "z" * length + filler * 400
    finding = choice(1, start + 1, start + 3)
    shown = text.render(Report.of([finding], texts={"profiles/a.yaml": line}), width=60).split("\n")
    excerpt, marks = next((a, b) for a, b in pairwise(shown) if a.startswith("1 | "))
    assert sum(cells(pieces(excerpt))) <= 60
    before = excerpt[: excerpt.index("XY")]
    assert marks.index("^") == sum(cells(pieces(before)))
    assert marks.count("^") == 2


def test_fifty_findings_are_shown_and_errors_before_warnings() -> None:
    warnings = [Diagnostic.of("T102", Span("a.yaml", line, 1, line, 2), name=line) for line in range(1, 80)]
    errors = [choice(line, file="z.yaml") for line in range(1, 11)]
    shown = render(Report.of([*warnings, *errors]), "text")
    assert len(re.findall(r"^error\[", shown, re.MULTILINE)) == 10
    assert len(re.findall(r"^warning\[", shown, re.MULTILINE)) == 40
    assert "... and 39 more" in shown
    assert shown.rstrip().endswith("10 errors and 79 warnings in 2 files")


def test_nothing_found() -> None:
    assert render(Report.of([], project="one", counts={"agents": 1, "targets": 1200}), "text") == (
        "one: all good (1 agent and 1,200 targets)\n"
    )
    assert json.loads(render(Report.of([]), "json"))["diagnostics"] == []
    assert json.loads(render(Report.of([]), "sarif"))["runs"][0]["results"] == []
    assert render(Report.of([]), "github") == "frieze: no findings\n"


def test_warnings_alone_do_not_fail() -> None:
    assert not Report.of([finding for finding in findings() if finding.code != "T101"]).failed
    assert report().failed


def test_json_says_nothing_of_lines_for_a_whole_file() -> None:
    found = {item["message"]: item for item in json.loads(render(report(), "json"))["diagnostics"]}
    assert found["`whole` is said twice"]["line"] is None
    assert found["`hidden` is said twice"]["file"] == "examples/one/profiles/a.yaml"
    assert found["100% of this: a, b"]["file"] == "std/blocks/x.yaml"


def test_sarif_has_what_the_standard_requires() -> None:
    log = json.loads(render(report(), "sarif"))
    assert log["version"] == "2.1.0"
    assert log["$schema"].startswith("https://")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == ["T101", "T102", "T103"]
    assert len(run["results"]) == len(report().diagnostics)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        for location in (*result["locations"], *result.get("relatedLocations", [])):
            uri = location["physicalLocation"]["artifactLocation"]["uri"]
            assert re.fullmatch(r"[A-Za-z0-9._~%/-]+", uri)
            assert not uri.startswith("/")
            region = location["physicalLocation"].get("region")
            if region:
                assert region["startLine"] >= 1
                assert region["startColumn"] >= 1
                assert (region["endLine"], region["endColumn"]) >= (region["startLine"], region["startColumn"])


def fingerprints(diagnostics: list[Diagnostic], source: str) -> list[str]:
    log = json.loads(sarif.render(Report.of(diagnostics, texts={"profiles/a.yaml": source})))
    return [result["partialFingerprints"]["friezeFinding/v1"] for result in log["runs"][0]["results"]]


def test_fingerprints_survive_moved_lines_and_are_unique() -> None:
    before = fingerprints([choice(3)], YAML)
    assert fingerprints([choice(5)], f"# one\n# two\n{YAML}") == before
    assert fingerprints([choice(3)], YAML.replace("alow", "aloe")) != before
    twice = fingerprints([choice(3), choice(4)], YAML.replace("action: alow\n", "action: alow\n" * 2))
    assert len(set(twice)) == 2


def test_github_commands_stay_on_one_line_and_escape() -> None:
    lines = github.render(report()).rstrip("\n").split("\n")
    *commands, last = lines
    assert len(commands) == len(report().diagnostics)
    assert last == "frieze one: 1 error, 4 warnings and 1 note"
    assert commands[0].startswith("::error file=examples/one/profiles/a.yaml,line=3,endLine=3,col=9,endColumn=13,")
    assert any("100%25 of this: a, b" in command for command in commands)
    assert any("file=examples/one/profiles/b%2C c.yaml,line=2,endLine=4,title=" in command for command in commands)
    assert any("%0Adrop%0Aone" in command for command in commands)


@given(st.text())
@settings(max_examples=200)
def test_visible_text_cannot_move_the_cursor_or_hide(value: str) -> None:
    shown = visible(value)
    assert shown == visible(shown)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u2028\u2029]", shown)
    assert len(expand_tabs(value)) == len(value)
    assert sum(cells(expand_tabs(value))) >= 0


def test_joiners_stay_where_scripts_need_them() -> None:
    assert visible("👩\u200d🔬 می\u200cخواهم") == "👩\u200d🔬 می\u200cخواهم"
    assert visible("a\u200db") == "a<U+200D>b"
