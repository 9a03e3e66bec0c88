"""The body of a function, put together from the sources of its statements, each of which is written once.

What is written for a statement depends on the statement, on how the inputs in it are declared, on the locals that have
to outlive its loops, and on whether it ends the body; so variants of a template, and templates that have a statement in
common, share its source.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from frieze.runtime.rows import Slot
from frieze.template.ir import Body, Expression, Statement
from frieze.template.literals import text_literal
from frieze.template.python import Writer
from frieze.template.python_expressions import Module, NotGenerated
from frieze.template.python_locals import bindings_of, unsure_locals
from frieze.template.python_pieces import INDENT, Text, appended, listed
from frieze.template.sound import Remembered

Slots: TypeAlias = Mapping[str, Slot]
"""The inputs that have locals of their own; the slot says how each is declared."""


class Fragment(NamedTuple):
    """Some lines of a function, as one text inside of it, and what they ask for.

    Attributes:
        text: the lines, indented, each with its line break.
        imported: the names of the runtime in them.
        bindings: the names in them that are bound at the top of a module, and their sources.
        inputs: the inputs that they ask for, in order.
        worked_on: the inputs whose values they ask for, beyond their print and their truth.
        rows: the lists whose rows they print one by one.
    """

    text: str
    imported: frozenset[str]
    bindings: Mapping[str, str]
    inputs: tuple[str, ...]
    worked_on: frozenset[str]
    rows: frozenset[str]


NOTHING_ASKED = Fragment("", frozenset(), {}, (), frozenset(), frozenset())


class Fragments:
    """What was written before, for as long as this lives; statements are told apart by their identity."""

    __slots__ = ("_asked", "_bindings", "_written", "strict")

    def __init__(self, *, strict: bool) -> None:
        self.strict = strict
        self._written: dict[Hashable, Fragment | None] = {}
        # Whoever gives a statement's inputs keeps the statement, and with it its identity.
        self._asked = Remembered(lambda node: tuple(dict.fromkeys(_inputs_in(node))))
        self._bindings = Remembered(bindings_of)

    def run(self, nodes: Body, slots: Slots, *, first: bool) -> Fragment:
        """Return what prints neighbouring texts and outputs; the first run of a body makes the list of its texts.

        Raises:
            NotGenerated: they have no generated form.
        """
        if len(nodes) == 1 and isinstance(nodes[0], str) and nodes[0]:
            return self._text(nodes[0], first=first)
        key = (first, *(node if isinstance(node, str) else self._key(node, slots) for node in nodes))
        found = self._written.get(key)
        return found or self._write(key, slots, _first_run if first else _later_run, nodes)

    def _text(self, text: str, *, first: bool) -> Fragment:
        """Return what prints one text: most of what stands between two statements."""
        found = self._written.get((first, text))
        if found is None:
            lines = _run([Text(text)], first=first)
            found = self._written[first, text] = NOTHING_ASKED._replace(text=indented(lines))
        return found

    def statement(self, node: Statement, slots: Slots, unsure: set[str], after: str | None) -> Fragment:
        """Return the source of any other statement.

        Raises:
            NotGenerated: it has none.
        """
        outlive = frozenset(unsure.intersection(self._bindings(node).bound)) if unsure else frozenset()
        key = (self._key(node, slots), outlive, after)
        found = self._written.get(key)
        return found or self._write(key, slots, Writer.statement, node, outlive, after)

    def preamble(self, inputs: tuple[str, ...], unsure: set[str], values: str) -> Fragment:
        """Return what binds inputs that stand in a mapping, and locals that a branch may leave unbound."""
        key = (values, inputs, frozenset(unsure))
        return self._written.get(key) or self._write(key, {}, _preamble, inputs, sorted(unsure), values)

    def unsure(self, body: Body) -> set[str]:
        """Return what `unsure_locals` gives."""
        return unsure_locals(body, self._bindings)

    def _key(self, node: Statement, slots: Slots) -> Hashable:
        """Return what stands for a statement and for how the inputs in it are declared."""
        return id(node), *map(slots.get, self._asked(node))

    def _write(self, key: Hashable, slots: Slots, lines: Callable[..., Iterator[str]], *given: Any) -> Fragment:
        if key not in self._written:
            writer = Writer(Module(strict=self.strict), slots)
            try:
                self._written[key] = written(lines(writer, *given), writer)
            except NotGenerated:
                self._written[key] = None
        found = self._written[key]
        if found is None:
            raise NotGenerated
        return found


def _run(pieces: list[str | Text], *, first: bool) -> Iterator[str]:
    return listed("out: list[str] = ", pieces) if first else appended(pieces, "out")


def _first_run(writer: Writer, nodes: Body) -> Iterator[str]:
    return _run(writer.pieces(nodes), first=True)


def _later_run(writer: Writer, nodes: Body) -> Iterator[str]:
    return _run(writer.pieces(nodes), first=False)


def _preamble(writer: Writer, inputs: Iterable[str], unsure: Iterable[str], values: str) -> Iterator[str]:
    names = writer.names
    for name in inputs:
        yield f"{names.input(name)} = {values}.get({text_literal(name)}, {_missing(writer.module, name)})"
    for name in unsure:
        yield f"{names.local(name)} = {_missing(writer.module, name.partition('#')[0])}"


def _missing(module: Module, name: str) -> str:
    if not module.strict:
        return module.use("ABSENT")
    module.use("undefined_name")
    return module.bind("undefined", f"undefined_name({text_literal(name)})")


def written(lines: Iterable[str], writer: Writer) -> Fragment:
    """Return lines as a fragment."""
    text, names, module = indented(lines), writer.names, writer.module
    asked = (tuple(names.inputs), frozenset(names.worked_on), frozenset(writer.rows))
    return Fragment(text, frozenset(module.imported), module.bindings, *asked)


def indented(lines: Iterable[str]) -> str:
    """Return lines as they stand in a function."""
    return "".join([f"{INDENT}{line}\n" for line in lines])


class Function:
    """The lines that leave the texts of a body in the list `out`.

    Attributes:
        text: the lines, indented, each with its line break.
        inputs, worked_on, rows: what they ask for; see `Fragment`.
    """

    def __init__(
        self,
        fragments: Fragments,
        module: Module,
        body: Body,
        slots: Slots | None = None,
        when: Expression = None,
        after: str | None = None,
    ) -> None:
        """Write a body.

        Args:
            fragments: what was written before.
            module: what the functions of the module share.
            body: the body.
            slots: for direct code, the inputs that have locals; None for exact code.
            when: an expression; where it is false, the function returns empty text.
            after: with it, a body that ends in rows may return its whole text, without line breaks at the end and with
                this behind it.

        Raises:
            NotGenerated: the body has no generated form.
        """
        self.module = module
        self.inputs: dict[str, None] = {}
        self.worked_on: set[str] = set()
        self.rows: set[str] = set()
        self._slots = slots or {}
        unsure = fragments.unsure(body)
        parts = [] if when is None else [_condition(when, Writer(Module(strict=module.strict), self._slots))]
        begin = 0
        for number, node in enumerate([*body, None]):
            if isinstance(node, str) or (node is not None and node[0] == "out"):
                continue
            if begin < number or begin == 0:
                parts.append(fragments.run(body[begin:number], self._slots, first=begin == 0))
            begin = number + 1
            if node is not None:
                parts.append(fragments.statement(node, self._slots, unsure, after if begin == len(body) else None))
        for part in parts:
            self._ask(part)
        others = tuple([name for name in self.inputs if name not in self._slots])
        if others or unsure:
            parts.insert(0, fragments.preamble(others, unsure, "values" if slots is None else "others"))
            self._ask(parts[0])
        self.text = "".join([part.text for part in parts])

    def _ask(self, part: Fragment) -> None:
        if part.imported:
            self.module.imported |= part.imported
        if part.bindings:
            self.module.bindings.update(part.bindings)
        for name in part.inputs:
            self.inputs[name] = None
        if part.worked_on:
            self.worked_on |= part.worked_on
        if part.rows:
            self.rows |= part.rows


def _condition(when: Expression, writer: Writer) -> Fragment:
    return written([f"if not {writer.expressions.test(when)}:", f'{INDENT}return ""'], writer)


def _inputs_in(node: Any) -> Iterator[str]:
    """Yield the names of the inputs in a statement."""
    if isinstance(node, list):
        if len(node) == 2 and node[0] == "input" and isinstance(node[1], str):
            yield node[1]
        for part in node:
            yield from _inputs_in(part)
