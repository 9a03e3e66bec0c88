"""Finds what PATH means: a project, or a compiled bundle."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import click

PROJECT_FILE = "frieze.yaml"
BUNDLE_FILE = "bundle.json"


@dataclass(frozen=True, slots=True)
class Found:
    """A folder with a `frieze.yaml`, or, where `compiled`, one with a `bundle.json`."""

    root: Path
    compiled: bool = False

    @property
    def base(self) -> str:
        """The way from the current folder to the root: "" or a path that ends in a slash."""
        way = seen_from_here(self.root).as_posix()
        return "" if way == "." else f"{way}/"


def find(path: Path | None, *, bundles: bool = False) -> Found:
    """Return the project, or with `bundles` the compiled bundle, that `path` or the current folder means.

    Raises:
        click.UsageError: there is none; the sentence says what to do.
    """
    if path is None:
        return _upwards(Path.cwd(), bundles)
    names = (PROJECT_FILE, BUNDLE_FILE) if bundles else (PROJECT_FILE,)
    found = _at(path, bundles) or (_at(path.parent, bundles) if path.name in names else None)
    if found is None:
        raise click.UsageError(_nothing_at(path, bundles))
    return found


def _upwards(start: Path, bundles: bool) -> Found:
    for folder in (start, *start.parents):
        if found := _at(folder, bundles):
            return found
    raise click.UsageError(
        f"There is no {PROJECT_FILE} in this folder or in one above it. Give the project's folder as PATH, "
        "or start a project with `frieze init`."
    )


def _at(folder: Path, bundles: bool) -> Found | None:
    """Return what a folder is. A broken link or a folder named frieze.yaml counts: reading it reports it."""
    if os.path.lexists(folder / PROJECT_FILE):
        return Found(folder)
    if bundles and os.path.lexists(folder / BUNDLE_FILE):
        return Found(folder, compiled=True)
    return None


def _nothing_at(path: Path, bundles: bool) -> str:
    shown = click.format_filename(path)
    if not os.path.lexists(path):
        return f"There is nothing at `{shown}`."
    if os.path.lexists(path / BUNDLE_FILE):
        return f"`{shown}` is a compiled bundle; this command needs the project that it was compiled from."
    wanted = f"a {PROJECT_FILE} (a project) or a {BUNDLE_FILE} (a compiled bundle)" if bundles else f"a {PROJECT_FILE}"
    for folder in (*path.parents, *Path.cwd().parents):
        if os.path.lexists(folder / PROJECT_FILE):
            return f"`{shown}` has no {PROJECT_FILE}. Its project seems to be `{seen_from_here(folder).as_posix()}`."
    return f"`{shown}` is not a folder with {wanted}."


def seen_from_here(path: Path) -> Path:
    """Return the way from the current folder to `path`."""
    try:
        return Path(os.path.relpath(path))
    except ValueError:  # another drive on Windows
        return path
