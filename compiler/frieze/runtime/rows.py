"""Loops that only print the texts of their rows: all rows are printed at once, as the texts between fixed pieces."""

from __future__ import annotations

from typing import Any, NamedTuple


class Slot(NamedTuple):
    """Where an input stands among the values: its number, and for a list its fields. The texts of a list come next."""

    number: int
    is_list: bool = False
    fields: tuple[str, ...] = ()


def row_of(slot: Slot, target: str, body: list[Any]) -> list[str | int] | None:
    """Return what each pass of a loop over a list prints, in turns a text and the number of a field, and a text.

    None where a pass does anything else, or prints no field.
    """
    row: list[str | int] = [""]
    for node in body:
        piece = node if isinstance(node, str) else field_of(node, target, slot.fields)
        if piece is None:
            return None
        if isinstance(piece, int):
            row += [piece, ""]
        else:
            row[-1] = f"{row[-1]}{piece}"
    return row if slot.is_list and len(row) > 1 else None


def field_of(node: Any, target: str, fields: tuple[str, ...]) -> int | None:
    """Return the number of the text of a row that an output prints escaped; rows without fields are texts."""
    match node:
        case ["out", ["attr", ["local", name], str(field)], "escape"] if name == target and field in fields:
            return fields.index(field)
        case ["out", ["local", name], "escape"] if name == target and not fields:
            return 0
    return None
