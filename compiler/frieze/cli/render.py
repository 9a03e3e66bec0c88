"""`frieze render`: one prompt for one request."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from frieze.cli.target import options

if TYPE_CHECKING:
    from frieze.runtime.notes import Note
    from frieze.runtime.prompt import Prompt
    from frieze.runtime.result import Result


@click.command("render", short_help="Print one prompt for one request.")
@options
def render(
    path: Path | None, context_file: str | None, now: datetime | None, form: str, **selectors: str | None
) -> int:
    """Print the prompt of one target, filled in with one request's context.

    PATH is a project or a compiled bundle. Notes on values that were refused or cut go to stderr.
    """
    from frieze.cli.context import read_context
    from frieze.cli.output import write
    from frieze.cli.target import FindingsError, choose, open_path, with_request

    context = read_context(context_file)
    try:
        prompt = choose(open_path(path).bundle, selectors)
        result = with_request(context, lambda data: prompt.render(data, now))
    except FindingsError:
        return 1
    if form == "json":
        import json

        write(json.dumps(_as_data(prompt, result), ensure_ascii=False, indent=2) + "\n")
        return 0
    text = result.text
    write(text if text.endswith("\n") or not text else f"{text}\n")
    for note in result.notes:
        click.echo(_said(note), err=True)
    return 0


def _as_data(prompt: Prompt, result: Result) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "target": prompt.target,
        "text": result.text,
        "prefix": result.prefix,
        "tail": result.tail,
        "parts": [asdict(part) for part in result.parts],
        "notes": [_fields(note) for note in result.notes],
        "attributes": result.attributes(),
    }


def _fields(note: Note) -> dict[str, str | None]:
    return {"code": note.code, "input": note.input, "source": note.source, "detail": note.detail}


def _said(note: Note) -> str:
    from frieze.cli.reporters.visible import visible

    about = " from ".join(f"`{name}`" for name in (note.input, note.source) if name)
    return visible(f"note[{note.code}]" + (f": {about}" if about else "") + (f": {note.detail}" if note.detail else ""))
