"""What the joined look at texts says of them, for tests that know better."""

from __future__ import annotations

from collections.abc import Iterable

from frieze.runtime.joined import Odd, escape_if_clean


def all_clean(values: Iterable[str]) -> bool:
    """Tell that no value needs cleaning, escaping or masking, is empty, or has a line's signs. Caps are not checked.

    Something that is no text gives no.
    """
    try:
        texts = list(values)
        cap = sum(map(len, texts)) + len(texts) + 2
        return not escape_if_clean(texts, cap)
    except (Odd, TypeError):
        return False
