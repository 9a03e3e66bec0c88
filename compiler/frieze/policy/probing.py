"""Whether the guard keeps what the text says: every claim of every sentence is put before the real guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from frieze.policy.sentences import PermissionsText, Probe, Sentence
from frieze.runtime.guard.decisions import Action, Decision
from frieze.runtime.guard.guard import Guard

WORKSPACE = "/frieze-probes/workspace"
HOME = "/frieze-probes/home"
"""Folders that need not exist: what probes speak of is judged by its name."""


class Broken(NamedTuple):
    """A claim that the guard does not keep."""

    sentence: Sentence
    probe: Probe
    decision: Decision


def guard_of(table: Mapping[str, Any], mode: str, *, interactive: bool) -> Guard:
    """Return the guard of one mode, for a workspace that does not exist."""
    return Guard(table, mode, workspace=WORKSPACE, interactive=interactive, home=HOME)


def decide(guard: Guard, probe: Probe) -> Decision:
    """Return the guard's answer to a probe."""
    return guard.decide(Action(probe.kind, command=probe.command, path=probe.path))


def broken_claims(text: PermissionsText, guard: Guard) -> Iterator[Broken]:
    """Yield every claim of a text that the guard does not keep."""
    yield from broken_sentences(text.sentences, guard)


def broken_sentences(sentences: Iterable[Sentence], guard: Guard) -> Iterator[Broken]:
    """Yield every claim of some sentences that the guard does not keep."""
    for sentence in sentences:
        for probe in sentence.probes:
            decision = decide(guard, probe)
            if decision.effect not in probe.effects:
                yield Broken(sentence, probe, decision)
