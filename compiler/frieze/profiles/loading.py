"""The way from a project folder to the typed graph, in one function."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.profiles.building import Builder
from frieze.profiles.contract import merge_contracts, read_contract
from frieze.profiles.declarations import Graph, Project
from frieze.profiles.desk import Desk
from frieze.profiles.extending import Declaration, Key, extend_all, name_units
from frieze.profiles.linking import Linker
from frieze.profiles.merging import MergedOrigin, Owner
from frieze.profiles.naming import LIBRARY, project_name_faults
from frieze.profiles.reading import Reading, Unit, read_project, read_project_file, survey
from frieze.profiles.texts import TextReader
from frieze.resources import profiles_folder
from frieze.schema import validate, validate_merged
from frieze.sources import Document

DEFAULT_VERSION = "0.0.0"

ALONE = frozenset({"permissions", "tool"})
"""The kinds of which a policy's decisions are made."""


def load_graph(
    root: Path, library: Path | None = None, desk: Desk | None = None
) -> tuple[Graph | None, list[Diagnostic]]:
    """Read, validate and link the project in the folder `root`.

    The graph holds everything that is sound: a file with an error is left out together with what only refers
    to it, so that later stages show the other faults of the same project. It is None where the project file
    itself cannot be used. Diagnostics are sorted by place; the project is sound when none of them is an error.

    Args:
        root: the folder that holds `frieze.yaml`.
        library: the folder of the `std` library, where it is not the shipped one.
        desk: reads the files; one that knows some of them saves parsing them.
    """
    desk = desk or Desk()
    own, faults = read_project(absolute(root), "", desk)
    std, more = read_project(absolute(library or profiles_folder()), LIBRARY, desk)
    faults += more
    units, broken, more = validate_units(own, std, desk)
    faults += more
    names, more = name_units(units, broken)
    faults += more
    declarations, more = extend_all(names)
    faults += more
    declarations, more = check_merged(declarations)
    faults += more
    project, more = read_projects(own, std, desk)
    faults += more
    if project is None:
        return None, in_order(faults)
    builder = Builder(names, project.context, project.reserved, TextReader({**std.texts, **own.texts}, desk))
    graph = Linker(project, declarations, builder, faults).graph()
    if not graph.agents and not any(fault.severity is Severity.ERROR for fault in faults):
        faults.append(Diagnostic.of("F309", project.origin.span("name"), name=project.name))
    return graph, in_order(faults)


def load_policies(root: Path | None, library: Path | None = None) -> tuple[Graph, list[Diagnostic]]:
    """Read the permission policies and tools alone: those of the library, and of the project in `root` if given.

    The graph holds nothing else. Diagnostics are those of these files.
    """
    own, faults = read_project(absolute(root)) if root else (Reading(None), [])
    std, more = read_project(absolute(library or profiles_folder()), LIBRARY)
    parts = [
        replace(reading, profiles=tuple(unit for unit in reading.profiles if unit.document.data["kind"] in ALONE))
        for reading in (own, std)
    ]
    units, broken, found = validate_units(parts[0], parts[1])
    names, unnamed = name_units(units, broken)
    declarations, unfit = extend_all(names)
    declarations, unmerged = check_merged(declarations)
    faults += [*more, *found, *unnamed, *unfit, *unmerged]
    texts = {**std.texts, **own.texts}
    project = Project("std", DEFAULT_VERSION, MergedOrigin("", Owner(units[0])), "", {}, ())
    builder = Builder(names, {}, (), TextReader(texts))
    graph = Linker(project, declarations, builder, faults).policies()
    return graph, in_order(faults)


def load_project(root: Path, desk: Desk) -> Project | None:
    """Return what a project's file declares, None where it cannot be used."""
    readings = [
        Reading(read_project_file(folder, prefix, desk)[0])
        for folder, prefix in ((absolute(root), ""), (absolute(profiles_folder()), LIBRARY))
    ]
    return read_projects(readings[0], readings[1], desk)[0]


