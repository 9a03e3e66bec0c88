"""What the figure of the guard's speed compares."""

from __future__ import annotations

import pytest

from frieze.bench import guarding


def test_commands_that_are_not_allowed_are_no_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guarding, "COMMANDS", (*guarding.COMMANDS, "rm -rf src"))
    with pytest.raises(ValueError, match="does not allow"):
        guarding.guard_over_shlex()
