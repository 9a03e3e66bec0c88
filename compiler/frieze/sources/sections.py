"""A file by the keys of its first level: what stands under most of them stands in other files too, letter for letter.

A *section* goes from one such key to the next. It is read by itself and known by its text, so the same lines are read
once for all files. Only what is certain to be read alike in pieces and as a whole is read in this way; a file for which
that does not hold, or in which anything is wrong, has to be read as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from frieze.sources.document import Document
from frieze.sources.places import first_line
from frieze.sources.scalars import CONSTANTS, DOUBTFUL, VARIANTS
from frieze.sources.tree import NODE_LIMIT, Builder, Entry


class Section(NamedTuple):
    """A key of the first level and its value; the entry's offsets count from the beginning of the section."""

    key: str
    value: Any
    entry: Entry


Sections: TypeAlias = dict[str, "Section | None"]
"""What was read before, by its text; None is for what cannot be read by itself."""

Build: TypeAlias = Callable[[str], "Builder | None"]
"""Reads a text as a file of its own; None where anything is wrong with it."""

_HEAD = re.compile(r"(?: *(?:#[^\n]*)?\n)*(?=[a-z_]+:[ \n])")
_NEXT = re.compile(r"\n(?=[a-z_]+:[ \n])")
_LITERAL = re.compile(r"([a-z_]+): \|(-?)\n( +)(?=[^ \n])")
_PLAIN = re.compile(r"([a-z_]+): ([A-Za-z][^\n#]*[^\n#: ])\n+")
_WORDS = CONSTANTS.keys() | VARIANTS.keys() | DOUBTFUL


def read_sections(file: str, text: str, build: Build, known: Sections) -> Document | None:
    """Read a file by its sections, None where it has to be read as a whole.

    `text` holds nothing that the two parsers read differently.
    """
    data: dict[str, Any] = {}
    rows: dict[str, tuple[int, Entry]] = {}
    extents = _extents(text)
    for start, end in extents:
        section = _section(text[start:end], build, known)
        if section is None or section.key in data:
            return None
        data[section.key] = section.value
        rows[section.key] = start, section.entry
    return (
        Document(file, text, data, lambda: _root(text, extents[0][0], Rows(rows, rows.__getitem__)))
        if extents
        else None
    )


def section_entries(text: str, data: Any, build: Build, whole: Callable[[], Entry]) -> Entry:
    """Return the positions of a file that was read before as `data`; `whole` gives them by reading all of it.

    A section is read when somebody asks for a place in it. Where that does not give what is in `data`, the file is
    read as a whole.
    """
    extents = _extents(text)
    keys = [text[start : text.index(":", start)] for start, _ in extents]
    if not keys or not isinstance(data, dict) or list(data) != keys:
        return whole()
    places = dict(zip(keys, extents, strict=True))

    def read(key: str) -> tuple[int, Entry]:
        start, end = places[key]
        section = _section(text[start:end], build, {})
        if section is None or section.key != key or section.value != data[key]:
            return 0, whole().children[key]  # type: ignore[index, call-overload] # it has the keys of its data
        return start, section.entry

    return _root(text, extents[0][0], Rows(places, read))


def _extents(text: str) -> list[tuple[int, int]]:
    """Return where each section of a text begins and ends; none where it has no such form."""
    head = _HEAD.match(text)
    if head is None or len(text) > NODE_LIMIT:
        return []
    starts = [head.end(), *(found.end() for found in _NEXT.finditer(text, head.end()))]
    return list(zip(starts, [*starts[1:], len(text)], strict=True))


def _section(part: str, build: Build, known: Sections) -> Section | None:
    section = _literal(part)
    if section is None:
        if part not in known:
            known[part] = _plain(part) or _built(build(part))
        section = known[part]
    return section


def _root(text: str, start: int, rows: Rows) -> Entry:
    return Entry(start, first_line(text, start, len(text)), ":", rows, start, start)


class Rows(Mapping[str, Entry]):
    """The entries of the first level, each looked up and put in its place when somebody asks for it."""

    __slots__ = ("_found", "_keys", "_read")

    def __init__(self, keys: Collection[str], read: Callable[[str], tuple[int, Entry]]) -> None:
        self._keys = keys
        self._read = read
        self._found: dict[str, Entry] = {}

    def __getitem__(self, key: str) -> Entry:
        if key not in self._found:
            if key not in self._keys:
                raise KeyError(key)
            start, entry = self._read(key)
            self._found[key] = _moved(entry, start)
        return self._found[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        return repr(dict(self))


def _moved(entry: Entry, by: int) -> Entry:
    start, end, style, children, key_start, key_end = entry
    if isinstance(children, list):
        children = [_moved(child, by) for child in children]
    elif children is not None:
        children = {key: _moved(child, by) for key, child in children.items()}
    return Entry(start + by, end + by, style, children, key_start + by, key_end + by)


def _literal(part: str) -> Section | None:
    """Read a text behind `|` whose lines are all indented as far as the first, or empty."""
    found = _LITERAL.match(part)
    if found is None or part[-1] != "\n":
        return None
    key, chomping, margin = found.groups()
    body = part[found.start(3) - 1 :]
    if key in _WORDS or re.search(rf"\n(?!\n|{margin}|\Z)", body):
        return None
    value = body.replace("\n" + margin, "\n")[1:].rstrip("\n")
    start = len(key) + 2
    entry = Entry(start, len(part.rstrip(" \n")), "|", None, 0, len(key))
    return Section(key, value if chomping else value + "\n", entry)


def _plain(part: str) -> Section | None:
    """Read words in one line."""
    found = _PLAIN.fullmatch(part)
    if found is None:
        return None
    key, value = found.groups()
    if ": " in value or key in _WORDS or value in _WORDS:
        return None
    start = len(key) + 2
    return Section(key, value, Entry(start, start + len(value), "", None, 0, len(key)))


def _built(builder: Builder | None) -> Section | None:
    if builder is None or builder.anchors or builder.doubtful or builder.root is None:
        return None
    children = builder.root.children
    if not isinstance(children, dict) or builder.root.style != ":" or len(children) != 1:
        return None
    ((key, entry),) = children.items()
    return Section(key, builder.data[key], entry)