def survey_all(root: Path, desk: Desk) -> list[tuple[str, bytes]] | None:
    """Return the display path and the bytes of every file of a project and of the library.

    None where there is anything to say of the folders and files themselves. Texts beside profiles are not among them.
    """
    own = survey(absolute(root), "", desk)
    std = survey(absolute(profiles_folder()), LIBRARY, desk)
    return None if own is None or std is None else [*own, *std]


def validate_units(
    own: Reading, std: Reading, desk: Desk | None = None
) -> tuple[tuple[Unit, ...], frozenset[Key], list[Diagnostic]]:
    """Check every profile against its schema. Returns the sound files, the names of the others, the faults."""
    sound: list[Unit] = []
    broken = {*own.broken, *std.broken}
    faults: list[Diagnostic] = []
    for unit in (*own.profiles, *std.profiles):
        kind, name = unit.document.data["kind"], unit.document.data.get("name")
        found = _validated(unit.document, kind, desk)
        faults += found
        if not _has_error(found):
            sound.append(unit)
        elif isinstance(name, str):
            broken.add((kind, unit.prefix + name))
    return tuple(sound), frozenset(broken), faults


def _validated(document: Document, kind: str, desk: Desk | None) -> list[Diagnostic]:
    if document.known:
        return []
    found = validate(document, kind, desk.fitting if desk else None)
    if desk and not found:
        desk.sound(document)
    return found


def check_merged(declarations: dict[Key, Declaration]) -> tuple[dict[Key, Declaration], list[Diagnostic]]:
    """Check what `extends` made against the full schema of its kind; what fails is left out."""
    sound: dict[Key, Declaration] = {}
    faults: list[Diagnostic] = []
    for key, declaration in declarations.items():
        unit = declaration.unit_at(())
        if "extends" in unit.document.data:
            found = _merged_faults(declaration)
            faults += found
            if _has_error(found):
                continue
        sound[key] = declaration
    return sound, faults


def read_projects(own: Reading, std: Reading, desk: Desk | None = None) -> tuple[Project | None, list[Diagnostic]]:
    """Check both project files and merge the context contract of the library into the project's."""
    faults: list[Diagnostic] = []
    for reading in (own, std):
        if reading.project:
            faults += _validated(reading.project.document, "project", desk)
    if own.project is None or std.project is None or _has_error(faults):
        return None, faults
    data, library = own.project.document.data, std.project.document.data
    origin = MergedOrigin(own.project.file, Owner(own.project))
    std_origin = MergedOrigin(std.project.file, Owner(std.project))
    context, more = merge_contracts(read_contract(library, std_origin), read_contract(data, origin))
    project = Project(
        name=data["name"],
        version=data.get("version", DEFAULT_VERSION),
        origin=origin,
        description=data.get("description", ""),
        context=context,
        reserved=tuple(sorted({*library.get("reserved", ()), *data.get("reserved", ())})),
        project_documents={**library.get("project_documents", {}), **data.get("project_documents", {})},
    )
    return project, [*faults, *more, *project_name_faults(project.name, origin.span("name"))]


def _merged_faults(declaration: Declaration) -> list[Diagnostic]:
    origin = declaration.origin
    return validate_merged(
        declaration.data, declaration.kind, lambda path: origin.span(*path), lambda path: origin.key(*path)
    )


def in_order(faults: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return diagnostics sorted by place, each once."""

    def place(fault: Diagnostic) -> tuple[Span, str]:
        return fault.span, fault.code

    return sorted(dict.fromkeys(faults), key=place)


def absolute(folder: Path) -> Path:
    """Return a folder's path without `..` and links, so that everything below it can be named from there."""
    try:
        return folder.resolve()
    except (OSError, RuntimeError):
        return folder.absolute()


def _has_error(faults: Iterable[Diagnostic]) -> bool:
    return any(fault.severity is Severity.ERROR for fault in faults)
