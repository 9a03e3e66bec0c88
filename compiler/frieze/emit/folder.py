"""Writing a bundle so that the old one stays whole until the new one is, and nothing else is ever touched."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from glob import escape
from pathlib import Path

from frieze.diagnostics import Diagnostic, Span
from frieze.emit.exchange import OLD, exchange
from frieze.emit.files import Bundle
from frieze.runtime.bundle import MANIFEST

NEW = ".new"
IGNORED = "__pycache__"
"""What Python itself leaves in a package; never a reason to refuse, never compared."""


def write_bundle(bundle: Bundle, folder: Path) -> list[Diagnostic]:
    """Put a bundle in the place of `folder`, or leave `folder` exactly as it is and say why.

    The new files are written beside `folder` and flushed to the disk first; then the two folders change
    places in one step. Nothing is written when the files there are already these.
    """
    fresh: Path | None = None
    try:
        _recover(folder)
        refused = _foreign(folder)
        if refused or not _differences(bundle, folder):
            return refused
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=f".{folder.name}.{os.getpid()}.", suffix=NEW, dir=folder.parent))
        fresh.chmod(0o755)
        _write_all(fresh, bundle.files)
        exchange(fresh, folder)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return [Diagnostic.of("F601", Span(str(folder)), folder=folder, reason=reason.lower())]
    finally:
        if fresh is not None:
            shutil.rmtree(fresh, ignore_errors=True)
    return []


def check_bundle(bundle: Bundle, folder: Path) -> list[Diagnostic]:
    """Compare a folder with the bundle that the sources give; one diagnostic a file that differs."""
    try:
        found = _differences(bundle, folder) if (folder / MANIFEST).is_file() else None
    except OSError:
        found = None
    if found is None:
        return [Diagnostic.of("F603", Span(str(folder)), folder=folder)]
    return [Diagnostic.of("F604", Span(str(folder / name)), file=name, state=state) for name, state in found]


def _foreign(folder: Path) -> list[Diagnostic]:
    """Refuse a folder that holds anything frieze did not write."""
    if not folder.exists() and not folder.is_symlink():
        return []
    if folder.is_symlink() or not folder.is_dir():
        return [Diagnostic.of("F602", Span(str(folder)), folder=folder, what="it is not a folder")]
    try:
        manifest = json.loads((folder / MANIFEST).read_bytes())
        own = frozenset({MANIFEST, *manifest["files"]})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        own = None
    # No more is read than it takes to say what is wrong: the folder may be as large as the disk.
    strange = (name for name in present_files(folder) if own is None or name not in own)
    first = next(strange, None)
    if first is None:
        return []
    what = f"it holds no `{MANIFEST}` of frieze"
    if own is not None:
        what = f"`{first}` in it is not frieze's" + ("" if next(strange, None) is None else " (and there is more)")
    return [Diagnostic.of("F602", Span(str(folder)), folder=folder, what=what)]


def _differences(bundle: Bundle, folder: Path) -> list[tuple[str, str]]:
    present = set(present_files(folder)) if folder.is_dir() else set()
    found = []
    for name in sorted(present | set(bundle.files)):
        if name not in present:
            found.append((name, "is missing"))
        elif name not in bundle.files:
            found.append((name, "is not part of it any more"))
        elif not _same(folder / name, bundle.files[name]):
            found.append((name, "differs"))
    return found


def _same(path: Path, data: bytes) -> bool:
    try:
        return path.read_bytes() == data
    except OSError:
        return False


def present_files(folder: Path) -> Iterator[str]:
    """Yield the path of every file below a folder, and of every link; what Python itself leaves is not one.

    Folders are read one by one as the caller goes on.
    """
    for base, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name != IGNORED)
        for name in sorted((*names, *(entry for entry in folders if Path(base, entry).is_symlink()))):
            yield Path(base, name).relative_to(folder).as_posix()


def _write_all(root: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())


def _recover(folder: Path) -> None:
    """Clear away what a compile that was killed left beside the bundle, and put an old bundle back in its place.

    What a compile that still runs is working on is left alone.
    """
    for left in sorted(folder.parent.glob(f".{escape(folder.name)}.*.*")):
        number = left.name.removeprefix(f".{folder.name}.").partition(".")[0]
        if left.suffix not in (NEW, OLD) or not number.isdecimal() or _runs(int(number)) or left.is_symlink():
            continue
        if left.suffix == OLD and not folder.exists():
            left.rename(folder)
        else:
            shutil.rmtree(left, ignore_errors=True)


def _runs(process: int) -> bool:
    if os.name == "nt":  # there, signal 0 is Ctrl-C
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        return True
    return process != os.getpid()
