"""The set of targets that are still possible, as a few boxes instead of a list of combinations.

A *target* is one value for every selector. What an agent allows ties the other selectors to it, so the
set is a union of boxes (a product of value sets each), one for every distinct group of agents.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

SELECTORS = ("agent", "platform", "model", "personality", "mode", "audience")
"""Every selector, in the order in which combinations are listed."""

Choice: TypeAlias = str | None
"""A selector's value; None where the project declares nothing for that selector."""

Box: TypeAlias = Mapping[str, tuple[Choice, ...]]
Combination: TypeAlias = tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class Targets:
    """A set of targets; boxes do not overlap, values are in declaration order."""

    boxes: tuple[Box, ...]

    def __bool__(self) -> bool:
        return bool(self.boxes)

    def combinations(self, selectors: tuple[str, ...]) -> Iterator[Combination]:
        """Yield every distinct combination of these selectors' values that some target has."""
        seen: set[Combination] = set()
        for box in self.boxes:
            for combination in product(*(box[name] for name in selectors)):
                if combination not in seen:
                    seen.add(combination)
                    yield combination

    def parted(self, selectors: tuple[str, ...], number: Callable[[Combination], int]) -> dict[int, Targets]:
        """Return the targets by the number that their values of `selectors` have."""
        parts: dict[int, list[Box]] = {}
        for box in self.boxes:
            for found, part in _split(box, selectors, number):
                parts.setdefault(found, []).append(part)
        return {found: Targets(tuple(boxes)) for found, boxes in parts.items()}

    def apart(self, selector: str) -> dict[Choice, Targets]:
        """Return the targets by their value of one selector."""
        values = self.values(selector)
        numbers = {value: number for number, value in enumerate(values)}
        parts = self.parted((selector,), lambda combination: numbers[combination[0]])
        return {value: parts[number] for value, number in numbers.items()}

    def values(self, selector: str) -> tuple[Choice, ...]:
        """Return the values that `selector` still has in some target."""
        return tuple(value for (value,) in self.combinations((selector,)))


def _split(box: Box, selectors: tuple[str, ...], number: Callable[[Combination], int]) -> Iterator[tuple[int, Box]]:
    """Cut a box along `selectors`: one box for each number and group of leading values that leave the same last."""
    *leading, last = selectors
    groups: dict[int, dict[tuple[Choice, ...], list[Combination]]] = {}
    for head in product(*(box[name] for name in leading)):
        kept: dict[int, list[Choice]] = {}
        for value in box[last]:
            kept.setdefault(number((*head, value)), []).append(value)
        for found, left in kept.items():
            groups.setdefault(found, {}).setdefault(tuple(left), []).append(head)
    for found, rows in groups.items():
        for values, heads in rows.items():
            for part in _boxes_of(leading, heads):
                yield found, {**box, **part, last: values}


def _boxes_of(names: list[str], heads: list[Combination]) -> Iterator[Box]:
    if len(names) == 1:
        yield {names[0]: tuple(head[0] for head in heads)}
        return
    for head in heads:
        yield {name: (value,) for name, value in zip(names, head, strict=True)}
