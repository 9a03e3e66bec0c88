"""The marks by which a part is known again in a conversation, and what is said when it changed or ended."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from .messages import GAP

Markers: TypeAlias = tuple[str, str]
"""What a part begins and ends with."""

Facts: TypeAlias = Mapping[str, Any]
"""What a bundle says of a block."""

_white_space = re.compile(r"\s*").match


def tag_markers(tag: str) -> Markers:
    """Return the markers that a tag makes."""
    return f"<{tag}>", f"</{tag}>"


def markers_of(facts: Facts) -> Markers | None:
    """Return the markers of a block; None where its parts cannot be known again."""
    if facts.get("markers"):
        start, end = facts["markers"]
        return start, end
    return tag_markers(facts["tag"]) if facts.get("tag") else None


def known_markers(manifest: Mapping[str, Any]) -> tuple[Markers, ...]:
    """Return the markers of all parts of a bundle, and of the groups behind the last message."""
    found = [markers_of(facts) for facts in manifest["blocks"].values()]
    groups = [tag_markers(tag) for layout in manifest["layouts"] for tag in layout["tags"].values()]
    return tuple(dict.fromkeys([*filter(None, found), *groups]))


def changed_text(facts: Facts, text: str) -> str:
    """Return a part with the block's notice that it takes the place of an earlier one, inside of its markers."""
    notice = facts.get("changed", "").strip("\n")
    if not notice:
        return text
    markers = markers_of(facts)
    marked = markers is not None and _folded(text).startswith(_folded(markers[0]))
    if not (marked or facts.get("heading")):
        return f"{notice}{GAP}{text}"
    first, line_break, rest = text.partition("\n")
    if not line_break and markers:
        first, rest = text[: len(markers[0])], text[len(markers[0]) :]
    return f"{first}\n{notice}{GAP}{rest.lstrip(chr(10))}"


def ended_text(facts: Facts, layout: Mapping[str, Any]) -> str:
    """Return what the model is told when a part does not hold any more: the block's text, else the layout's."""
    notice = facts.get("ended", layout.get("ended", "")).strip("\n")
    markers = markers_of(facts)
    if not notice or (markers and parts_in(notice, [markers])):
        return str(notice)
    if markers:
        return f"{markers[0]}\n{notice}\n{markers[1]}"
    return f"{facts['heading']}\n{notice}" if facts.get("heading") else str(notice)


def parts_in(text: str, markers: Iterable[Markers]) -> list[tuple[Markers, str]]:
    """Return the parts that a text is made of, with their markers; none where it holds anything else besides.

    A part begins and ends with its markers, in any case of letters. Parts of one text are apart by white space.
    """
    trimmed = text.strip()
    folded = _folded(trimmed)
    pairs = [(_folded(start), _folded(end), (start, end)) for start, end in markers]
    found: list[tuple[Markers, str]] = []
    at = 0
    while at < len(folded):
        end = _end_of_part(folded, at, pairs)
        if end is None:
            break
        found.append((end[1], trimmed[at : end[0]]))
        at = _behind_space(folded, end[0])
    else:
        return found
    whole = (
        pair
        for start, end, pair in pairs
        if len(folded) >= len(start) + len(end) and folded.startswith(start) and folded.endswith(end)
    )
    return [(pair, trimmed) for pair in whole][:1]


def _end_of_part(folded: str, at: int, pairs: list[tuple[str, str, Markers]]) -> tuple[int, Markers] | None:
    """Return where a part that starts at a place ends: before the end of the text, or another part."""
    for start, end, pair in pairs:
        if not folded.startswith(start, at):
            continue
        found = folded.find(end, at + len(start))
        while found >= 0:
            until = found + len(end)
            then = _behind_space(folded, until)
            if then == len(folded) or (then > until and any(folded.startswith(other, then) for other, _, _ in pairs)):
                return until, pair
            found = folded.find(end, found + 1)
    return None


def _behind_space(text: str, at: int) -> int:
    found = _white_space(text, at)
    return found.end() if found else at


def _folded(text: str) -> str:
    """Return a text with its letters in one case, every character in its place."""
    folded = text.lower()
    if len(folded) == len(text):
        return folded
    return "".join(low if len(low := char.lower()) == 1 else char for char in text)
