"""The prompts of real situations, as reviewed: what the model reads, then the notes."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import examples
from support.golden import check_golden
from support.situations import PROJECT, SITUATIONS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", SITUATIONS)
def test_the_prompt_is_the_reviewed_one(name: str) -> None:
    result = SITUATIONS[name].render()
    notes = "".join(
        f"note {note.code}: {note.input} {note.source} {note.detail}".rstrip() + "\n" for note in result.notes
    )
    check_golden(GOLDEN / f"{name}.txt", f"{result.text}\n" + (f"\n{'-' * 20}\n{notes}" if notes else ""))


def test_every_context_of_the_example_is_used_and_no_golden_is_left_over() -> None:
    assert {situation.context for situation in SITUATIONS.values()} == set(examples.given_contexts(PROJECT))
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(SITUATIONS)


def test_the_tools_and_skills_of_the_example() -> None:
    prompt = SITUATIONS["forced-tool"].prompt
    names = [tool["name"] for tool in prompt.render().tools]
    assert names == ["find-booking", "read-skill", "take-down-wish"]
    assert prompt.skill("late-arrival").startswith("# Late arrival\n\n1. Find the booking")
    assert SITUATIONS["web-opening-in-chat"].render().tools == ()
