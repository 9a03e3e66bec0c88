"""Patches: read from their text, and applied to what files hold. Nothing here touches a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from texts import Line, RefusalError, Text

BEGIN, END, END_OF_FILE, MOVE = "*** Begin Patch", "*** End Patch", "*** End of File", "*** Move to: "
_HEADINGS = {"*** Add File: ": "add", "*** Update File: ": "update", "*** Delete File: ": "delete"}


class Hunk(NamedTuple):
    """Lines that stay (` `), go (`-`) and come (`+`); `heads` are the lines that stand somewhere above them."""

    heads: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    at_end: bool

    @property
    def old(self) -> list[str]:
        """The lines that the file must have."""
        return [text for sign, text in self.lines if sign != "+"]


class Change(NamedTuple):
    """What a patch does to one file: `add`, `update` or `delete`; `moved_to` is its new path, if it gets one."""

    kind: str
    path: str
    moved_to: str | None = None
    hunks: tuple[Hunk, ...] = ()
    added: tuple[str, ...] = ()


def read_patch(patch: str) -> list[Change]:
    """Return the changes of a patch.

    Raises:
        RefusalError: it is not of the form; the text says where.
    """
    lines = [line.removesuffix("\r") for line in patch.strip("\r\n").split("\n")]
    if lines[0].rstrip() != BEGIN or lines[-1].rstrip() != END or len(lines) < 2:
        raise RefusalError(f"a patch begins with `{BEGIN}` and ends with `{END}`")
    changes = []
    for heading, body in _sections(lines[1:-1]):
        kind, path = next(
            (kind, heading[len(mark) :].rstrip()) for mark, kind in _HEADINGS.items() if heading.startswith(mark)
        )
        changes.append(_change(kind, _checked(path), body))
    if not changes:
        raise RefusalError("the patch names no file")
    named = [path for change in changes for path in (change.path, change.moved_to) if path]
    if len(set(named)) != len(named):
        raise RefusalError("the patch names a file twice; put all changes of a file into one section")
    return changes


def applied(text: Text, hunks: tuple[Hunk, ...]) -> Text:
    """Return a text with the hunks in it, each behind the one before.

    Raises:
        RefusalError: a hunk fits nowhere, or in several places.
    """
    lines = list(text.lines)
    start = 0
    for number, hunk in enumerate(hunks, 1):
        try:
            place = _place([line.text for line in lines], hunk, start)
        except RefusalError as error:
            raise RefusalError(f"change {number}: {error}") from None
        count = len(hunk.old)
        made = _replaced(lines[place : place + count], hunk, lines[place - 1] if place else None, text.usual_ending)
        lines[place : place + count] = made
        start = place + len(made)
    return text._replace(lines=tuple(_with_endings(lines, text)))


def new_text(added: tuple[str, ...]) -> Text:
    """Return the text of a new file."""
    return Text(tuple(Line(line, "\n") for line in added), "utf-8", b"")


def _sections(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    heading = ""
    body: list[str] = []
    for line in lines:
        if line.startswith(tuple(_HEADINGS)):
            if heading:
                yield heading, body
            heading, body = line, []
        elif heading:
            body.append(line)
        elif line.strip():
            raise RefusalError(f"a section begins with one of {', '.join(f'`{mark.strip()}`' for mark in _HEADINGS)}")
    if heading:
        yield heading, body


def _checked(path: str) -> str:
    if not path or not path.isprintable() or path.startswith(("/", "~", '"')) or ".." in path.split("/"):
        raise RefusalError(f"{path!r} is no path below the workspace, written out")
    return path


def _change(kind: str, path: str, body: list[str]) -> Change:
    while body and not body[-1]:
        body = body[:-1]
    if kind == "delete":
        if body:
            raise RefusalError(f"{path}: nothing follows a `Delete File`")
        return Change(kind, path)
    if kind == "add":
        if any(not line.startswith("+") for line in body):
            raise RefusalError(f"{path}: every line of a new file begins with `+`")
        return Change(kind, path, added=tuple(line[1:] for line in body))
    moved_to = None
    if body and body[0].startswith(MOVE):
        moved_to, body = _checked(body[0][len(MOVE) :].rstrip()), body[1:]
    hunks = tuple(_hunks(path, body))
    if not hunks and moved_to is None:
        raise RefusalError(f"{path}: the section changes nothing")
    return Change(kind, path, moved_to, hunks)


def _hunks(path: str, body: list[str]) -> Iterator[Hunk]:
    heads: list[str] = []
    lines: list[tuple[str, str]] = []
    at_end = False
    for line in [*body, "@@"]:
        if line.startswith("@@"):
            if lines:
                yield _hunk(path, heads, lines, at_end)
                heads, lines, at_end = [], [], False
            if line[2:].strip():
                heads.append(line[2:].removeprefix(" "))
        elif line.rstrip() == END_OF_FILE:
            at_end = True
        elif at_end or line[:1] not in ("", " ", "+", "-"):
            raise RefusalError(
                f"{path}: a line of a change begins with a blank, `+` or `-`, this one does not: {line[:80]!r}"
            )
        else:
            lines.append((line[:1] or " ", line[1:]))
    if heads:
        raise RefusalError(f"{path}: nothing follows `@@ {heads[-1]}`")


def _hunk(path: str, heads: list[str], lines: list[tuple[str, str]], at_end: bool) -> Hunk:
    if all(sign == " " for sign, _ in lines):
        raise RefusalError(f"{path}: a change has no line with `+` or `-`")
    return Hunk(tuple(heads), tuple(lines), at_end)


def _place(texts: list[str], hunk: Hunk, start: int) -> int:
    """Return the number of the line at which a hunk begins."""
    for depth, head in enumerate(hunk.heads):
        found = [at for at in range(start, len(texts)) if texts[at].strip() == head.strip()]
        if not found:
            raise RefusalError(f"there is no line `{head.strip()}` for `@@`")
        if len(found) > 1 and not depth:
            raise RefusalError(f"the line `{head.strip()}` stands there {len(found)} times; put another `@@` above it")
        start = found[0] + 1
    old = hunk.old
    count = len(old)
    if not count:
        if hunk.at_end or not texts:
            return len(texts)
        if hunk.heads:
            return start
        raise RefusalError("it says nowhere where its lines go; add lines that stay, or `@@` and the line above")
    first = len(texts) - count if hunk.at_end else start
    places = [at for at in range(max(first, start), len(texts) - count + 1) if texts[at : at + count] == old]
    if not places:
        raise RefusalError("its lines do not stand in the file like that; read that part again")
    if len(places) > 1 and not hunk.heads:
        raise RefusalError(f"its lines stand in {len(places)} places; give more lines, or `@@` and the line above")
    return places[0]


def _replaced(old: list[Line], hunk: Hunk, before: Line | None, usual: str) -> list[Line]:
    """Return the lines that take the place of `old`; what comes ends as the lines around it do."""
    made: list[Line] = []
    at = 0
    for sign, text in hunk.lines:
        if sign == "+":
            near = old[at - 1] if at else old[0] if old else before
            made.append(Line(text, near.ending if near and near.ending else usual))
            continue
        if sign == " ":
            made.append(old[at])
        at += 1
    return made


def _with_endings(lines: list[Line], text: Text) -> Iterator[Line]:
    """Yield lines that all end, but for the last one of a file whose last line had no ending."""
    open_end = bool(text.lines) and not text.lines[-1].ending
    for number, line in enumerate(lines, 1):
        if number == len(lines) and open_end:
            yield line._replace(ending="")
        else:
            yield line if line.ending else line._replace(ending=text.usual_ending)
