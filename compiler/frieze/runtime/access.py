"""Attributes, elements and text of values, with Jinja2's meaning on JSON data."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, NamedTuple

from .errors import RenderError
from .missing import Missing, undefined_member


class Group(NamedTuple):
    """One group of `groupby`: prints as the pair that it is."""

    grouper: Any
    list: list[Any]

    def __repr__(self) -> str:
        return tuple.__repr__(self)

    def __str__(self) -> str:
        return tuple.__repr__(self)


_VIEWS: tuple[type, ...] = (type({}.items()), type({}.keys()), type({}.values()))
_TYPES = (dict, list, str, int, float, complex, type(None), Group, Generator, range, *_VIEWS)

ATTRIBUTES = frozenset(name for kind in _TYPES for name in dir(kind))
"""Every attribute that a value can have of itself, so that `.name` may mean it instead of a key."""

_PRINTABLE = (str, int, float, complex, type(None), Missing)
_NOTHING = object()


def attribute(owner: Any, name: str) -> Any:
    """Return `owner.name` as Jinja2's `.` does: an attribute of the value, else its element, else undefined.

    Raises:
        RenderError: `owner` is itself missing, or `name` is an internal attribute of it.
    """
    if name in ATTRIBUTES or name[:1] == "_":
        found = _NOTHING if isinstance(owner, Missing) else _own(owner, name)
        if found is not _NOTHING:
            return found
    try:
        return owner[name]
    except (TypeError, LookupError, AttributeError):
        return undefined_member(owner, name)


def element(owner: Any, key: Any) -> Any:
    """Return `owner[key]` as Jinja2's `[]` does: an element, else an attribute named so, else undefined.

    Raises:
        RenderError: `owner` or `key` is missing, or `key` names an internal attribute.
    """
    try:
        return owner[key]
    except (TypeError, LookupError, AttributeError):
        if isinstance(key, str):
            found = _own(owner, key)
            if found is not _NOTHING:
                return found
        return undefined_member(owner, key)


def own_attribute(owner: Any, name: Any) -> Any:
    """Return what the `attr` filter does: an attribute of the value itself, never an element."""
    if not isinstance(name, str):
        raise TypeError(f"attribute name must be string, not {type(name).__name__!r}")
    if isinstance(owner, Missing):
        return getattr(owner, name)
    found = _own(owner, name)
    return undefined_member(owner, name) if found is _NOTHING else found


def steps(path: Any) -> list[Any]:
    """Split an attribute path of a filter's argument: `"a.b.0"` is two names and an index."""
    if path is None:
        return []
    if isinstance(path, str):
        return [int(part) if part.isdigit() else part for part in path.split(".")]
    return [path]


def follow(path: list[Any], default: Any = None) -> Callable[[Any], Any]:
    """Return a function that looks a path up, with `default` (unless None) for each step that is missing."""

    def lookup(value: Any) -> Any:
        for step in path:
            value = element(value, step)
            if default is not None and isinstance(value, Missing):
                value = default
        return value

    return lookup


def text_of(value: Any) -> str:
    """Return a value's text as Jinja2 prints it.

    Raises:
        RenderError: the value is missing, or its text would hold a memory address.
    """
    if type(value) is str:
        return value
    require_printable(value)
    return str(value)


def require_printable(value: Any) -> None:
    """Refuse iterators, methods and whatever else prints as a memory address.

    Raises:
        RenderError: the value is one, or holds one.
    """
    if isinstance(value, _PRINTABLE):
        return
    if isinstance(value, Mapping):
        for key, item in value.items():
            require_printable(key)
            require_printable(item)
    elif isinstance(value, list | tuple) or type(value) in _VIEWS:
        for item in value:
            require_printable(item)
    else:
        raise RenderError(
            "Unprintable", f"a {type(value).__name__} has no text of its own; use a filter such as `list`"
        )


def _own(owner: Any, name: str) -> Any:
    found = getattr(owner, name, _NOTHING)
    if found is not _NOTHING and name[:1] == "_":
        raise RenderError("SecurityError", f"access to the internal attribute {name!r} is refused")
    return found
