"""Closures that print a run of neighbouring texts and outputs.

*Exact* gives each output its form one by one. *Traced* does so and keeps the pieces apart. *Quick* prints what
is to be escaped as it stands and records it in the frame: when `plain` finds that all of it together needs no
escaping, the text is what *Exact* would give. Where a quick closure meets anything but text it raises, or
records what `plain` refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
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
    """Tell whether every value is text that escaping would not change."""
    if not _TEXT.issuperset(map(type, values)):
        return False
    joined = "".join(values)
    if "<" in joined or ">" in joined or "&" in joined:
        return False
    return joined.isascii() or all(value.isascii() or escape(value) == value for value in values)


_TEXT = frozenset({str})


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
            text = parts[0]
            return lambda _, out: out.append(text)

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
        parts = _merged(self._part(node) for node, _ in prints)
        slots = [part for part in parts if isinstance(part, _Slot)]
        if not slots or any(not isinstance(part, str | _Slot) for part in parts):
            return super().run(prints)
        form, record = _format(parts), self.record
        if len(slots) == 1:
            value = slots[0].value

            def append_one(frame: Frame, out: list[Any]) -> None:
                found = value(frame)
                frame[record].append(found)
                out.append(form % (found,))

            return append_one
        values = _together(slots)

        def append(frame: Frame, out: list[Any]) -> None:
            found = values(frame)
            frame[record].extend(found)
            out.append(form % found)

        return append

    def rows(self, target: Any, prints: list[Print]) -> Rows | None:
        """Return a function that prints a run for each item at once, if it prints nothing but keys of the item."""
        parts = _merged(node if isinstance(node, str) else _key(node, target) for node, _ in prints)
        keys = [part.value for part in parts if isinstance(part, _Slot)]
        if not keys or any(part is None for part in parts):
            return None
        form, record = _format(parts), self.record
        get: Callable[[Any], Any] = itemgetter(*keys) if len(keys) > 1 else lambda row: (row[keys[0]],)

        def append(rows: list[Any], frame: Frame, out: list[Any]) -> None:
            found = list(map(get, rows))
            frame[record].extend(chain.from_iterable(found))
            out.extend(map(form.__mod__, found))

        return append

    def _part(self, node: Any) -> str | Getter | _Slot:
        printer = self.printer(node)
        if isinstance(printer, str) or node[2:] != ["escape"]:
            return printer
        index = self.expressions.names.index(node[1])
        return _Slot(self.expressions.compile(node[1]), index)


class _Slot(NamedTuple):
    """A value that is printed as it stands: its getter and, where it is a plain name, its place in the frame."""

    value: Any
    place: int | None


def _key(node: Any, target: Any) -> _Slot | None:
    match node:
        case ["out", ["attr", ["local", name], str(key)], "escape"] if name == target and key not in ATTRIBUTES:
            return _Slot(key, None)
    return None


def _merged(parts: Iterable[Any]) -> list[Any]:
    """Join neighbouring texts."""
    merged: list[Any] = []
    for part in parts:
        if isinstance(part, str) and merged and isinstance(merged[-1], str):
            merged[-1] += part
        else:
            merged.append(part)
    return merged


def _format(parts: list[Any]) -> str:
    return "".join(part.replace("%", "%%") if isinstance(part, str) else "%s" for part in parts)


def _together(slots: list[_Slot]) -> Callable[[Frame], tuple[Any, ...]]:
    places = [slot.place for slot in slots if slot.place is not None]
    if len(places) == len(slots):
        return itemgetter(*places)
    values = [slot.value for slot in slots]
    return lambda frame: tuple([value(frame) for value in values])
