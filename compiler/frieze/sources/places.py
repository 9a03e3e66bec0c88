"""Offsets in a text to lines and columns."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

from frieze.diagnostics import Span


def span_between(file: str, text: str, start: int, end: int) -> Span:
    """Return the span of `text[start:end]`; offsets count code points, lines end with LF."""
    start = min(max(start, 0), len(text))
    end = min(max(end, start), len(text))
    starts = _line_starts(text)
    line = bisect_right(starts, start)
    end_line = bisect_right(starts, end, lo=line)
    return Span(file, line, start - starts[line - 1] + 1, end_line, end - starts[end_line - 1] + 1)


@lru_cache(maxsize=8)
def _line_starts(text: str) -> list[int]:
    return list(accumulate((len(line) + 1 for line in text.split("\n")[:-1]), initial=0))


def first_line(text: str, start: int, end: int) -> int:
    """Return where the first line of `text[start:end]` ends, blanks at its end left out."""
    stop = text.find("\n", start, end)
    if stop < 0:
        stop = end
    return max(start + 1, start + len(text[start:stop].rstrip())) if stop > start else start
