"""A document as JSON data and back, so that a file that was read before is not parsed again.

Only the plain data is made at once; the positions wait until somebody asks for a place.
"""

from __future__ import annotations

from typing import Any

from frieze.sources.document import Document
from frieze.sources.tree import Entry


def document_data(document: Document) -> list[Any] | None:
    """Return a document without its text, None where there is something to say of it, or an alias in it."""
    if document.doubtful:
        return None
    tree = _written(document.root)
    return None if tree is None else [document.data, tree]


def kept_document(file: str, text: str, data: list[Any]) -> Document:
    """Return the document of which `document_data` gave the data; `text` is what it was read from."""
    return Document(file, text, data[0], lambda: _entry(data[1], data[0]), known=True)


def _written(entry: Entry) -> list[Any] | None:
    if entry.style == "*":
        return None
    head: list[Any] = [entry.start, entry.end, entry.style, entry.key_start, entry.key_end]
    children = entry.children
    if children is None:
        return head
    below = [_written(child) for child in (children if isinstance(children, list) else children.values())]
    return None if None in below else [*head, below]


def _entry(data: list[Any], value: Any) -> Entry:
    start, end, style, key_start, key_end, *rest = data
    if not rest:
        return Entry(start, end, style, None, key_start, key_end)
    if isinstance(value, dict):
        named = {key: _entry(row, value[key]) for key, row in zip(value, rest[0], strict=True)}
        return Entry(start, end, style, named, key_start, key_end)
    listed = [_entry(row, item) for row, item in zip(rest[0], value, strict=True)]
    return Entry(start, end, style, listed, key_start, key_end)
