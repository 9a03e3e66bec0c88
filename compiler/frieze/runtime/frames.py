"""The frame that closures work on: a list with the inputs from its start and the locals from its end.

Both kinds of name are thereby one index, resolved once when a template is compiled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from .errors import BundleError, RenderError
from .missing import ABSENT, Strict, undefined_name

Frame: TypeAlias = list[Any]
Getter: TypeAlias = Callable[[Frame], Any]

FAILURES = (
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
    AssertionError,
    RecursionError,
    MemoryError,
)
"""What an operation on data may raise; each becomes a `RenderError` of the same name."""


class Names:
    """Where each name stands in the frame."""

    __slots__ = ("_first", "_inputs", "_locals", "_places", "strict")

    def __init__(self, *, strict: bool, places: Mapping[str, int] | None = None, first: int = 0) -> None:
        """Begin with the inputs that have places of their own, and the place of the first of all others."""
        self.strict = strict
        self._places = places or {}
        self._first = first
        self._inputs: dict[str, int] = {}
        self._locals: dict[str, int] = {}

    def input(self, name: str) -> int:
        """Return the index of an input."""
        if name in self._places:
            return self._places[name]
        return self._inputs.setdefault(name, self._first + len(self._inputs))

    def local(self, name: str) -> int:
        """Return the index of a local, counted from the end."""
        return self._locals.setdefault(name, -1 - len(self._locals))

    def framer(self) -> Callable[[Mapping[str, Any]], Frame]:
        """Return a function that makes a frame of a caller's values."""
        names, absent, unbound = self._rest()
        return lambda values: [*map(values.get, names, absent), *unbound]

    def direct_framer(self) -> Callable[[Iterable[Any], Iterable[Any], Mapping[str, Any]], Frame]:
        """Return a function that makes a frame of values in their places, the same as printed, and others by name."""
        names, absent, unbound = self._rest()
        if not names:
            return lambda values, shown, _: [*values, *shown, *unbound]
        return lambda values, shown, others: [*values, *shown, *map(others.get, names, absent), *unbound]

    def _rest(self) -> tuple[tuple[str, ...], list[Any], list[Any]]:
        """Return the names of inputs without places, what stands for those that are missing, and for each local."""
        missing: Callable[[str], Any] = undefined_name if self.strict else lambda _: ABSENT
        names = tuple(self._inputs)
        return names, list(map(missing, names)), [missing(name.partition("#")[0]) for name in reversed(self._locals)]


class Loop:
    """What `loop` is inside one `for`: the items that passed the filter, and the position."""

    __slots__ = ("index0", "items")

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.index0 = 0


LOOP_FIELDS: Mapping[str, Callable[[Loop], Any]] = {
    "index": lambda loop: loop.index0 + 1,
    "index0": lambda loop: loop.index0,
    "revindex": lambda loop: len(loop.items) - loop.index0,
    "revindex0": lambda loop: len(loop.items) - loop.index0 - 1,
    "first": lambda loop: loop.index0 == 0,
    "last": lambda loop: loop.index0 + 1 == len(loop.items),
    "length": lambda loop: len(loop.items),
    "depth": lambda _: 1,
    "depth0": lambda _: 0,
    "previtem": lambda loop: loop.items[loop.index0 - 1] if loop.index0 else Strict("there is no previous item"),
    "nextitem": lambda loop: (
        loop.items[loop.index0 + 1] if loop.index0 + 1 < len(loop.items) else Strict("there is no next item")
    ),
}


def damaged(what: str, found: Any = None) -> BundleError:
    """Return the error for a residual that does not have the shape of the IR."""
    if isinstance(found, list):
        found = found[0] if found else found
    shown = f", not {found!r:.60}" if isinstance(found, str | int | float | list) else ""
    return BundleError("", f"is damaged: {what} was expected{shown}")


def failed(error: BaseException) -> RenderError:
    """Return the `RenderError` that stands for a Python error."""
    return RenderError(type(error).__name__, str(error))


def unpacked(value: Any, count: int) -> tuple[Any, ...]:
    """Return the items of a value that several targets of a loop are bound to.

    Raises:
        ValueError: there are more or fewer of them, in the words of Python 3.11.
        TypeError: it has none.
    """
    values = tuple(value)
    if len(values) < count:
        raise ValueError(f"not enough values to unpack (expected {count}, got {len(values)})")
    if len(values) > count:
        raise ValueError(f"too many values to unpack (expected {count})")
    return values
