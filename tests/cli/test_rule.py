from __future__ import annotations

import pytest

from frieze.cli.reporters.visible import visible
from frieze.diagnostics.catalogue import CODES
from frieze.runtime.notes import NOTES
from support.commands import frieze


def test_every_code_is_explained_by_code_and_by_name() -> None:
    for entry in CODES.values():
        by_code = frieze("rule", entry.code)
        assert by_code.code == 0
        assert by_code == frieze("rule", entry.code.lower())
        assert by_code.out in frieze("rule", entry.name.upper()).out
        assert by_code.out.startswith(f"{entry.code} {entry.name} ({entry.severity})\n")
        assert " ".join(entry.meaning.split()) in " ".join(by_code.out.split())
        for example in (entry.bad, entry.good):
            assert all(visible(line.rstrip(), keep="\t") in by_code.out for line in example.split("\n"))


def test_every_note_is_explained() -> None:
    for name, meaning in NOTES.items():
        outcome = frieze("rule", name)
        assert outcome.code == 0
        assert " ".join(meaning.split()) in " ".join(outcome.out.split())


def test_without_a_code_all_are_listed() -> None:
    shown = frieze("rule").out
    for entry in CODES.values():
        assert f"{entry.code}  {entry.severity:<7}  {entry.name}\n" in shown
    for name in NOTES:
        assert f"\n{name} " in shown


@pytest.mark.parametrize(
    ("asked", "words"), [("F8001", "`F801`"), ("context-not-jsn", "`context-not-json`"), ("zzz", "lists all")]
)
def test_an_unknown_code_is_wrong_usage(asked: str, words: str) -> None:
    outcome = frieze("rule", asked)
    assert outcome.code == 2
    assert words in outcome.err
