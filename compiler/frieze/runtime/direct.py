"""The quick way through a prompt: compiled functions, for requests whose texts are clean as they come.

The way is left, for the readers and the interpreter, as soon as anything is not ordinary; then those say what is wrong.
Nothing here decides what a prompt says: both ways give the same texts and the same notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

from .context import is_ordinary, sections_of, shape_of
from .joined import Odd, escape_if_clean
from .missing import ABSENT
from .notes import Note
from .result import Result

if TYPE_CHECKING:
    from .context import Contract, Shape
    from .sending import Sending
    from .types import Options
    from .variants import Variant

Check: TypeAlias = Callable[[list[str]], bool]
Render: TypeAlias = Callable[[Any, Mapping[str, Any], list[list[str]], Check], str]

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
    "parted",
    "placed",
    "rows_of",
    "section",
]

EMPTY: dict[str, Any] = {}


class Code(NamedTuple):
    """The function of one frozen block, and what it reads.

    Attributes:
        render: from the context, the values of the inputs that have readers, a list that it adds the texts of each of
            its lists to, and a check, to the block's whole text, empty where it is out. All texts that it reads, lines
            before lists, it gives to the check at once, which escapes them in place and tells whether one changed.
        names: the inputs that it reads itself, in order.
        lists: for those that are lists, the fields of their records, none for a list of lines.
        sections: the sections of the contract whose keys it checks.
    """

    render: Render
    names: tuple[str, ...] = ()
    lists: tuple[tuple[str, ...], ...] = ()
    sections: tuple[str, ...] = ()


class Compiled(Protocol):
    """The generated modules of a package."""

    def block(self, file: str, residual: str) -> Code | None:
        """Return the function of a residual in a file of the bundle; None where there is none."""


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


def placed(values: Sequence[Any], texts: list[Any]) -> list[Any]:
    """Return texts in the places of the values that are there, and behind them all others."""
    others = iter(texts)
    return [*(value if value is ABSENT else next(others) for value in values), *others]


def parted(texts: Sequence[str], *lists: Sequence[str]) -> list[list[str]]:
    """Return texts as lists of the lengths of these."""
    others = iter(texts)
    return [list(islice(others, len(each))) for each in lists]


def rows_of(texts: list[str], fields: tuple[str, ...]) -> list[Any]:
    """Return the members of a list from its texts."""
    width = len(fields)
    if not width:
        return texts
    return [dict(zip(fields, texts[at : at + width], strict=True)) for at in range(0, len(texts), width)]


class Direct:
    """The quick way of one prompt.

    `read` gives a result, or None where a request is not ordinary; `late` gives the notes of texts in lists, which
    nobody waits for.
    """

    __slots__ = ("_blocks", "_contract", "_lists", "_specs", "read")

    def __init__(
        self, blocks: Sequence[Variant], specs: Mapping[str, Options], contract: Contract, sending: Sending
    ) -> None:
        self._blocks = blocks
        self._specs = specs
        self._contract = contract
        self._lists = [
            (key, fields)
            for block in blocks
            if block.code is not None and block.code.lists
            for key, fields in zip(_keys(block)[-len(block.code.lists) :], block.code.lists, strict=True)
        ]
        self.read = self._way(sending)

    def late(self, texts: Sequence[Sequence[str]]) -> tuple[Note, ...]:
        """Return the notes of the texts of lists, as the readers of these inputs give them."""
        from .signs import all_unremarkable

        if all_unremarkable([text for each in texts for text in each]):
            return ()
        from .inputs import input_reader

        # Two inputs may read other fields of one list, so each has a context of its own.
        contexts: dict[str, dict[str, Any]] = {}
        for (key, fields), found in zip(self._lists, texts, strict=True):
            (source,) = self._specs[key]["sources"]
            context: Any = rows_of([*found], fields)
            for name in reversed(source["path"].split(".")):
                context = {name: context}
            contexts[key] = context
        notes: list[Note] = []
        for key, spec in self._specs.items():
            if key in contexts:
                input_reader(spec, self._contract)(contexts[key], datetime.now(UTC), notes)
        return tuple(notes)

    def _way(self, sending: Sending) -> Callable[[Any, datetime | None, tuple[Note, ...]], Result | None]:
        codes = [block.code or Code(_interpreted(block)) for block in self._blocks]
        one = len(codes) == 1
        render: Callable[..., Any] = codes[0].render if one else _together(codes)
        shape = shape_of(self._contract)
        known = _checked(codes, shape)
        others = self._others(codes)
        nothing_else: Any = EMPTY if one else [EMPTY] * len(codes)

        def way(context: Any, now: datetime | None, notes: tuple[Note, ...]) -> Result | None:
            lists: list[list[str]] = []
            found: list[Note] = []
            try:
                if context.__class__ is not dict or not known.issuperset(context):
                    if context is None:
                        context = EMPTY
                    elif not is_ordinary(context, shape):
                        return None
                if now is not None and now.__class__ is not datetime:
                    return None
                given = others(context, now, found) if others is not None else nothing_else
                texts = render(context, given, lists, escape_if_clean)
                if found:
                    if lists and self.late(lists):
                        return None
                    return Result(sending, [texts] if one else texts, (*notes, *found))
            except Exception:  # noqa: BLE001 - whatever it is, the readers and the interpreter know what to say
                return None
            return Result(sending, [texts] if one else texts, notes, None, (self, lists) if lists else None)

        return way

    def _others(self, codes: Sequence[Code]) -> Callable[[Any, datetime | None, list[Note]], Any] | None:
        """Return the function that reads the inputs that need their readers; None where there are none.

        It gives the values of the one block by name, or those of each of several, and raises `Odd` where a required one
        is missing.
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

        def read(context: Any, now: datetime | None, notes: list[Note]) -> Any:
            moment = datetime.now(UTC) if now is None else now
            values = {key: reader(context, moment, notes) for key, reader in readers.items()}
            if any(values[key] is ABSENT for key in required):
                raise Odd
            given = [{name: values[key] for name, key in each if values[key] is not ABSENT} for each in wanted]
            return given[0] if len(given) == 1 else given

        return read


