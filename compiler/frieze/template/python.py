"""Bodies of the residual IR as Python source: straight code that appends texts to a list and joins it.

A body is written in one of two ways. *Exact* code finds all values in one mapping and gives each output its form.
*Direct* code stands behind code that has read some inputs into locals, found their texts clean, and escaped them:

| local | holds |
|---|---|
| `in_NAME` | a line as it is printed, a list as it was given; `ABSENT` where there is none |
| `given_NAME` | a line as it was given |
| `texts_of_NAME` | the texts of a list, row by row, as they are printed |
| `rows_of_NAME` | the rows of a list of records with these texts |

All other values are in the mapping `others`. It raises where anything is not so, and whoever calls it then asks the
interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.runtime.generated import ATTRIBUTES
from frieze.runtime.output import FORMS
from frieze.runtime.rows import Slot, row_of
from frieze.template.ir import Body, Expression, Statement, statements
from frieze.template.literals import text_literal
from frieze.template.python_expressions import Expressions, Module, Names, NotGenerated, is_name, suffix_of
from frieze.template.python_pieces import INDENT, Text, appended

MAX_LOOPS = 15
MAX_NESTING = 40
MAX_ARMS = 100
"""Bodies beyond these are left to the interpreter: CPython allows 20 nested loops and 100 levels of indentation."""

_FORM_NAMES = {"escape": "escaped", "safe": "safe", "number": "format_number", "any": "anything"}


class Writer:
    """Writes the source of one statement, or of a run of texts and outputs.

    Args:
        module: what the generated functions of a module share.
        direct: for direct code, the inputs that have locals; none for exact code.

    Attributes:
        names: which names the code has asked for.
        rows: the lists whose rows are printed one by one.
    """

    def __init__(self, module: Module, direct: Mapping[str, Slot]) -> None:
        self.module = module
        self.direct = direct
        self.names = Names(name for name, slot in self.direct.items() if not slot.is_list)
        self.expressions = Expressions(module, self.names)
        self.rows: set[str] = set()
        self._rows: dict[str, str] = {}
        self._loops = 0
        self._outlive: frozenset[str] = frozenset()

    def statement(self, node: Statement, outlive: frozenset[str], after: str | None) -> Iterator[str]:
        """Yield the lines of a statement that stands in no other.

        Args:
            node: the statement, which is no text and no output.
            outlive: the locals that have their old values again after each pass of a loop.
            after: with it, a loop that prints rows may return the whole text, without line breaks at the end and with
                this behind it.

        Raises:
            NotGenerated: it has no generated form.
        """
        self._outlive = outlive
        if node[0] == "for":
            yield from self._for(node, "out", 0, after)
        else:
            yield from self._statement(node, "out", 0)

    def body(self, body: Body, out: str, depth: int) -> Iterator[str]:
        """Yield the lines of a body."""
        if depth > MAX_NESTING:
            raise NotGenerated
        begin = 0
        for number, node in enumerate(body):
            if not isinstance(node, str) and node[0] != "out":
                yield from appended(self.pieces(body[begin:number]), out)
                begin = number + 1
                yield from self._statement(node, out, depth)
        yield from appended(self.pieces(body[begin:]), out)

    def pieces(self, nodes: Body) -> list[str | Text]:
        """Return the sources of texts and outputs, neighbouring texts as one.

        Raises:
            NotGenerated: an output has no generated form.
        """
        merged: list[str | Text] = []
        for node in nodes:
            piece = Text(node) if isinstance(node, str) else self._print(node)
            if isinstance(piece, Text) and merged and isinstance(merged[-1], Text):
                merged[-1] = Text(merged[-1].text + piece.text)
            elif piece != Text(""):
                merged.append(piece)
        return merged

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
            case ["input", str(name)] if name in self.direct and not self.direct[name].is_list:
                return self.names.input(name)
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
            yield f"{word} {self.expressions.test(test)}:"
            yield from _indented(self.body(body, out, depth + 1))
            word = "elif"
        if orelse:
            yield "else:"
            yield from _indented(self.body(orelse, out, depth + 1))

    def _for(self, node: list[Any], out: str, depth: int, after: str | None = None) -> Iterator[str]:
        _, target, iterable, test, body, orelse, loop = node
        self._loops += 1
        if self._loops > MAX_LOOPS:
            raise NotGenerated
        name = self._direct_list(target, iterable, test, loop)
        slot = self.direct.get(name or "")
        if name is None or slot is None:
            yield from self._exact_for(node, out, depth)
        elif (row := row_of(slot, target, body)) is not None:
            yield from self._rows_at_once(name, slot, row, out, after)
            if orelse:
                yield "else:"
                yield from _indented(self.body(orelse, out, depth + 1))
        else:
            yield from self._direct_for(name, slot, node, out, depth)
        self._loops -= 1

    def _direct_list(self, target: Any, iterable: Expression, test: Expression, loop: str | None) -> str | None:
        """Return the list that has its texts in locals, where a loop goes over one."""
        if not isinstance(target, str) or test is not None or loop is not None or not is_name(iterable, "input"):
            return None
        name: str = iterable[1]
        return name if name in self.direct and self.direct[name].is_list else None

    def _rows_at_once(self, name: str, slot: Slot, row: list[str | int], out: str, after: str | None) -> Iterator[str]:
        """Yield the lines that print all rows: the texts of the list fill the gaps in a list of pieces.

        With `after` these are the last, and where they end in a text, the whole text is returned.
        """
        texts, pieces = f"texts_of_{suffix_of(name)}", self.names.fresh("pieces")
        width = max(1, len(slot.fields))
        heads, fields = row[:-1:2], row[1::2]
        heads_after = [f"{row[-1]}{heads[0]}", *heads[1:]]
        pattern = ", ".join(f'{text_literal(str(head))}, ""' for head in heads_after)
        yield f"if {texts}:"
        yield f"{INDENT}{pieces} = [{pattern}] * {f'(len({texts}) // {width})' if width > 1 else f'len({texts})'}"
        yield f"{INDENT}{pieces}[0] = {text_literal(str(heads[0]))}"
        if fields == list(range(width)):
            yield f"{INDENT}{pieces}[1::2] = {texts}"
        else:
            for number, field in enumerate(fields):
                yield f"{INDENT}{pieces}[{2 * number + 1}::{2 * len(fields)}] = {texts}[{field}::{width}]"
        yield f"{INDENT}{out} += {pieces}"
        tail = str(row[-1])
        if after is not None and tail.strip("\n"):
            yield f"{INDENT}{out}.append({text_literal(tail.rstrip(chr(10)) + after)})"
            yield f'{INDENT}return "".join({out})'
        elif tail:
            yield f"{INDENT}{out}.append({text_literal(tail)})"

    def _direct_for(self, name: str, slot: Slot, node: list[Any], out: str, depth: int) -> Iterator[str]:
        _, target, _, _, body, orelse, _ = node
        local, shown = self.names.local(target), self.names.fresh("row")
        self._rows[target] = shown
        if slot.fields:
            self.expressions.records.add(target)
            self.rows.add(name)
        inside = list(self._passes(body, out, depth))
        del self._rows[target]
        self.expressions.records.discard(target)
        rows = f"{'rows' if slot.fields else 'texts'}_of_{suffix_of(name)}"
        if any(local in line for line in inside):
            head = f"for {local}, {shown} in zip({self.names.value(name)}, {rows}, strict=True):"
        else:
            head = f"for {shown} in {rows}:"
        yield f"if {self.names.input(name)}:"
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
        kept = [(self.names.local(name), self.names.fresh("outer")) for name in sorted(inner & self._outlive)]
        yield from (f"{outer} = {name}" for name, outer in kept)
        yield from self.body(body, out, depth + 1)
        yield from (f"{name} = {outer}" for name, outer in kept)


def _indented(lines: Iterator[str] | list[str]) -> list[str]:
    """Indent the lines of a block; an empty one says `pass`."""
    return [INDENT + line for line in lines] or [f"{INDENT}pass"]
