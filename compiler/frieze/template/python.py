"""Bodies of the residual IR as Python source: straight code that appends texts to a list and joins it.

A body is written in one of two ways. *Exact* code gives each output its form. *Direct* code knows that the values of
some inputs are clean texts, which stand in a second mapping as they are to be printed, and prints them from there; it
raises where anything is not so, and whoever calls it then asks the interpreter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from frieze.runtime.generated import ATTRIBUTES
from frieze.runtime.output import FORMS
from frieze.template.ir import Body, Expression, statements
from frieze.template.literals import text_literal, text_literals
from frieze.template.python_expressions import Expressions, Module, Names, NotGenerated, is_name

MAX_LOOPS = 15
MAX_NESTING = 40
MAX_ARMS = 100
"""Bodies beyond these are left to the interpreter: CPython allows 20 nested loops and 100 levels of indentation."""

INDENT = "    "
SHORT = 90
"""Pieces of up to so many characters stand on one line."""

_FORM_NAMES = {"escape": "escaped", "safe": "safe", "number": "format_number", "any": "anything"}


class Writer:
    """Writes one body as statements.

    Args:
        module: what the generated functions of a module share.
        direct: for direct code, the inputs that may be printed from `printed`: name -> whether it is a list of
            records; empty for exact code.
    """

    def __init__(self, module: Module, direct: Mapping[str, bool] | None = None) -> None:
        self.module = module
        self.names = Names()
        self.expressions = Expressions(module, self.names)
        self.direct = direct or {}
        self._rows: dict[str, str] = {}
        self._loops = 0
        self._unsure: set[str] = set()

    def function(self, body: Body, when: Expression = None) -> list[str]:
        """Return the lines that leave the texts of a body in the list `out`; `values` has the inputs.

        With `when` they return empty text where that expression is false.

        Raises:
            NotGenerated: the body has no generated form.
        """
        self._unsure = _unsure_locals(body)
        left = [] if when is None else [f"if not {self.expressions.write(when)}:", f'{INDENT}return ""']
        lines = list(self.body(body, "out", 0))
        return [*self._preamble(), *left, "out: list[str] = []", *lines]

    def _preamble(self) -> list[str]:
        """Return the lines that bind inputs, and locals that a branch may leave unbound."""
        lines = []
        for name, python in self.names.inputs.items():
            lines.append(f"{python} = values.get({text_literal(name)}, {self._missing(name)})")
        unsure = [(self.names.local(name), self._missing(name.partition("#")[0])) for name in sorted(self._unsure)]
        return [*lines, *(f"{python} = {missing}" for python, missing in unsure)]

    def _missing(self, name: str) -> str:
        if not self.module.strict:
            return self.module.use("ABSENT")
        self.module.use("undefined_name")
        return self.module.bind("undefined", f"undefined_name({text_literal(name)})")

    def body(self, body: Body, out: str, depth: int) -> Iterator[str]:
        """Yield the lines of a body."""
        if depth > MAX_NESTING:
            raise NotGenerated
        pieces: list[str | Text] = []
        for node in body:
            if isinstance(node, str):
                pieces.append(Text(node))
            elif node[0] == "out":
                pieces.append(self._print(node))
            else:
                yield from _append(pieces, out)
                pieces = []
                yield from self._statement(node, out, depth)
        yield from _append(pieces, out)

    def _print(self, node: Any) -> str | Text:
        """Return the source of an output, or its text where that is known.

        Raises:
            NotGenerated: the output is not of the IR.
        """
        _, value, *form = node
        if form and form[0] not in _FORM_NAMES:
            raise NotGenerated
        if isinstance(value, str) and form != ["number"]:
            return Text(FORMS[form[0]](value) if form else value)
        if form == ["escape"]:
            direct = self._printed(value)
            if direct:
                return direct
        if form == ["safe"]:
            match value:
                case ["filter", "quoted", inner, [], []] if self._printed(inner):
                    return self.expressions.call("quoted", [inner])
        return self.expressions.call(_FORM_NAMES[form[0]] if form else "text_of", [value])

    def _printed(self, value: Expression) -> str | None:
        """Return where a value stands as it is to be printed; None where it has to be asked for its form."""
        match value:
            case ["input", str(name)] if name in self.direct:
                return f"printed[{text_literal(name)}]"
            case ["local", str(name)] if name in self._rows:
                return self._rows[name]
            case ["attr", ["local", str(name)], str(key)] if name in self._rows and key not in ATTRIBUTES:
                return f"{self._rows[name]}[{text_literal(key)}]"
        return None

    def _statement(self, node: Any, out: str, depth: int) -> Iterator[str]:
        match node:
            case ["if", arms, orelse]:
                yield from self._if(arms, orelse, out, depth)
            case ["for", *_]:
                yield from self._for(node, out, depth)
            case ["let", str(name), value]:
                yield f"{self.names.local(name)} = {self.expressions.write(value)}"
            case ["capture", str(name), body]:
                inner = self.names.fresh("texts")
                yield f"{inner}: list[str] = []"
                yield from self.body(body, inner, depth + 1)
                yield f"{self.names.local(name)} = {self.module.use('captured')}({inner})"
            case ["fail", str(kind), str(message)]:
                yield f"{self.module.use('fail')}({text_literal(kind)}, {text_literal(message)})"
            case _:
                raise NotGenerated

    def _if(self, arms: list[Any], orelse: Body, out: str, depth: int) -> Iterator[str]:
        if len(arms) > MAX_ARMS:
            raise NotGenerated
        word = "if"
        for test, body in arms:
            yield f"{word} {self.expressions.write(test)}:"
            yield from _indented(self.body(body, out, depth + 1))
            word = "elif"
        if orelse:
            yield "else:"
            yield from _indented(self.body(orelse, out, depth + 1))

    def _for(self, node: list[Any], out: str, depth: int) -> Iterator[str]:
        _, target, iterable, test, body, orelse, loop = node
        self._loops += 1
        if self._loops > MAX_LOOPS:
            raise NotGenerated
        rows = self._direct_rows(target, iterable, test, loop)
        if rows is not None:
            yield from self._direct_for(rows, target, iterable, body, orelse, out, depth)
        else:
            yield from self._exact_for(node, out, depth)
        self._loops -= 1

    def _direct_rows(self, target: Any, iterable: Expression, test: Expression, loop: str | None) -> str | None:
        """Return where the rows of a loop stand as they are to be printed."""
        if not isinstance(target, str) or test is not None or loop is not None:
            return None
        return self._printed(iterable) if is_name(iterable, "input") else None

    def _direct_for(
        self, rows: str, target: str, iterable: Expression, body: Body, orelse: Body, out: str, depth: int
    ) -> Iterator[str]:
        name, shown = self.names.local(target), self.names.fresh("row")
        self._rows[target] = shown
        if self.direct[iterable[1]]:
            self.expressions.records.add(target)
        inside = list(self._passes(body, out, depth))
        del self._rows[target]
        listed = f"{self.module.use('listed')}({rows})"
        if any(name in line for line in inside):
            head = f"for {name}, {shown} in zip({self.expressions.write(iterable)}, {listed}, strict=True):"
        else:
            head = f"for {shown} in {listed}:"
        found = self.expressions.write(iterable)
        yield f"if {found}:"
        yield f"{INDENT}{head}"
        yield from _indented(_indented(inside))
        if orelse:
            yield "else:"
            yield from _indented(self.body(orelse, out, depth + 1))

    def _exact_for(self, node: list[Any], out: str, depth: int) -> Iterator[str]:
        _, target, iterable, test, body, orelse, loop = node
        items = self.expressions.write(iterable)
        rows, item, index = (self.names.fresh(prefix) for prefix in ("rows", "item", "index"))
        if test is None:
            yield f"{rows} = list({items})"
        else:
            yield f"{rows} = []"
            yield f"for {item} in {items}:"
            yield from _indented(self._bound(target, item))
            yield f"{INDENT}if {self.expressions.write(test)}:"
            yield f"{INDENT * 2}{rows}.append({item})"
        if loop is not None:
            self.names.loops[loop] = (rows, index)
        yield f"for {index}, {item} in enumerate({rows}):" if loop is not None else f"for {item} in {rows}:"
        yield from _indented(self._bound(target, item))
        yield from _indented(self._passes(body, out, depth))
        if orelse:
            yield f"if not {rows}:"
            yield from _indented(self.body(orelse, out, depth + 1))

    def _bound(self, target: Any, item: str) -> Iterator[str]:
        """Yield the lines that bind a loop's target to an item."""
        if isinstance(target, str):
            yield f"{self.names.local(target)} = {item}"
            return
        parts = self.names.fresh("parts")
        yield f"{parts} = {self.module.use('unpacked')}({item}, {len(target)})"
        for number, part in enumerate(target):
            yield from self._bound(part, f"{parts}[{number}]")

    def _passes(self, body: Body, out: str, depth: int) -> Iterator[str]:
        """Yield the lines of one pass; what it binds ends with it."""
        inner = {node[1] for node in statements(body) if node[:1] in (["let"], ["capture"])}
        kept = [(self.names.local(name), self.names.fresh("outer")) for name in sorted(inner & self._unsure)]
        yield from (f"{outer} = {name}" for name, outer in kept)
        yield from self.body(body, out, depth + 1)
        yield from (f"{name} = {outer}" for name, outer in kept)


