"""A document as JSON data and back, so that a file that was read before is not parsed again.

Only the plain data is kept; the positions wait until somebody asks for a place.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from frieze.sources.document import Document
from frieze.sources.reading import entries_of, parse_text
from frieze.sources.tree import Entry


def document_data(document: Document) -> Any:
    """Return a document without its text, None where there is something to say of it."""
    return None if document.doubtful else document.data


def kept_document(file: str, text: str, data: Any) -> Document:
    """Return the document of which `document_data` gave the data; `text` is what it was read from."""

    @cache
    def whole() -> Entry:
        document, faults = parse_text(text, file)
        if document is None:
            raise ValueError(f"{file} was sound when it was read first: {faults[0].message}")
        return document.root

    return Document(file, text, data, lambda: entries_of(text, data, whole), known=True)
