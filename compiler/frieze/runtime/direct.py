"""The quick way through a prompt: compiled functions, for requests whose texts are clean as they come.

The way is left, for the readers and the interpreter, as soon as anything is not ordinary; then those say what is wrong.
Nothing here decides what a prompt says: both ways give the same texts and the same notes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from .clean import LINE_CAP
from .context import is_ordinary, sections_of, shape_of
from .errors import RenderError
from .frames import FAILURES
from .joined import UNMARKED, Marked, escaped_texts, joined_if_clean
from .missing import ABSENT
from .notes import Note

if TYPE_CHECKING:
    from .context import Contract, Shape
    from .types import Options
    from .variants import Variant

Values: TypeAlias = Sequence[Any]
Read: TypeAlias = Callable[[Any, list[str]], Values]
Write: TypeAlias = Callable[[Values, Values, Mapping[str, Any]], str]
Found: TypeAlias = "tuple[list[str], tuple[Direct, Any] | None]"
"""The texts of the blocks, and the values where lists are among them, in which only notes speak of some signs."""

__all__ = [
    "ABSENT",
    "EMPTY",
    "Code",
    "Compiled",
    "Direct",
    "Odd",
    "direct_way",
    "framed_text",
    "nothing",
    "only_text",
    "section",
]

EMPTY: dict[str, Any] = {}


class Code(NamedTuple):
    """The functions of one frozen block.

    Attributes:
        write: from the values, the values as they are printed, and those that have readers, to the block's whole text,
            empty where it is out.
        read: takes the context, adds the texts of lines and then those of lists to a list, and returns the values:
            lines, then lists, each followed by its texts, row by row; None where a block has only inputs with readers.
        names: the inputs that `read` reads, in order.
        lists: for those that are lists, the fields of their records, none for a list of lines.
        sections: the sections of the contract whose keys `read` has checked.
    """

    write: Write
    read: Read | None = None
    names: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    sections: tuple[str, ...] = ()

    @property
    def lines(self) -> int:
        """How many of the inputs are lines."""
        return len(self.names) - len(self.lists)


class Compiled(Protocol):
    """The generated modules of a package."""

    def block(self, file: str, residual: str) -> Code | None:
        """Return the functions of a residual in a file of the bundle; None where there are none."""


class Odd(Exception):  # noqa: N818 - it is an answer, not an error
    """A value is not ordinary; the reader of its input says why."""


def nothing(value: Any) -> None:
    """Pass what stands for no value in a line.

    Raises:
        Odd: it is something else that is false.
    """
    if value is not None and (value.__class__ is not str or value):
        raise Odd


def section(value: Any) -> dict[str, Any]:
    """Return an empty section for null.

    Raises:
        Odd: it is anything else.
    """
    if value is not None:
        raise Odd
    return EMPTY


def only_text(values: list[Any]) -> None:
    """Pass a list of plain text.

    Raises:
        Odd: something else is in it.
    """
    if values and {*map(type, values)} != {str}:
        raise Odd


def framed_text(body: str, before: str, after: str) -> str:
    """Put a body between two texts, without its outer line breaks; nothing where it is blank."""
    body = body.strip("\n")
    return f"{before}{body}{after}" if body and not body.isspace() else ""


class Direct:
    """The quick way of one prompt.

    `read` gives the texts of the dynamic blocks, or None where a request is not ordinary; `late` gives the notes of
    texts in lists, which nobody waits for.
    """

    __slots__ = ("_blocks", "_contract", "_lists", "_specs", "_texts_of", "read")

    def __init__(self, blocks: Sequence[Variant], specs: Mapping[str, Options], contract: Contract) -> None:
        self._blocks = blocks
        self._specs = specs
        self._contract = contract
        self._lists = [
            (key, fields)
            for block in blocks
            if block.code is not None
            for key, fields in zip(_keys(block)[block.code.lines :], block.code.lists, strict=True)
        ]
        self._texts_of = _lister([block.code or Code(_interpreted(block)) for block in blocks])
        self.read = self._way()

    def late(self, values: Any) -> tuple[Note, ...]:
        """Return the notes of the texts of lists, as the readers of these inputs give them."""
        from .signs import all_unremarkable

        texts = self._texts_of(values)
        if all_unremarkable([text for each in texts for text in each]):
            return ()
        from .inputs import input_reader

        context: dict[str, Any] = {}
        for (key, fields), found in zip(self._lists, texts, strict=True):
            (source,) = self._specs[key]["sources"]
            *sections, name = source["path"].split(".")
            here = context
            for above in sections:
                here = here.setdefault(above, {})
            here[name] = _rows(found, fields)
        notes: list[Note] = []
        asked = {key for key, _ in self._lists}
        for key, spec in self._specs.items():
            if key in asked:
                input_reader(spec, self._contract)(context, datetime.now(UTC), notes)
        return tuple(notes)

    def _way(self) -> Callable[[Any, datetime | None, list[Note]], Found | None]:
        codes = [block.code or Code(_interpreted(block)) for block in self._blocks]
        code = codes[0] if len(codes) == 1 else _together(codes)
        read, write, shown_of = code.read or _no_values, code.write, _shower(codes)
        shape = shape_of(self._contract)
        checked = _checked(codes, shape)
        has_lists = bool(self._lists)
        others = self._others(codes)
        one = len(codes) == 1

        def way(context: Any, now: datetime | None, notes: list[Note]) -> Found | None:
            texts: list[str] = []
            if context is None:
                context = EMPTY
            try:
                if not (context.__class__ is dict and checked.issuperset(context)) and not is_ordinary(context, shape):
                    return None
                if now is not None and now.__class__ is not datetime:
                    return None
                values = read(context, texts)
                marked = joined_if_clean(texts, LINE_CAP)
                if marked is None:
                    return None
                shown = values if marked is UNMARKED else shown_of(values, marked)
            except Exception:  # noqa: BLE001 - objects of the caller may raise anything; the readers know what to say
                return None
            late = (self, values) if has_lists else None
            given: Any = EMPTY
            if others is not None:
                before = len(notes)
                found = others(context, now, notes)
                if found is None:
                    return None
                given = found[0] if one else found
                if has_lists and len(notes) > before:
                    if self.late(values):
                        return None
                    late = None
            try:
                written: Any = write(values, shown, given)
            except (RenderError, *FAILURES):
                return None
            return [written] if one else written, late

        return way

    def _others(self, codes: Sequence[Code]) -> Callable[[Any, datetime | None, list[Note]], list[Any] | None] | None:
        """Return the function that reads the inputs that need their readers; None where there are none.

        It gives the values of each block by name, or None where a required one is missing.
        """
        wanted = [
            [(name, key) for name, key in block.inputs if name not in code.names]
            for block, code in zip(self._blocks, codes, strict=True)
        ]
        keys = dict.fromkeys(key for each in wanted for _, key in each)
        if not keys:
            return None
        from .inputs import input_reader

        readers = {key: input_reader(self._specs[key], self._contract) for key in self._specs if key in keys}
        required = frozenset(key for key in keys if self._specs[key].get("required"))

        def read(context: Any, now: datetime | None, notes: list[Note]) -> list[Any] | None:
            moment = datetime.now(UTC) if now is None else now
            values = {key: reader(context, moment, notes) for key, reader in readers.items()}
            if any(values[key] is ABSENT for key in required):
                return None
            return [{name: values[key] for name, key in each if values[key] is not ABSENT} for each in wanted]

        return read


def direct_way(blocks: Sequence[Variant], specs: Mapping[str, Options], contract: Contract) -> Direct | None:
    """Return the quick way through a prompt, or None where nothing in it has compiled functions.

    Args:
        blocks: the blocks whose text depends on the request.
        specs: key -> specification of their inputs.
        contract: context path -> its row of the context contract.
    """
    return Direct(blocks, specs, contract) if any(block.code is not None for block in blocks) else None


def _keys(block: Variant) -> list[str]:
    """Return the keys of the inputs that a block's code reads, in order."""
    keys = dict(block.inputs)
    return [keys[name] for name in (block.code.names if block.code is not None else ())]


