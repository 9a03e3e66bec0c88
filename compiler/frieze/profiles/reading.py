"""The files of a project and of the library: found, read, and sorted into profiles and all that is none.

This is the only module of the room that looks at folders. Order of files never matters: what is found is sorted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from frieze.diagnostics import Diagnostic, Span, did_you_mean
from frieze.profiles.declarations import Affine, DataPath
from frieze.profiles.desk import Desk
from frieze.profiles.naming import LIBRARY, listed
from frieze.sources import Document

PROJECT_FILE = "frieze.yaml"
SUFFIXES = frozenset({".yaml", ".yml"})
KINDS = ("agent", "platform", "personality", "model", "block", "layout", "skill", "tool", "permissions", "rule")
"""Kinds that a profile may have; `project` is the project file's own."""

DEFAULT_FOLDERS = ("profiles",)
_HEADER_BYTES = 65536


@dataclass(frozen=True, slots=True)
class Unit:
    """One file that was read: its document, where it stands, and whether it belongs to the library."""

    document: Document = field(repr=False)
    path: Path
    root: Path
    prefix: str

    @property
    def file(self) -> str:
        """Display path."""
        return self.document.file

    def display(self, path: Path) -> str:
        """Return the path that a reader sees for a file or folder of the same project."""
        return display_path(path, self.root, self.prefix)

    def span(self, path: DataPath) -> Span:
        """Return the span of a value."""
        return self.document.span(path)

    def key_span(self, path: DataPath) -> Span:
        """Return the span of a key."""
        return self.document.key_span(path)

    def locate(self, path: DataPath, start: int, end: int) -> Span:
        """Return the span of `value[start:end]` of the text at `path`."""
        return self.document.locate(path, start, end)

    def affine(self, path: DataPath) -> Affine | None:
        """Return where the lines of the text at `path` stand, if one below the other."""
        return self.document.affine(path)


@dataclass(frozen=True, slots=True)
class Reading:
    """What one project folder holds. `broken` are (kind, name) of files that declare something but cannot be used."""

    project: Unit | None
    profiles: tuple[Unit, ...] = ()
    broken: frozenset[tuple[str, str]] = frozenset()
    texts: Mapping[str, str] = field(default_factory=dict)


def read_project(root: Path, prefix: str = "", desk: Desk | None = None) -> tuple[Reading, list[Diagnostic]]:
    """Read the project file of a folder and every profile below the folders that it lists.

    `prefix` is `std/` for the library: it stands in front of display paths and of names.
    """
    desk = desk or Desk()
    project, faults = read_project_file(root, prefix, desk)
    if project is None:
        return Reading(None), faults
    folders, more = _folders(project)
    return _read_profiles(project, folders, [*faults, *more], desk)


def read_project_file(root: Path, prefix: str, desk: Desk) -> tuple[Unit | None, list[Diagnostic]]:
    """Read the project file of a folder alone."""
    path = root / PROJECT_FILE
    display = display_path(path, root, prefix)
    if not os.path.lexists(path):
        return None, [Diagnostic.of("F301", Span(display), folder=prefix.rstrip("/") or root.name or ".")]
    document, faults = desk.document(path, display)
    if document is None:
        return None, faults
    if not isinstance(document.data, Mapping) or document.data.get("kind") != "project":
        return None, [*faults, Diagnostic.of("F302", _kind_span(document), file=display)]
    return Unit(document, path, root, prefix), faults


def survey(root: Path, prefix: str, desk: Desk) -> list[tuple[str, bytes]] | None:
    """Return the display path and the bytes of every file that `read_project` reads.

    None where there is anything to say of the folders and files themselves.
    """
    project, faults = read_project_file(root, prefix, desk)
    if project is None or faults:
        return None
    folders, faults = _folders(project)
    places = [project.path, *_places(folders, project, faults, desk)]
    named = [(project.display(place), place) for place in places]
    found = [(name, desk.content(place, name)[0]) for name, place in named]
    return None if faults else [(name, data) for name, data in found if data is not None]


def _read_profiles(
    project: Unit, folders: list[Path], faults: list[Diagnostic], desk: Desk
) -> tuple[Reading, list[Diagnostic]]:
    profiles: list[Unit] = []
    broken: set[tuple[str, str]] = set()
    texts = {project.file: project.document.text}
    for path in _places(folders, project, faults, desk):
        document, more = desk.document(path, project.display(path))
        faults += more
        if document is None:
            broken |= _guess_header(path, project.prefix)
            continue
        texts[document.file] = document.text
        fault = _not_a_profile(document)
        if fault is None:
            profiles.append(Unit(document, path, project.root, project.prefix))
        else:
            faults.append(fault)
    return Reading(project, tuple(profiles), frozenset(broken), texts), faults


def display_path(path: Path, root: Path, prefix: str) -> str:
    """Return a path as readers see it: from the project's folder, with `/`; the library's behind `std/`."""
    text, above = path.as_posix(), f"{root.as_posix()}/"
    # The same as `relative_to`, which takes paths apart.
    inside = text[len(above) :] if text.startswith(above) else path.relative_to(root).as_posix()
    # A folder of the project may have the library's name.
    return f"./{inside}" if not prefix and inside.startswith(LIBRARY) else prefix + inside


