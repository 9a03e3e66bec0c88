"""`frieze rule`: what a diagnostic's code means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from frieze.diagnostics import Code

WIDTH = 88
NEAR = 0.75
"""The least likeness of a name to suggest: of hundreds, one is always somewhat alike."""


@click.command("rule", short_help="Explain a finding, with examples.")
@click.argument("code", required=False)
def rule(code: str | None) -> None:
    """Explain a finding: what it means, a bad and a good example.

    CODE is a code (F301) or a name (unknown-extends); without it all are listed.
    """
    from frieze.cli.output import write
    from frieze.diagnostics import did_you_mean
    from frieze.diagnostics.catalogue import CODES
    from frieze.runtime.notes import NOTES

    if code is None:
        write(_listing(CODES, NOTES))
        return
    wanted = code.lower()
    sections = [_explained(entry) for entry in CODES.values() if wanted in {entry.code.lower(), entry.name}]
    if wanted in NOTES:
        sections.append(_note(wanted, NOTES[wanted]))
    if not sections:
        known = [*CODES, *(entry.name for entry in CODES.values()), *NOTES]
        hint = did_you_mean(code, known, "`frieze rule` lists all.", cutoff=NEAR)
        raise click.UsageError(f"There is no code `{code}`; {hint}")
    write("\n".join(sections))


def _listing(codes: Mapping[str, Code], notes: Mapping[str, str]) -> str:
    width = max(map(len, notes), default=0)
    lines = [f"{code}  {entry.severity:<7}  {entry.name}" for code, entry in sorted(codes.items())]
    lines += ["", "Notes that a render gives about values that it refused, cut or ignored:", ""]
    lines += [f"{name:<{width}}  {_first_sentence(text)}" for name, text in sorted(notes.items())]
    return "\n".join(lines) + "\n"


def _explained(entry: Code) -> str:
    sections = [f"{entry.code} {entry.name} ({entry.severity})", _pattern(entry.message), _wrapped(entry.meaning)]
    if entry.bad:
        sections.append(f"Bad:\n\n{_indented(entry.bad)}")
    if entry.good:
        sections.append(f"Good:\n\n{_indented(entry.good)}")
    if entry.help:
        sections.append(f"What to do: {_pattern(entry.help)}")
    return "\n\n".join(sections) + "\n"


def _note(name: str, text: str) -> str:
    return f"{name} (note of a render)\n\n{_wrapped(text)}\n"


def _first_sentence(text: str) -> str:
    head, stop, _ = text.partition(". ")
    return head + stop.strip()


def _wrapped(text: str) -> str:
    return click.wrap_text(text, WIDTH, preserve_paragraphs=True)


def _indented(example: str) -> str:
    from frieze.cli.reporters.visible import visible

    lines = visible(example.strip("\n"), keep="\t\n").split("\n")
    return "\n".join(f"    {line}".rstrip() for line in lines)


def _pattern(text: str) -> str:
    """Return a sentence of the catalogue with its arguments as words in capitals: `{name}` is NAME."""
    return text.format_map(_Capitals())


class _Capitals(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return key.upper().replace("_", " ")
