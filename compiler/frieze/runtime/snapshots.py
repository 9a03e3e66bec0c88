"""What a conversation has been told, as a small JSON value without any texts.

```
{"format": 1, "target": {"agent": "coder", "model": "...", ...}, "parts": {SLOT: HASH}, "tags": {SLOT: TAG},
 "held": [SLOT]}
```

`parts` are the slots whose parts stand in the conversation, each with the hash of its role and text. A compiled bundle
has no place in it, so a new version of a prompt restates only what it changed. A slot without a hash has ended although
the base instructions may go on saying it. `held` slots were said by the base instructions alone. `tags` say how a part
was marked, for the day on which the bundle does not know its block any more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from .context import kind_name
from .shapes import ListOf, MapOf, Record, misfit

FORMAT = 1
"""The format that this resolver writes and reads."""

ENDED = ""
"""In the place of a hash: the conversation was told that the part ended, and its base may say otherwise."""

LARGEST = 1_000_000
"""Characters or bytes of a snapshot that is given as JSON text."""

MOST_PARTS = 256
"""Slots that a snapshot may name; no layout has as many."""

_DOMAIN = b"frieze.part.1"
_SHAPE = Record(
    {"format": int, "target": MapOf((str, None)), "parts": MapOf(str)}, {"tags": MapOf(str), "held": ListOf(str)}
)
_is_tag = re.compile(r"[a-z][a-z0-9_ -]{0,63}").fullmatch
_EMPTY: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A snapshot that could be read."""

    target: Mapping[str, str | None] = field(default_factory=lambda: _EMPTY)
    parts: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    tags: Mapping[str, str] = field(default_factory=lambda: _EMPTY)
    held: frozenset[str] = frozenset()


def part_hash(role: str, text: str) -> str:
    """Return the hash (32 hexadecimal digits) of a part: of its role and its text, and of nothing else."""
    return sha256(b"\0".join((_DOMAIN, role.encode(), text.encode("utf-8", "surrogatepass")))).hexdigest()[:32]


def snapshot_data(snapshot: Snapshot) -> dict[str, Any]:
    """Return a snapshot as JSON data."""
    return {
        "format": FORMAT,
        "target": dict(snapshot.target),
        "parts": dict(snapshot.parts),
        "tags": dict(snapshot.tags),
        **({"held": sorted(snapshot.held)} if snapshot.held else {}),
    }


def read_snapshot(value: Any) -> tuple[Snapshot | None, str]:
    """Read a snapshot: data or its JSON text; `{}` says that nothing was said yet.

    Returns:
        The snapshot and empty text, or None and what is wrong with it. Nothing is raised, whatever is given.
    """
    try:
        return _read(value)
    except Exception:  # noqa: BLE001 - objects of the caller may raise anything
        return None, "it is not JSON data"


def _read(value: Any) -> tuple[Snapshot | None, str]:
    if isinstance(value, str | bytes | bytearray):
        if len(value) > LARGEST:
            return None, f"it is over {LARGEST:,} characters"
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return None, "it is not JSON"
    if not isinstance(value, Mapping):
        return None, f"it is {kind_name(value)}"
    data = dict(value)
    if not data:
        return Snapshot(), ""
    if data.get("format") != FORMAT:
        return None, f"its format is not {FORMAT}"
    if misfit(data, _SHAPE) is not None or not all(type(key) is str for key in (*data["target"], *data["parts"])):
        return None, "it is not of its form"
    if len(data["parts"]) > MOST_PARTS:
        return None, f"it has over {MOST_PARTS} parts"
    tags = {slot: tag for slot, tag in data.get("tags", {}).items() if _is_tag(tag)}
    return Snapshot(data["target"], data["parts"], tags, frozenset(data.get("held", ()))), ""
