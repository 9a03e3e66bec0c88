"""Findings for people: sentence, place, excerpt with carets, related places, help."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.cli.reporters.report import Report, listed, plural, tally
from frieze.cli.reporters.visible import cells, expand_tabs, visible
from frieze.diagnostics import Diagnostic, Severity, Span

LIMIT = 50
"""How many findings are shown; the rest is counted."""

_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
_CUT = "..."


def render(report: Report, *, colour: bool = False, width: int = 120) -> str:
    """Return the report as text that ends in a line feed; excerpts are cut to `width` columns."""
    shown = _most_important(report)
    painter = _Painter(report, colour, width)
    blocks = ["\n".join(painter.diagnostic(diagnostic)) for diagnostic in shown]
    if hidden := len(report.diagnostics) - len(shown):
        blocks.append(f"... and {hidden:,} more (`--format json` lists all)")
    blocks.append(painter.summary())
    return "\n\n".join(blocks) + "\n"


def _most_important(report: Report) -> list[Diagnostic]:
    """Return up to `LIMIT` findings in their order; where some must go, warnings go before errors."""
    weights = list(Severity)
    ranked = sorted(report.diagnostics, key=lambda diagnostic: weights.index(diagnostic.severity))
    kept = {id(diagnostic) for diagnostic in ranked[:LIMIT]}
    return [diagnostic for diagnostic in report.diagnostics if id(diagnostic) in kept]


class _Painter:
    def __init__(self, report: Report, colour: bool, width: int) -> None:
        self._report = report
        self._colour = colour
        self._width = width

    def diagnostic(self, diagnostic: Diagnostic) -> Iterator[str]:
        places = [diagnostic.span, *(related.span for related in diagnostic.related)]
        gutter = len(str(max(place.line for place in places)))
        tint = _COLOURS[diagnostic.severity]
        label = self._paint(f"{diagnostic.severity}[{diagnostic.code}]", tint, bold=True)
        first, *rest = visible(diagnostic.message, keep="\n").split("\n")
        yield f"{label}: {self._paint(first, bold=True)}"
        yield from (f"  {line}" for line in rest)
        yield from self._place(diagnostic.span, gutter, tint)
        for related in diagnostic.related:
            yield from self._place(related.span, gutter, "blue", visible(related.label))
        if diagnostic.help:
            yield from self._help(diagnostic.help, gutter)

    def summary(self) -> str:
        report = self._report
        name = f"{visible(report.project)}: " if report.project else ""
        counted = listed([plural(number, noun) for noun, number in report.counts.items()])
        if not report.diagnostics:
            return f"{name}{self._paint('all good', 'green', bold=True)}{f' ({counted})' if counted else ''}"
        files = len({diagnostic.span.file for diagnostic in report.diagnostics})
        words = self._paint(tally(report), "red" if report.failed else "yellow", bold=True)
        return f"{name}{words} in {plural(files, 'file')}"

    def _place(self, span: Span, gutter: int, tint: str, label: str = "") -> Iterator[str]:
        """Show one place; a related one has a label."""
        arrow, mark = (":::", "-") if label else ("-->", "^")
        where = visible(self._report.path(span.file))
        if span.line:
            where += f":{span.line}:{span.column}"
        margin = " " * gutter
        yield f"{margin}{self._paint(arrow, 'blue')} {where}"
        line = self._report.line(span.file, span.line)
        if line is None:
            if label:
                yield f"{margin}     {label}"
            return
        bar = self._paint("|", "blue")
        excerpt, indent, length = _excerpt(line, span, max(20, self._width - gutter - 3))
        carets = self._paint(mark * length, tint, bold=True)
        yield f"{margin} {bar}"
        yield f"{self._paint(str(span.line).rjust(gutter), 'blue')} {bar} {excerpt}".rstrip()
        yield f"{margin} {bar} {' ' * indent}{carets}{f' {label}' if label else ''}"

    def _help(self, text: str, gutter: int) -> Iterator[str]:
        first, *rest = visible(text, keep="\n").split("\n")
        yield f"{' ' * gutter} {self._paint('=', 'blue')} {self._paint('help', bold=True)}: {first}"
        yield from (f"{' ' * gutter}         {line}".rstrip() for line in rest)

    def _paint(self, text: str, tint: str | None = None, *, bold: bool = False) -> str:
        if not self._colour:
            return text
        import click

        return click.style(text, fg=tint, bold=bold or None)


def _excerpt(line: str, span: Span, width: int) -> tuple[str, int, int]:
    """Return a source line as shown, the columns before the marks and the number of marks."""
    shown = expand_tabs(line)
    widths = cells(shown)
    start = min(max(span.column - 1, 0), len(shown))
    end = len(shown) if span.end_line > span.line else min(max(span.end_column - 1, start), len(shown))
    first, last = _window(widths, start, width)
    excerpt = (_CUT if first else "") + "".join(shown[first:last]) + (_CUT if last < len(shown) else "")
    indent = (len(_CUT) if first else 0) + sum(widths[first:start])
    return excerpt, indent, max(1, sum(widths[start : min(end, last)]))


def _window(widths: list[int], start: int, width: int) -> tuple[int, int]:
    """Return the stretch of a line to show: all of it where it fits, else what surrounds `start`."""
    if sum(widths) <= width:
        return 0, len(widths)
    room = width - 2 * len(_CUT)
    first, before = start, 0
    while first and before + widths[first - 1] <= room // 3:
        first -= 1
        before += widths[first]
    last, used = start, before
    while last < len(widths) and used + widths[last] <= room:
        used += widths[last]
        last += 1
    return first, last
