from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.cli.context import LIMIT, parse_now, read_context

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def written(folder: Path, data: bytes | str) -> str:
    path = folder / "context.json"
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8"))
    return str(path)


@pytest.mark.parametrize(
    ("data", "place", "words"),
    [
        ("", (1, 1), "expecting value"),
        ("{", (1, 2), "expecting property name"),
        ('{"a": 1,\n "b": 保}', (2, 7), "expecting value"),
        ('{"a": "保守", "b": x}', (1, 18), "expecting value"),
        ("\ufeff{x", (1, 2), "expecting property name"),
        ("{'a': 1}", (1, 2), "double quotes"),
        ('{"NaN": 1,\n  "a": NaN}', (2, 8), "JSON has no `NaN`"),
        ('["Infinity \\" x", -Infinity]', (1, 19), "JSON has no `-Infinity`"),
        (b'{"a":\n "\xe9"}', (2, 3), "byte 9 is not UTF-8"),
        (b"\xff\xfe{\x00}\x00", (1, 1), "byte 1 is not UTF-8"),
        ('{"a": {"name": 1,\n "name": 1}}', (2, 2), "an object holds the key `name` twice"),
        ('{"a": {"b": 1, "b": 1}, "c": {"b": 1}}', (0, 0), "an object holds the key `b` twice"),
        ("[" * 100_000, (0, 0), "nested too deeply"),
        ("9" * 5000, (0, 0), "too many digits"),
        (b" " * (LIMIT + 1), (0, 0), "over 16,000,000 bytes"),
    ],
    ids=lambda value: repr(value)[:20],
)
def test_what_is_not_json_is_f801_with_its_place(
    tmp_path: Path, data: bytes | str, place: tuple[int, int], words: str
) -> None:
    context = read_context(written(tmp_path, data))
    (finding,) = context.diagnostics
    assert finding.code == "F801"
    assert (finding.span.line, finding.span.column) == place
    assert words in finding.message


@given(JSON)
@settings(max_examples=100)
def test_json_is_read_as_it_is(tmp_path_factory: pytest.TempPathFactory, value: object) -> None:
    context = read_context(written(tmp_path_factory.mktemp("context"), json.dumps(value)))
    assert not context.diagnostics
    assert context.data == value


def test_no_context_is_an_empty_one() -> None:
    assert read_context(None).data == {}


def test_what_is_no_readable_file_is_wrong_usage(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "loop").symlink_to("loop")
    for name in (".", "fifo", "nothing", "loop", "x" * 500):
        with pytest.raises(click.BadParameter, match=r"is not a file|cannot be read"):
            read_context(str(tmp_path / name))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-14T09:26:53Z", datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)),
        ("2026-03-14 09:26", datetime(2026, 3, 14, 9, 26, tzinfo=UTC)),
        ("2026-03-14T09:26+09:00", datetime(2026, 3, 14, 9, 26, tzinfo=timezone(timedelta(hours=9)))),
    ],
)
def test_now(text: str, moment: datetime) -> None:
    parameter = click.Option(["--now"])
    assert parse_now(click.Context(click.Command("render")), parameter, text) == moment


@pytest.mark.parametrize("text", ["", "noon", "2026-13-01", "14.3.2026"])
def test_no_time(text: str) -> None:
    with pytest.raises(click.BadParameter, match="ISO 8601"):
        parse_now(click.Context(click.Command("render")), click.Option(["--now"]), text)
