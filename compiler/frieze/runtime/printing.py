"""Closures that print a run of neighbouring texts and outputs.

*Exact* gives each output its form one by one. *Traced* does so and keeps the pieces apart. *Shown* finds the values of
some inputs in the frame as they are to be printed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from .access import text_of
from .expressions import Constant, Expressions
from .frames import Frame, Getter
from .output import FORMS
from .rows import Slot, row_of

Step: TypeAlias = Callable[[Frame, list[Any]], None]
Print: TypeAlias = tuple[Any, int]
"""A text or an `out` statement, and its index in the preorder."""


class Exact:
    """Prints into a list of texts."""

    def __init__(self, expressions: Expressions) -> None:
        self.expressions = expressions

    def inside(self) -> Exact:
        """Return the printer for the body of a `capture`."""
        return self

    def run(self, prints: list[Print]) -> Step:
        """Return the closure of a run."""
        parts = _merged(self.printer(node) for node, _ in prints)
        if len(parts) == 1 and isinstance(parts[0], str):
            return _append_text(parts[0])

        def append(frame: Frame, out: list[Any]) -> None:
            out.extend([part if isinstance(part, str) else part(frame) for part in parts])

        return append

    def rows(self, node: list[Any]) -> tuple[int, Step] | None:  # noqa: ARG002 - Shown has an answer
        """Return, of a loop that prints all its rows at once, where their texts stand and the closure that does it."""
        return None

    def printer(self, node: Any) -> str | Getter:
        """Return the text of one print, or the closure that gives it."""
        if isinstance(node, str):
            return node
        form = text_of if len(node) == 2 else FORMS[node[2]]
        value = self.expressions.compile(node[1])
        getter = self.expressions.fold(lambda frame: form(value(frame)), value)
        return getter.value if isinstance(getter, Constant) else getter


class Traced(Exact):
    """Prints into a list of `(text, index of the statement)`."""

    def inside(self) -> Exact:
        """Return the printer for the body of a `capture`: its text belongs to who prints it."""
        return Exact(self.expressions)

    def run(self, prints: list[Print]) -> Step:
        """Return the closure of a run."""
        parts = [(self.printer(node), index) for node, index in prints]

        def append(frame: Frame, out: list[Any]) -> None:
            out.extend([(part if isinstance(part, str) else part(frame), index) for part, index in parts])

        return append


class Shown(Exact):
    """Prints inputs that are clean from where they stand as they are printed: `width` places behind their values."""

    def __init__(self, expressions: Expressions, slots: Mapping[str, Slot], width: int) -> None:
        super().__init__(expressions)
        self.slots = slots
        self.width = width

    def run(self, prints: list[Print]) -> Step:
        """Return the closure of a run."""
        parts = _merged(self._part(node) for node, _ in prints)
        places = [part for part in parts if isinstance(part, int)]
        if not places or any(not isinstance(part, str | int) for part in parts):
            return _append_parts(parts)
        if len(places) == 1:
            return _append_one(parts, places[0])
        pieces: list[Any] = [part if isinstance(part, str) else "" for part in parts]
        pick = itemgetter(*places)
        gaps = slice(parts.index(places[0]), None, 2)
        if parts[gaps] != places:
            return _append_parts(parts)

        def append(frame: Frame, out: list[Any]) -> None:
            filled = pieces.copy()
            filled[gaps] = pick(frame)
            out += filled

        return append

    def rows(self, node: list[Any]) -> tuple[int, Step] | None:
        """Return where the texts of a loop's rows stand and the closure that prints them all."""
        _, target, iterable, test, body, _, loop = node
        match iterable:
            case ["input", str(name)] if test is None and loop is None and isinstance(target, str):
                slot = self.slots.get(name)
            case _:
                return None
        row = None if slot is None else row_of(slot, target, body)
        if slot is None or row is None:
            return None
        place = self.width + slot.number + 1
        return place, _append_rows(place, row, max(1, len(slot.fields)))

    def _part(self, node: Any) -> str | int | Getter:
        match node:
            case ["out", ["input", str(name)], "escape"] if name in self.slots and not self.slots[name].is_list:
                return self.width + self.slots[name].number
        return self.printer(node)


def _append_text(text: str) -> Step:
    return lambda _, out: out.append(text)


def _append_parts(parts: list[Any]) -> Step:
    getters = [itemgetter(part) if isinstance(part, int) else part for part in parts]

    def append(frame: Frame, out: list[Any]) -> None:
        out.extend([part if isinstance(part, str) else part(frame) for part in getters])

    return append


def _append_one(parts: list[Any], place: int) -> Step:
    at = parts.index(place)
    before, after = "".join(parts[:at]), "".join(parts[at + 1 :])

    def append(frame: Frame, out: list[Any]) -> None:
        out += (before, frame[place], after)

    return append


def _append_rows(place: int, row: list[str | int], width: int) -> Step:
    """Print all rows: their texts fill the gaps in a list of pieces."""
    heads, fields, tail = row[:-1:2], row[1::2], row[-1]
    first = heads[0]
    pattern = [piece for head in (f"{tail}{first}", *heads[1:]) for piece in (head, "")]
    in_order = fields == list(range(width))

    def append(frame: Frame, out: list[Any]) -> None:
        texts = frame[place]
        pieces: list[Any] = pattern * (len(texts) // width)
        pieces[0] = first
        if in_order:
            pieces[1::2] = texts
        else:
            for number, field in enumerate(fields):
                pieces[2 * number + 1 :: len(pattern)] = texts[field::width]
        out += pieces
        out.append(tail)

    return append


def _merged(parts: Iterable[Any]) -> list[Any]:
    """Join neighbouring texts."""
    merged: list[Any] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged
