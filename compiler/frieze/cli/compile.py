"""`frieze compile`: from a project to a bundle or a wheel on disk."""

from __future__ import annotations

from pathlib import Path

import click

from frieze.cli.running import cache_option, jobs_option, settings

NAMED = 5
"""Files out of date that `--check` names; one is enough to know what to do."""


@click.command("compile")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write, or with --wheel the folder to put the wheel in.  [default: dist/PACKAGE, or dist]",
)
@click.option("--wheel", "as_wheel", is_flag=True, help="Write a wheel, NAME-prompts with the project's version.")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if the output is not up to date.")
@jobs_option
@cache_option
def compile_(
    path: Path | None, output: Path | None, as_wheel: bool, only_check: bool, jobs: int | None, no_cache: bool
) -> int:
    """Compile a project into a bundle.

    PATH is the project's folder or its frieze.yaml. The folder is replaced as a whole or not at all; one
    that frieze did not write is never touched.

    With --wheel the same package is written as a file that pip installs. Its bytes depend on the sources and on
    frieze alone.
    """
    import frieze
    from frieze.cli.excerpts import with_texts
    from frieze.cli.output import complain
    from frieze.cli.progress import shown_progress
    from frieze.cli.project import find, seen_from_here
    from frieze.cli.reporters import Report
    from frieze.cli.reporters.report import plural
    from frieze.emit import check_bundle, check_wheel, wheel_of, write_bundle, write_wheel

    found = find(path)
    with shown_progress() as progress:
        result = frieze.compile(found.root, progress, **settings(found.root, jobs, no_cache))
    bundle = result.bundle
    wheel, refused = wheel_of(bundle, result.project) if as_wheel and bundle and result.project else (None, [])
    findings = [*result.diagnostics, *refused]
    report = Report.of(findings, texts=with_texts(findings, result.texts, found.root), base=found.base)
    if report.diagnostics:
        complain(report)
    if bundle is None or refused:
        click.echo("Nothing was written.", err=True)
        return 1
    if wheel:
        folder = output or seen_from_here(found.root / "dist")
        faults = (check_wheel if only_check else write_wheel)(wheel, folder)
        written, files, size = folder / wheel.name, wheel.files, len(wheel.data)
    else:
        written = output or seen_from_here(found.root / "dist" / bundle.package)
        faults = (check_bundle if only_check else write_bundle)(bundle, written)
        files, size = len(bundle.files), sum(map(len, bundle.files.values()))
    if faults:
        complain(Report.of(faults[:NAMED] if only_check else faults))
        if only_check and len(faults) > NAMED:
            click.echo(f"Of the bundle {plural(len(faults) - NAMED, 'more file')} differ as well.", err=True)
        return 1
    state = "is up to date" if only_check else "written"
    click.echo(f"{written.as_posix()}: {state} ({plural(files, 'file')}, {size / 1000:,.1f} kB)")
    return 0
