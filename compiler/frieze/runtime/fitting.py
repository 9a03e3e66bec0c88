"""Making a list of named texts fit into a number of characters: first shorter texts, then none, then fewer names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .arithmetic import bounded
from .escape import quoted
from .graphemes import cut

LONGEST = 1024
"""Code points of one text at most, however much room there is."""

FRAME = len("- : \n")
"""What a line of the list has around a name and a text."""


def fitted(value: Sequence[Any], room: int, text: str = "description", name: str = "name") -> list[Any]:
    """Return a list of records whose lines `- "name": "text"` take at most `room` characters.

    All texts are shortened to the same length, which is as large as possible, before one is left out; then names stand
    alone; then the last records go. A record that stays the same is the same object.
    """
    records = list(value)
    bounded(len(records))
    widths = [_width(record, name) for record in records]
    while widths and sum(widths) > room:
        widths.pop()
    records = records[: len(widths)]
    texts = [str(record.get(text) or "") for record in records]
    spare = room - sum(widths)
    longest = _longest(texts, spare)
    return [_with(record, text, old, _shortened(old, longest)) for record, old in zip(records, texts, strict=True)]


def _width(record: Any, name: str) -> int:
    return FRAME + len(quoted(str(record.get(name) or "")))


def _longest(texts: list[str], spare: int) -> int:
    """Return the largest number of code points to which all texts can be shortened so that they fit."""
    low, high = 0, LONGEST
    while low < high:
        middle = (low + high + 1) // 2
        if sum(len(quoted(each)) for each in (_shortened(text, middle) for text in texts) if each) <= spare:
            low = middle
        else:
            high = middle - 1
    return low


def _shortened(text: str, longest: int) -> str:
    return cut(text, longest) if longest > 1 else ""


def _with(record: Any, text: str, old: str, new: str) -> Any:
    return record if new == old else {**record, text: new}
