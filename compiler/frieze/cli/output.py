"""Where commands write: results to stdout as UTF-8, everything said about them to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from frieze.cli.reporters import Report
    from frieze.diagnostics import Diagnostic

WIDTH = 120
"""Columns of a text that does not go to a terminal."""


def write(text: str) -> None:
    """Write a result to stdout: UTF-8 whatever the locale says, line feeds as they are."""
    click.echo(text.encode("utf-8", "backslashreplace"), nl=False)


def publish(report: Report, form: str) -> None:
    """Write a report to stdout in one of the formats."""
    from frieze.cli.reporters import render

    if form == "text":
        colour = coloured(sys.stdout.isatty())
        click.echo(render(report, form, colour=colour, width=_width(sys.stdout.isatty())), nl=False, color=colour)
    else:
        write(render(report, form))


def complain(report: Report) -> None:
    """Write a report to stderr as text; used where stdout belongs to the result."""
    from frieze.cli.reporters import render

    terminal = sys.stderr.isatty()
    colour = coloured(terminal)
    click.echo(render(report, "text", colour=colour, width=_width(terminal)), err=True, nl=False, color=colour)


def complain_about(diagnostics: Iterable[Diagnostic], texts: dict[str, str] | None = None) -> None:
    """Write a few findings to stderr that do not belong to a project's files, such as those on a context."""
    from frieze.cli.reporters import Report

    complain(Report.of(diagnostics, texts=texts or {}))


def coloured(terminal: bool) -> bool:
    """Tell whether to colour: on a terminal, unless NO_COLOR is set (https://no-color.org) or it cannot."""
    return terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def _width(terminal: bool) -> int:
    return shutil.get_terminal_size((WIDTH, 24)).columns if terminal else WIDTH
