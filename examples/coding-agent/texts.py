"""Text files as they are: encoding, line endings and the end of the last line are kept."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import stat
from collections import Counter
from pathlib import Path
from typing import NamedTuple

LARGEST = 10_000_000
"""Bytes of a file that is read at once."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LINE = re.compile(r"([^\n]*?)(\r?\n)|([^\n]+)")


class RefusalError(Exception):
    """Something is not done; the text says why, for the model."""


class Line(NamedTuple):
    """A line, and how it ends: with a line feed, a carriage return and a line feed, or not at all."""

    text: str
    ending: str


class Text(NamedTuple):
    """What a file holds, and how it is written."""

    lines: tuple[Line, ...]
    encoding: str
    mark: bytes

    @property
    def usual_ending(self) -> str:
        """The ending that most lines have."""
        counted = Counter(line.ending for line in self.lines if line.ending)
        return counted.most_common(1)[0][0] if counted else "\n"

    def encoded(self) -> bytes:
        """Return the bytes of the file.

        Raises:
            RefusalError: the file's encoding does not have a character.
        """
        try:
            return self.mark + "".join(line.text + line.ending for line in self.lines).encode(self.encoding)
        except UnicodeEncodeError as error:
            found = error.object[error.start : error.start + 1]
            raise RefusalError(f"the file is {self.encoding}, which has no {found!a}") from None


def text_of(data: bytes) -> Text | None:
    """Return what bytes say as a text; None where they are none.

    What is neither UTF-8 nor marked is read as Latin-1, in which every byte is a character: whatever it is, the lines
    that nobody changes keep their bytes.
    """
    mark, encoding = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", "utf-8"))
    try:
        decoded = data[len(mark) :].decode(encoding)
    except UnicodeDecodeError:
        mark, encoding = b"", "latin-1"
        decoded = data.decode(encoding)
    if "\0" in decoded:
        return None
    return Text(tuple(lines_of(decoded)), encoding, mark)


def lines_of(text: str) -> list[Line]:
    """Return the lines of a text. Only a line feed ends one."""
    return [Line(hit[1] or hit[3] or "", hit[2] or "") for hit in _LINE.finditer(text)]


def digest_of(data: bytes) -> str:
    """Return what two equal files have in common."""
    return hashlib.sha256(data).hexdigest()


def read_bytes(path: Path) -> tuple[bytes, int]:
    """Return what a regular file holds, and its mode.

    Raises:
        RefusalError: there is no such file, or it is a folder, a pipe or a device, or too large.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise RefusalError(error.strerror or "it cannot be opened") from None
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(file.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise RefusalError("it is no regular file")
        if facts.st_size > LARGEST:
            raise RefusalError(f"it is larger than {LARGEST:,} bytes")
        return file.read(LARGEST), stat.S_IMODE(facts.st_mode)
