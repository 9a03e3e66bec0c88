"""Bytes to plain data that remembers where it stood.

This room knows YAML and nothing about prompts. It reads bytes first (size, encoding, forbidden
characters), then the parser's events, and builds plain data beside a tree of positions. It writes no
file, keeps no comments and resolves no name.
"""

from __future__ import annotations

from frieze.sources.document import DataPath, Document, SourceText
from frieze.sources.kept import document_data, kept_document
from frieze.sources.reading import parse_document, parse_text, read_document, read_text, source_text

__all__ = [
    "DataPath",
    "Document",
    "SourceText",
    "document_data",
    "kept_document",
    "parse_document",
    "parse_text",
    "read_document",
    "read_text",
    "source_text",
]
