"""What `render` and `explain` share: options, and the way from PATH to one prompt."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from frieze.cli.context import parse_now
from frieze.cli.running import cache_option, settings

if TYPE_CHECKING:
    from frieze.cli.context import Context
    from frieze.diagnostics import Diagnostic, Span
    from frieze.runtime import Bundle
    from frieze.runtime.errors import UnknownSelector
    from frieze.runtime.prompt import Prompt

SELECTORS = ("agent", "platform", "model", "personality", "mode", "audience")

Command = TypeVar("Command", bound=Callable[..., Any])
Given = TypeVar("Given")


class FindingsError(Exception):
    """Ends a command with exit code 1 after its findings were shown."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A bundle with its manifest, and the way from the current folder to the files that its provenance names."""

    bundle: Bundle
    base: str
    manifest: bytes

    def names_at(self, section: str) -> list[str]:
        """Return the keys that a section of the context may hold; "" is the context itself."""
        import json

        prefix = f"{section}." if section else ""
        paths = json.loads(self.manifest)["contract"]
        return sorted({path.removeprefix(prefix).partition(".")[0] for path in paths if path.startswith(prefix)})


def options(*forms: str) -> Callable[[Command], Command]:
    """Give a command PATH, the selectors, `--context`, `--now` and `--format` in these forms, the first by default."""
    decorators: list[Callable[[Any], Any]] = [
        click.argument("path", required=False, type=click.Path(path_type=Path)),
        *(click.option(f"--{name}", metavar="NAME", help=_help(name)) for name in SELECTORS),
        click.option("--context", "context_file", metavar="FILE", help="The request's context as JSON; - is stdin."),
        click.option(
            "--cwd", metavar="FOLDER", help="Add the project documents, such as AGENTS.md, of this working directory."
        ),
        click.option("--user-folder", metavar="FOLDER", help="With --cwd: the folder of the user's own document."),
        click.option(
            "--now", metavar="TIME", callback=parse_now, help="The time of the request, ISO 8601.  [default: now]"
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(forms),
            default=forms[0],
            show_default=True,
            help="How the result is written.",
        ),
        cache_option,
    ]

    def decorated(command: Command) -> Command:
        for decorate in reversed(decorators):
            command = decorate(command)
        return command

    return decorated


def open_path(path: Path | None, *, no_cache: bool = False) -> Opened:
    """Open a compiled bundle, or compile a project in memory, with what its cache holds unless `no_cache`.

    Raises:
        FindingsError: the project has errors, or the bundle is not whole.
        click.UsageError: there is neither.
    """
    import frieze
    from frieze.cli.project import BUNDLE_FILE, find
    from frieze.diagnostics import Diagnostic, Span
    from frieze.runtime import Bundle
    from frieze.runtime.errors import BundleError

    found = find(path, bundles=True)
    if not found.compiled:
        files = _compiled(found.root, found.base, no_cache)
        return Opened(Bundle.from_files(files), found.base, files[BUNDLE_FILE])
    try:
        return Opened(frieze.open_bundle(found.root), "", (found.root / BUNDLE_FILE).read_bytes())
    except BundleError as error:
        finding = Diagnostic.of("F805", Span(f"{found.base}{error.file}".rstrip("/") or "."), problem=error)
        raise _shown(finding) from None


def choose(bundle: Bundle, selectors: Mapping[str, str | None]) -> Prompt:
    """Return the prompt of these selectors; a single agent need not be named.

    Raises:
        click.UsageError: a selector is unknown, or missing without a default.
    """
    from frieze.runtime.errors import UnknownSelector

    agent = selectors["agent"] or (bundle.agents[0] if len(bundle.agents) == 1 else None)
    if agent is None:
        raise click.UsageError(f"Say which agent: --agent {' | '.join(bundle.agents)}.")
    rest = {name: value for name, value in selectors.items() if name != "agent"}
    try:
        return bundle.prompt(agent, **rest)
    except UnknownSelector as error:
        raise click.UsageError(_unknown(agent, error)) from None


