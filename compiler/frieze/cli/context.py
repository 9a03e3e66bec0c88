"""Reads the request for `render` and `explain`: `--context`, `--messages`, `--base` and `--now`."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from frieze.diagnostics import Diagnostic, Span

if TYPE_CHECKING:
    from frieze.runtime import Override

STDIN = "-"
LIMIT = 16_000_000
"""Bytes of a context; the texts of a real request are thousands of times smaller."""

_STRING_OR_CONSTANT = r'(?s)"(?:[^"\\]|\\.)*"|NaN|-?Infinity'


@dataclass(frozen=True, slots=True)
class Context:
    """A JSON text of a request as given: its data or the findings on it; `file` is how findings call it."""

    file: str = "--context"
    data: Any = field(default_factory=dict)
    text: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def span(self) -> Span:
        """The text as a whole."""
        return Span(self.file)


def read_context(name: str | None) -> Context:
    """Read the JSON of `--context`; without one the context is empty.

    Raises:
        click.BadParameter: the file cannot be read.
    """
    return Context() if name is None else _read(name, "--context", "F801")


def read_messages(name: str | None) -> Context:
    """Read the JSON of `--messages`; without one a user says "Hello.".

    Raises:
        click.BadParameter: the file cannot be read.
    """
    if name is None:
        return Context("--messages", [{"role": "user", "content": "Hello."}])
    return _read(name, "--messages", "F806")


def read_base(name: str | None) -> Override | None:
    """Read the base instructions of `--base`, byte for byte; None without one.

    Raises:
        click.BadParameter: the file cannot be read, is not UTF-8 or too long.
    """
    if name is None:
        return None
    from frieze.runtime import Override, RequestError

    try:
        return Override(_bytes(name, "--base").decode())
    except UnicodeDecodeError as error:
        raise click.BadParameter(f"byte {error.start + 1} is not UTF-8.", param_hint="--base") from None
    except RequestError as error:
        raise click.BadParameter(f"{error}.", param_hint="--base") from None


def parse_now(_: click.Context, __: click.Parameter, value: str | None) -> datetime | None:
    """Turn `--now` into an instant; without a UTC offset it is UTC.

    Raises:
        click.BadParameter: not ISO 8601.
    """
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise click.BadParameter(f"`{value}` is not a time in ISO 8601, such as 2026-03-14T09:26:53Z.") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _read(name: str, option: str, code: str) -> Context:
    shown = "<stdin>" if name == STDIN else Path(name).as_posix()
    data = _bytes(name, option)
    if len(data) > LIMIT:
        return Context(shown, diagnostics=(Diagnostic.of(code, Span(shown), problem=f"it is over {LIMIT:,} bytes"),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        problem = f"byte {error.start + 1} is not UTF-8"
        return Context(shown, diagnostics=(Diagnostic.of(code, _after(shown, data[: error.start]), problem=problem),))
    return _parsed(shown, text, code)


def _bytes(name: str, option: str) -> bytes:
    if name == STDIN:
        if sys.stdin is None:  # closed by whoever started this process
            raise click.BadParameter("stdin is closed.", param_hint=option)
        return sys.stdin.buffer.read(LIMIT + 1)
    path = Path(name)
    try:
        if path.exists() and not path.is_file():
            raise click.BadParameter(f"`{name}` is not a file.", param_hint=option)
        with path.open("rb") as file:
            return file.read(LIMIT + 1)
    except OSError as error:
        raise click.BadParameter(f"`{name}` cannot be read: {error.strerror}.", param_hint=option) from None


def _parsed(file: str, text: str, code: str) -> Context:
    import json
    import re

    def refuse(constant: str) -> None:
        raise _NotANumberOfJsonError(constant)

    try:
        return Context(file, json.loads(text, parse_constant=refuse, object_pairs_hook=_unique), text)
    except json.JSONDecodeError as error:
        return _faulty(code, file, text, error.pos, f"{error.msg[0].lower()}{error.msg[1:]}")
    except _NotANumberOfJsonError as error:
        at = next(hit.start() for hit in re.finditer(_STRING_OR_CONSTANT, text) if not hit[0].startswith('"'))
        return _faulty(code, file, text, at, f"JSON has no `{error}`; write null")
    except _DuplicateKeyError as error:
        places = list(re.finditer(rf"{re.escape(json.dumps(error.key, ensure_ascii=False))}\s*:", text))
        second = places[1].start() if len(places) == 2 else None
        return _faulty(code, file, text, second, f"an object holds the key `{error.key}` twice")
    except RecursionError:
        return _faulty(code, file, text, None, "it is nested too deeply")
    except ValueError:
        return _faulty(code, file, text, None, "a number has too many digits")


def _faulty(code: str, file: str, text: str, at: int | None, problem: str) -> Context:
    span = Span(file) if at is None else _after(file, text[:at].encode("utf-8", "surrogatepass"))
    return Context(file, text=text, diagnostics=(Diagnostic.of(code, span, problem=problem),))


def _after(file: str, before: bytes) -> Span:
    """Return the place of the code point that follows `before`."""
    lines = before.decode("utf-8-sig", "replace").split("\n")
    line, column = len(lines), len(lines[-1]) + 1
    return Span(file, line, column, line, column + 1)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        names = [name for name, _ in pairs]
        raise _DuplicateKeyError(next(name for at, name in enumerate(names) if name in names[:at]))
    return data


class _DuplicateKeyError(Exception):
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


class _NotANumberOfJsonError(Exception):
    pass
