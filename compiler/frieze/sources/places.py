"""Offsets in a text to lines and columns."""

from __future__ import annotations

from frieze.diagnostics import Span


def span_between(file: str, text: str, start: int, end: int) -> Span:
    """Return the span of `text[start:end]`; offsets count code points, lines end with LF."""
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    line = text.count("\n", 0, start) + 1
    column = start - text.rfind("\n", 0, start)
    breaks = text.count("\n", start, end)
    if not breaks:
        return Span(file, line, column, line, column + end - start)
    return Span(file, line, column, line + breaks, end - text.rfind("\n", 0, end))


def first_line(text: str, start: int, end: int) -> int:
    """Return where the first line of `text[start:end]` ends, blanks at its end left out."""
    stop = text.find("\n", start, end)
    if stop < 0:
        stop = end
    return max(start + 1, start + len(text[start:stop].rstrip())) if stop > start else start
