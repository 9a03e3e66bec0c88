"""The way of one file: bytes, characters, events, tree.

The C parser reads where it is installed and where both parsers are known to agree; a file in which it finds
a fault is read again by the pure one, which has the last word. So both give the same data and the same faults.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from frieze.diagnostics import Diagnostic, Severity, Span
from frieze.sources.characters import REPORTED, decode
from frieze.sources.document import Document, SourceText
from frieze.sources.faults import parser_fault
from frieze.sources.files import read_bytes
from frieze.sources.places import first_line, span_between
from frieze.sources.sections import Sections, read_sections, section_entries
from frieze.sources.tree import Builder, Entry, Stop, UnquotedTemplate

_QUOTED = 60
_ROUNDS = 20
"""Unquoted templates reported in one file before reading stops; each one costs another reading."""
_READ_AGAIN = 1 << 18
"""Characters that may be read again for their sake."""

_HEAD = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n|%[^\n]*\n?)*")
_DIRECTIVE = re.compile(r"^%[^\n]*(?<=\S)", re.MULTILINE)
_DIRECTIVE_SIGN = re.compile(r"^%", re.MULTILINE)
_TEMPLATE = re.compile(r"\{(?:\{.*?\}\}|%.*?%\}|#.*?#\})", re.DOTALL)
_DISAGREEMENT = re.compile(r"\t|^%|^\.\.\.|[|>][-+0-9]*#|[|>][-+0-9]* *(?:#[^\n]*)?\n(?: *\n)*? +\n", re.MULTILINE)
"""Tabs, directives, document ends, a comment close behind `|`, a line of spaces as the first of a `|` text."""


_SIGNS = ("\t", "\n%", "\n...", " \n")
_COMMENTS = tuple(f"{sign}#" for sign in "|>-+0123456789")
"""Without one of these there is no such place behind the first line."""


def read_document(path: Path, display: str, *, pure: bool = False) -> tuple[Document | None, list[Diagnostic]]:
    """Read one YAML file. `display` is the path to report; there is no document where there is an error."""
    data, faults = read_bytes(path, Span(display))
    if data is None:
        return None, faults
    return parse_document(data, display, pure=pure)


def parse_document(
    data: bytes, display: str, *, pure: bool = False, known: Sections | None = None
) -> tuple[Document | None, list[Diagnostic]]:
    """Read YAML from bytes; see `read_document`. `pure` leaves the C parser out; the result is the same.

    `known` is what was read of other files: with it, lines that stand in several of them are read once.
    """
    text, faults = decode(data, Span(display))
    if text is None:
        return None, faults
    if known is not None and not (faults or pure or _may_disagree(text)):
        document = read_sections(display, text, _build_section, known)
        if document is not None:
            return document, []
    document, more = parse_text(text, display, pure=pure)
    faults += more
    if any(fault.severity is Severity.ERROR for fault in faults):
        return None, faults
    return document, faults


def entries_of(text: str, data: Any, whole: Callable[[], Entry]) -> Entry:
    """Return the positions of a sound file that was read before as `data`; `whole` reads all of it for them."""
    return whole() if _may_disagree(text) else section_entries(text, data, _build_section, whole)


def _beginning(written: str) -> str:
    """Return the first line of what was written, as much as a sentence can quote."""
    line = written.split("\n", 1)[0].rstrip()
    short = line if len(line) <= _QUOTED else line[:_QUOTED].rstrip()
    return short if short == written else f"{short} …"


def parse_text(text: str, display: str, *, pure: bool = False) -> tuple[Document | None, list[Diagnostic]]:
    """Read YAML from text with LF line ends whose characters have been checked."""
    faults: list[Diagnostic] = []
    readable, directives = _without_directives(text, display)
    faults += directives
    builder, ended = _build(readable, display, pure)
    for _ in range(min(_ROUNDS, 1 + _READ_AGAIN // (len(text) + 1))):
        if not isinstance(ended, UnquotedTemplate):
            break
        start, stop, end = _template_extent(readable, ended)
        faults.append(
            Diagnostic.of("F119", span_between(display, text, start, stop), written=_beginning(text[start:stop]))
        )
        filler = re.sub(r"\S", "x", readable[start:end])
        readable = readable[:start] + filler + readable[end:]
        builder, ended = _build(readable, display, pure)
    if isinstance(ended, Diagnostic) and ended.code == "F149":
        faults = [fault for fault in faults if fault.span < ended.span]
    faults += builder.faults
    if isinstance(ended, Diagnostic) and not builder.has_errors(ended.span.line):
        faults.append(ended)
    if ended is None:
        faults += _root_faults(builder)
    faults.sort(key=lambda fault: fault.span[1:3])
    if builder.root is None or any(fault.severity is Severity.ERROR for fault in faults):
        return None, faults
    doubtful = tuple(span_between(display, text, entry.start, entry.end) for entry in builder.doubtful)
    root = builder.root
    return Document(display, text, builder.data, lambda: root, doubtful), faults


def read_text(path: Path, display: str, at: Span | None = None) -> tuple[SourceText | None, list[Diagnostic]]:
    """Read the file of a `{file: ...}` text. `at` is the place that names it, for faults of the file as a whole."""
    whole = at or Span(display)
    data, faults = read_bytes(path, whole)
    if data is None:
        return None, [fault if at is None else _naming(fault, display) for fault in faults]
    return source_text(data, display, at)


def source_text(data: bytes, display: str, at: Span | None = None) -> tuple[SourceText | None, list[Diagnostic]]:
    """Read the text of a file from its bytes; see `read_text`."""
    text, faults = decode(data, Span(display))
    if text is None or any(fault.severity is Severity.ERROR for fault in faults):
        return None, faults
    if not text.strip():
        return None, [*faults, Diagnostic.of("F138", at or Span(display), file=display)]
    written = data.decode("utf-8").removeprefix("\ufeff") if b"\r" in data else text
    return SourceText(display, text, written), faults


def _naming(fault: Diagnostic, display: str) -> Diagnostic:
    args = {**dict(fault.args), "file": display}
    return replace(fault, args=tuple(sorted(args.items())))


def _build(text: str, display: str, pure: bool) -> tuple[Builder, Diagnostic | UnquotedTemplate | Stop | None]:
    """Build the tree; the second result says how reading ended, `None` for well."""
    if not pure and not _may_disagree(text):
        builder, ended = _attempt(text, display, pure=False)
        if ended is None and not builder.has_errors():
            return builder, None
    return _attempt(text, display, pure=True)


def _build_section(text: str) -> Builder | None:
    """Build the tree of a section with the C parser, None where there is anything to say of it."""
    from ruamel.yaml.error import YAMLError

    builder = Builder("", text)
    try:
        with closing(_events(text, pure=False)) as events:
            builder.build(events)
    except (Stop, UnquotedTemplate, YAMLError, ValueError, OverflowError, RecursionError, AssertionError):
        return None
    return None if builder.faults else builder


def _may_disagree(text: str) -> bool:
    """Tell whether a file holds something that the two parsers are not known to read alike."""
    possible = (
        text[:1] in {"%", "."}
        or any(sign in text for sign in _SIGNS)
        or ("#" in text and any(sign in text for sign in _COMMENTS))
    )
    return possible and _DISAGREEMENT.search(text) is not None


def _attempt(text: str, display: str, *, pure: bool) -> tuple[Builder, Diagnostic | UnquotedTemplate | Stop | None]:
    from ruamel.yaml.error import YAMLError

    builder = Builder(display, text)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with closing(_events(text, pure=pure)) as events:
                builder.build(events)
        except (Stop, UnquotedTemplate) as ended:
            return builder, ended
        except (YAMLError, ValueError, OverflowError, RecursionError, AssertionError) as error:
            in_flow = len(builder.stack) > 1 and builder.stack[-2].flow
            fault = parser_fault(error, text, display, in_flow=in_flow, text_end=builder.text_end)
            return builder, fault
    return builder, None


def _events(text: str, *, pure: bool) -> Generator[Any, None, None]:
    """Return the parser's events. The C parser is asked by itself: what ruamel puts around it takes as long again."""
    from ruamel.yaml import YAML

    try:
        from _ruamel_yaml import CParser
    except ImportError:
        CParser = None  # noqa: N806 - the class, or that there is none
    if pure or CParser is None:
        yield from YAML(typ="safe", pure=pure).parse(text)
        return
    parser = CParser(text)
    while parser.check_event():
        yield parser.get_event()


