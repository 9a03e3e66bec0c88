"""`frieze init`: a project that compiles at once."""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from pathlib import Path

import click

from frieze.cli.project import PROJECT_FILE, seen_from_here

SCHEMAS = ".frieze/schema"
"""Where a project keeps the schemas that its modelines point to, so that editors need no network."""

PROJECT = """\
# yaml-language-server: $schema=.frieze/schema/project.schema.json
kind: project
name: {name}
version: 0.1.0
description: The prompts of {name}.
"""

AGENT = """\
# yaml-language-server: $schema=../.frieze/schema/agent.schema.json
kind: agent
name: assistant
description: Answers questions about our product.
defaults: {platform: web-chat, model: claude-sonnet-4-6, personality: friendly}
inputs:
  name: {type: line, from: contact.name}
zone: session # the name stays the same for a whole conversation
instructions: |
  You answer questions about our product, in at most five sentences.
  {% if name %}
  You are talking to {{ name }}.
  {% else %}
  You do not know who you are talking to; do not guess a name.
  {% endif %}
  Where you are not sure, say so and say who could know.
"""

CONTEXT = """\
{
  "contact": {"name": "Aiko", "attributes": {"plan": "family"}}
}
"""

WORDS_OF_YAML = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})
"""Names that some tool would not read as text."""

NAMED = 3
"""Files that the refusal names before it counts the rest."""

GITIGNORE = "dist/\n"


@click.command("init", short_help="Start a project that compiles at once.")
@click.argument("folder", metavar="[FOLDER]", default=".", type=click.Path(path_type=Path, file_okay=False))
def init(folder: Path) -> None:
    """Start a project that compiles at once, in FOLDER or in the current folder.

    Nothing that is there already is changed, and no project is started inside of another one.
    """
    from frieze.cli.schema import schema_files, write_schemas

    called = folder.absolute().name
    name = project_name(called)
    files = {
        "frieze.yaml": PROJECT.format(name=name),
        "profiles/assistant.yaml": AGENT,
        "contexts/example.json": CONTEXT,
    }
    wanted = [*files, *(f"{SCHEMAS}/{file.name}" for file in schema_files())]
    taken = [path for path in wanted if os.path.lexists(folder / path)]
    if taken:
        more = f" and {len(taken) - NAMED} more files" if len(taken) > NAMED + 1 else ""
        named = ", ".join(taken[:NAMED] if more else taken)
        raise click.UsageError(f"Nothing was written: {named}{more} would be overwritten.")
    around = enclosing_project(folder)
    if around is not None:
        there = click.format_filename(seen_from_here(around / PROJECT_FILE))
        raise click.UsageError(
            f"Nothing was written: the folder lies inside the project of `{there}`, and the profiles of one get in "
            "the way of the other. Add agents to that project, or choose a folder outside of it."
        )
    ignored = os.path.lexists(folder / ".gitignore")
    if not ignored:
        files[".gitignore"] = GITIGNORE
    _write(folder, files)
    write_schemas(folder / SCHEMAS)
    click.echo(
        f"Project `{name}`:" if _plain(called) == name else f"Project `{name}` (`name:` in frieze.yaml changes it):"
    )
    for path in sorted(files):
        click.echo(f"  {path}")
    click.echo(f"  {SCHEMAS}/  (for your editor; keep it in git, `frieze schema --write {SCHEMAS}` renews it)")
    if ignored:
        click.echo("Your .gitignore was left as it is; a line `dist/` belongs into it.")
    click.echo("\nNext:")
    if folder.resolve() != Path.cwd():
        click.echo(f"  cd {shlex.quote(click.format_filename(folder))}")
    click.echo("  frieze check\n  frieze render --context contexts/example.json\n  frieze compile")


def enclosing_project(folder: Path) -> Path | None:
    """Return the nearest folder above, by its path or behind its links, that holds a project; None where none does."""
    ways = dict.fromkeys((Path(os.path.abspath(folder)), Path(os.path.realpath(folder))))  # noqa: PTH100 # folds `..`
    above = (parent for way in ways for parent in way.parents)
    return next((parent for parent in above if os.path.lexists(parent / PROJECT_FILE)), None)


def project_name(folder: str) -> str:
    """Return a valid project name near a folder's name, whose package can be imported and takes nobody's place."""
    from frieze.diagnostics import Span
    from frieze.profiles.naming import project_name_faults

    name = _plain(folder)
    if not name:
        return "my-prompts"
    if name[0].isdigit():
        name = f"prompts-{name}"
    return f"{name}-prompts" if name in WORDS_OF_YAML or project_name_faults(name, Span("frieze.yaml")) else name


def _plain(folder: str) -> str:
    plain = unicodedata.normalize("NFKD", folder).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _write(folder: Path, files: dict[str, str]) -> None:
    try:
        for path, text in files.items():
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            with target.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise click.UsageError(f"`{error.filename or folder}` cannot be written: {error.strerror}.") from None
