"""The guard's speed, as a ratio that holds on any machine."""

from __future__ import annotations

from frieze.bench.guarding import guard_over_shlex


def test_simple_commands_are_decided_quickly() -> None:
    """On a machine that splits such a command in 5 microseconds, this keeps a decision below 50."""
    assert guard_over_shlex() < 10
