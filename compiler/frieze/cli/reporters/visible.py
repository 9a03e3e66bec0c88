"""Text as a terminal may show it: what cannot be seen, or would move the cursor or the reading order, is spelt out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

TAB_STOP = 4

_JOINERS = "\u200c\u200d"
_HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
_HIDDEN_LETTERS = frozenset("\u00a0\u034f\u115f\u1160\u17b4\u17b5\u202f\u3164\uffa0")


def visible(text: str, *, keep: str = "") -> str:
    """Return `text` with every hidden code point as `<U+XXXX>`; those in `keep` (such as a line feed) stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character if character in keep else shown for character, shown in zip(text, pieces(text), strict=True)
    )


def pieces(text: str) -> list[str]:
    """Return what to show for each code point of `text`, in order."""
    return [
        f"<U+{ord(character):04X}>" if _is_hidden(text, index) else character for index, character in enumerate(text)
    ]


def cells(shown: Sequence[str]) -> list[int]:
    """Return the number of terminal columns that each piece takes."""
    from rich.cells import cell_len

    return [len(piece) if piece.isascii() else cell_len(piece) for piece in shown]


def expand_tabs(line: str) -> list[str]:
    """Return the pieces of one source line, each tab as the blanks up to the next tab stop."""
    shown = pieces(line)
    if "\t" not in line:
        return shown
    column = 0
    for index, character in enumerate(line):
        if character == "\t":
            shown[index] = " " * (TAB_STOP - column % TAB_STOP)
        column += cells([shown[index]])[0]
    return shown


def _is_hidden(text: str, index: int) -> bool:
    character = text[index]
    if character.isascii():
        return not character.isprintable()
    if character in _JOINERS:
        return not _joins(text, index)
    if 0xE0100 <= ord(character) <= 0xE01EF or character in _HIDDEN_LETTERS:
        return True
    return unicodedata.category(character) in _HIDDEN_CATEGORIES


def _joins(text: str, index: int) -> bool:
    """Tell whether a joiner stands where scripts and emoji need it: between two code points outside ASCII."""
    around = text[index - 1 : index] + text[index + 1 : index + 2]
    return len(around) == 2 and not any(neighbour.isascii() or neighbour in _JOINERS for neighbour in around)
