"""The quick way through a prompt: generated functions, for requests whose texts are clean as they come.

The way is left, for the readers and the interpreter, as soon as anything is not ordinary; then those say what is wrong.
Nothing here decides what a prompt says: both ways give the same texts and the same notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from .errors import RenderError
from .frames import FAILURES
from .inputs import input_reader
from .joined import escaped_value, joined_if_clean, printed
from .missing import ABSENT
from .notes import Note

if TYPE_CHECKING:
    from .context import Contract
    from .types import Options
    from .variants import Variant

Values: TypeAlias = "dict[str, Any]"
Read: TypeAlias = Callable[[Any, Values, list[str], list[str]], None]
"""Takes the context; adds the values that it finds, and their texts to those of lines and of members of lists."""

Texts: TypeAlias = "Callable[[Any, datetime | None, list[Note]], list[str] | None]"

EMPTY: Mapping[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Code:
    """The generated functions of one frozen block.

    Attributes:
        render: from the values, and the values as they are printed, to the block's whole text, empty where it is out.
        read: reads those inputs that are lines or lists of them; None where the block has no such inputs.
        widths: these inputs: name -> 0 for a line, how many texts stand in each member of a list.
        cap: the smallest of their caps, in code points.
    """

    render: Callable[[Mapping[str, Any], Mapping[str, Any]], str]
    read: Read | None
    widths: Mapping[str, int]
    cap: int


class Compiled(Protocol):
    """The generated modules of a package."""

    def ordinary(self, context: Any) -> bool:
        """Tell whether a context has the shape of the contract, in plain dictionaries, and no other keys."""

    def block(self, file: str, residual: str) -> Code | None:
        """Return the functions of a residual in a file of the bundle; None where there are none."""


class Odd(Exception):  # noqa: N818 - it is an answer, not an error
    """A value is not ordinary; the reader of its input says why."""


def nothing(value: Any) -> None:
    """Pass what stands for no value in a line.

    Raises:
        Odd: it is something else that is false.
    """
    if value is not None and value != "":
        raise Odd


def direct_way(
    compiled: Compiled | None, blocks: Sequence[Variant], specs: Mapping[str, Options], contract: Contract
) -> Texts | None:
    """Return the function that gives the texts of blocks, or None where a prompt has to go the other way.

    Args:
        compiled: the generated modules.
        blocks: the blocks whose text depends on the request.
        specs: key -> specification of their inputs.
        contract: context path -> its row of the context contract.

    What it returns gives None where a request is not ordinary; its notes are then of no account.
    """
    codes = [block.code for block in blocks if block.code is not None]
    if compiled is None or not codes:
        return None
    widths = {name: width for code in codes for name, width in code.widths.items()}
    keys: dict[str, str] = {}
    others: dict[str, Callable[..., Any]] = {}
    renders = []
    named = []
    for block in blocks:
        own = frozenset(block.code.widths if block.code is not None else ())
        aliases = {}
        for name, key in block.inputs:
            if name in own:
                if keys.setdefault(name, key) != key:
                    return None
            elif name in widths or keys.setdefault(name, key) != key:
                aliases[name] = key
            slot = aliases.get(name, name)
            if name not in own and slot not in others:
                others[slot] = input_reader(specs[key], contract)
        renders.append(_render(block, aliases))
        named.append((block, aliases))
    slots = {**keys, **{slot: slot for slot in others if slot not in keys}}
    required = frozenset(slot for slot, key in slots.items() if specs[key].get("required"))
    read = _reader(codes, others, compiled.ordinary)

    def texts(context: Any, now: datetime | None, notes: list[Note]) -> list[str] | None:
        found = read(EMPTY if context is None else context, now, notes)
        if found is None:
            return None
        values, shown = found
        if not required <= values.keys():
            return None
        try:
            return [render(values, shown) for render in renders]
        except (RenderError, *FAILURES):
            return [block.text(_aliased(values, aliases)) for block, aliases in named]

    return texts


def _render(block: Variant, aliases: Mapping[str, str]) -> Callable[[Mapping[str, Any], Mapping[str, Any]], str]:
    """Return the function of a block's text; `aliases` are names that mean another input in another block."""
    generated = block.code.render if block.code is not None else lambda values, _: block.text(values)
    if not aliases:
        return generated

    def render(values: Mapping[str, Any], shown: Mapping[str, Any]) -> str:
        return generated(_aliased(values, aliases), shown)

    return render


def _aliased(values: Mapping[str, Any], aliases: Mapping[str, str]) -> dict[str, Any]:
    own = {name: value for name, value in values.items() if name not in aliases}
    return own | {name: values[key] for name, key in aliases.items() if key in values}


def _reader(
    codes: Sequence[Code],
    others: Mapping[str, Callable[..., Any]],
    ordinary: Callable[[Any], bool],
) -> Callable[[Any, datetime | None, list[Note]], tuple[Values, Mapping[str, Any]] | None]:
    """Return the function that reads a request for generated blocks.

    Args:
        codes: the functions of the prompt's blocks.
        others: the readers of the inputs that no code reads, by name.
        ordinary: see `Compiled`.

    It gives the values that are there and the same as they are printed, or None where something is not ordinary.
    """
    reads, widths, ordered = _reads(codes)
    cap = min((code.cap for code in codes if code.read is not None), default=0)

    def read_all(context: Any, now: datetime | None, notes: list[Note]) -> tuple[Values, Mapping[str, Any]] | None:
        values: Values = {}
        lines: list[str] = []
        members: list[str] = []
        try:
            if not ordinary(context) or not (now is None or type(now) is datetime):
                return None
            for read in reads:
                read(context, values, lines, members)
            found = joined_if_clean(lines, members, cap)
        except Exception:  # noqa: BLE001 - objects of the caller may raise anything; the readers know what to say
            return None
        if found is None or (members and {*map(type, members)} != {str}):
            return None
        shown: Mapping[str, Any] = values
        if found[1]:
            shown = printed(values, widths, found[0]) if ordered else escaped_value(values)
        if others:
            moment = datetime.now(UTC) if now is None else now
            for name, reader in others.items():
                value = reader(context, moment, notes)
                if value is not ABSENT:
                    values[name] = value
        return values, shown

    return read_all


def _reads(codes: Sequence[Code]) -> tuple[list[Read], dict[str, int], bool]:
    """Return what has to be called to read everything once, and whether the texts come in the order of the values."""
    reads: list[Read] = []
    widths: dict[str, int] = {}
    ordered = True
    for code in codes:
        if code.read is not None and not code.widths.keys() <= widths.keys():
            ordered = ordered and widths.keys().isdisjoint(code.widths)
            reads.append(code.read)
            widths |= code.widths
    return reads, widths, ordered
