"""Project documents: the files such as AGENTS.md that hold for a working directory, with where each piece comes from.

The user's own document comes first, then those from the project's root down to the working directory, one a
directory. One budget of bytes holds for all documents of the project, spent from the root downwards. Whatever is cut,
skipped or cannot be read is in the notes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from .document_files import INPUT, Candidate, Found, excerpt, first_file, whole
from .notes import Note

Folder: TypeAlias = "str | os.PathLike[str]"

FOR_PROJECTS = ("fallbacks", "max_bytes")
"""The settings that a project's own configuration may change. Where a project ends is not for it to say."""


class Settings(NamedTuple):
    """What is looked for. Names are names of files, without a folder.

    Attributes:
        overrides: names that are tried first.
        names: the usual names.
        fallbacks: names that are tried last, in projects only.
        root_markers: names of files or folders that mark the root of a project; without any, only the working
            directory counts.
        max_bytes: the budget for the documents of the project; 0 leaves them all out. The user's own is not counted.
    """

    overrides: tuple[str, ...] = ("AGENTS.override.md",)
    names: tuple[str, ...] = ("AGENTS.md",)
    fallbacks: tuple[str, ...] = ()
    root_markers: tuple[str, ...] = (".git",)
    max_bytes: int = 32_768


class ProjectDocument(NamedTuple):
    """One document, or the part of it that fitted.

    Attributes:
        path: the file, below the working directory's logical path.
        text: what is told of it.
        level: `user` or `project`.
        environment: the name of the environment; empty where there is only one without a name.
        directory: the working directory for which it was found; empty for the user's own.
        start: the first byte of the file that the text holds.
        end: the byte behind the last one.
        size: bytes of the whole file.
    """

    path: str
    text: str
    level: str
    environment: str
    directory: str
    start: int
    end: int
    size: int


class ProjectDocs(NamedTuple):
    """The documents in the order in which they are told, and what was cut or skipped."""

    documents: tuple[ProjectDocument, ...]
    notes: tuple[Note, ...]

    @property
    def directory(self) -> str | None:
        """The working directory, where exactly one environment has documents."""
        directories = {entry.environment: entry.directory for entry in self.documents if entry.level == "project"}
        return next(iter(directories.values())) if len(directories) == 1 else None

    def context(self) -> dict[str, Any]:
        """Return what belongs into the context of a render: `project_documents` and `project_directory`."""
        several = len({entry.environment for entry in self.documents if entry.level == "project"}) > 1
        rows: list[dict[str, Any]] = []
        before: ProjectDocument | None = None
        for entry in self.documents:
            row: dict[str, Any] = {"path": entry.path, "text": entry.text, "level": entry.level}
            if entry.environment:
                row["environment"] = entry.environment
            if several and entry.level == "project" and (before is None or before.environment != entry.environment):
                row["label"] = entry.environment
                row["directory"] = entry.directory
            if not several and entry.level == "project" and before is not None and before.level == "user":
                row["follows_user"] = True
            row |= {"start": entry.start, "end": entry.end, "size": entry.size}
            rows.append(row)
            before = entry
        found: dict[str, Any] = {INPUT: rows} if rows else {}
        if self.directory is not None:
            found["project_directory"] = self.directory
        return found


def project_docs(
    cwd: Folder | Mapping[str, Folder],
    *,
    user_folder: Folder | None = None,
    settings: Mapping[str, Any] | None = None,
    project_settings: Mapping[str, Any] | None = None,
) -> ProjectDocs:
    """Find and read the documents that hold for a working directory.

    Args:
        cwd: the working directory, or the working directory of each environment by its name. Its path is taken as it
            is written: links in it are not resolved.
        user_folder: the folder of the user's own document; without it there is none.
        settings: fields of `Settings` that differ from the standard, as the service or the bundle sets them.
        project_settings: what the project itself asks for. It may set `fallbacks` and `max_bytes`; anything else is
            refused with a note.

    Raises:
        TypeError: `cwd` is neither a path nor a map of paths.
        ValueError: a field of `settings` is unknown or has a wrong value.
    """
    notes: list[Note] = []
    chosen = _settings(Settings(), settings or {})
    chosen = _for_project(chosen, project_settings or {}, notes)
    documents = [] if user_folder is None else list(_user_document(_absolute(user_folder), chosen, notes))
    budget = chosen.max_bytes
    for environment, folder in _environments(cwd).items():
        directory = _absolute(folder)
        for candidate in _candidates(directory, chosen, notes) if chosen.max_bytes else ():
            found = excerpt(candidate, budget, notes)
            if found is not None:
                budget -= found.spent
                documents.append(_document(candidate, found, "project", environment, str(directory)))
    return ProjectDocs(tuple(documents), tuple(notes))


