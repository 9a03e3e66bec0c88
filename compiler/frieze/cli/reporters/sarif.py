"""Findings as SARIF 2.1.0 (OASIS), for code scanning services."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from typing import Any
from urllib.parse import quote

from frieze.cli.reporters.report import Report
from frieze.diagnostics import Diagnostic, Span

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render(report: Report) -> str:
    """Return the report as one SARIF run that ends in a line feed."""
    from frieze import __version__

    codes = sorted({diagnostic.code for diagnostic in report.diagnostics})
    driver = {"name": "frieze", "semanticVersion": __version__, "rules": _rules(report)}
    seen: Counter[str] = Counter()
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, diagnostic, codes, seen) for diagnostic in report.diagnostics],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=False, indent=2) + "\n"


def _rules(report: Report) -> list[dict[str, Any]]:
    entries = {diagnostic.code: diagnostic.entry for diagnostic in report.diagnostics}
    return [
        {
            "id": code,
            "name": "".join(word.capitalize() for word in entry.name.split("-")),
            "shortDescription": {"text": entry.name.replace("-", " ")},
            "fullDescription": {"text": entry.meaning},
            "help": {"text": f"{entry.meaning}\n\n`frieze rule {code}` shows a bad and a good example."},
            "defaultConfiguration": {"level": str(entry.severity)},
        }
        for code, entry in sorted(entries.items())
    ]


def _result(report: Report, diagnostic: Diagnostic, codes: list[str], seen: Counter[str]) -> dict[str, Any]:
    text = f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": str(diagnostic.severity),
        "message": {"text": text},
        "locations": [_location(report, diagnostic.span)],
        "partialFingerprints": {"friezeFinding/v1": _fingerprint(report, diagnostic, seen)},
    }
    if diagnostic.related:
        result["relatedLocations"] = [
            {"id": number, "message": {"text": related.label}, **_location(report, related.span)}
            for number, related in enumerate(diagnostic.related)
        ]
    return result


def _location(report: Report, span: Span) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": {"uri": quote(report.path(span.file), errors="surrogateescape")}}
    if span.line:
        region = {"startLine": span.line, "startColumn": span.column}
        if span.end_line:
            region |= {"endLine": span.end_line, "endColumn": span.end_column}
        physical["region"] = region
    return {"physicalLocation": physical}


def _fingerprint(report: Report, diagnostic: Diagnostic, seen: Counter[str]) -> str:
    """Return a hash that survives moved lines: of the code, the file, the line's own text and the facts."""
    line = report.line(diagnostic.span.file, diagnostic.span.line) or ""
    facts = json.dumps([diagnostic.code, diagnostic.span.file, line.strip(), diagnostic.args])
    seen[facts] += 1
    return hashlib.sha256(f"{facts}{seen[facts]}".encode()).hexdigest()[:32]
