"""The filters that Jinja2 does not have: printing forms, and dates against vectors from two releases of the database."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.errors import RenderError
from frieze.runtime.escape import unescape
from frieze.runtime.interpreter import compile_body, compile_expression
from frieze.runtime.operations import FILTERS

VECTORS = json.loads((Path(__file__).parents[1] / "data" / "time_vectors.json").read_text(encoding="utf-8"))
DATES = ("date", "time", "weekday", "iso_week", "utc_offset")


def shown(moment: datetime, zone: str, name: str) -> Any:
    """Return `moment | local(zone) | name`."""
    value = ["filter", "local", ["input", "now"], [["input", "zone"]], []]
    return compile_expression(["filter", name, value, [], []], strict=False)({"now": moment, "zone": zone})


@pytest.mark.parametrize("vector", VECTORS["agree"], ids=lambda vector: f"{vector['utc']} {vector['tz']}")
def test_local_time(vector: dict[str, Any]) -> None:
    moment = datetime.fromisoformat(vector["utc"])
    date, _, clock = vector["local"].partition(" ")
    expected = (date, clock[:5], vector["weekday"], vector["iso_week"], vector["offset"])
    assert tuple(shown(moment, vector["tz"], name) for name in DATES) == expected


@pytest.mark.parametrize("vector", VECTORS["split"], ids=lambda vector: vector["tz"])
def test_local_time_where_releases_of_the_database_differ(vector: dict[str, Any]) -> None:
    moment = datetime.fromisoformat(vector["utc"])
    found = (shown(moment, vector["tz"], "date"), shown(moment, vector["tz"], "time"))
    releases = [datetime.fromisoformat(value) for key, value in vector.items() if key.startswith("v2")]
    assert releases
    assert found in [(release.date().isoformat(), f"{release:%H:%M}") for release in releases]


@pytest.mark.parametrize(
    ("offset", "text"),
    [
        (timedelta(hours=9), "+09:00"),
        (timedelta(0), "+00:00"),
        (-timedelta(minutes=44, seconds=30), "-00:44:30"),
        (-timedelta(hours=3, minutes=30), "-03:30"),
        (timedelta(hours=5, minutes=45), "+05:45"),
    ],
)
def test_offsets(offset: timedelta, text: str) -> None:
    assert FILTERS["utc_offset"](datetime(1970, 1, 1, tzinfo=timezone(offset))) == text


def test_seconds_of_an_old_offset() -> None:
    assert shown(datetime(1970, 1, 1, 12, tzinfo=UTC), "Africa/Monrovia", "utc_offset") == "-00:44:30"


@given(st.datetimes(min_value=datetime(1, 1, 2), max_value=datetime(9998, 12, 31), timezones=st.just(UTC)))
def test_dates_against_the_standard_library(moment: datetime) -> None:
    assert FILTERS["date"](moment) == moment.date().isoformat()
    assert FILTERS["time"](moment) == moment.time().isoformat("minutes")
    assert FILTERS["iso_week"](moment) == moment.strftime("%G-W%V").rjust(8, "0")


@pytest.mark.parametrize("name", [*DATES, "local"])
def test_only_a_moment_has_a_date(name: str) -> None:
    arguments = ["UTC"] if name == "local" else []
    for value in ("2026-03-14", 0, None):
        with pytest.raises(RenderError, match="moment"):
            compile_expression(["filter", name, ["input", "v"], arguments, []], strict=False)({"v": value})
    if name in ("local", "utc_offset"):
        with pytest.raises(RenderError, match="without a time zone"):
            compile_expression(["filter", name, ["input", "v"], arguments, []], strict=False)(
                {"v": datetime(2026, 1, 1)}
            )


@pytest.mark.parametrize("zone", ["Mars/Olympus", "../etc/passwd", "/etc/localtime", ""])
def test_an_unknown_zone_is_an_error(zone: str) -> None:
    with pytest.raises(RenderError):
        shown(datetime(2026, 1, 1, tzinfo=UTC), zone, "date")


def test_a_moment_is_not_printed_as_it_is() -> None:
    for form in ([], ["escape"], ["any"]):
        with pytest.raises(RenderError):
            compile_body([["out", ["input", "now"], *form]], strict=False)({"now": datetime(2026, 1, 1, tzinfo=UTC)})


def test_json_has_one_form() -> None:
    value = {"b": [1, 1.5, True, None, "é"], "a": {"x": "<i> & 'q'"}}
    expected = '{"a": {"x": "\\u003ci\\u003e \\u0026 \\u0027q\\u0027"}, "b": [1, 1.5, true, null, "é"]}'
    assert FILTERS["json"](value) == expected
    assert FILTERS["json"](dict(reversed(value.items()))) == expected
    assert FILTERS["tojson"](value) == expected.replace("é", "\\u00e9")


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(anything)
def test_json_is_one_harmless_line_that_reads_back(value: Any) -> None:
    for name in ("json", "tojson"):
        text = FILTERS[name](value)
        assert json.loads(text) == value
        assert text.splitlines() == [text]
        assert not set(text) & set("<>&'")
        assert text.encode()


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_quoted_text_reads_back(value: str) -> None:
    text = FILTERS["quoted"](value)
    assert json.loads(text) == value
    assert text.splitlines() == [text]
    assert not set(text) & set("<>&")


def test_quoted_and_prefixed_take_numbers_but_nothing_else() -> None:
    assert FILTERS["quoted"](35.0) == '"35"'
    assert FILTERS["prefixed"](5) == "> 5"
    for name in ("quoted", "prefixed"):
        for value in (None, True, [], {}):
            with pytest.raises(RenderError):
                FILTERS[name](value)


@given(st.text(alphabet="ab<>&\n\r\u2028 é"), st.sampled_from(["> ", "| ", "# "]))
def test_prefixed_puts_every_line_behind_the_prefix(value: str, prefix: str) -> None:
    lines = FILTERS["prefixed"](value, prefix).split("\n")
    assert all(line == prefix.rstrip() or line.startswith(prefix) for line in lines)
    assert [unescape(line[len(prefix) :]) for line in lines] == [line.rstrip() for line in value.splitlines() or [""]]


def test_yesno() -> None:
    assert (FILTERS["yesno"](True), FILTERS["yesno"](False)) == ("yes", "no")
    assert FILTERS["yesno"](False, "ja", "nein") == "nein"
    with pytest.raises(TypeError):
        FILTERS["yesno"](1)
