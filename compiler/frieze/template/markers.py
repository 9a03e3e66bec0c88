"""Wrapper tags that a template's own text writes, so that a part would seem to end where it goes on."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from frieze.template.ir import Body, statements


def find_markers(body: Body, tags: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield each wrapper tag that a template's own text writes, with the statement's index in preorder."""
    marker = _marker(frozenset(tags))
    if marker is None:
        return
    for index, node in enumerate(statements(body)):
        for found in marker.finditer(node) if isinstance(node, str) and "<" in node else ():
            yield index, found[0]


@lru_cache(maxsize=16)
def _marker(tags: frozenset[str]) -> re.Pattern[str] | None:
    names = "|".join(map(re.escape, sorted(tags)))
    return re.compile(rf"<\s*/?\s*(?:{names})\b[^<>\n]*>?", re.IGNORECASE) if names else None
