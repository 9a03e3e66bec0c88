"""Findings as one JSON object, for programs."""

from __future__ import annotations

import json
from typing import Any

from frieze.cli.reporters.report import Report
from frieze.diagnostics import Diagnostic, Severity, Span

VERSION = 1
"""Raised when a field changes its meaning or goes away; new fields do not raise it."""


def render(report: Report) -> str:
    """Return the report as JSON that ends in a line feed; paths are as seen from the current folder."""
    document = {
        "version": VERSION,
        "project": report.project,
        "counts": dict(report.counts),
        "summary": {f"{severity}s": report.count(severity) for severity in Severity},
        "diagnostics": [_diagnostic(report, diagnostic) for diagnostic in report.diagnostics],
    }
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _diagnostic(report: Report, diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "code": diagnostic.code,
        "name": diagnostic.entry.name,
        "severity": str(diagnostic.severity),
        "message": diagnostic.message,
        "help": diagnostic.help,
        **_span(report, diagnostic.span),
        "args": dict(diagnostic.args),
        "related": [{"label": related.label, **_span(report, related.span)} for related in diagnostic.related],
    }


def _span(report: Report, span: Span) -> dict[str, Any]:
    """Return the place; a file as a whole has null for its lines and columns."""
    numbers = {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }
    return {"file": report.path(span.file), **(numbers if span.line else dict.fromkeys(numbers))}
