"""Hosts of addresses, in the one spelling that patterns are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .folding import fold

_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?[\\/]{2}([^\\/?#]*)|([^\\/?#]*)")
_NUMBER = re.compile(r"0x[0-9a-f]+|[0-9]+")


def host_of(address: str) -> str:
    """Return the host of an address: `https://me@A.Example.:8080/x` gives `a.example`. Empty where there is none.

    What browsers take for the same host gives the same text: case, full-width letters, a dot at the end, and numbers
    of an IPv4 address in any base.
    """
    hit = _ADDRESS.match(fold(address).replace("\u3002", ".").strip())
    place = (hit[1] if hit[1] is not None else hit[2]) if hit else ""
    host = place.rpartition("@")[2]
    if host.startswith("["):
        return host[1:].partition("]")[0]
    host = host.partition(":")[0].rstrip(".")
    return _numeric(host) or host


def first_host(patterns: Iterable[str], host: str) -> str | None:
    """Return the pattern that takes a host: a name, `*.name` for every name below it, or `*`."""
    for pattern in patterns:
        wanted = fold(pattern).rstrip(".")
        if wanted in ("*", host) or (wanted.startswith("*.") and host.endswith(wanted[1:])):
            return pattern
    return None


def _numeric(host: str) -> str | None:
    """Return an IPv4 address in its usual form where a host is one in another, such as `0x7f.1` or `2130706433`."""
    parts = host.split(".")
    if len(parts) > 4 or not all(_NUMBER.fullmatch(part) for part in parts):
        return None
    try:
        numbers = [int(part, 16 if part[:2] == "0x" else 8 if part[0] == "0" else 10) for part in parts]
    except ValueError:
        return None
    *bytes_, last = numbers
    if any(number > 255 for number in bytes_) or last >= 256 ** (4 - len(bytes_)):
        return None
    whole = sum(number << (24 - 8 * at) for at, number in enumerate(bytes_)) + last
    return ".".join(str(whole >> shift & 255) for shift in (24, 16, 8, 0))
