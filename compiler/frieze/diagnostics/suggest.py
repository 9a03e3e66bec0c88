"""Nearest names, for "did you mean". Computed only on the error path."""

from __future__ import annotations

from collections.abc import Iterable

CUTOFF = 0.6
"""The least ratio of difflib for a slip; its own default."""


def nearest(word: str, choices: Iterable[str], limit: int = 2, cutoff: float = CUTOFF) -> list[str]:
    """Return at most `limit` of `choices` that `word` could be a slip of, best first.

    Case, `-` and `_` do not count as differences. The measure is difflib's ratio.
    """
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for choice in choices:
        folded.setdefault(_fold(choice), choice)
    return [folded[hit] for hit in get_close_matches(_fold(word), folded, n=limit, cutoff=cutoff)]


def did_you_mean(word: str, choices: Iterable[str], otherwise: str = "", cutoff: float = CUTOFF) -> str:
    """Return "did you mean `x`?" or, when nothing is near, `otherwise`."""
    hits = nearest(word, choices, cutoff=cutoff)
    return f"did you mean {' or '.join(f'`{hit}`' for hit in hits)}?" if hits else otherwise


def _fold(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "").replace(" ", "")
