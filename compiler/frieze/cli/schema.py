"""`frieze schema`: the JSON Schemas that editors read."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("schema", short_help="Print the JSON Schema of a kind.")
@click.argument("kind", required=False)
@click.option("--patch", is_flag=True, help="The schema for a profile with `extends`, where nothing is required.")
@click.option(
    "--write",
    "folder",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write all schemas into this folder, for modelines; files of the same names are replaced.",
)
def schema(kind: str | None, patch: bool, folder: Path | None) -> None:
    """Print the JSON Schema of a kind; without KIND list the kinds."""
    import json

    from frieze.cli.output import write
    from frieze.diagnostics import did_you_mean
    from frieze.schema import load_schema

    if folder is not None:
        for name in write_schemas(folder):
            click.echo(name)
        return
    kinds = [file.name.removesuffix(SUFFIX) for file in schema_files()]
    if kind is None:
        write("\n".join(kinds) + "\n")
        return
    if kind not in kinds:
        hint = did_you_mean(kind, kinds, f"choose from {', '.join(kinds)}.")
        raise click.UsageError(f"There is no kind `{kind}`; {hint}")
    try:
        found = load_schema(kind, patch=patch)
    except KeyError:
        raise click.UsageError(f"A {kind} cannot extend another, so it has no patch form.") from None
    write(json.dumps(found, ensure_ascii=False, indent=2) + "\n")


SUFFIX = ".schema.json"


def schema_files() -> list[Path]:
    """Return the shipped schema files, by name."""
    from frieze.resources import schema_folder

    return sorted(Path(schema_folder()).glob(f"*{SUFFIX}"))


def write_schemas(folder: Path) -> list[str]:
    """Copy every schema into `folder` and return the paths written.

    Raises:
        click.ClickException: the folder cannot be written.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for file in schema_files():
            target = folder / file.name
            target.write_bytes(file.read_bytes())
            written.append(target.as_posix())
    except OSError as error:
        raise click.UsageError(f"`{folder}` cannot be written: {error.strerror}.") from None
    return written
