"""The records: `Span`, `Related`, `Code`, `Diagnostic`."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Severity(StrEnum):
    """How much a diagnostic weighs: an error stops the compile, a warning and a note do not."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Span(NamedTuple):
    """A stretch of one file.

    Lines and columns count from 1, columns in code points; the end is exclusive. `file` is the path
    that a reader sees: relative to the project with `/`, or `std/...` for the shipped library.
    Line 0 means the file as a whole.
    """

    file: str
    line: int = 0
    column: int = 0
    end_line: int = 0
    end_column: int = 0


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that has to do with the fault, and what stands there."""

    span: Span
    label: str


@dataclass(frozen=True, slots=True)
class Code:
    """One entry of the catalogue.

    `message` and `help` are `str.format` patterns over the diagnostic's arguments; `help` may be
    empty. `meaning` is the paragraph that `frieze rule CODE` prints. `bad` and `good` are profile
    files as text; several files are written one after the other, each behind a line `# file: PATH`
    (without such a line the text is `profiles/example.yaml`). A fault that no file shows by itself
    (a folder that cannot be read) leaves `bad` empty and says in `meaning` how it comes about.
    """

    code: str
    name: str
    severity: Severity
    message: str
    meaning: str
    help: str = ""
    bad: str = ""
    good: str = ""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding: which code, where, and the facts that fill the code's sentence.

    Two diagnostics are equal when code, span and arguments are; tests compare these, not prose.
    """

    code: str
    span: Span
    args: tuple[tuple[str, str], ...] = ()
    related: tuple[Related, ...] = field(default=(), compare=False)
    advice: str = field(default="", compare=False)

    @classmethod
    def of(
        cls, code: str, span: Span, *, related: tuple[Related, ...] = (), advice: str = "", **args: object
    ) -> Diagnostic:
        """Make one; every keyword becomes an argument of the sentence. `advice` replaces the code's own help."""
        pairs = tuple(sorted((name, str(value)) for name, value in args.items()))
        return cls(code, span, pairs, related, advice)

    @property
    def entry(self) -> Code:
        """The catalogue's entry for this code."""
        from frieze.diagnostics.catalogue import CODES

        return CODES[self.code]

    @property
    def severity(self) -> Severity:
        """The weight that the catalogue gives to this code."""
        return self.entry.severity

    @property
    def message(self) -> str:
        """The sentence, filled in, on one line."""
        return self.entry.message.format(**self._shown())

    @property
    def help(self) -> str:
        """What to do about it; empty when the sentence says all."""
        return self.advice or self.entry.help.format(**self._shown())

    def _shown(self) -> dict[str, str]:
        """The arguments as a sentence shows them, on one line; a quoted key may hold a line break."""
        return {name: value.replace("\n", "\\n") for name, value in self.args}
