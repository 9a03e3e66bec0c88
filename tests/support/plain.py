"""Declarations without files: plain data whose every value has an invented place."""

from __future__ import annotations

from dataclasses import dataclass

from frieze.diagnostics import Span
from frieze.profiles.declarations import Affine, DataPath


@dataclass(frozen=True)
class Plain:
    """Positions that say the file and the path instead of a line."""

    file: str

    def span(self, path: DataPath) -> Span:
        return Span(f"{self.file}#{'/'.join(map(str, path))}")

    def key_span(self, path: DataPath) -> Span:
        return Span(f"{self.file}#{'/'.join(map(str, path))}:key")

    def locate(self, path: DataPath, start: int, end: int) -> Span:
        return Span(f"{self.file}#{'/'.join(map(str, path))}", 1, start + 1, 1, end + 1)

    def affine(self, path: DataPath) -> Affine | None:
        return f"{self.file}#{'/'.join(map(str, path))}", 1, 1
