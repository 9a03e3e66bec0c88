"""`frieze verify`: whether a compiled bundle is still what was compiled."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command("verify")
@click.argument("path", type=click.Path(path_type=Path))
def verify(path: Path) -> int:
    """Check a compiled bundle against its hashes.

    PATH is the folder of a bundle, the folder of an installed package, or a wheel. Every file that differs, is
    missing or does not belong is named. Exits with 0 when the bundle is whole, with 1 when it is not.

    An installed package cannot verify the modules that it is executing itself: who changes them changes the check
    as well. That is why this is a command; it imports nothing of the bundle. It does not look into __pycache__,
    where Python keeps what it made of the modules. The hashes show damage and edits; that the bundle is the one
    that you released shows its hash, which is printed.
    """
    from frieze import emit
    from frieze.cli.output import complain_about
    from frieze.cli.project import BUNDLE_FILE, PROJECT_FILE, seen_from_here
    from frieze.cli.reporters.report import plural

    if not os.path.lexists(path):
        raise click.UsageError(f"There is nothing at `{click.format_filename(path)}`.")
    folder = path.parent if path.name == BUNDLE_FILE and path.is_file() else path
    if os.path.lexists(folder / PROJECT_FILE) and not os.path.lexists(folder / BUNDLE_FILE):
        raise click.UsageError(
            f"`{click.format_filename(path)}` is a project. Give the bundle or the wheel that was compiled from it."
        )
    near = seen_from_here(folder)
    shown = folder if ".." in near.parts else near
    verified, faults = emit.verify(shown)
    if verified is None:
        complain_about(faults)
        return 1
    what = f"{verified.name} {verified.version}, {plural(verified.files, 'file')}, hash {verified.hash}"
    click.echo(f"{shown.as_posix()}: as it was compiled ({what})")
    return 0
