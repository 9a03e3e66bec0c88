"""What a result depends on besides the sources: frieze itself, and what it stands on."""

from __future__ import annotations

import hashlib
import os
import sys
import zoneinfo
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from frieze.resources import schema_folder

LIBRARIES = frozenset(
    {"jinja2", "jsonschema", "markupsafe", "referencing", "ruamel_yaml", "ruamel_yaml_clib", "tzdata"}
)
"""Distributions whose version can change a result."""

_PACKAGE = Path(__file__).resolve().parents[1]


@cache
def fingerprint() -> str:
    """Return a hash of frieze's modules and schemas, Python's and the libraries' versions, and the time zones.

    The profiles of the library are no part of it: they are sources like the project's own.
    """
    whole = hashlib.sha256()
    for part in _parts():
        whole.update(b"%d:" % len(part))
        whole.update(part)
    return whole.hexdigest()


def _parts() -> Iterator[bytes]:
    yield sys.version.encode()
    yield sys.platform.encode()
    yield from (name.encode() for name in _installed())
    for folder in zoneinfo.TZPATH:
        yield _first_line(Path(folder) / "tzdata.zi")
    for root, suffix in ((_PACKAGE, ".py"), (schema_folder(), ".json")):
        for path in _files(root, suffix):
            yield path.relative_to(root).as_posix().encode()
            yield path.read_bytes()


def _files(root: Path, suffix: str) -> Iterator[Path]:
    for folder, names, files in os.walk(root):
        names.sort()
        yield from (Path(folder) / name for name in sorted(files) if name.endswith(suffix))


def _installed() -> list[str]:
    """Return the folders of the libraries' metadata, whose names hold the versions.

    `importlib.metadata` says the same, and takes longer to import than everything else here takes.
    """
    found = []
    for folder in sys.path:
        try:
            names = os.listdir(folder or ".")  # noqa: PTH208 - as `sys.path` has them
        except OSError:
            continue
        found += [name for name in names if name.endswith((".dist-info", ".egg-info")) and _library(name) in LIBRARIES]
    return sorted(set(found))


def _library(name: str) -> str:
    return name.partition("-")[0].lower().replace(".", "_")


def _first_line(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.readline(200)
    except OSError:
        return b""
