"""The texts that excerpts are cut from, also of files that are too broken to be part of a project."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from frieze.cli.reporters.report import LIBRARY
from frieze.diagnostics import Diagnostic, Span


def with_texts(diagnostics: Iterable[Diagnostic], known: Mapping[str, str], root: Path) -> dict[str, str]:
    """Return `known` with the text of every other file of the project at `root` that a finding points into."""
    from frieze.sources.files import read_bytes

    texts = dict(known)
    for file in dict.fromkeys(span.file for diagnostic in diagnostics for span in _spans(diagnostic) if span.line):
        if file not in texts and not file.startswith(LIBRARY):
            data, _ = read_bytes(root / file, Span(file))
            if data is not None:
                texts[file] = data.decode("utf-8", "replace").removeprefix("\ufeff")
    return texts


def _spans(diagnostic: Diagnostic) -> list[Span]:
    return [diagnostic.span, *(related.span for related in diagnostic.related)]