def _folders(project: Unit) -> tuple[list[Path], list[Diagnostic]]:
    listed_folders = project.document.data.get("profiles")
    if not isinstance(listed_folders, list):
        default = [project.root / name for name in DEFAULT_FOLDERS]
        return [folder for folder in default if _is_folder(folder)], []
    folders: list[Path] = []
    faults: list[Diagnostic] = []
    for index, name in enumerate(listed_folders):
        if not isinstance(name, str):
            continue
        span = project.document.span(("profiles", index))
        folder = Path(os.path.normpath(project.root / name))
        if not _inside(folder, project.root):
            faults.append(Diagnostic.of("F304", span, name=name))
        elif not _is_folder(folder):
            beside = sorted(entry.name for entry in project.root.iterdir() if _is_folder(entry))
            faults.append(Diagnostic.of("F303", span, name=name, advice=did_you_mean(name, beside)))
        else:
            folders.append(folder)
    return folders, faults


def _places(folders: list[Path], project: Unit, faults: list[Diagnostic], desk: Desk) -> list[Path]:
    """Return the files of a project, looked for once in a run where there is nothing to say of them."""
    found = desk.places.get(project.path)
    if found is None:
        before = len(faults)
        found = _profile_files(folders, project, faults)
        if len(faults) == before:
            desk.places[project.path] = found
    return found


def _profile_files(folders: list[Path], project: Unit, faults: list[Diagnostic]) -> list[Path]:
    """Return the YAML files below `folders`, each once, sorted by display path."""
    found: dict[str, Path] = {}
    within: dict[Path, bool] = {}
    for folder in folders:
        for path in _walk(folder, project, faults):
            display = project.display(path)
            if path == project.path or display in found:
                continue
            is_link = _is_link(path)
            if is_link and _is_folder(path):
                faults.append(Diagnostic.of("F308", Span(display), name=display))
            elif path.suffix in SUFFIXES and not _stays(path, project.root, None if is_link else within):
                faults.append(Diagnostic.of("F304", Span(display), name=display))
            elif path.suffix in SUFFIXES:
                found[display] = path
    return [found[display] for display in sorted(found)]


def _walk(folder: Path, project: Unit, faults: list[Diagnostic]) -> Iterator[Path]:
    def refused(error: OSError) -> None:
        display = project.display(Path(error.filename))
        faults.append(Diagnostic.of("F102", Span(display), file=display, reason=(error.strerror or "refused").lower()))

    for parent, names, files in os.walk(folder, onerror=refused):
        names[:] = sorted(name for name in names if not name.startswith("."))
        links = [name for name in names if _is_link(Path(parent) / name)]
        pipes_and_folders = [name for name in names if Path(name).suffix in SUFFIXES and name not in links]
        yield from (
            Path(parent) / name for name in sorted([*files, *links, *pipes_and_folders]) if not name.startswith(".")
        )


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:  # its own folder may be listed, not entered: reading the file says so
        return False


def _is_link(path: Path) -> bool:
    try:
        return path.is_symlink()
    except OSError:
        return False


def _stays(path: Path, root: Path, within: dict[Path, bool] | None) -> bool:
    """Tell whether a file lies in the project; what is known of folders is kept in `within`, None for a link."""
    if within is None:
        return _inside(path, root)
    folder = path.parent
    if folder not in within:
        within[folder] = _inside(folder, root)
    return within[folder]


def _inside(path: Path, root: Path) -> bool:
    try:
        return path.resolve().is_relative_to(root.resolve())
    except (OSError, RuntimeError):
        return True


def _not_a_profile(document: Document) -> Diagnostic | None:
    """Return what keeps a document from being a profile; a document without a kind is only passed over."""
    data = document.data
    kind = data.get("kind") if isinstance(data, Mapping) else None
    if kind is None:
        return Diagnostic.of("F305", Span(document.file), kinds=listed(KINDS))
    if kind == "project":
        return Diagnostic.of("F307", _kind_span(document))
    if kind not in KINDS:
        advice = did_you_mean(str(kind), KINDS, f"the kinds are {listed(KINDS)}")
        return Diagnostic.of("F306", _kind_span(document), kind=kind, advice=advice)
    return None


def _kind_span(document: Document) -> Span:
    data = document.data
    return document.span(("kind",)) if isinstance(data, Mapping) and "kind" in data else Span(document.file, 1, 1, 1, 1)


def _guess_header(path: Path, prefix: str) -> set[tuple[str, str]]:
    """Return what an unreadable file seems to declare: whoever refers to it need not hear that it does not exist."""
    try:
        if not path.is_file():
            return set()
        with path.open("rb") as stream:
            head = stream.read(_HEADER_BYTES).decode("utf-8", "replace")
    except OSError:
        return set()
    fields = dict(re.findall(r"^(kind|name):[ \t]*[\"']?([\w./-]+)", head, re.MULTILINE))
    name = fields.get("name", path.stem)
    return {(kind, prefix + name.removeprefix(LIBRARY)) for kind in ([fields["kind"]] if "kind" in fields else KINDS)}
