"""Nearest names, for "did you mean". Computed only on the error path."""

from __future__ import annotations

from collections.abc import Iterable


def nearest(word: str, choices: Iterable[str], limit: int = 2) -> list[str]:
    """Return at most `limit` of `choices` that `word` could be a slip of, best first.

    Case, `-` and `_` do not count as differences. The measure is difflib's ratio with its usual cutoff of 0.6.
    """
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for choice in choices:
        folded.setdefault(_fold(choice), choice)
    return [folded[hit] for hit in get_close_matches(_fold(word), folded, n=limit, cutoff=0.6)]


def did_you_mean(word: str, choices: Iterable[str], otherwise: str = "") -> str:
    """Return "did you mean `x`?" or, when nothing is near, `otherwise`."""
    hits = nearest(word, choices)
    return f"did you mean {' or '.join(f'`{hit}`' for hit in hits)}?" if hits else otherwise


def _fold(word: str) -> str:
    return word.casefold().replace("-", "").replace("_", "").replace(" ", "")
