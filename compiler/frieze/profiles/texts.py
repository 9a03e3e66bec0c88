"""Texts of profiles: written in place, or in a file beside the profile with `{file: greeting.md}`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from frieze.diagnostics import Diagnostic, Span, did_you_mean
from frieze.profiles.declarations import DataPath, Text
from frieze.profiles.desk import Desk
from frieze.profiles.extending import Declaration
from frieze.profiles.reading import Unit
from frieze.sources import SourceText


@dataclass(slots=True)
class TextReader:
    """Reads the texts that declarations name, each file once.

    `sources` is what was read, `readers` the files that name it, both by display path.
    """

    sources: dict[str, str] = field(default_factory=dict)
    desk: Desk = field(default_factory=Desk)
    readers: dict[str, set[str]] = field(default_factory=dict)
    _read: dict[Path, tuple[SourceText | None, list[Diagnostic]]] = field(default_factory=dict)

    def text(
        self, declaration: Declaration, path: DataPath, faults: list[Diagnostic], *, as_written: bool = False
    ) -> Text | None:
        """Return the text at a data path, None where there is none or it cannot be read.

        `as_written` keeps the line ends of a file; otherwise all are line feeds.
        """
        value = declaration.at(path)
        origin = declaration.origin
        if isinstance(value, str):
            return origin.text(value, *path)
        if not isinstance(value, Mapping):
            return None
        source, more = self._from_file(declaration.unit_at((*path, "file")), value["file"], origin.span(*path, "file"))
        faults += more
        if source is None:
            return None
        value, locate = (source.written, source.locate_written) if as_written else (source.text, source.locate)
        return Text(value, source.file, lambda: source.span, locate, lambda: (source.file, 1, 1))

    def _from_file(self, unit: Unit, name: str, span: Span) -> tuple[SourceText | None, list[Diagnostic]]:
        place, faults = find_text(unit, name, span)
        if place is None:
            return None, faults
        if place not in self._read:
            self._read[place] = self.desk.text(place, unit.display(place), span)
        source, faults = self._read[place]
        if source:
            self.sources[source.file] = source.text
            self.readers.setdefault(source.file, set()).add(unit.file)
        return source, faults


def find_text(unit: Unit, name: str, span: Span) -> tuple[Path | None, list[Diagnostic]]:
    """Return the file that `{file: name}` means: beside the profile, and inside the project behind every link."""
    root = unit.root.resolve()
    if PurePosixPath(name).is_absolute() or "\\" in name or ":" in name:
        return None, [Diagnostic.of("F321", span, name=name)]
    place = Path(os.path.normpath(unit.path.parent / name))
    try:
        real = place.resolve()
    except (OSError, RuntimeError, ValueError):
        real = place
    if not real.is_relative_to(root):
        return None, [Diagnostic.of("F321", span, name=name)]
    if not _exists(place):
        return None, [Diagnostic.of("F320", span, name=name, folder=unit.display(place.parent), advice=_nearby(place))]
    return place, []


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except OSError:  # a name that is too long for the file system
        return False


def _nearby(place: Path) -> str:
    try:
        if place.is_symlink():
            return "it is a link that leads to no file"
        beside = sorted(entry.name for entry in place.parent.iterdir())
    except OSError:
        beside = []
    return did_you_mean(place.name, beside)
