"""`frieze explain`: where each line of a prompt comes from, and why each block is in or out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from frieze.cli.target import options

if TYPE_CHECKING:
    from frieze.runtime.explain import Explanation


@click.command("explain", short_help="Show where each line of a prompt comes from.")
@options("text", "json")
def explain(
    path: Path | None,
    context_file: str | None,
    cwd: str | None,
    user_folder: str | None,
    now: datetime | None,
    form: str,
    no_cache: bool,
    **selectors: str | None,
) -> int:
    """Print a prompt with the origin of each line, and why each block is in or out.

    A line reads FILE:LINE  BLOCK  ZONE | TEXT. Project documents are listed with the bytes of each that are told.
    PATH is a project or a compiled bundle.
    """
    from frieze.cli.context import read_context
    from frieze.cli.output import write
    from frieze.cli.target import FindingsError, choose, open_path, with_documents, with_request

    context = read_context(context_file)
    try:
        opened = open_path(path, no_cache=no_cache)
        prompt = choose(opened.bundle, selectors)
        context = with_documents(context, prompt, cwd, user_folder)
        explanation = with_request(context, lambda data: prompt.explain(data, now))
    except FindingsError:
        return 1
    if form == "json":
        import json

        data = {"target": prompt.target, **asdict(explanation)}
        write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")
    else:
        write("\n".join(_text(explanation, opened.base)) + "\n")
    return 0


def _text(explanation: Explanation, base: str) -> Iterator[str]:
    from frieze.cli.reporters.visible import visible

    def place(file: str, line: int) -> str:
        return f"{file if file.startswith('std/') else base + file}:{line}"

    lines = explanation.lines
    at = max((len(place(line.file, line.line)) for line in lines), default=0)
    block = max((len(line.block) for line in lines), default=0)
    several = len({line.place for line in lines}) > 1
    for name, group in groupby(lines, key=lambda line: line.place):
        if several:
            yield f"{name}:"
        for line in group:
            where = place(line.file, line.line)
            yield f"{where:<{at}}  {line.block:<{block}}  {line.zone:<7} | {visible(line.text)}".rstrip()
        if several:
            yield ""
    if not several:
        yield ""
    yield "Blocks:"
    name_width = max((len(state.block) for state in explanation.blocks), default=0)
    for state in explanation.blocks:
        yield f"{state.state:<3}  {state.block:<{name_width}}  {visible(state.why)}  ({place(state.file, state.line)})"
    if explanation.documents:
        yield ""
        yield "Documents:"
    for entry in explanation.documents:
        yield f"{entry.block:<{name_width}}  {visible(entry.file)}  bytes {entry.start}-{entry.end} of {entry.size}"
