"""`frieze bench`: how long rendering and compiling take, as ratios."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

FULL = 1000
"""Agents of the project that the goals speak of."""


@click.command("bench", short_help="Measure rendering and compiling, as ratios.")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--agents",
    type=click.IntRange(min=2),
    metavar="N",
    default=FULL,
    show_default=True,
    help="How many agents the generated project has.",
)
@click.option(
    "--only",
    type=click.Choice(["rendering", "compiling"]),
    help="Leave the other half out; the guard's answers count as rendering.  [default: both]",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the figures are written.",
)
def bench(path: Path | None, agents: int, only: str | None, form: str) -> int:
    """Measure how long the reference prompt, the guard's answers and the compile of generated projects take.

    Every figure is a ratio of two things measured in turns on this machine, so it can be compared with that of
    another. With 1,000 agents it takes some minutes; --agents 60 gives a first impression.

    PATH is a project with one agent, a `floor.py` beside it and two contexts.  [default: the one shipped with frieze]
    """
    from frieze.cli.output import write

    figures: dict[str, float | None] = {}
    if only != "compiling":
        figures |= _rendering(path)
    if only != "rendering":
        from frieze.bench.compiling import measure_compiling

        figures |= measure_compiling(agents)
    write(_json(figures, agents) if form == "json" else _text(figures))
    if only != "rendering" and agents < FULL:
        click.echo(f"With {agents} agents what is done once weighs more: the goals are those of {FULL:,}.", err=True)
    return 0


def _rendering(path: Path | None) -> Mapping[str, float | None]:
    from frieze.bench import Reference, measure_all
    from frieze.bench.guarding import guard_over_shlex
    from frieze.bench.others import minijinja_over_render
    from frieze.resources import reference_folder

    folder = path or reference_folder()
    if not (folder / "floor.py").is_file():
        raise click.UsageError(f"`{folder}` has no floor.py; name the folder of the reference prompt.")
    with Reference.compiled(folder) as reference:
        return {
            **measure_all(reference),
            "minijinja_over_render": minijinja_over_render(reference),
            "guard_over_shlex": round(guard_over_shlex(), 2),
        }


def _missing(name: str) -> str:
    """Say why there is no figure."""
    if name == "minijinja_over_render":
        return "  needs minijinja: pip install 'frieze[bench]'"
    return " (this system does not tell)"


def _json(figures: Mapping[str, float | None], agents: int) -> str:
    import json

    from frieze.bench.goals import GOALS

    goals = {name: {"at_most" if goal.at_most else "at_least": goal.value} for name, goal in GOALS.items()}
    given = {name: goals[name] for name in figures if name in goals}
    return json.dumps({**figures, "agents": agents, "goals": given}, indent=2) + "\n"


def _text(figures: Mapping[str, float | None]) -> str:
    from frieze.bench.goals import GOALS, WITHOUT_GOAL

    lines = []
    for name, figure in figures.items():
        goal = GOALS.get(name)
        shown = "-" if figure is None else f"{figure:.2f}"
        said = f"  {goal.said:<12}  {goal.what}" if goal else ""
        if name in WITHOUT_GOAL:
            said = f"  {'no goal':<12}  {WITHOUT_GOAL[name]}"
        if figure is None:
            said += _missing(name)
        lines.append(f"{name:<32}{shown:>8}{said}\n")
    return "".join(lines)
