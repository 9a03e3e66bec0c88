"""Statements in which nothing was found wrong before: templates share them, and they need no second look.

Fragments give the same statement, the same object, wherever they stand; so what a pass makes of a statement is known by
its identity. A pass that finds anything wrong remembers nothing of it, and says it of the whole template.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

from frieze.template.ir import Statement, statements

BINDING = frozenset({"let", "capture", "fail"})
"""Operations that change what holds behind them."""

T = TypeVar("T")


class Remembered(Generic[T]):
    """A function of one object, called once for each that is not the same."""

    __slots__ = ("_function", "_known")

    def __init__(self, function: Callable[[Statement], T]) -> None:
        self._function = function
        self._known: dict[int, tuple[Statement, T]] = {}

    def __call__(self, node: Statement) -> T:
        """Return what the function gives."""
        # The statement is kept beside the result: its identity stays taken for as long.
        found = self._known.get(id(node))
        if found is None:
            found = self._known[id(node)] = (node, self._function(node))
        return found[1]


class SoundStatements:
    """What is known of statements, for one set of headings and tags.

    `lines` holds where a line can stand behind a piece of a skeleton; see `frieze.template.lines`.
    """

    __slots__ = ("_declared", "_kept", "lines")

    def __init__(self) -> None:
        self._kept: dict[Any, tuple[Statement, Any]] = {}
        self._declared: dict[Hashable, int] = {}
        self.lines: dict[Any, tuple[Any, Any]] = {}

    def under(self, declared: Hashable) -> Sound:
        """Return what is known where the inputs are declared in one way; `declared` stands for it."""
        return Sound(self, self._kept, self._declared.setdefault(declared, len(self._declared)))


class Sound:
    """What is known of statements, for one set of declared inputs."""

    __slots__ = ("_declared", "_kept", "all")

    def __init__(self, whole: SoundStatements, kept: dict[Any, tuple[Statement, Any]], declared: int) -> None:
        self.all = whole
        self._kept = kept
        self._declared = declared

    def get(self, node: Statement, way: Hashable) -> Any:
        """Return what was found of a statement looked at in one way, None where that never happened."""
        found = self._kept.get((id(node), way, self._declared))
        return found[1] if found else None

    def put(self, node: Statement, way: Hashable, found: Any) -> None:
        """Note what was found of a statement in which nothing is wrong."""
        self._kept[id(node), way, self._declared] = (node, found)


def extent(node: Statement) -> int:
    """Return how many marks a statement has; 0 where it changes what holds behind it."""
    count = 0
    for inner in statements([node]):
        if not isinstance(inner, str) and inner[0] in BINDING:
            return 0
        count += 1
    return count