def direct_way(
    blocks: Sequence[Variant], specs: Mapping[str, Options], contract: Contract, sending: Sending
) -> Direct | None:
    """Return the quick way through a prompt, or None where nothing in it has compiled functions.

    Args:
        blocks: the blocks whose text depends on the request.
        specs: key -> specification of their inputs.
        contract: context path -> its row of the context contract.
        sending: what results are made of.
    """
    return Direct(blocks, specs, contract, sending) if any(block.code is not None for block in blocks) else None


def _keys(block: Variant) -> list[str]:
    """Return the keys of the inputs that a block's code reads, in order."""
    keys = dict(block.inputs)
    return [keys[name] for name in (block.code.names if block.code is not None else ())]


def _interpreted(block: Variant) -> Render:
    return lambda _context, others, _lists, _check: block.text(others)


def _checked(codes: Sequence[Code], shape: Shape) -> frozenset[str]:
    """Return the names at the top of a context below which the functions check all keys."""
    left = {path for path, _ in sections_of(shape)} - {path for code in codes for path in code.sections}
    return frozenset(shape) - {path.split(".")[0] for path in left}


class _Together:
    """The blocks of one request under one check: in its call of `check` each waits for the blocks behind it.

    So all have read before any prints, and what they read is looked at once.
    """

    __slots__ = ("_changed", "_check", "_context", "_given", "_lists", "_texts", "_waiting", "_written")

    def __init__(self, context: Any, given: Sequence[Any], lists: list[list[str]], check: Check, count: int) -> None:
        self._context = context
        self._given = given
        self._lists = lists
        self._check = check
        self._texts: list[str] = []
        self._changed = False
        self._written = [""] * count

    def rendered(self, reading: Sequence[tuple[int, Render]], others: Sequence[tuple[int, Render]]) -> list[str]:
        """Return the text of each block: of those that read, and of those that leave it to the readers."""
        self._waiting = iter(reading)
        self._next()
        for number, render in others:
            self._written[number] = render(self._context, self._given[number], self._lists, self._check)
        return self._written

    def check(self, own: list[str]) -> bool:
        """Check the texts of a block together with those of all others."""
        begin = len(self._texts)
        self._texts += own
        if not self._next():
            self._changed = self._check(self._texts)
        if not self._changed:
            return False
        escaped = self._texts[begin : begin + len(own)]
        changed = escaped != own
        own[:] = escaped
        return changed

    def _next(self) -> bool:
        """Render the next block, and with it those behind it; tell whether there is one."""
        for number, render in self._waiting:
            self._written[number] = render(self._context, self._given[number], self._lists, self.check)
            return True
        return False


def _together(codes: Sequence[Code]) -> Callable[[Any, Sequence[Any], list[list[str]], Check], list[str]]:
    """Return the functions of several blocks as one, from the values of each to the text of each."""
    reading = [(number, code.render) for number, code in enumerate(codes) if code.names]
    others = [(number, code.render) for number, code in enumerate(codes) if not code.names]

    def render(context: Any, given: Sequence[Any], lists: list[list[str]], check: Check) -> list[str]:
        return _Together(context, given, lists, check, len(codes)).rendered(reading, others)

    return render
