"""What is wrong with a policy, found when compiling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, Severity
from frieze.policy.claims import claim_faults
from frieze.policy.examples import example_faults
from frieze.policy.gaps import mode_faults, secret_faults, sibling_faults
from frieze.policy.layers import layer_faults
from frieze.policy.questions import question_faults
from frieze.policy.references import reference_faults
from frieze.policy.rules import rule_faults
from frieze.policy.tightening import loosenings
from frieze.policy.wording import wording_faults, wording_of
from frieze.profiles.declarations import Graph, Policy
from frieze.profiles.naming import LIBRARY, bare, is_library
from frieze.runtime.guard.policy import PolicyError


def policy_faults(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> list[Diagnostic]:
    """Return every fault of a policy, each once. The guard is only asked about one that is sound by itself."""
    faults = list(_static(graph, policy, table))
    if not any(fault.severity is Severity.ERROR for fault in faults):
        try:
            faults += _guarded(graph, policy, table)
        except PolicyError as error:
            faults.append(Diagnostic.of("F849", policy.origin.span("name"), name=bare(policy.name), problem=error))
    return list(dict.fromkeys(fault for fault in faults if not _is_inherited(policy, fault)))


def _is_inherited(policy: Policy, fault: Diagnostic) -> bool:
    """Tell whether a warning is about what the library says: nobody who extends it can change that."""
    library = fault.span.file.startswith(LIBRARY)
    return library and fault.severity is not Severity.ERROR and not is_library(policy.name)


def _static(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    yield from layer_faults(graph, policy)
    yield from loosenings(graph, policy)
    yield from rule_faults(policy, table)
    yield from reference_faults(graph, policy, table)
    yield from question_faults(policy)
    yield from mode_faults(policy, table)
    yield from secret_faults(graph, policy, table)
    yield from wording_faults(graph, policy)


def _guarded(graph: Graph, policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    examples = list(example_faults(policy, table))
    yield from examples
    yield from sibling_faults(graph, policy, table)
    if not examples:
        yield from claim_faults(policy, table, wording_of(graph, policy))
