"""JSON Merge Patch (RFC 7396) that remembers, for every merged value, which file it came from.

A merge never shifts a path: lists are replaced whole and maps merge by key. So a value keeps the path that it
has in its own file, and provenance only has to say which file that is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, Protocol

from frieze.diagnostics import Span
from frieze.profiles.declarations import Affine, DataPath, Text


class Positions(Protocol):
    """The part of a source document that provenance needs."""

    @property
    def file(self) -> str:
        """Display path."""

    def span(self, path: DataPath) -> Span:
        """Return the span of a value."""

    def key_span(self, path: DataPath) -> Span:
        """Return the span of a key."""

    def locate(self, path: DataPath, start: int, end: int) -> Span:
        """Return the span of `value[start:end]` of the text at `path`."""

    def affine(self, path: DataPath) -> Affine | None:
        """Return where the lines of the text at `path` stand, if one below the other."""


@dataclass(frozen=True, slots=True)
class Owner:
    """Which document a value came from; `children` names the keys below it that came from elsewhere."""

    document: Positions
    children: Mapping[str, Owner] = field(default_factory=lambda: MappingProxyType({}))

    def child(self, key: str | int) -> Owner:
        """Return the owner of the value under `key`."""
        found = self.children.get(key) if isinstance(key, str) else None
        return found or Owner(self.document)

    def files(self) -> Iterator[str]:
        """Yield the display paths of the documents here and below."""
        yield self.document.file
        for child in self.children.values():
            yield from child.files()

    def at(self, path: DataPath) -> Positions:
        """Return the document that holds the value at `path`."""
        owner = self
        for key in path:
            if not owner.children:
                break
            owner = owner.child(key)
        return owner.document


@dataclass(frozen=True, slots=True)
class Merged:
    """Merged data and the owners of its values."""

    data: Any
    owner: Owner


@dataclass(frozen=True, slots=True)
class MergedOrigin:
    """The origin of a declaration whose values may come from several files through `extends`."""

    file: str
    owner: Owner

    def span(self, *path: str | int) -> Span:
        """Return the span of the value at a data path, or of its nearest parent that has one."""
        return self.owner.at(path).span(path)

    def key(self, *path: str | int) -> Span:
        """Return the span of the key at a data path, or of its nearest parent that has one."""
        return self.owner.at(path).key_span(path)

    def files(self) -> Iterator[str]:
        """Yield the display paths of all files that values come from, some more than once."""
        return self.owner.files()

    def text(self, value: str, *path: str | int) -> Text:
        """Return the text at a data path, which is `value`."""
        document = self.owner.at(path)
        return Text(
            value,
            document.file,
            partial(document.span, path),
            partial(document.locate, path),
            partial(document.affine, path),
        )


def merge_patch(target: Any, patch: Any) -> Any:
    """Apply a merge patch: maps merge, `None` removes, anything else replaces. The arguments are not modified.

    Source: RFC 7396, section 2.
    """
    if not isinstance(patch, Mapping):
        return patch
    merged = dict(target) if isinstance(target, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = merge_patch(merged.get(key), value)
    return merged


def overlay(base: Merged, patch: Any, document: Positions) -> Merged:
    """Apply the patch that stands in `document` to `base`, and say for each value where it came from."""
    return Merged(merge_patch(base.data, patch), _overlay_owner(base, patch, document))


def _overlay_owner(base: Merged, patch: Any, document: Positions) -> Owner:
    if not isinstance(patch, Mapping) or not isinstance(base.data, Mapping):
        return Owner(document)
    children: dict[str, Owner] = {}
    for key, value in base.data.items():
        if key not in patch:
            children[key] = base.owner.child(key)
        else:
            children[key] = _overlay_owner(Merged(value, base.owner.child(key)), patch[key], document)
    return Owner(document, children)
