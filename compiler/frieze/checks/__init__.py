"""Lint rules over the frozen project, one a file. A rule reads; it compiles nothing and changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from frieze.checks.changing_instructions import NOTE as CHANGING
from frieze.checks.changing_instructions import changing_instructions, changing_notes
from frieze.checks.covers_nothing import covers_nothing
from frieze.checks.empty_retrieval import empty_retrieval
from frieze.checks.misquoted_heading import NOTE as QUOTATIONS
from frieze.checks.misquoted_heading import misquoted_heading, quotation_notes
from frieze.checks.near_name import near_name
from frieze.checks.near_topic import near_topic
from frieze.checks.overruled_rule import overruled_rule
from frieze.checks.silent_personality import silent_personality
from frieze.checks.template_in_plain_text import template_in_plain_text
from frieze.checks.unenforced_prohibition import unenforced_prohibition
from frieze.checks.unfit_formatting import NOTE as FORMATTING
from frieze.checks.unfit_formatting import formatting_notes, unfit_formatting
from frieze.checks.unknown_knowledge_base import unknown_knowledge_base
from frieze.checks.unknown_value import NOTE as VALUES
from frieze.checks.unknown_value import unknown_value, values_in_share
from frieze.checks.unmarked_part import unmarked_part
from frieze.checks.untold_rules import untold_rules
from frieze.checks.unused_block import unused_block
from frieze.checks.unused_input import NOTE as READING
from frieze.checks.unused_input import reading_notes, unused_input
from frieze.diagnostics import Diagnostic, Severity
from frieze.freeze import Frozen, Share
from frieze.freeze.space import Space

Check: TypeAlias = Callable[[Frozen], Iterator[Diagnostic]]

CHECKS: tuple[Check, ...] = (
    changing_instructions,
    unused_input,
    unused_block,
    empty_retrieval,
    unknown_knowledge_base,
    unknown_value,
    unfit_formatting,
    template_in_plain_text,
    misquoted_heading,
    silent_personality,
    unmarked_part,
    covers_nothing,
    unenforced_prohibition,
    overruled_rule,
    near_topic,
    near_name,
    untold_rules,
)
"""Every rule, in the order in which they run."""


NOTES: Mapping[str, Callable[[Space, Share], Any]] = {
    CHANGING: changing_notes,
    READING: reading_notes,
    FORMATTING: formatting_notes,
    QUOTATIONS: quotation_notes,
    VALUES: values_in_share,
}
"""What is looked for in every share, by the name under which it is kept."""


def run_checks(frozen: Frozen, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Run every rule, unless errors were found before: a rule would only repeat what follows from them."""
    if any(entry.severity == Severity.ERROR for entry in found):
        return []
    return [diagnostic for check in CHECKS for diagnostic in check(frozen)]


def share_notes(space: Space, share: Share) -> dict[str, Any]:
    """Return what the checks that go through the texts of a share found in it, so that they need not look again."""
    return {key: look(space, share) for key, look in NOTES.items()}
