"""`frieze bench`: how long rendering takes, as ratios."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("bench", short_help="Measure rendering, as ratios.")
@click.argument("path", default="tests/bench/reference", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="How the figures are written."
)
def bench(path: Path, form: str) -> int:
    """Measure how long the reference prompt takes.

    PATH is a project with one agent, a `floor.py` beside it and two contexts.  [default: tests/bench/reference]
    """
    import json

    from frieze.bench import Reference, measure_all
    from frieze.cli.output import write

    if not (path / "floor.py").is_file():
        raise click.UsageError(f"`{path}` has no floor.py; name the folder of the reference prompt.")
    with Reference.compiled(path) as reference:
        figures = measure_all(reference)
    if form == "json":
        write(json.dumps(figures, indent=2) + "\n")
    else:
        write("".join(f"{name:<24}{value:>8.2f}\n" for name, value in figures.items()))
    return 0
