"""What every pass returns when something is wrong: a place, a code and the facts, never a sentence.

The sentence comes from the catalogue (`frieze.diagnostics.catalogue`), the look from a reporter in
`frieze.cli`. Nothing here reads a file or knows what a profile is.
"""

from __future__ import annotations

from frieze.diagnostics.model import Code, Diagnostic, Related, Severity, Span
from frieze.diagnostics.suggest import did_you_mean, nearest

__all__ = ["Code", "Diagnostic", "Related", "Severity", "Span", "did_you_mean", "nearest"]
