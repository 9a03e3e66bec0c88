"""Limits for evaluating known values: steps, sizes and work are counted, so that nothing runs away.

Every text and container that an operation makes is measured before it is used further, so the cost of the next
operation is bounded by the limits; what a single operation could blow up by itself is estimated before it runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from frieze.diagnostics import Diagnostic, Span

TEXT_LIMIT = 1_000_000
"""Longest text, in code points."""

NODE_LIMIT = 200_000
"""Most values inside one container, counted as a tree."""

DISPLAY_LIMIT = 20_000
"""Most values inside one list or map that holds unknown ones, counted as a tree: it is written out where it is used."""

DEPTH_LIMIT = 120
"""Deepest nesting of containers."""

NUMBER_LIMIT = 14_000
"""Longest integer, in bits; Python prints about 14,280."""

WIDTH_LIMIT = 10_000
"""Largest width, indent or row length that a filter or method may be given."""

STEP_LIMIT = 200_000
"""Most statements and operations."""

WORK_LIMIT = 100_000_000
"""Most code points that all operations together may handle."""

NODE_WORK = 20
"""Code points that take as long as one value."""

WRITTEN_WORK = 100
"""Code points that take as long as one value of the residual, which later passes go through as well."""

_SCALARS = frozenset({bool, int, float, type(None), str, Markup})
_LISTS: frozenset[type] = frozenset({list, tuple, type({}.keys()), type({}.values()), type({}.items())})


class BudgetError(Exception):
    """A limit is passed; `what` completes the sentence "this needs too much ...", `limit` says how much there is."""

    def __init__(self, what: str, limit: str) -> None:
        super().__init__(f"{what}: {limit}")
        self.what = what
        self.limit = limit


_COUNTED = frozenset({"digits", "numbers", "steps"})
_LESS = {
    "nesting": "split it: give parts a name with `set`, or make them blocks of their own",
    "numbers": "make the `range` shorter",
    "steps": "make the loop shorter",
}


def too_much(span: Span, what: str, limit: str) -> Diagnostic:
    """Return the finding for a limit that is passed; `what` as in `BudgetError`."""
    many = "too many" if what in _COUNTED else "too much"
    return Diagnostic.of("F407", span, what=f"{many} {what}", limit=limit, advice=_LESS.get(what, ""))


class NotDataError(Exception):
    """A value has no text of its own, or one that differs from run to run; `what` names it."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what


@dataclass(slots=True)
class Budget:
    """What is left."""

    steps: int = STEP_LIMIT
    work: int = WORK_LIMIT

    def step(self, work: int = 1) -> None:
        """Count one step.

        Raises:
            BudgetError: there are none left.
        """
        self.steps -= 1
        self.work -= work
        if self.steps < 0:
            raise BudgetError("steps", f"{STEP_LIMIT:,} steps")
        if self.work < 0:
            raise BudgetError("work", f"{WORK_LIMIT:,} characters in all")


BUDGET: ContextVar[Budget] = ContextVar("BUDGET")


def spend(work: int = 1) -> None:
    """Count one step of the current budget.

    Raises:
        BudgetError: there are none left.
    """
    budget = BUDGET.get(None)
    if budget is not None:
        budget.step(work)


def width(value: Any) -> None:
    """Check a number that a filter or method uses as a size.

    Raises:
        BudgetError: it is too large.
    """
    if isinstance(value, int) and abs(value) > WIDTH_LIMIT:
        raise BudgetError("space", f"widths of {WIDTH_LIMIT:,}")


def length(count: int) -> None:
    """Check the length of a text that is about to be made.

    Raises:
        BudgetError: it is too long.
    """
    if count > TEXT_LIMIT:
        raise BudgetError("text", f"{TEXT_LIMIT:,} characters in one text")


def measure(value: Any) -> int:
    """Return how much work going through `value` is, in code points, counted as a tree.

    Raises:
        BudgetError: it is too large or too deep.
        NotDataError: it is, or holds, something that is not data.
    """
    kind = type(value)
    if kind in _SCALARS:
        if kind is str or kind is Markup:
            length(len(value))
            return len(value) + 1
        if kind is int and value.bit_length() > NUMBER_LIMIT:
            raise BudgetError("digits", f"{NUMBER_LIMIT:,} bits in one number")
        return 1
    total, values = _counted(value)
    return total + NODE_WORK * values


def count(value: Any) -> int:
    """Return how many values there are in `value`, itself included, counted as a tree.

    Raises:
        BudgetError: it is too large or too deep.
        NotDataError: it is, or holds, something that is not data.
    """
    return 1 if type(value) in _SCALARS else _counted(value)[1]


def _counted(value: Any) -> tuple[int, int]:
    """Return how many code points and how many values there are in a container."""
    total = values = 0
    stack: list[tuple[Any, int]] = [(value, 0)]
    while stack:
        item, depth = stack.pop()
        values += 1
        kind = type(item)
        if kind is str:
            total += len(item)
        elif kind in _LISTS or isinstance(item, list | tuple):
            below = depth + 1
            stack.extend([(part, below) for part in item])
        elif kind is dict or isinstance(item, Mapping):
            below = depth + 1
            for pair in item.items():
                stack.extend([(part, below) for part in pair])
        elif isinstance(item, str):
            total += len(item)
        elif isinstance(item, int):
            if item.bit_length() > NUMBER_LIMIT:
                raise BudgetError("digits", f"{NUMBER_LIMIT:,} bits in one number")
        elif not isinstance(item, (float, type(None), Undefined, bytes, range)):
            raise NotDataError(kind.__name__)
        if values + len(stack) > NODE_LIMIT or total > 8 * TEXT_LIMIT:
            raise BudgetError("memory", f"{NODE_LIMIT:,} values in one list or map")
        if depth > DEPTH_LIMIT:
            raise BudgetError("nesting", f"{DEPTH_LIMIT} levels")
    return total, values


def weigh(*values: Any) -> None:
    """Spend what going through values once costs; what is no data costs nothing.

    Raises:
        BudgetError: one is too large or too deep, or there is too little left.
    """
    total = 1
    for value in values:
        try:
            total += measure(value)
        except NotDataError:
            continue
    spend(total)


def text_of(value: Any) -> str:
    """Return a value's text as Jinja2 prints it.

    Raises:
        BudgetError: the text would be too long.
        NotDataError: the text would hold a memory address, or is not the same in every run.
    """
    if type(value) is str:
        return value
    size = measure(value)
    text = str(value)
    spend(size + len(text))
    length(len(text))
    return text
