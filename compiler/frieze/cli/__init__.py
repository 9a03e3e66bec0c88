"""The command line. `main` is the entry point; one module a command.

Exit codes: 0 fine (warnings alone are fine), 1 findings, 2 wrong usage or a fault of frieze itself. What is
heavy is imported inside the commands, so that `--version` and `--help` load click and little else.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from frieze import __version__
from frieze.cli.bench import bench
from frieze.cli.check import check
from frieze.cli.compile import compile_
from frieze.cli.explain import explain
from frieze.cli.guard import guard
from frieze.cli.init import init
from frieze.cli.policy import policy
from frieze.cli.render import render
from frieze.cli.rule import rule
from frieze.cli.schema import schema
from frieze.cli.verify import verify

INTERRUPTED = 130
BROKEN_PIPE = 141
"""What a shell reports for a program that SIGINT or SIGPIPE ended."""

OUTPUT_FAULTS = {errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ENOSPC}
"""What writing to stdout can meet; an error on a named file is none of these."""

TRACEBACK = "FRIEZE_TRACEBACK"
"""The environment variable that makes an internal error show its traceback."""


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Without PATH a command takes the project that the current folder belongs to.",
)
@click.version_option(__version__, prog_name="frieze", message="%(prog)s %(version)s")
def group() -> None:
    """Compile the system prompts of LLM agents."""
    try:
        Path.cwd()
    except OSError as error:
        raise click.UsageError(f"The current folder cannot be used: {error.strerror}. Go to another one.") from None


for _command in (init, check, compile_, verify, render, explain, guard, policy, schema, rule, bench):
    group.add_command(_command)


def main() -> None:
    """Run the command line with the process's arguments and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code; nothing that goes wrong leaves a traceback."""
    stdout = _ready_streams()
    try:
        code = group.main(list(arguments), prog_name="frieze", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        click.echo("\nInterrupted.", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        _drop_output(stdout)
        return BROKEN_PIPE
    except SystemExit as end:
        return _ended_by_click(end, stdout)
    except Exception as error:  # noqa: BLE001 - the last net: a user never sees a traceback
        if isinstance(error, OSError) and error.errno in OUTPUT_FAULTS and error.filename is None:
            _drop_output(stdout)
            click.echo(f"Error: the output cannot be written: {error.strerror}.", err=True)
        else:
            _report(error, arguments)
        return 2
    return code if isinstance(code, int) else 0


def _ready_streams() -> TextIO:
    """Make both outputs write anything, also where the process was started without them, and return stdout."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            nowhere = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - it lives as long as the process
            setattr(sys, name, nowhere)
        stream = getattr(sys, name)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    return sys.stdout


def _ended_by_click(end: SystemExit, stdout: TextIO) -> int:
    """Return the exit code where click exits by itself: after shell completion, or when it met a broken pipe."""
    if sys.stdout is stdout:
        return int(end.code or 0)
    sys.stdout = stdout
    _drop_output(stdout)
    return BROKEN_PIPE


def _drop_output(stdout: TextIO) -> None:
    """Point stdout at nothing, or Python complains again when it flushes at exit."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nothing, stdout.fileno())


def _report(error: Exception, arguments: Sequence[str]) -> None:
    import platform
    import shlex
    import traceback

    if os.environ.get(TRACEBACK):
        click.echo("".join(traceback.format_exception(error)), err=True)
    last = traceback.extract_tb(error.__traceback__)[-1]
    click.echo(
        f"internal error: {type(error).__name__}: {error}\n"
        f"  in {last.name}, {last.filename}:{last.lineno}\n"
        "This is a fault of frieze, not of your files. Please report it with the lines above and these:\n"
        f"  frieze {__version__}, Python {platform.python_version()}, {platform.platform()}\n"
        f"  frieze {shlex.join(arguments)}\n"
        f"{TRACEBACK}=1 shows the whole traceback.",
        err=True,
    )
