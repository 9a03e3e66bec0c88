"""What profiles add to filters that may leave a cleaned text less clean than it was.

Upper case can triple a length and lose the normal form, a slice or a reversal can part a character from its marks
and joiners. Where values are hardened, such results are cleaned again as soon as they arise, so that conditions and
outputs see the same text. In ASCII there is nothing to settle but the length.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .clean import LINE_CAP, TEXT_CAP, clean_line, clean_text

CUTTING_FILTERS = frozenset({"first", "last", "truncate"})
"""Filters of the class `same` that may part a character from its marks."""


def settled(text: str, before: int) -> str:
    """Clean a text that was made from a clean one of `before` characters; blanks at its ends stay.

    A text within the cap of lines (or of longer texts) stays within it.
    """
    limit = next((cap for cap in (LINE_CAP, TEXT_CAP) if before <= cap), before)
    if text.isascii() and len(text) <= limit:
        return text
    core = text.strip(" \n")
    start = text.find(core)
    clean = clean_text if "\n" in core else clean_line
    return text[:start] + clean(core, limit) + text[start + len(core) :]


def settling(function: Callable[..., Any]) -> Callable[..., Any]:
    """Make an operation from text to text give a clean text again."""

    def clean(value: Any, *arguments: Any, **keywords: Any) -> Any:
        result = function(value, *arguments, **keywords)
        return settled(result, len(value)) if isinstance(result, str) and isinstance(value, str) else result

    return clean


def settling_each(function: Callable[..., Iterator[Any]]) -> Callable[..., Iterator[Any]]:
    """Make a lazy operation, such as `map`, give clean texts."""

    def clean(value: Any, *arguments: Any, **keywords: Any) -> Iterator[Any]:
        for item in function(value, *arguments, **keywords):
            yield settled(item, len(item)) if isinstance(item, str) else item

    return clean
