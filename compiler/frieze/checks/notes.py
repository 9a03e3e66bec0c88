"""What checks found in the shares of agents, which is kept with them, so that nobody looks again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from frieze.freeze import Frozen, Share
from frieze.freeze.space import Space


def noted(frozen: Frozen, key: str, look: Callable[[Space, Share], Any]) -> Iterator[tuple[Share, Any]]:
    """Yield every share with the note of a check; where it has none, `look` makes it."""
    for share in frozen.shares.values():
        yield share, share.notes[key] if key in share.notes else look(frozen.space, share)
