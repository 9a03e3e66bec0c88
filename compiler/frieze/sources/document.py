"""`Document`: the plain data of one YAML file and where each piece of it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from frieze.diagnostics import Span
from frieze.sources.places import first_line, span_between
from frieze.sources.positions import ScalarMap, even_lines, map_scalar
from frieze.sources.tree import Entry

DataPath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Document:
    """One YAML file as plain data (dict, list, str, int, float, bool, None), with positions beside it.

    `file` is the path that a reader sees; `text` is the source with LF line ends and without a byte order
    mark, which is what all positions count in. Paths are tuples of keys and list indices; a path that
    does not exist is answered with its nearest parent. Treat `data` as frozen: aliases share their values.
    """

    file: str
    text: str
    data: Any
    grow: Callable[[], Entry] = field(compare=False, repr=False)
    """Gives the tree of positions; asked once, and only when somebody asks for a place."""
    doubtful: tuple[Span, ...] = ()
    """Plain `yes`, `no`, `on`, `off`: text here, booleans to tools that read YAML 1.1."""
    known: bool = False
    """Whether an earlier run found that there is nothing wrong with it."""
    _grown: list[Entry] = field(default_factory=list, compare=False, repr=False)
    _maps: dict[DataPath, ScalarMap | tuple[int, int]] = field(default_factory=dict, compare=False, repr=False)

    @property
    def root(self) -> Entry:
        """The tree of positions."""
        if not self._grown:
            self._grown.append(self.grow())
        return self._grown[0]

    def span(self, path: DataPath) -> Span:
        """Return the span of the value at a path; for an alias, of the place that uses it.

        A block collection has no end of its own that a reader would see: its span is that of its key, or
        of its first line inside a list.
        """
        return self._value_span(self._entry(path))

    def key_span(self, path: DataPath) -> Span:
        """Return the span of the key at a path; of the whole value for a list item and the root's first key."""
        entry = self._entry(path)
        if entry.key_end > entry.key_start:
            return self._between(entry.key_start, entry.key_end)
        return self._value_span(entry)

    def raw(self, path: DataPath) -> str:
        """Return a value as it is spelt in the file, such as `1.10` for the number 1.1."""
        entry = _behind_alias(self._entry(path))
        return self.text[entry.start : entry.end]

    def style(self, path: DataPath) -> str:
        """Return "" for plain, `'`, `"`, `|`, `>`, `{` for a flow collection, `:` for a block collection.

        For an alias it is the style of what it stands for.
        """
        return _behind_alias(self._entry(path)).style

    def locate(self, path: DataPath, start: int, end: int) -> Span:
        """Return the span of `value[start:end]` of the text at a path; offsets count code points of the value.

        The text of an alias stands at its anchor. Where the scalar cannot be retraced, its first line is returned.
        """
        found = self._maps.get(path)
        if found is None:
            found = self._maps[path] = self._map(path)
        if isinstance(found, tuple):
            return self._between(*found)
        return self._between(*found.file_range(start, end))

    def affine(self, path: DataPath) -> tuple[str, int, int] | None:
        """Return the file, line and column of the text at a path, if each of its lines stands one below the other.

        So column c of its line i, both from 0, is found at column + c of line + i; only what is empty in a text may be
        shorter in the file. None where that does not hold, or where it takes more than a look to tell.
        """
        entry, value = _behind_alias(self._entry(path)), self._value(path)
        if entry.children is not None or not isinstance(value, str):
            return None
        found = even_lines(self.text, entry.start, entry.end, entry.style, value)
        return found and (self.file, found[0] + 1, found[1] + 1)

    def _map(self, path: DataPath) -> ScalarMap | tuple[int, int]:
        """Return the map of a scalar, or its first line where it cannot be retraced."""
        entry, value = _behind_alias(self._entry(path)), self._value(path)
        text = value if isinstance(value, str) else self.text[entry.start : entry.end]
        is_scalar = entry.children is None
        found = map_scalar(self.text, entry.start, entry.end, entry.style, text) if is_scalar else None
        if found is None or not found.stretches:
            return entry.start, first_line(self.text, entry.start, entry.end)
        return found

    def _value(self, path: DataPath) -> object:
        value = self.data
        for step in path:
            try:
                value = value[step]
            except (KeyError, IndexError, TypeError):
                return None
        return value

    def _entry(self, path: DataPath) -> Entry:
        entry = self.root
        for step in path:
            children = _behind_alias(entry).children
            try:
                entry = children[step]  # type: ignore[index] # a wrong step is answered below
            except (KeyError, IndexError, TypeError):
                return entry
        return entry

    def _value_span(self, entry: Entry) -> Span:
        if entry.style == ":":
            if entry.key_end > entry.key_start:
                return self._between(entry.key_start, entry.key_end)
            if entry is self.root and isinstance(entry.children, Mapping) and entry.children:
                first = next(iter(entry.children.values()))
                return self._between(first.key_start, first.key_end)
            return self._between(entry.start, first_line(self.text, entry.start, entry.end))
        return self._between(entry.start, entry.end)

    def _between(self, start: int, end: int) -> Span:
        return span_between(self.file, self.text, start, end)


def _behind_alias(entry: Entry) -> Entry:
    while entry.style == "*" and isinstance(entry.children, list):
        entry = entry.children[0]
    return entry


@dataclass(frozen=True, slots=True)
class SourceText:
    """A text file beside a profile: `text` has LF line ends and no byte order mark, `written` its own line ends."""

    file: str
    text: str
    written: str

    @property
    def span(self) -> Span:
        """The whole text."""
        return span_between(self.file, self.text, 0, len(self.text))

    def locate(self, start: int, end: int) -> Span:
        """Return the span of `text[start:end]`; offsets count code points."""
        return span_between(self.file, self.text, start, end)

    def locate_written(self, start: int, end: int) -> Span:
        """Return the span of `written[start:end]`; offsets count code points."""
        return span_between(self.file, self.written, start, end)