def with_documents(context: Context, prompt: Prompt, cwd: str | None, user_folder: str | None) -> Context:
    """Return the context with the project documents of a working directory; what was cut or skipped goes to stderr.

    Raises:
        click.UsageError: there is no such folder.
    """
    if cwd is None:
        if user_folder is not None:
            raise click.UsageError("--user-folder goes with --cwd.")
        return context
    for option, folder in (("--cwd", cwd), ("--user-folder", user_folder)):
        if folder is not None and not Path(folder).is_dir():
            raise click.UsageError(f"{option}: there is no folder `{folder}`.")
    from frieze.cli.reporters.visible import visible

    docs = prompt.project_docs(cwd, user_folder=user_folder)
    for note in docs.notes:
        click.echo(visible(f"note[{note.code}]: {note.source}: {note.detail}"), err=True)
    found = docs.context()
    return replace(context, data={**context.data, **found}) if isinstance(context.data, dict) else context


def with_request(context: Context, use: Callable[[Any], Given]) -> Given:
    """Return what `use` makes of the context's data.

    Raises:
        FindingsError: the context or the template does not allow it.
    """
    from frieze.diagnostics import Diagnostic
    from frieze.runtime.errors import ContextError, MissingInput, RenderError, RequestError

    if context.diagnostics:
        raise _shown(*context.diagnostics, texts={context.file: context.text})
    try:
        return use(context.data)
    except ContextError as error:
        raise _shown(Diagnostic.of("F802", context.span, problem=error)) from None
    except MissingInput as error:
        raise _shown(*(_missing(context.span, name, paths) for name, paths in error.inputs)) from None
    except RenderError as error:
        raise _shown(Diagnostic.of("F804", context.span, problem=error)) from None
    except RequestError as error:
        raise _shown(Diagnostic.of("F807", context.span, problem=error)) from None


def _compiled(root: Path, base: str, no_cache: bool) -> Mapping[str, bytes]:
    import frieze
    from frieze.cli.excerpts import with_texts
    from frieze.cli.output import complain
    from frieze.cli.progress import shown_progress
    from frieze.cli.reporters import Report
    from frieze.cli.reporters.report import tally

    with shown_progress() as progress:
        result = frieze.compile(root, progress, **settings(root, None, no_cache))
    report = Report.of(result.diagnostics, texts=with_texts(result.diagnostics, result.texts, root), base=base)
    if report.failed or result.bundle is None:
        complain(report)
        raise FindingsError
    if report.diagnostics:
        click.echo(f"{tally(report)}; `frieze check` shows them", err=True)
    return result.bundle.files


def _shown(*diagnostics: Diagnostic, texts: dict[str, str] | None = None) -> FindingsError:
    from frieze.cli.output import complain_about

    complain_about(diagnostics, texts)
    return FindingsError()


def _unknown(agent: str, error: UnknownSelector) -> str:
    choices = ", ".join(error.choices)
    if not error.choices:
        return f"Agent `{agent}` has no {error.selector} to choose."
    if error.value is None:
        return f"Agent `{agent}` has no default {error.selector}; give --{error.selector}, one of {choices}."
    start = "There is no agent" if error.selector == "agent" else f"Agent `{agent}` has no {error.selector}"
    near = " or ".join(f"`{name}`" for name in error.nearest)
    return f"{start} `{error.value}`; {f'did you mean {near}?' if near else f'choose from {choices}.'}"


def _missing(span: Span, name: str, paths: tuple[str, ...]) -> Diagnostic:
    from frieze.diagnostics import Diagnostic

    wanted = " or ".join(f"`{path}`" for path in paths)
    return Diagnostic.of("F803", span, input=name, paths=wanted or "its value")


def _help(selector: str) -> str:
    return {
        "agent": "Whose prompt; needed where there are several.",
        "audience": "direct or group.  [default: direct]",
    }.get(selector, f"Which {selector}; needed where the agent has no default.")
