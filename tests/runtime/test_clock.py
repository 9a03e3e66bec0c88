"""Instants and time zones."""

from __future__ import annotations

import subprocess
import sys
import zoneinfo
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given

from frieze.runtime.clock import instant, timezone_key, zone
from frieze.runtime.notes import Refusal
from frieze.runtime.profile_filters import iso_week, local, utc_offset, weekday
from support.hostile import load
from support.values import CALM, texts

VECTORS = load("time_vectors.json")


@pytest.mark.parametrize("case", VECTORS["agree"], ids=lambda case: f"{case['utc']} {case['tz']}")
def test_vectors(case: dict[str, str]) -> None:
    key = timezone_key(case["tz"])
    assert key == case["tz"]
    moment = instant(case["utc"])
    assert isinstance(moment, datetime)
    there = local(moment, case["tz"])
    assert str(there.replace(tzinfo=None)) == case["local"]
    assert there.fold == case["fold"]
    assert (weekday(there), iso_week(there), utc_offset(there)) == (case["weekday"], case["iso_week"], case["offset"])


@pytest.mark.parametrize("case", VECTORS["split"], ids=lambda case: case["tz"])
def test_vectors_on_which_releases_of_the_database_differ(case: dict[str, str]) -> None:
    moment = instant(case["utc"])
    assert isinstance(moment, datetime)
    assert moment.astimezone(zone(case["tz"])).isoformat() in (case["v2025b"], case["v2026f"])


def test_a_key_is_accepted_exactly_where_the_database_lists_it() -> None:
    listed = zoneinfo.available_timezones() - {"localtime", "Factory"}
    assert {key for key in listed if timezone_key(key) == key} == listed
    assert all(isinstance(timezone_key(key.lower()), Refusal) for key in listed if key.lower() not in listed)
    assert all(
        isinstance(timezone_key(key), Refusal) for key in ("Europe", "America", "zone.tab", "tzdata.zi", "leapseconds")
    )


@pytest.mark.parametrize("key", ["localtime", "posixrules", "Factory", "right/UTC", "posix/Asia/Tokyo"])
def test_names_that_depend_on_the_server_are_refused(key: str) -> None:
    assert timezone_key(key) == Refusal("refused-timezone")


@given(texts(8))
@CALM
def test_any_other_text_is_unknown(key: str) -> None:
    assert isinstance(timezone_key(key), Refusal)


def test_without_a_database_utc_works_and_the_rest_says_why() -> None:
    program = (
        "import sys, zoneinfo; zoneinfo.reset_tzpath(()); sys.modules['tzdata'] = None\n"
        "from frieze.runtime.clock import timezone_key, zone\n"
        "print(timezone_key('UTC'), zone('UTC'), timezone_key('Asia/Tokyo').code, timezone_key('+09:00').code)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "UTC UTC tz-data-missing unknown-timezone\n"


def test_only_the_package_where_there_are_no_system_files() -> None:
    program = (
        "import zoneinfo; zoneinfo.reset_tzpath(())\n"
        "from frieze.runtime.clock import timezone_key\n"
        "print(timezone_key('Asia/Tokyo'), timezone_key('asia/tokyo').code)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "Asia/Tokyo unknown-timezone\n"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-14T09:26:53Z", datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)),
        ("2026-03-14T18:26:53+09:00", datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)),
        (datetime(2026, 3, 14, 18, tzinfo=timezone(timedelta(hours=9))), datetime(2026, 3, 14, 9, tzinfo=UTC)),
        ("2026-03-14T09:26:53", Refusal("naive-datetime")),
        (datetime(2026, 3, 14), Refusal("naive-datetime")),
        ("2026-03-14", Refusal("naive-datetime")),
        ("yesterday", Refusal("invalid-datetime")),
        ("0001-01-01T00:00:00+09:00", Refusal("invalid-datetime")),
        ("9999-12-31T23:59:59-09:00", Refusal("invalid-datetime")),
        ("2026-03-14T09:26:53Z" + " " * 100, Refusal("invalid-datetime")),
        (1773480413, Refusal("wrong-type", "expected a datetime, found a number")),
        (None, Refusal("wrong-type", "expected a datetime, found null")),
    ],
)
def test_instants(value: object, expected: object) -> None:
    assert instant(value) == expected
