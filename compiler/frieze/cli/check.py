"""`frieze check`: everything that is wrong with a project, in one run."""

from __future__ import annotations

from pathlib import Path

import click

from frieze.cli.running import cache_option, jobs_option, settings


@click.command("check")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "sarif", "github"]),
    default="text",
    show_default=True,
    help="What the findings are for: people, programs, code scanning, GitHub annotations.",
)
@jobs_option
@cache_option
def check(path: Path | None, form: str, jobs: int | None, no_cache: bool) -> int:
    """Report everything that is wrong with a project.

    PATH is the project's folder or its frieze.yaml. Exits with 0 when there are no errors (warnings alone
    are fine), with 1 when there are.
    """
    import frieze
    from frieze.cli.excerpts import with_texts
    from frieze.cli.output import publish
    from frieze.cli.progress import shown_progress
    from frieze.cli.project import find
    from frieze.cli.reporters import Report

    found = find(path)
    with shown_progress() as progress:
        result = frieze.check(found.root, progress, **settings(found.root, jobs, no_cache))
    report = Report.of(
        result.diagnostics,
        texts=with_texts(result.diagnostics, result.texts, found.root),
        project=result.project_name,
        counts=result.counts,
        base=found.base,
    )
    publish(report, form)
    return 1 if report.failed else 0
