"""Bodies of the residual and their marks, under construction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from frieze.diagnostics import Span
from frieze.template.ir import Body, Mark, Statement
from frieze.template.positions import Run

Entry: TypeAlias = "tuple[Statement, Mark, tuple[list[Mark], ...]]"
"""A statement, its mark, and the marks of the bodies that it holds."""


class Builder:
    """One body: neighbouring texts are joined, and text before a certain failure is dropped."""

    __slots__ = ("_body", "_pieces", "_runs", "_size")

    def __init__(self) -> None:
        self._body: list[Entry] = []
        self._pieces: list[str] = []
        self._runs: list[list[Any]] = []
        self._size = 0

    def __bool__(self) -> bool:
        return bool(self._body or self._pieces)

    def text(self, text: str, runs: Sequence[Run]) -> None:
        """Append text; `runs` say where its stretches come from."""
        if text:
            size = self._size
            self._runs += [[size + offset, file, line, column] for offset, file, line, column in runs]
            self._pieces.append(text)
            self._size += len(text)

    def add(self, node: Statement, mark: Mark, *inside: list[Mark]) -> None:
        """Append a statement, with the marks of the bodies that it holds."""
        self._flush()
        self._body.append((node, mark, inside))

    def fail(self, kind: str, message: str, span: Span) -> None:
        """End the body with a failure: whatever text it printed so far is never seen."""
        self._pieces, self._runs, self._size = [], [], 0
        self._body = [entry for entry in self._body if not isinstance(entry[0], str)]
        self._body.append((["fail", kind, message], list(span), ()))

    def extend(self, other: Builder) -> None:
        """Append everything that another body holds."""
        other._flush()
        self._flush()
        for entry in other._body:
            if isinstance(entry[0], str):
                self.text(entry[0], [(run[0], run[1], run[2], run[3]) for run in entry[1]])
            else:
                self.add(*entry[:2], *entry[2])

    def entries(self) -> tuple[Entry, ...]:
        """Return what the body holds, to be repeated in another one."""
        self._flush()
        return tuple(self._body)

    def repeat(self, entries: Sequence[Entry]) -> None:
        """Append what another body holds, as if it had been printed here."""
        for node, mark, inside in entries:
            if isinstance(node, str):
                size = self._size
                self._runs += [[size + offset, file, line, column] for offset, file, line, column in mark]
                self._pieces.append(node)
                self._size = size + len(node)
            else:
                self.add(node, mark, *inside)

    def close(self) -> tuple[Body, list[Mark]]:
        """Return the body, and the marks of its statements in preorder."""
        self._flush()
        marks: list[Mark] = []
        for _, mark, inside in self._body:
            marks.append(mark)
            for inner in inside:
                marks.extend(inner)
        return [entry[0] for entry in self._body], marks

    def _flush(self) -> None:
        if self._pieces:
            self._body.append(("".join(self._pieces), self._runs, ()))
            self._pieces, self._runs, self._size = [], [], 0
