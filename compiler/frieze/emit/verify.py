"""Whether a compiled bundle is what was compiled: a folder, an installed package, or a wheel file.

Only hashes are compared; nothing of the bundle is imported. The manifest holds the hash of every other file and of
itself, a wheel's RECORD those of its metadata.
"""

from __future__ import annotations

import csv
import hashlib
import json
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic, Span
from frieze.emit.folder import present_files
from frieze.emit.wheel import RECORD, record_hash
from frieze.runtime.bundle import MANIFEST, read_manifest
from frieze.runtime.errors import BundleError

METADATA = ("METADATA", "WHEEL", RECORD)
"""What stands in a wheel beside the package."""

DIFFERS = "differs from what was compiled"
MISSING = "is missing"
FOREIGN = "does not belong to the bundle"

_ZIP_FAULTS = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)

Fault: TypeAlias = tuple[str, str]
"""A file's path, and what is wrong with it as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Verified:
    """What a bundle is that was found whole: project, version, hash, and the number of files that were compared."""

    name: str
    version: str
    hash: str
    files: int


def verify(path: Path) -> tuple[Verified | None, list[Diagnostic]]:
    """Compare a bundle folder or a wheel file with its hashes; one diagnostic a file that is not as it was."""
    try:
        verified, faults = _folder(path) if path.is_dir() else _wheel(path)
    except BundleError as error:
        return None, [Diagnostic.of("F607", Span(str(path)), path=path, what=error.reason)]
    except OSError as error:
        what = f"it cannot be read: {_reason(error)}"
        return None, [Diagnostic.of("F607", Span(str(path)), path=path, what=what)]
    return verified, [Diagnostic.of("F606", Span(str(path / name)), file=name, state=state) for name, state in faults]


def _folder(folder: Path) -> tuple[Verified | None, list[Fault]]:
    present = set(present_files(folder))
    if MANIFEST not in present or not (folder / MANIFEST).is_file():
        raise BundleError("", f"there is no `{MANIFEST}` in it")

    def digest(name: str) -> bytes:
        path = folder / name
        if not path.is_file():
            raise OSError("it is not a file")
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").digest()

    return _against((folder / MANIFEST).read_bytes(), present - {MANIFEST}, digest)


def _wheel(path: Path) -> tuple[Verified | None, list[Fault]]:
    try:
        archive = zipfile.ZipFile(path)
    except OSError:
        raise
    except _ZIP_FAULTS:
        what = "it is damaged or cut short" if path.suffix == ".whl" else "it is neither a folder nor a wheel"
        raise BundleError("", what) from None
    with archive:
        names = Counter(entry.filename for entry in archive.infolist() if not entry.is_dir())
        packages = [name.removesuffix(f"/{MANIFEST}") for name in names if name.endswith(f"/{MANIFEST}")]
        packages = [package for package in packages if "/" not in package]
        if len(packages) != 1:
            raise BundleError("", f"it holds {len(packages) or 'no'} packages with a `{MANIFEST}`, and not one")

        def digest(name: str) -> bytes:
            try:
                with archive.open(name) as stream:
                    # the type of `file_digest` asks for a method of files that it does not call here
                    return hashlib.file_digest(stream, "sha256").digest()  # type: ignore[arg-type] # typeshed asks for more of a file than is read
            except _ZIP_FAULTS as error:
                raise OSError(f"damaged: {error}") from None

        return _wheel_contents(archive, names, f"{packages[0]}/", digest)


def _wheel_contents(
    archive: zipfile.ZipFile, names: Counter[str], package: str, digest: Callable[[str], bytes]
) -> tuple[Verified | None, list[Fault]]:
    inside = {name.removeprefix(package) for name in names if name.startswith(package)} - {MANIFEST}
    try:
        manifest = archive.read(package + MANIFEST)
    except _ZIP_FAULTS as error:
        return None, [(package + MANIFEST, f"cannot be read: damaged: {error}")]
    verified, faults = _against(manifest, inside, lambda name: digest(package + name))
    found = [(package + name, state) for name, state in faults]
    found += [(name, "is in it more than once") for name, times in sorted(names.items()) if times > 1]
    found += _beside(archive, {name for name in names if not name.startswith(package)}, digest)
    return (None if found else verified), found


def _beside(archive: zipfile.ZipFile, names: set[str], digest: Callable[[str], bytes]) -> list[Fault]:
    """Compare what stands beside the package with RECORD."""
    folders = sorted({name.split("/")[0] for name in names if name.split("/")[0].endswith(".dist-info")})
    if len(folders) != 1:
        return [(RECORD, f"is not there once: the wheel has {len(folders)} folders of metadata")]
    expected = [f"{folders[0]}/{name}" for name in METADATA]
    found = [(name, FOREIGN) for name in sorted(names - set(expected))]
    found += [(name, MISSING) for name in expected if name not in names]
    if expected[-1] not in names:
        return found
    try:
        rows = csv.reader(archive.read(expected[-1]).decode().splitlines())
        hashes = {row[0]: row[1] for row in rows if len(row) > 1}
    except (*_ZIP_FAULTS, csv.Error):
        return [*found, (expected[-1], "cannot be read")]
    for name in expected[:-1]:
        if name in names:
            found += _compared(name, lambda name: hashes.get(name) == record_hash(digest(name)))
    return found


def _against(data: bytes, present: set[str], digest: Callable[[str], bytes]) -> tuple[Verified | None, list[Fault]]:
    """Compare the other files of a bundle with its manifest, also where the manifest itself was changed."""
    faults: list[Fault] = []
    manifest: Mapping[str, Any] = {}
    try:
        manifest = read_manifest(data)
        files = manifest["files"]
    except BundleError as error:
        faults.append((MANIFEST, error.reason))
        files = _listed(data)
        if files is None:
            return None, faults
    for name in sorted(present | set(files)):
        if name not in present:
            faults.append((name, MISSING))
        elif name not in files:
            faults.append((name, FOREIGN))
        else:
            faults += _compared(name, lambda name: files[name] == digest(name).hex())
    if faults:
        return None, faults
    return Verified(manifest["name"], manifest["version"], manifest["hash"], len(files) + 1), []


def _compared(name: str, same: Callable[[str], bool]) -> list[Fault]:
    try:
        return [] if same(name) else [(name, DIFFERS)]
    except OSError as error:
        return [(name, f"cannot be read: {_reason(error)}")]


def _listed(data: bytes) -> Mapping[str, Any] | None:
    """Return the hashes in a manifest that is not to be trusted, as far as it has some."""
    try:
        files = json.loads(data)["files"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return files if isinstance(files, dict) else None


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