def _no_values(*_: Any) -> Values:
    return ()


def _interpreted(block: Variant) -> Write:
    return lambda _values, _shown, others: block.text(others)


def _checked(codes: Sequence[Code], shape: Shape) -> frozenset[str]:
    """Return the names at the top of a context below which the functions check all keys."""
    left = {path for path, _ in sections_of(shape)} - {path for code in codes for path in code.sections}
    return frozenset(shape) - {path.split(".")[0] for path in left}


def _together(codes: Sequence[Code]) -> Code:
    """Return the functions of several blocks as one: its values are the values of each, its text is a list of texts."""
    writes = [code.write for code in codes]
    reads = [code.read or _no_values for code in codes]

    def read(context: Any, texts: list[str]) -> Any:
        return [each(context, texts) for each in reads]

    def write(values: Any, shown: Any, given: Any) -> Any:
        each_given = given or [EMPTY] * len(writes)
        return [write(*each) for write, *each in zip(writes, values, shown, each_given, strict=True)]

    return Code(write, read)


def _lister(codes: Sequence[Code]) -> Callable[[Any], list[list[str]]]:
    """Return the function from the values of a prompt's blocks to the texts of their lists."""
    places = [
        (number, code.lines + 2 * position + 1)
        for number, code in enumerate(codes)
        for position in range(len(code.lists))
    ]
    if len(codes) == 1:
        return lambda values: [values[place] for _, place in places]
    return lambda values: [values[number][place] for number, place in places]


def _shower(codes: Sequence[Code]) -> Callable[[Any, Marked], Any]:
    """Return the function from the values of each block, and the texts that are to be escaped, to what is printed."""

    def shown(values: Any, marked: Marked) -> Any:
        texts = iter(escaped_texts(marked[0]))
        return [_filled(code, found, texts) for code, found in zip(codes, values, strict=True)]

    if len(codes) > 1:
        return shown
    total = codes[0].lines

    def shown_alone(values: Values, marked: Marked) -> Values:
        number = marked[1]
        if 0 <= number < total:
            text = values[number]
            # Where a value is missing in front of it, another one has its number.
            if text.__class__ is str and "<" in text:
                printed = [*values]
                printed[number] = text.replace("<", "&lt;")
                return printed
        found: Values = shown([values], marked)[0]
        return found

    return shown_alone


def _filled(code: Code, values: Values, texts: Iterator[str]) -> Values:
    """Return values with texts in the places of the lines that are there and of the members of lists."""
    count = code.lines
    lines = [value if value is ABSENT else next(texts) for value in values[:count]]
    return _with_members(code, (*lines, *values[count:]), texts)


def _with_members(code: Code, values: Values, texts: Iterator[str]) -> Values:
    shown = list(values)
    for number, fields in enumerate(code.lists):
        place = code.lines + 2 * number
        own = list(islice(texts, len(values[place + 1])))
        shown[place : place + 2] = [_rows(own, fields), own]
    return tuple(shown)


def _rows(texts: list[str], fields: tuple[str, ...]) -> list[Any]:
    """Return the members of a list from its texts."""
    width = len(fields)
    if not width:
        return texts
    return [dict(zip(fields, texts[at : at + width], strict=True)) for at in range(0, len(texts), width)]
