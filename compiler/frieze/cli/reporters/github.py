"""Findings as GitHub workflow commands, which become annotations on the changed lines."""

from __future__ import annotations

from frieze.cli.reporters.report import Report, tally
from frieze.cli.reporters.visible import visible
from frieze.diagnostics import Diagnostic, Severity

_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def render(report: Report) -> str:
    """Return one command a finding and a last line with the counts.

    Errors come first: GitHub shows ten annotations of each severity a step.
    """
    weights = list(Severity)
    ranked = sorted(report.diagnostics, key=lambda diagnostic: weights.index(diagnostic.severity))
    commands = [_command(report, diagnostic) for diagnostic in ranked]
    name = f"frieze {visible(report.project)}".rstrip()
    return "\n".join([*commands, f"{name}: {tally(report)}"]) + "\n"


def _command(report: Report, diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    path = report.path(span.file)
    properties: dict[str, object] = {"file": path}
    where = path
    if span.line:
        where = f"{path}:{span.line}:{span.column}"
        end_line = max(span.end_line, span.line)
        properties |= {"line": span.line, "endLine": end_line}
        if end_line == span.line:
            properties |= {"col": span.column, "endColumn": max(span.end_column, span.column)}
    properties["title"] = f"{diagnostic.code} {diagnostic.entry.name}"
    text = f"{where}: {diagnostic.message}" + (f"\n{diagnostic.help}" if diagnostic.help else "")
    written = ",".join(f"{key}={_property(str(value))}" for key, value in properties.items())
    return f"::{_COMMANDS[diagnostic.severity]} {written}::{_data(text)}"


def _data(text: str) -> str:
    """Escape a command's message; a line feed would end the command."""
    escaped = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return visible(escaped)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
