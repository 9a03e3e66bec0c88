"""Instants and time zones of a request. Never the server's zone: a zone that is not known is absent.

A zone is a key of `zoneinfo.available_timezones()`, spelled exactly so. That function reads the whole database, which
costs more than a cold render may take, so a key is looked up in its own folder first; the answer is the same.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

from .context import kind_name
from .notes import Refusal

_is_key_shaped = re.compile(r"[A-Za-z][A-Za-z0-9_+\-]{0,31}(?:/[A-Za-z0-9_+\-]{1,31}){0,2}").fullmatch
_REFUSED = frozenset(("localtime", "posixrules", "Factory"))
_REFUSED_FOLDERS = ("right/", "posix/")

_verified: set[tuple[tuple[str, ...], str]] = set()
_listed: dict[tuple[str, ...], frozenset[str]] = {}


def instant(value: Any) -> datetime | Refusal:
    """Return an instant in UTC from an aware datetime or from ISO 8601 text with an offset."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value[:64])
        except ValueError:
            return Refusal("invalid-datetime")
    if not isinstance(value, datetime):
        return Refusal("wrong-type", f"expected a datetime, found {kind_name(value)}")
    try:
        if value.utcoffset() is None:
            return Refusal("naive-datetime")
        return value.astimezone(UTC)
    except (OverflowError, ValueError, TypeError):
        return Refusal("invalid-datetime")


def aware(now: datetime) -> datetime:
    """Return the time of a request with its zone: one without an offset is UTC."""
    return now if now.tzinfo is not None else now.replace(tzinfo=UTC)


def timezone_key(key: str) -> str | Refusal:
    """Return the key of a time zone that this machine knows, or why it is refused."""
    if key == "UTC":
        return key
    if key in _REFUSED or key.startswith(_REFUSED_FOLDERS):
        return Refusal("refused-timezone")
    if not _is_key_shaped(key):
        return Refusal("unknown-timezone")
    import zoneinfo

    path = zoneinfo.TZPATH
    if (path, key) in _verified:
        return key
    if not (key in _listed[path] if path in _listed else _stands_in(path, key) or key in _available()):
        return Refusal("unknown-timezone" if _available() else "tz-data-missing")
    if zone(key) is None:
        return Refusal("unknown-timezone")
    _verified.add((path, key))
    return key


def zone(key: str) -> tzinfo | None:
    """Return the zone of a key that `timezone_key` accepts; None for any other. UTC needs no database."""
    if key == "UTC":
        return UTC
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo(key)
    except (KeyError, ValueError, TypeError, OSError):
        return None


def _available() -> frozenset[str]:
    import zoneinfo

    path = zoneinfo.TZPATH
    if path not in _listed:
        _listed.clear()
        _listed[path] = frozenset(zoneinfo.available_timezones())
    return _listed[path]


def _stands_in(path: tuple[str, ...], key: str) -> bool:
    """Tell whether a folder of the search path holds the key, letter for letter, also where the disk ignores case."""
    return any(_is_zone_file(Path(root), key) for root in path)


def _is_zone_file(folder: Path, key: str) -> bool:
    try:
        for name in key.split("/"):
            if name not in {entry.name for entry in folder.iterdir()}:
                return False
            folder /= name
        return folder.is_file()
    except OSError:
        return False
