"""The options that say how a project is compiled: in how many processes, and whether earlier results count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from frieze.cache import Store

Command = TypeVar("Command", bound=Callable[..., Any])


def jobs_option(command: Command) -> Command:
    """Add `--jobs`."""
    return click.option(
        "-j",
        "--jobs",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many processes may work; the result is the same.  [default: one for each core]",
    )(command)


def cache_option(command: Command) -> Command:
    """Add `--no-cache`."""
    return click.option(
        "--no-cache",
        is_flag=True,
        help="Do everything anew, and keep nothing for the next run. FRIEZE_CACHE=off does the same, "
        "FRIEZE_CACHE=FOLDER keeps it elsewhere.",
    )(command)


def settings(root: Path, jobs: int | None, no_cache: bool) -> dict[str, Any]:
    """Return the options as the arguments that `frieze.check` and `frieze.compile` take."""
    from frieze.build.workers import cores

    return {"jobs": jobs or cores(), "cache": None if no_cache else store_of(root)}


def store_of(root: Path) -> Store | None:
    """Return the cache of a project, None where there is to be none."""
    from frieze.cache import cache_of

    return cache_of(root)