@dataclass(frozen=True, slots=True)
class Text:
    """A piece that is known."""

    text: str


def _append(pieces: list[str | Text], out: str) -> Iterator[str]:
    """Yield the lines that append pieces to a list."""
    merged: list[str | Text] = []
    for piece in pieces:
        if isinstance(piece, Text) and merged and isinstance(merged[-1], Text):
            merged[-1] = Text(merged[-1].text + piece.text)
        elif piece != Text(""):
            merged.append(piece)
    written = [text_literals(piece.text) if isinstance(piece, Text) else [piece] for piece in merged]
    if len(written) == 1:
        ((head, *more),) = written
        if more:
            yield f"{out}.append("
            yield from (f"{INDENT}{line}" for line in (head, *more))
            yield ")"
        else:
            yield f"{out}.append({head})"
    elif written and all(len(lines) == 1 for lines in written) and sum(len(line) for (line,) in written) < SHORT:
        yield f"{out} += ({', '.join(line for (line,) in written)})"
    elif written:
        yield f"{out} += ("
        for lines in written:
            yield from (f"{INDENT}{line}" for line in lines[:-1])
            yield f"{INDENT}{lines[-1]},"
        yield ")"


def _indented(lines: Iterator[str] | list[str]) -> list[str]:
    """Indent the lines of a block; an empty one says `pass`."""
    return [INDENT + line for line in lines] or [f"{INDENT}pass"]


