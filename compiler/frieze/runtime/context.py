"""The context that a service passes: its overall shape is checked, nothing in it is changed or kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from .errors import ContextError
from .notes import Note, record
from .patterns import matching

Contract: TypeAlias = Mapping[str, Mapping[str, Any]]
Shape: TypeAlias = "dict[str, Shape | None]"
"""Section name -> its members; None where a value of some type stands, whatever it holds."""

CLOCK = "clock"
SESSION = "session"
BASE, ORIGIN, SWITCHED = f"{SESSION}.base", f"{SESSION}.origin", f"{SESSION}.switched"
GIVEN = frozenset({CLOCK, BASE, ORIGIN, SWITCHED})
"""The paths of the contract that are not in the context: `render` gives their values, by arguments of its own."""

_is_plain_name = matching(r"[A-Za-z_][A-Za-z0-9_]{0,39}")
_KEPT_SHAPES = 16
_shapes: dict[int, tuple[Contract, Shape]] = {}
"""By the identity of a contract; an entry holds its contract, so that no other can take the number."""


def check_context(context: Any, contract: Contract, notes: list[Note]) -> Mapping[str, Any]:
    """Return the context after checking that it and its sections are maps; None is an empty one.

    Keys that the contract does not list are noted.

    Values are not looked at: a wrong one is a note of the input that reads it. A section may be None.

    Raises:
        ContextError: the context, or a section such as `contact`, is something else than a map.
    """
    if context is None:
        return {}
    _check_section(context, shape_of(contract), "", notes)
    checked: Mapping[str, Any] = context
    return checked


def with_session(context: Mapping[str, Any], given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the context with what `render` gives below `session`; what the caller wrote there is not heard."""
    own = context.get(SESSION)
    kept = own.items() if isinstance(own, Mapping) else ()
    return {**context, SESSION: {**{key: value for key, value in kept if f"{SESSION}.{key}" not in GIVEN}, **given}}


def kind_name(value: Any) -> str:
    """Name the kind of a value for a reader: "a map", "a list", "text", ..."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "text"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, Mapping):
        return "a map"
    return "a list" if isinstance(value, list | tuple) else "an object that is not JSON data"


def plain_name(key: Any) -> str:
    """Return a key of the request where a note may name it: a short name of ASCII letters, digits and `_`."""
    return key if type(key) is str and _is_plain_name(key) else ""


def _check_section(section: Any, shape: Shape, path: str, notes: list[Note]) -> None:
    if not isinstance(section, Mapping):
        raise ContextError(path, "a map", kind_name(section))
    for key, value in section.items():
        if not isinstance(key, str) or key not in shape:
            record(notes, Note("unknown-path", "", path, plain_name(key)))
            continue
        members = shape[key]
        if members and value is not None:
            _check_section(value, members, f"{path}.{key}" if path else key, notes)


def shape_of(contract: Contract) -> Shape:
    """Return the shape of a context, from its contract."""
    known = _shapes.get(id(contract))
    if known is not None:
        return known[1]
    shape: Shape = {}
    for path in sorted(set(contract) - GIVEN):
        *sections, name = path.split(".")
        here: Shape | None = shape
        for section in sections:
            here = here.setdefault(section, {}) if here is not None else None
        if here is not None:
            here.setdefault(name, None)
    if len(_shapes) >= _KEPT_SHAPES:
        _shapes.clear()
    _shapes[id(contract)] = (contract, shape)
    return shape


def sections_of(shape: Shape, above: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Yield the path and the keys of every section of a shape, the whole context first."""
    yield above, frozenset(shape)
    for name, members in shape.items():
        if members:
            yield from sections_of(members, f"{above}.{name}" if above else name)


def is_ordinary(section: Any, shape: Shape) -> bool:
    """Tell whether a context, or a section of it, is a plain dictionary of the contract's keys, all the way down."""
    if section.__class__ is not dict or not shape.keys() >= section.keys():
        return False
    return all(
        is_ordinary(value, members) for key, value in section.items() if (members := shape[key]) and value is not None
    )
