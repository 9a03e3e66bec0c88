"""Names and `extends`: which file declares what, and each declaration with what it extends merged in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from frieze.diagnostics import Diagnostic, Related, Span, did_you_mean
from frieze.profiles.declarations import DataPath
from frieze.profiles.merging import Merged, MergedOrigin, Owner, overlay
from frieze.profiles.naming import LIBRARY, bare, is_library, listed, noun, plural
from frieze.profiles.reading import Unit

Key = tuple[str, str]
"""(kind, qualified name)."""


@dataclass(frozen=True, slots=True)
class Declaration:
    """One declaration after merging: plain data, and the origin of each value."""

    kind: str
    name: str
    data: Mapping[str, Any]
    origin: MergedOrigin

    def at(self, path: DataPath) -> Any:
        """Return the value at a data path, None where there is none."""
        value: Any = self.data
        for key in path:
            if isinstance(value, Mapping):
                value = value.get(key)
            elif isinstance(value, list) and isinstance(key, int) and key < len(value):
                value = value[key]
            else:
                return None
        return value

    def unit_at(self, path: DataPath) -> Unit:
        """Return the file that holds the value at a data path."""
        document = self.origin.owner.at(path)
        if not isinstance(document, Unit):
            raise TypeError(f"{document.file} is not a file that was read")
        return document


@dataclass(frozen=True, slots=True)
class Names:
    """All names by kind. `broken` ones belong to files with a fault: they exist, but nothing can be made of them."""

    units: Mapping[Key, Unit]
    broken: frozenset[Key] = frozenset()

    def find(self, kind: str, written: str, *, in_library: bool) -> str | None:
        """Return the qualified name that `written` means in a file of the project or of the library."""
        library = LIBRARY + bare(written)
        order = (library,) if in_library or is_library(written) else (written, library)
        return next((name for name in order if (kind, name) in self.units or (kind, name) in self.broken), None)

    def choices(self, kind: str) -> list[str]:
        """Return the qualified names of one kind: the project's own first, then the library's."""
        return sorted((name for other, name in self.units if other == kind), key=lambda name: (is_library(name), name))

    def link(
        self, kind: str, written: str, where: Callable[[], Span], *, in_library: bool
    ) -> tuple[str, list[Diagnostic]]:
        """Return the qualified name of what is referred to, or "" and what is wrong with it, at `where`."""
        found = self.find(kind, written, in_library=in_library)
        return (found, []) if found is not None else ("", [self.unknown(kind, written, where())])

    def unknown(self, kind: str, written: str, span: Span, *, asker: str = "") -> Diagnostic:
        """Say that a name does not exist, with the nearest that do; `asker` is one that cannot be meant."""
        choices = [name for name in self.choices(kind) if name != asker]
        some = f"the {plural(kind)} are {listed(dict.fromkeys(map(bare, choices)))}"
        near = choices if is_library(written) else [bare(name) for name in choices]
        none = f"no {noun(kind)} is declared anywhere; a file with `kind: {kind}` and `name: {written}` declares one"
        advice = did_you_mean(written, near, some if choices else none)
        if kind == "model" and choices and not is_library(written):
            joint = " A" if advice.endswith("?") else "; a"
            advice += f"{joint} file with `kind: model` and `name: {written}` declares a new one"
        return Diagnostic.of("F312", span, kind=noun(kind), name=written, advice=advice)


def name_units(units: tuple[Unit, ...], broken: frozenset[Key]) -> tuple[Names, list[Diagnostic]]:
    """Give every file its qualified name; a name that is taken keeps its first file."""
    named: dict[Key, Unit] = {}
    faults: list[Diagnostic] = []
    for unit in units:
        kind, name = unit.document.data["kind"], unit.document.data.get("name")
        if not isinstance(name, str):
            continue
        if is_library(name):
            advice = f"write `name: {bare(name)}`"
            faults.append(Diagnostic.of("F311", unit.span(("name",)), name=name, advice=advice))
            continue
        key = (kind, unit.prefix + name)
        if key in named:
            related = (Related(named[key].span(("name",)), "first declared here"),)
            span = unit.span(("name",))
            faults.append(Diagnostic.of("F310", span, kinds=plural(kind), name=name, related=related))
            continue
        named[key] = unit
    return Names(named, broken), faults


def extend_all(names: Names) -> tuple[dict[Key, Declaration], list[Diagnostic]]:
    """Merge every declaration with what it extends. Those that extend something broken are left out silently."""
    pass_ = _Extending(names)
    for key in names.units:
        pass_.declaration(key)
    return {key: found for key, found in pass_.done.items() if found is not None}, pass_.faults


@dataclass(slots=True)
class _Extending:
    names: Names
    done: dict[Key, Declaration | None] = field(default_factory=dict)
    trail: list[Key] = field(default_factory=list)
    faults: list[Diagnostic] = field(default_factory=list)

    def declaration(self, key: Key) -> Declaration | None:
        if key not in self.done:
            self.trail.append(key)
            found = self._merged(key)
            self.trail.pop()
            self.done.setdefault(key, found)
        return self.done[key]

    def _merged(self, key: Key) -> Declaration | None:
        unit = self.names.units[key]
        kind, name = key
        data = unit.document.data
        if "extends" not in data:
            return Declaration(kind, name, data, MergedOrigin(unit.file, Owner(unit)))
        base_key = self._base(key, unit)
        if base_key is None:
            return None
        if base_key in self.trail:
            self._circle(base_key)
            return None
        base = self.declaration(base_key)
        if base is None or key in self.done:
            return None
        patch = {field: value for field, value in data.items() if field != "extends"}
        merged = overlay(Merged(base.data, base.origin.owner), patch, unit)
        return Declaration(kind, name, merged.data, MergedOrigin(unit.file, merged.owner))

    def _base(self, key: Key, unit: Unit) -> Key | None:
        """Return what a declaration extends. A declaration of the project means the library's where it names itself."""
        kind, name = key
        written = unit.document.data["extends"]
        span = unit.span(("extends",))
        found = self.names.find(kind, written, in_library=bool(unit.prefix))
        if found == name and not unit.prefix and (kind, LIBRARY + name) in self.names.units:
            found = LIBRARY + name
        if found is None:
            self.faults.append(self.names.unknown(kind, written, span, asker=name))
            return None
        return (kind, found) if (kind, found) in self.names.units else None

    def _circle(self, start: Key) -> None:
        circle = self.trail[self.trail.index(start) :]
        steps = list(zip(circle, [*circle[1:], start], strict=True))
        related = tuple(
            Related(self._extends_span(key), f"`{key[1]}` extends `{following[1]}`") for key, following in steps[1:]
        )
        path = " -> ".join(name for _, name in [*circle, start])
        kinds = plural(start[0])
        self.faults.append(
            Diagnostic.of("F313", self._extends_span(circle[0]), kinds=kinds, path=path, related=related)
        )
        for key in circle:
            self.done[key] = None

    def _extends_span(self, key: Key) -> Span:
        return self.names.units[key].span(("extends",))
