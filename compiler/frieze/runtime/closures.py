"""The function of a frozen block as closures, for bundles that are opened: what generated modules are for packages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from .clean import LINE_CAP
from .context import Contract, sections_of, shape_of
from .direct import EMPTY, Check, Code, Odd, nothing, only_text, placed, rows_of, section
from .expressions import Expressions
from .frames import Names
from .interpreter import Bodies
from .missing import ABSENT
from .ordinary import Direct, Looks, direct_inputs, slots_of
from .printing import Shown

Place: TypeAlias = tuple[int, str]
"""The number of a section, and a key in it."""

Read: TypeAlias = Callable[[Any, list[list[str]]], tuple[list[Any], list[str]]]
"""From a context to the values, each list followed by its texts, and to all texts; it adds those of lists to a list."""


def direct_code(
    content: Mapping[str, Any], contract: Contract, facts: Mapping[str, Any], framed: Callable[[str], str]
) -> Code | None:
    """Return the function of a residual; None where only readers understand its inputs.

    Args:
        content: the residual, which is not damaged.
        contract: context path -> its row of the context contract.
        facts: what the manifest says of the block.
        framed: puts a body under its heading or between its tags.
    """
    direct = direct_inputs(content, Looks(contract))
    if not direct:
        return None
    slots = slots_of(direct)
    lists = tuple(each.fields for each in direct.values() if each.is_list)
    lines = len(direct) - len(lists)
    width = len(direct) + len(lists)
    names = Names(strict=False, places={name: slot.number for name, slot in slots.items()}, first=2 * width)
    expressions = Expressions(names)
    run = Bodies(Shown(expressions, slots, width)).body(content["body"])
    when = None if content.get("when") is None else expressions.compile(content["when"])
    frame = names.direct_framer()
    read, sections = _reader(direct, contract)

    def render(context: Any, others: Mapping[str, Any], found: list[list[str]], check: Check) -> str:
        values, texts = read(context, found)
        shown = _shown(values, texts, lines, lists) if check(texts) else values
        places = frame(values, shown, others)
        if when is not None and not when(places):
            return ""
        out: list[str] = []
        run(places, out)
        return framed("".join(out) if facts.get("verbatim") else _stripped(out))

    return Code(render, tuple(direct), lists, sections)


def _shown(values: list[Any], texts: list[str], lines: int, lists: tuple[tuple[str, ...], ...]) -> list[Any]:
    """Return values with these texts in their places."""
    at = len(texts) - sum(map(len, values[lines + 1 :: 2]))
    shown = [*(texts[:at] if at == lines else placed(values[:lines], texts[:at])), *values[lines:]]
    for number, fields in enumerate(lists):
        place = lines + 2 * number
        before = values[place + 1]
        own = texts[at : at + len(before)]
        at += len(before)
        if own != before:
            shown[place : place + 2] = [rows_of(own, fields), own]
    return shown


def _stripped(out: list[str]) -> str:
    """Join texts without line breaks at their ends, which are taken off the outer texts: a whole prompt is longer."""
    if len(out) > 1:
        first, last = out[0].lstrip("\n"), out[-1].rstrip("\n")
        if first and last:
            out[0], out[-1] = first, last
            return "".join(out)
    return "".join(out).strip("\n")


class _Line(NamedTuple):
    """What is beyond the first source of a line."""

    later: tuple[Place, ...]
    required: bool
    default: str
    cap: int
    meaningless: frozenset[str]

    @property
    def is_limited(self) -> bool:
        """Whether there is more to check than that it is clean."""
        return self.cap < LINE_CAP or bool(self.meaningless)

    def found(self, nodes: Sequence[Mapping[str, Any]], value: Any) -> Any:
        """Return what counts where the first source gives nothing.

        Raises:
            Odd: a value is not ordinary, or a required one is missing.
        """
        nothing(value)
        for at, key in self.later:
            value = nodes[at].get(key)
            if value:
                return value
            nothing(value)
        if self.default:
            return self.default
        if self.required:
            raise Odd
        return ABSENT

    def check(self, value: Any) -> None:
        """Pass a value within the limits of this input.

        Raises:
            Odd: it is not.
        """
        if value is not ABSENT and (len(value) > self.cap or value.casefold() in self.meaningless):
            raise Odd


def _reader(direct: Mapping[str, Direct], contract: Contract) -> tuple[Read, tuple[str, ...]]:
    """Return the function that reads inputs from a context, and the sections whose keys it checks."""
    keys = dict(sections_of(shape_of(contract)))
    numbers: dict[tuple[str, ...], int] = {(): 0}
    steps: list[tuple[int, str, frozenset[str] | None]] = []
    checked: list[str] = []

    def place(path: tuple[str, ...]) -> Place:
        for depth in range(1, len(path)):
            above, name = path[:depth], path[depth - 1]
            if above not in numbers:
                known = keys.get(".".join(above))
                steps.append((numbers[above[:-1]], name, known))
                numbers[above] = len(numbers)
                checked.extend([".".join(above)] if known is not None else [])
        return numbers[path[:-1]], path[-1]

    firsts: list[Place] = []
    lines: list[_Line] = []
    rows_at: list[tuple[Place, Direct]] = []
    for each in direct.values():
        first, *later = map(place, each.paths)
        if each.is_list:
            rows_at.append((first, each))
        else:
            firsts.append(first)
            lines.append(_Line(tuple(later), each.required, each.default, each.caps[0], frozenset(each.meaningless)))
    limited = [(number, line) for number, line in enumerate(lines) if line.is_limited]
    texts_of = [(at, key, _lister(each)) for (at, key), each in rows_at]

    def read(context: Any, lists: list[list[str]]) -> tuple[list[Any], list[str]]:
        nodes = [context]
        for above, name, known in steps:
            node = nodes[above].get(name, EMPTY)
            if node.__class__ is not dict or (known is not None and not known.issuperset(node)):
                node = section(node)
            nodes.append(node)
        values: list[Any] = [nodes[at].get(key) for at, key in firsts]
        given = values
        if not all(values):
            values = [value or line.found(nodes, value) for value, line in zip(values, lines, strict=True)]
            given = [value for value in values if value is not ABSENT]
        only_text(given)
        for number, line in limited:
            line.check(values[number])
        texts = [*given]
        for at, key, texts_in in texts_of:
            rows = nodes[at].get(key)
            found = texts_in(rows)
            values += (ABSENT if rows is None else rows, found)
            lists.append(found)
            texts += found
        return values, texts

    return read, tuple(checked)


def _lister(direct: Direct) -> Callable[[Any], list[str]]:
    """Return the function from a list of a context to its texts, row by row."""
    most, required = direct.most, direct.required
    limits = [(slice(number, None, len(direct.caps)), cap) for number, cap in enumerate(direct.caps) if cap < LINE_CAP]
    get = itemgetter(*direct.fields) if direct.fields else None
    is_single = len(direct.fields) == 1

    def texts_in(rows: Any) -> list[str]:
        if rows is None and not required:
            return []
        if rows.__class__ is not list or len(rows) > most:
            raise Odd
        texts: list[str] = []
        if get is None:
            texts += rows
        else:
            for row in rows:
                if row.__class__ is not dict:
                    raise Odd
                texts += (get(row),) if is_single else get(row)
        only_text(texts)
        for own, cap in limits:
            if texts and max(map(len, texts[own])) > cap:
                raise Odd
        return texts

    return texts_in
