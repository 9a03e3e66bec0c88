"""The parts of a rendered prompt, as a service sees them."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """One rendered block.

    `zone` says how often the text may change; `place` is `prefix`, `turn_notices` or `turn_context`;
    `source` is the file that declares the block.
    """

    id: str
    role: str
    authority: str
    text: str
    zone: str
    tag: str | None
    source: str
    place: str
