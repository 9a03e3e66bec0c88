"""`frieze render`: one prompt for one request."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from frieze.cli.target import options

if TYPE_CHECKING:
    from frieze.cli.target import Opened
    from frieze.runtime.notes import Note
    from frieze.runtime.prompt import Prompt
    from frieze.runtime.result import Result
    from frieze.runtime.retrieval import Retrieval

VENDORS = ("anthropic", "openai-chat", "openai-responses")
"""The formats that print a vendor's request."""

MAX_TOKENS = 1024
"""How long an answer may be in a request for `anthropic`, which has to say so."""


@click.command("render", short_help="Print one prompt for one request.")
@options("text", "json", *VENDORS)
@click.option(
    "--messages",
    "messages_file",
    metavar="FILE",
    help="The conversation as a JSON list of messages, for a vendor's format; - is stdin.  [default: a user's Hello.]",
)
@click.option(
    "--base", metavar="FILE", help="Base instructions in place of the model's own, as they stand; - is stdin."
)
@click.option(
    "--previous",
    metavar="FILE",
    help="The snapshot of a conversation that goes on; then the messages that it has to be told are printed.",
)
@click.option("--snapshot", metavar="FILE", help="Where to write what the conversation has been told then.")
def render(
    path: Path | None,
    context_file: str | None,
    cwd: str | None,
    user_folder: str | None,
    now: datetime | None,
    form: str,
    messages_file: str | None,
    base: str | None,
    previous: str | None,
    snapshot: str | None,
    no_cache: bool,
    **selectors: str | None,
) -> int:
    """Print the prompt of one target, filled in with one request's context.

    PATH is a project or a compiled bundle. Notes on values that were refused or cut go to stderr.

    The formats anthropic, openai-chat and openai-responses print the request that a service would send with the
    vendor's client, as JSON: model, stable part, tools, cache marks, messages. For anthropic, max_tokens is 1024.

    With --previous the result is for a conversation that goes on: text is the messages to append, json has them as
    `updates`, and a vendor's request has them before its last message. A file that --snapshot names too need not be
    there yet.
    """
    from frieze.cli.context import STDIN, read_base, read_context, read_messages
    from frieze.cli.conversation import read_previous, updates_text, write_snapshot
    from frieze.cli.output import write
    from frieze.cli.target import FindingsError, choose, open_path, with_documents, with_request

    if messages_file is not None and form not in VENDORS:
        raise click.UsageError(f"--messages is for --format {' | '.join(VENDORS)}.")
    if [messages_file, context_file, base].count(STDIN) > 1:
        raise click.UsageError("Only one of --context, --messages and --base can be stdin.")
    context = read_context(context_file)
    messages = read_messages(messages_file)
    said = read_previous(previous, snapshot)
    override = read_base(base)
    try:
        opened = open_path(path, no_cache=no_cache)
        prompt = choose(opened.bundle, selectors)
        context = with_documents(context, prompt, cwd, user_folder)
        result = with_request(context, lambda data: prompt.render(data, now, base=override, previous=said))
        limits = with_request(context, prompt.retrieval) if form == "json" else None
        request = with_request(messages, lambda data: _request(result, form, data)) if form in VENDORS else None
    except FindingsError:
        return 1
    if snapshot is not None:
        write_snapshot(snapshot, result)
    if limits is not None:
        _write_json(_as_data(prompt, result, limits, going_on=said is not None))
        return 0
    if request is None:
        text = result.text if said is None else updates_text(result)
        write(text if text.endswith("\n") or not text else f"{text}\n")
    else:
        _write_json(request)
    _tell(result, opened, going_on=said is not None)
    return 0


def _tell(result: Result, opened: Opened, *, going_on: bool) -> None:
    """Say on stderr what the result itself does not say."""
    if going_on and not result.updates:
        click.echo("The conversation has been told everything; there is nothing to say.", err=True)
    for note in result.notes:
        click.echo(_said(note, opened), err=True)
    if result.notes:
        click.echo("`frieze rule NAME` says what a note means.", err=True)


def _request(result: Result, form: str, messages: Any) -> dict[str, Any]:
    from frieze.cli.conversation import with_updates

    messages = with_updates(result, form, messages)
    if form == "anthropic":
        return result.anthropic(messages, max_tokens=MAX_TOKENS)
    return result.openai_chat(messages) if form == "openai-chat" else result.openai_responses(messages)


def _write_json(data: dict[str, Any]) -> None:
    import json

    from frieze.cli.output import write

    write(json.dumps(data, ensure_ascii=False, indent=2) + "\n")


def _as_data(prompt: Prompt, result: Result, limits: Retrieval, *, going_on: bool) -> dict[str, Any]:
    from dataclasses import asdict

    from frieze.cli.conversation import updates_data

    return {
        "target": prompt.target,
        "text": result.text,
        "base": asdict(result.base),
        "prefix": result.prefix,
        "tail": result.tail,
        "parts": [part._asdict() for part in result.parts],
        "notes": [_fields(note) for note in result.notes],
        **({"updates": updates_data(result)} if going_on else {}),
        "attributes": result.attributes(),
        "retrieval": {**limits.as_data(), "notes": [_fields(note) for note in limits.notes]},
    }


def _fields(note: Note) -> dict[str, str | None]:
    return {"code": note.code, "input": note.input, "source": note.source, "detail": note.detail}


def _said(note: Note, opened: Opened) -> str:
    from frieze.cli.reporters.visible import visible
    from frieze.diagnostics import did_you_mean

    about = " from ".join(f"`{name}`" for name in (note.input, note.source) if name)
    hint = did_you_mean(note.detail, opened.names_at(note.source)) if note.code == "unknown-path" else ""
    return visible(": ".join(filter(None, (f"note[{note.code}]", about, "; ".join(filter(None, (note.detail, hint)))))))