def _unsure_locals(body: Body) -> set[str]:
    """Return the locals that may be read where nothing has bound them, or that are bound in several places."""
    nodes = [node for node in statements(body) if isinstance(node, list)]
    bound = Counter(node[1] for node in nodes if node[0] in ("let", "capture"))
    unsure = {name for name, count in bound.items() if count > 1}
    _reads(body, set(), unsure)
    return unsure


def _reads(body: Body, bound: set[str], unsure: set[str]) -> set[str]:
    """Collect the reads of what is not surely bound, and return what is bound after the body."""
    bound = set(bound)
    for node in body:
        if isinstance(node, str):
            continue
        match node:
            case ["if", arms, orelse]:
                for test, arm in arms:
                    unsure |= _locals(test) - bound
                    _reads(arm, bound, unsure)
                _reads(orelse, bound, unsure)
            case ["for", target, iterable, test, inner, orelse, _]:
                inside = bound | _targets(target)
                unsure |= (_locals(iterable) - bound) | (_locals(test) - inside)
                _reads(inner, inside, unsure)
                _reads(orelse, bound, unsure)
            case ["capture", name, inner]:
                _reads(inner, bound, unsure)
                bound.add(name)
            case ["let", name, value]:
                unsure |= _locals(value) - bound
                bound.add(name)
            case _:
                unsure |= _locals(node[1]) - bound
    return bound


def _targets(target: Any) -> set[str]:
    return {target} if isinstance(target, str) else set().union(*map(_targets, target))


def _locals(node: Expression) -> set[str]:
    if not isinstance(node, list):
        return set()
    if len(node) == 2 and node[0] == "local" and isinstance(node[1], str):
        return {node[1]}
    return set().union(*map(_locals, node))
