"""Reads the files of one run, each once, and parses only those that no earlier run has seen."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frieze.cache import Store
from frieze.diagnostics import Diagnostic, Span
from frieze.schema import Seen
from frieze.sources import Document, SourceText, document_data, kept_document, parse_document, read_text, source_text
from frieze.sources.characters import decode_sound
from frieze.sources.files import read_bytes
from frieze.sources.sections import Sections

FEW = 20
"""One document of so many is sooner parsed in every run than all are written anew."""


@dataclass(slots=True)
class Desk:
    """What was read. `store` and `key` say where documents are kept that have no fault; None: nowhere.

    `texts` holds the files beside profiles: where each stands, where that is behind all links, and its display path;
    `places` are the profiles of each project file, `fitting` the values that fit their schema, `hashes` the SHA-256 of
    each file by its display path, where documents are kept.
    """

    store: Store | None = None
    key: str = ""
    texts: list[tuple[Path, Path, str]] = field(default_factory=list)
    hashes: dict[str, str] = field(default_factory=dict)
    _bytes: dict[Path, tuple[bytes | None, list[Diagnostic]]] = field(default_factory=dict)
    _digests: dict[int, str] = field(default_factory=dict)
    _before: Mapping[str, Any] | None = None
    _sound: dict[str, Any] = field(default_factory=dict)
    places: dict[Path, list[Path]] = field(default_factory=dict)
    fitting: Seen = field(default_factory=dict)
    _sections: Sections = field(default_factory=dict)
    _names: dict[int, tuple[str, Document]] = field(default_factory=dict)

    def content(self, path: Path, display: str) -> tuple[bytes | None, list[Diagnostic]]:
        """Return what a file holds, or why it cannot be read."""
        if path not in self._bytes:
            self._bytes[path] = read_bytes(path, Span(display))
        return self._bytes[path]

    def hash(self, data: bytes) -> str:
        """Return the SHA-256 of a file's content, which is one that `content` gave."""
        found = self._digests.get(id(data))
        if found is None:
            found = self._digests[id(data)] = hashlib.sha256(data).hexdigest()
        return found

    def document(self, path: Path, display: str) -> tuple[Document | None, list[Diagnostic]]:
        """Read one YAML file, as `read_document` does."""
        data, faults = self.content(path, display)
        if data is None:
            return None, list(faults)
        if self.store is None:
            return parse_document(data, display, known=self._sections)
        name = self.hashes[display] = self.hash(data)
        kept = self._earlier().get(name)
        if kept is not None:
            self._sound[name] = kept
            return kept_document(display, decode_sound(data), kept), []
        document, faults = parse_document(data, display, known=self._sections)
        if document is not None and not faults:
            self._names[id(document)] = name, document
        return document, faults

    def text(self, place: Path, display: str, at: Span) -> tuple[SourceText | None, list[Diagnostic]]:
        """Read a text file, as `read_text` does, once: what is kept of it has to be what the result is made of."""
        self.texts.append((place, place.resolve(), display))
        data, _ = self.content(place, display)
        if data is None:
            return read_text(place, display, at)
        if self.store is not None:
            self.hashes[display] = self.hash(data)
        return source_text(data, display, at)

    def sound(self, document: Document) -> None:
        """Note that a document fits its schema, so that it need not be looked at again."""
        name, _ = self._names.get(id(document), ("", None))
        data = document_data(document) if name else None
        if data is not None:
            self._sound[name] = data

    def keep(self) -> None:
        """Keep the documents of this run for the next one, if it would have more than a few to parse again."""
        fresh = self._sound.keys() - self._earlier().keys()
        if self.store is not None and len(fresh) * FEW > len(self._sound):
            written = json.dumps(_parted(self._sound), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
            self.store.put(self.key, written.encode("utf-8", "surrogatepass"))

    def _earlier(self) -> Mapping[str, Any]:
        if self._before is None:
            data = self.store.get(self.key) if self.store else None
            self._before = {} if data is None else _together(json.loads(data.decode("utf-8", "surrogatepass")))
        return self._before


def _parted(documents: Mapping[str, Any]) -> list[Any]:
    """Return documents and, apart from them, the lists and maps below their keys, of which many have the same."""
    values: list[Any] = []
    places: dict[str, int] = {}
    met: dict[int, int] = {}

    def place(value: Any) -> Any:
        if not isinstance(value, list | dict):
            return value
        found = met.get(id(value))
        if found is None:
            found = met[id(value)] = places.setdefault(json.dumps(value), len(values))
            if found == len(values):
                values.append(value)
        return [found]

    rows = {
        name: {key: place(value) for key, value in data.items()} if isinstance(data, dict) else place(data)
        for name, data in documents.items()
    }
    return [values, rows]


def _together(kept: list[Any]) -> dict[str, Any]:
    """Return the documents that `_parted` took apart; what several have is one object."""
    values, rows = kept

    def whole(value: Any) -> Any:
        return values[value[0]] if isinstance(value, list) else value

    return {
        name: {key: whole(value) for key, value in row.items()} if isinstance(row, dict) else whole(row)
        for name, row in rows.items()
    }
