"""What `frieze render` knows of a conversation that goes on: `--previous` and `--snapshot`."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from frieze.runtime.result import Result

LIMIT = 1_000_000
"""Bytes of a snapshot that are read at most; the resolver refuses longer ones."""

NOTHING_SAID: Mapping[str, Any] = {}


def read_previous(name: str | None, snapshot: str | None) -> Any:
    """Return the text of a snapshot, unread; None where no conversation goes on.

    A file that is not there yet is the start of a conversation where `--snapshot` is going to write it.

    Raises:
        click.BadParameter: the file cannot be read.
    """
    if name is None:
        return None
    path = Path(name)
    if name == snapshot and not path.exists():
        return NOTHING_SAID
    try:
        with path.open("rb") as file:
            return file.read(LIMIT + 1)
    except OSError as error:
        raise click.BadParameter(f"`{name}` cannot be read: {error.strerror}.", param_hint="--previous") from None


def write_snapshot(name: str, result: Result) -> None:
    """Write a result's snapshot, as a whole or not at all.

    Raises:
        click.BadParameter: the file cannot be written.
    """
    path = Path(name)
    data = json.dumps(result.snapshot(), ensure_ascii=False, indent=2).encode() + b"\n"
    try:
        handle, fresh = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(fresh).replace(path)
        except BaseException:
            Path(fresh).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise click.BadParameter(f"`{name}` cannot be written: {error.strerror}.", param_hint="--snapshot") from None


def updates_text(result: Result) -> str:
    """Return the messages that the conversation has to be told, each below a line with its role."""
    shown = ["\n\n".join((f"--- {role} ---", *parts)) for role, parts in result.updates]
    return "".join(f"{text}\n" for text in ("\n\n".join(shown),) if text)


def updates_data(result: Result) -> list[dict[str, Any]]:
    """Return the same as JSON data."""
    return [{"role": role, "parts": list(parts)} for role, parts in result.updates]


def with_updates(result: Result, form: str, messages: Any) -> Any:
    """Return a conversation with the updates before its last message; anything else than a list as it is."""
    added = {
        "anthropic": result.updates.anthropic,
        "openai-chat": result.updates.openai_chat,
        "openai-responses": result.updates.openai_responses,
    }[form]()
    return [*messages[:-1], *added, *messages[-1:]] if isinstance(messages, list) else messages
