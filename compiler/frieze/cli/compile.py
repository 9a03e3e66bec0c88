"""`frieze compile`: from a project to a bundle on disk."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("compile")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="The folder to write.  [default: dist/PACKAGE in the project]",
)
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if the folder is not up to date.")
def compile_(path: Path | None, output: Path | None, only_check: bool) -> int:
    """Compile a project into a bundle.

    PATH is the project's folder or its frieze.yaml. The folder is replaced as a whole or not at all; one
    that frieze did not write is never touched.
    """
    import frieze
    from frieze.cli.excerpts import with_texts
    from frieze.cli.output import complain
    from frieze.cli.progress import shown_progress
    from frieze.cli.project import find, seen_from_here
    from frieze.cli.reporters import Report
    from frieze.cli.reporters.report import plural
    from frieze.emit import check_bundle, write_bundle

    found = find(path)
    with shown_progress() as progress:
        result = frieze.compile(found.root, progress)
    report = Report.of(
        result.diagnostics, texts=with_texts(result.diagnostics, result.texts, found.root), base=found.base
    )
    if report.diagnostics:
        complain(report)
    if result.bundle is None:
        click.echo("Nothing was written.", err=True)
        return 1
    folder = seen_from_here(output or found.root / "dist" / result.bundle.package)
    faults = (check_bundle if only_check else write_bundle)(result.bundle, folder)
    if faults:
        complain(Report.of(faults))
        return 1
    size = sum(map(len, result.bundle.files.values()))
    state = "is up to date" if only_check else "written"
    click.echo(f"{folder.as_posix()}: {state} ({plural(len(result.bundle.files), 'file')}, {size / 1000:,.1f} kB)")
    return 0
