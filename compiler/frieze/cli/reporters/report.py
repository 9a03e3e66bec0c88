"""`Report`: what every reporter gets, in the order in which it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from frieze.diagnostics import Diagnostic, Severity

LIBRARY = "std/"


@dataclass(frozen=True, slots=True)
class Report:
    """The findings of one run, sorted by place and without doubles.

    `texts` maps a display path to the file's text, for excerpts. `base` leads from the current folder to
    the project ("" or "examples/minimal/"), so that a path can be clicked and an annotation finds its file.
    """

    diagnostics: tuple[Diagnostic, ...]
    texts: Mapping[str, str] = field(default_factory=dict)
    project: str = ""
    counts: Mapping[str, int] = field(default_factory=dict)
    base: str = ""

    @classmethod
    def of(
        cls,
        diagnostics: Iterable[Diagnostic],
        *,
        texts: Mapping[str, str] | None = None,
        project: str = "",
        counts: Mapping[str, int] | None = None,
        base: str = "",
    ) -> Report:
        """Make one from diagnostics in any order."""
        ordered = dict.fromkeys(sorted(diagnostics, key=_place))
        return cls(tuple(ordered), texts or {}, project, counts or {}, base)

    def count(self, severity: Severity) -> int:
        """Return how many findings have this severity."""
        return sum(diagnostic.severity is severity for diagnostic in self.diagnostics)

    @property
    def failed(self) -> bool:
        """True when at least one finding is an error."""
        return any(diagnostic.severity is Severity.ERROR for diagnostic in self.diagnostics)

    def path(self, file: str) -> str:
        """Return a display path as seen from the current folder; files of the shipped library keep theirs."""
        return file if file.startswith(LIBRARY) else self.base + file

    def line(self, file: str, number: int) -> str | None:
        """Return one line of a file (from 1), without its line break; None where it is not at hand."""
        text = self.texts.get(file)
        lines = text.split("\n") if text is not None else []
        return lines[number - 1].removesuffix("\r") if 1 <= number <= len(lines) else None


def tally(report: Report) -> str:
    """Return the counts in words: "2 errors and 1 warning"; "no findings" for none."""
    words = [plural(report.count(severity), str(severity)) for severity in Severity if report.count(severity)]
    return listed(words) or "no findings"


def plural(number: int, noun: str) -> str:
    """Return "1 error", "2 errors"; `noun` may be plural already."""
    singular = noun.removesuffix("s")
    return f"{number:,} {singular if number == 1 else singular + 's'}"


def listed(words: list[str]) -> str:
    """Return "a", "a and b", "a, b and c"."""
    return " and ".join([*([", ".join(words[:-1])] if words[1:] else []), *words[-1:]])


def _place(diagnostic: Diagnostic) -> tuple[str, int, int, str, tuple[tuple[str, str], ...]]:
    span = diagnostic.span
    return span.file, span.line, span.column, diagnostic.code, diagnostic.args