def _environments(cwd: Folder | Mapping[str, Folder]) -> dict[str, Folder]:
    if isinstance(cwd, str | os.PathLike):
        return {"": cwd}
    given: Any = cwd
    if isinstance(given, Mapping) and all(isinstance(folder, str | os.PathLike) for folder in given.values()):
        return dict(given)
    raise TypeError("`cwd` must be a path, or a map from the names of environments to paths")


def _user_document(folder: Path, settings: Settings, notes: list[Note]) -> Iterator[ProjectDocument]:
    """Yield the first of the user's documents that says something."""
    for name in (*settings.overrides, *settings.names):
        candidate = first_file(folder, (name,), notes)
        found = None if candidate is None else whole(candidate, notes)
        if candidate is not None and found is not None:
            yield _document(candidate, found, "user", "", "")
            return


def _candidates(directory: Path, settings: Settings, notes: list[Note]) -> Iterator[Candidate]:
    """Yield the one file of each directory, from the project's root down to the working directory."""
    names = tuple(dict.fromkeys((*settings.overrides, *settings.names, *settings.fallbacks)))
    for folder in _folders(directory, settings.root_markers):
        candidate = first_file(folder, names, notes)
        if candidate is not None:
            yield candidate


def _folders(directory: Path, markers: tuple[str, ...]) -> list[Path]:
    """Return the directories from the root of the project to `directory`; only that one where no root is found."""
    line = [directory, *directory.parents]
    for index, folder in enumerate(line):
        if any(_exists(folder / marker) for marker in markers):
            return line[index::-1]
    return [directory]


def _exists(path: Path) -> bool:
    """Tell whether there is something; what cannot be looked at marks nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _absolute(folder: Folder) -> Path:
    return Path(os.path.abspath(folder))  # noqa: PTH100 - `resolve` follows links, and the path must stay as written


def _document(candidate: Candidate, found: Found, level: str, environment: str, directory: str) -> ProjectDocument:
    return ProjectDocument(
        str(candidate.path), found.text, level, environment, directory, found.start, found.end, candidate.size
    )


def _settings(base: Settings, changes: Mapping[str, Any]) -> Settings:
    for name, value in changes.items():
        if name not in Settings._fields:
            raise ValueError(f"there is no setting `{name}`; there are {', '.join(Settings._fields)}")
        fault = _fault(name, value)
        if fault:
            raise ValueError(f"`{name}` {fault}")
    return base._replace(**{name: _value(name, value) for name, value in changes.items()})


def _for_project(base: Settings, asked: Mapping[str, Any], notes: list[Note]) -> Settings:
    for name, value in asked.items():
        fault = _fault(name, value) if name in FOR_PROJECTS else "is not for a project to set"
        if fault:
            notes.append(Note("setting-refused", INPUT, str(name)[:100], fault))
        else:
            base = base._replace(**{name: _value(name, value)})
    return base


def _fault(name: str, value: Any) -> str:
    if name == "max_bytes":
        whole_number = isinstance(value, int) and not isinstance(value, bool) and value >= 0
        return "" if whole_number else "must be a whole number, 0 or more"
    if not isinstance(value, list | tuple) or not all(_is_file_name(entry) for entry in value):
        return "must be a list of names of files, without a folder"
    return ""


def _is_file_name(entry: Any) -> bool:
    return isinstance(entry, str) and not set(entry) & {"/", "\\", "\0"} and entry not in (".", "..")


def _value(name: str, value: Any) -> Any:
    return value if name == "max_bytes" else tuple(dict.fromkeys(entry for entry in value if entry))
