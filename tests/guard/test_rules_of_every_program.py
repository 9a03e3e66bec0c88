"""A rule that denies a program with some word denies it, whatever grammar the program's arguments have."""

from __future__ import annotations

import pytest

from frieze.policy.probing import guard_of
from frieze.runtime.guard import Action, Guard
from support.policy_tables import std_table

TABLE = std_table("coding")
NAMES = sorted({name for key in ("programs", "wrappers") for names in TABLE[key] for name in names.split()})


def rule(program: str) -> dict[str, object]:
    return {
        "id": f"no-{program}",
        "layer": "developer",
        "action": "run",
        "effect": "deny",
        "commands": [[program, "alpha", "..."]],
        "modes": None,
        "risk": "unknown",
        "confirm": None,
        "reason": "it is denied",
    }


@pytest.fixture(scope="module")
def guard() -> Guard:
    return guard_of({**TABLE, "entries": [*TABLE["entries"], *map(rule, NAMES)]}, "implement", interactive=True)


def test_the_table_has_many_programs() -> None:
    assert len(NAMES) > 500


@pytest.mark.parametrize("words", ["alpha", "alpha beta", "alpha --gamma", "'al'pha"])
def test_what_is_denied_by_program_and_word_is_denied(guard: Guard, words: str) -> None:
    effects = {name: guard.decide(Action("run", command=f"{name} {words}")).effect for name in NAMES}
    assert [name for name, effect in effects.items() if effect != "deny"] == []