def _without_directives(text: str, display: str) -> tuple[str, list[Diagnostic]]:
    """Return the text with the `%` lines at its start turned into comments, and one fault for each of them."""
    head = _HEAD.match(text)
    end = head.end() if head else 0
    faults = [
        Diagnostic.of("F117", span_between(display, text, *hit.span()), directive=hit.group())
        for hit in islice(_DIRECTIVE.finditer(text, 0, end), REPORTED)
    ]
    return (_DIRECTIVE_SIGN.sub("#", text[:end]) + text[end:], faults) if faults else (text, [])


def _template_extent(text: str, found: UnquotedTemplate) -> tuple[int, int, int]:
    """Return where the template starts, where its first tag ends, and up to where the value is to be passed over."""
    start = found.index
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    tag = _TEMPLATE.match(text, start)
    stop = tag.end() if tag else start + len(text[start:line_end].rstrip())
    if found.alone:
        return start, stop, stop
    line_end = text.find("\n", stop)
    return start, stop, len(text) if line_end < 0 else line_end


def _root_faults(builder: Builder) -> list[Diagnostic]:
    root = builder.root
    if root is None or (builder.data is None and root.style == ""):
        is_project = builder.file.rpartition("/")[2] == "frieze.yaml"
        advice = "begin with `kind: project` and `name: ...`" if is_project else ""
        return [Diagnostic.of("F132", Span(builder.file), file=builder.file, advice=advice)]
    if isinstance(builder.data, dict):
        return []
    kind = "a list" if isinstance(builder.data, list) else "one plain value"
    advice = ""
    hit = re.match(r"[A-Za-z_-]+:(?=\S)", builder.text[root.start : root.end])
    if hit:
        advice = f"put a space after the colon: `{hit.group()} ...`"
    start, end = root.start, first_line(builder.text, root.start, max(root.end, root.start + 1))
    return [Diagnostic.of("F133", span_between(builder.file, builder.text, start, end), kind=kind, advice=advice)]
