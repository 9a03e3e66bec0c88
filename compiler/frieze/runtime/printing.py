"""Closures that print a run of neighbouring texts and outputs.

*Exact* gives each output its form one by one. *Traced* does so and keeps the pieces apart. *Quick* prints what
is to be escaped as it stands and records it in the frame: when `plain` finds that all of it together needs no
escaping, the text is what *Exact* would give. Where a quick closure meets anything but text it raises, or
records what `plain` refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain, compress, repeat
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from .access import ATTRIBUTES, text_of
from .escape import escape
from .expressions import Constant, Expressions
from .frames import Frame, Getter
from .output import FORMS

Step: TypeAlias = Callable[[Frame, list[Any]], None]
Print: TypeAlias = tuple[Any, int]
"""A text or an `out` statement, and its index in the preorder."""
Rows: TypeAlias = Callable[[list[Any], Frame, list[Any]], None]

RECORD = "#printed"
"""The local that holds the list of what quick closures printed as it stands."""


def plain(values: list[Any]) -> bool:
    """Tell whether every value is text that escaping would not change.

    Raises:
        TypeError: a value is not text.
    """
    joined = "".join(values)
    if "<" in joined or ">" in joined:
        return False
    if joined.isascii() and "&" not in joined:
        return True
    return all(escape(value) == value for value in values)


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

    def rows(self, target: Any, prints: list[Print]) -> Rows | None:  # noqa: ARG002 - Quick has an answer
        """Return a function that prints a run for each of a loop's items at once, where that is possible."""
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


class Quick(Exact):
    """Prints into a list of texts what `plain` must look at afterwards."""

    def __init__(self, expressions: Expressions) -> None:
        super().__init__(expressions)
        self.record = expressions.names.local(RECORD)

    def run(self, prints: list[Print]) -> Step:
        """Return the closure of a run."""
        texts, slots = _woven([self._part(node) for node, _ in prints])
        if not any(slot.recorded for slot in slots):
            return super().run(prints)
        record = self.record
        if len(slots) == 1:
            before, after = texts
            value = slots[0].value

            def append_one(frame: Frame, out: list[Any]) -> None:
                found = value(frame)
                frame[record].append(found)
                out += (before, found, after)

            return append_one
        pieces = _with_gaps(texts)
        values = _together(slots)
        recorded = None if all(slot.recorded for slot in slots) else [slot.recorded for slot in slots]

        def append(frame: Frame, out: list[Any]) -> None:
            found = values(frame)
            frame[record].extend(found if recorded is None else compress(found, recorded))
            filled = pieces.copy()
            filled[1::2] = found
            out += filled

        return append

    def rows(self, target: Any, prints: list[Print]) -> Rows | None:
        """Return a function that prints a run for each item at once, if it prints nothing but keys of the item."""
        parts = [node if isinstance(node, str) else _key(node, target) for node, _ in prints]
        texts, slots = _woven([part for part in parts if part is not None])
        if not slots or None in parts:
            return None
        record = self.record
        gets = [slot.value for slot in slots]
        *heads, tail = texts
        constants = [repeat(text) for text in heads]
        last = repeat(tail)

        def append(rows: list[Any], frame: Frame, out: list[Any]) -> None:
            columns = [list(map(get, rows)) for get in gets]
            for column in columns:
                frame[record] += column
            strands = chain.from_iterable(zip(constants, columns, strict=True))
            out.extend(chain.from_iterable(zip(*strands, last, strict=False)))

        return append

    def _part(self, node: Any) -> str | _Slot:
        printer = self.printer(node)
        if isinstance(printer, str):
            return printer
        if node[2:] != ["escape"]:
            return _Slot(printer, None, recorded=False)
        return _Slot(self.expressions.compile(node[1]), self.expressions.names.index(node[1]))


def _append_text(text: str) -> Step:
    return lambda _, out: out.append(text)


def _merged(parts: Iterable[str | Getter]) -> list[str | Getter]:
    """Join neighbouring texts."""
    merged: list[str | Getter] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged


class _Slot(NamedTuple):
    """A value in a run: its getter, its place in the frame where it is a plain name, and whether it is recorded."""

    value: Callable[[Any], Any]
    place: int | None
    recorded: bool = True


def _key(node: Any, target: Any) -> _Slot | None:
    match node:
        case ["out", ["attr", ["local", name], str(key)], "escape"] if name == target and key not in ATTRIBUTES:
            return _Slot(itemgetter(key), None)
    return None


def _woven(parts: list[str | _Slot]) -> tuple[list[str], list[_Slot]]:
    """Return the texts before, between and after the slots, one more than there are slots, and the slots."""
    texts, slots = [""], []
    for part in parts:
        if isinstance(part, str):
            texts[-1] += part
        else:
            slots.append(part)
            texts.append("")
    return texts, slots


def _with_gaps(texts: list[str]) -> list[Any]:
    pieces: list[Any] = [None] * (2 * len(texts) - 1)
    pieces[::2] = texts
    return pieces


def _together(slots: list[_Slot]) -> Callable[[Frame], Iterable[Any]]:
    places = [slot.place for slot in slots if slot.place is not None]
    if len(places) == len(slots):
        return itemgetter(*places)
    values = [slot.value for slot in slots]
    return lambda frame: [value(frame) for value in values]
