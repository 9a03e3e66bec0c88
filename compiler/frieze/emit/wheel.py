"""A bundle as a wheel, the same bytes on every machine and every day.

The form is that of https://packaging.python.org/en/latest/specifications/binary-distribution-format/. Files are stored
and not deflated, because builds of zlib do not agree on what they write.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
import stat
import tempfile
import zipfile
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import frieze
from frieze.diagnostics import Diagnostic, Span
from frieze.emit.exchange import flush
from frieze.emit.files import Bundle
from frieze.emit.folder import NEW
from frieze.emit.versions import normal_version
from frieze.profiles.declarations import Project
from frieze.runtime.bundle import MANIFEST

SUFFIX = "prompts"
"""Last word of a distribution's name, so that it does not meet the service's own."""

RECORD = "RECORD"
EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first instant that a zip archive can hold; every entry has it."""

_UNIX = 3
_MODE = stat.S_IFREG | 0o644


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel in memory: its file name, its bytes, and how many files it holds."""

    name: str
    data: bytes
    files: int


def wheel_of(bundle: Bundle, project: Project) -> tuple[Wheel | None, list[Diagnostic]]:
    """Return a bundle as a wheel. Pure: the same project gives the same bytes."""
    version = normal_version(project.version)
    if version is None:
        return None, [Diagnostic.of("F605", project.origin.span("version"), version=project.version)]
    stem = f"{distribution_name(project.name).replace('-', '_')}-{version}"
    folder = f"{stem}.dist-info"
    contents = {f"{bundle.package}/{name}": data for name, data in sorted(bundle.files.items())}
    contents[f"{folder}/METADATA"] = _metadata(project, version)
    contents[f"{folder}/WHEEL"] = _wheel_file()
    contents[f"{folder}/{RECORD}"] = _record(contents, f"{folder}/{RECORD}")
    return Wheel(f"{stem}-py3-none-any.whl", _archive(contents), len(contents)), []


def distribution_name(project: str) -> str:
    """Return what pip calls a project's wheel: `support-desk` gives `support-desk-prompts`, `my-prompts` stays."""
    name = re.sub("[-_.]+", "-", project)
    return name if name.split("-")[-1] == SUFFIX else f"{name.rstrip('-')}-{SUFFIX}"


def write_wheel(wheel: Wheel, folder: Path) -> list[Diagnostic]:
    """Put a wheel into a folder, as a whole or not at all; an older file of this name is replaced."""
    path = folder / wheel.name
    fresh: Path | None = None
    try:
        if refused := _refused(path):
            return [Diagnostic.of("F602", Span(str(path)), folder=path, what=refused)]
        if _holds(path, wheel.data):
            return []
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{wheel.name}.", suffix=NEW, dir=folder)
        fresh = Path(name)
        with os.fdopen(handle, "wb") as stream:
            stream.write(wheel.data)
            stream.flush()
            os.fsync(stream.fileno())
        fresh.chmod(0o644)
        fresh.replace(path)
        fresh = None
        flush(folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return [Diagnostic.of("F601", Span(str(path)), folder=path, reason=reason.lower())]
    finally:
        if fresh is not None:
            fresh.unlink(missing_ok=True)
    return []


def check_wheel(wheel: Wheel, folder: Path) -> list[Diagnostic]:
    """Compare the wheel in a folder with the one that the sources give."""
    path = folder / wheel.name
    if _holds(path, wheel.data):
        return []
    state = "differs" if os.path.lexists(path) else "is missing"
    return [Diagnostic.of("F604", Span(str(path)), file=wheel.name, state=state)]


def _refused(path: Path) -> str:
    if (path.parent / MANIFEST).is_file():
        return "its folder is a compiled bundle, where nothing else may stand"
    if path.is_symlink() or (path.exists() and not path.is_file()):
        return "it is not a file"
    return ""


def _holds(path: Path, data: bytes) -> bool:
    try:
        return path.is_file() and path.read_bytes() == data
    except OSError:
        return False


def _metadata(project: Project, version: str) -> bytes:
    summary = " ".join(project.description.split()) or f"The prompts of {project.name}."
    lines = [
        "Metadata-Version: 2.1",
        f"Name: {distribution_name(project.name)}",
        f"Version: {version}",
        f"Summary: {summary}",
        "Requires-Python: >=3.11",
        "Provides-Extra: tz",
        'Requires-Dist: tzdata>=2025.2; extra == "tz"',
    ]
    return _lines(lines)


def _wheel_file() -> bytes:
    generator = f"Generator: frieze {frieze.__version__}"
    return _lines(["Wheel-Version: 1.0", generator, "Root-Is-Purelib: true", "Tag: py3-none-any"])


def _lines(lines: list[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _record(contents: Mapping[str, bytes], own: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for name, data in contents.items():
        rows.writerow((name, record_hash(hashlib.sha256(data).digest()), len(data)))
    rows.writerow((own, "", ""))
    return text.getvalue().encode()


def record_hash(digest: bytes) -> str:
    """Return a SHA-256 digest as RECORD writes it."""
    return "sha256=" + urlsafe_b64encode(digest).rstrip(b"=").decode()


def _archive(contents: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for name, data in contents.items():
            entry = zipfile.ZipInfo(name, EARLIEST)
            entry.create_system = _UNIX
            entry.external_attr = _MODE << 16
            archive.writestr(entry, data)
    return stream.getvalue()
