"""The result of a whole run, for a run in which nothing has changed.

It is kept under the project's folder; inside stands the hash of everything that it was made of, which has to be what it
would be made of now. The files that agents' shares give are not kept a second time: their pieces are looked up in the
shares.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from frieze.build.keys import documents_key, key_of
from frieze.build.packing import diagnostic_data, read_diagnostic
from frieze.build.shares import Workshop
from frieze.cache import Store
from frieze.diagnostics import Diagnostic, Span
from frieze.emit import Bundle
from frieze.profiles import Desk, load_project, survey_all
from frieze.profiles.declarations import Project
from frieze.profiles.loading import absolute
from frieze.sources.characters import decode


@dataclass(frozen=True, slots=True)
class Result:
    """What a run gives.

    `texts` are the sources by display path; `project` is None where the project file cannot be used, `bundle` where
    there is an error.
    """

    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str]
    project: Project | None
    counts: Mapping[str, int] = field(default_factory=dict)
    bundle: Bundle | None = None

    @property
    def name(self) -> str:
        """The project's name, empty where it has none."""
        return self.project.name if self.project else ""


class Texts(Mapping[str, str]):
    """Source texts by display path, decoded when they are looked at."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self._contents = contents

    def __getitem__(self, file: str) -> str:
        return decode(self._contents[file], Span(file))[0] or ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._contents)

    def __len__(self) -> int:
        return len(self._contents)


@dataclass(slots=True)
class Memory:
    """What is kept of one project."""

    store: Store
    root: Path
    desk: Desk
    contents: dict[str, bytes] = field(default_factory=dict)
    sources: list[list[str]] | None = None

    @classmethod
    def of(cls, store: Store, root: Path) -> Memory:
        """Begin a run."""
        root = absolute(root)
        return cls(store, root, Desk(store, documents_key(root)))

    def recall(self) -> Result | None:
        """Return the result of the last run, None where there is none that still holds."""
        found = survey_all(self.root, self.desk)
        if found is None:
            return None
        self.contents = dict(found)
        self.sources = sorted([name, self.desk.hash(data)] for name, data in found)
        data = self.store.get(self._key())
        if data is None:
            return None
        begin = data.index(b"\n") + 1
        size, sources = data[:begin].split()
        if sources != self._digest():
            return None
        end = begin + int(size)
        head = json.loads(data[begin:end])
        if not self._same_texts(head["texts"]):
            return None
        files = self._files(head["files"], data[end:])
        if files is None:
            return None
        diagnostics = tuple(map(read_diagnostic, head["diagnostics"]))
        project = load_project(self.root, self.desk)
        return Result(diagnostics, Texts(self.contents), project, head["counts"], Bundle(head["package"], files))

    def keep(self, result: Result, workshop: Workshop) -> None:
        """Keep a result, and the documents that were read for it."""
        self.desk.keep()
        texts = self._texts()
        if self.sources is None or texts is None or result.bundle is None or self.store.broken:
            return
        files: list[list[Any]] = []
        blobs: list[bytes] = []
        pieces = dict(workshop.pieces())
        for path, content in result.bundle.files.items():
            piece = pieces.get(path)
            if piece and (content is piece.content or content.startswith(piece.content)):
                rest = content[len(piece.content) :].decode()
                files.append([path, [piece.key, piece.hash, piece.start, len(piece.content), rest]])
            else:
                files.append([path, len(content)])
                blobs.append(content)
        head = {
            "texts": texts,
            "diagnostics": list(map(diagnostic_data, result.diagnostics)),
            "counts": dict(result.counts),
            "package": result.bundle.package,
            "files": files,
        }
        written = json.dumps(head, separators=(",", ":")).encode()
        self.store.put(self._key(), b"".join([b"%d %s\n" % (len(written), self._digest()), written, *blobs]))

    def _digest(self) -> bytes:
        """Return the hash of the sources, which says whether they have changed."""
        return hashlib.sha256(json.dumps(self.sources).encode()).hexdigest().encode()

    def _key(self) -> str:
        return key_of("project", str(self.root))

    def _texts(self) -> list[list[str]] | None:
        """Return where each text beside a profile stands, behind all links too, its display path and its hash."""
        rows = []
        for place, real, display in self.desk.texts:
            data, faults = self.desk.content(place, display)
            if data is None or faults:
                return None
            rows.append([str(place), str(real), display, hashlib.sha256(data).hexdigest()])
        return rows

    def _same_texts(self, rows: list[list[str]]) -> bool:
        for place, real, display, known in rows:
            data, _ = self.desk.content(Path(place), display)
            if data is None or hashlib.sha256(data).hexdigest() != known or str(Path(place).resolve()) != real:
                return False
            self.contents[display] = data
        return True

    def _files(self, rows: list[Any], blobs: bytes) -> dict[str, bytes] | None:
        """Return the files of the bundle, None where a share is lost."""
        files: dict[str, bytes] = {}
        shares: dict[tuple[str, str], list[tuple[str, int, int, str]]] = {}
        at = 0
        for path, where in rows:
            if isinstance(where, int):
                files[path] = blobs[at : at + where]
                at += where
            else:
                files[path] = b""  # in its place; its piece follows
                key, known, *piece = where
                shares.setdefault((key, known), []).append((path, *piece))
        for (key, known), pieces in shares.items():
            found = self.store.entry(key)
            if found is None or found[0] != known:
                return None
            for path, start, size, rest in pieces:
                files[path] = found[1][start : start + size] + rest.encode()
        return files
