"""Parser events to plain data and a tree of positions, in one loop without recursion.

Faults that leave the structure readable (a key given twice, a tag, `017`) are collected; the others end
the loop. Data and positions are two trees of the same shape, so that a value costs no path tuple.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

from frieze.diagnostics import Diagnostic, Related, Severity, Span
from frieze.sources.characters import character_name, code_point, forbidden_in_value
from frieze.sources.places import first_line, span_between
from frieze.sources.scalars import DOUBTFUL, VARIANTS, MisspeltError, comment_behind, folded_item, resolve

NESTING_LIMIT = 64
NODE_LIMIT = 20_000
"""Keys and values of one file, counted anew each time that an alias repeats them."""

Children: TypeAlias = "Mapping[str, Entry] | list[Entry] | None"


class Entry(NamedTuple):
    """Where one value stands: offsets into the text, and the entries below it.

    `style` is "" plain, `'`, `"`, `|`, `>`, `{` flow collection, `:` block collection, `*` alias. An alias's
    `children` is a list with the one entry that it stands for.
    """

    start: int
    end: int
    style: str
    children: Children
    key_start: int
    key_end: int


class Frame:
    """A collection that is still open."""

    __slots__ = (
        "anchor",
        "awaits_key",
        "data",
        "edge",
        "entries",
        "flow",
        "is_key",
        "key",
        "mapping",
        "nodes",
        "start",
    )

    def __init__(self, start: int, edge: int, *, mapping: bool, flow: bool, anchor: str | None) -> None:
        self.start = start
        self.edge = edge
        self.mapping = mapping
        self.awaits_key = mapping
        self.flow = flow
        self.anchor = anchor
        self.is_key = False
        self.data: Any = {} if mapping else []
        self.entries: Any = {} if mapping else []
        self.key: tuple[str, int, int] = ("", 0, 0)
        self.nodes = 1


class Stop(Exception):  # noqa: N818 - ends the loop, the fault is in the list
    """The rest of the file cannot be read."""


class UnquotedTemplate(Exception):  # noqa: N818 - ends the loop, the reader patches the text and reads on
    """`{{ x }}` without quotes, at `index`; `alone` where the rest of its line may be something else."""

    def __init__(self, index: int, *, alone: bool) -> None:
        super().__init__(index)
        self.index = index
        self.alone = alone


class Builder:
    """Takes events one by one; `data`, `root`, `faults` and `doubtful` are the result."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.faults: list[Diagnostic] = []
        self.doubtful: list[Entry] = []
        self.stack: list[Frame] = []
        self.anchors: dict[str, tuple[Any, Entry, int] | None] = {}
        self.anchor_spans: dict[str, Span] = {}
        self.unused: set[str] = set()
        self.documents = 0
        self.text_end = 0
        self.comments = " #" in text or "\t#" in text
        self.nodes = 0
        self.data: Any = None
        self.root: Entry | None = None

    def build(self, events: Iterable[Any]) -> None:
        """Consume the events of one file.

        Raises:
            Stop: the rest cannot be read; the fault is in `faults`.
            UnquotedTemplate: `{{` where a value begins.
        """
        for event in events:
            kind = type(event).__name__
            if kind == "ScalarEvent":
                self._scalar(event)
            elif kind in _STARTS:
                self._open(event, mapping=kind == "MappingStartEvent")
            elif kind in _ENDS:
                self._close(event)
            elif kind == "AliasEvent":
                self._alias(event)
            elif kind == "DocumentStartEvent":
                self._document(event)
        for anchor in sorted(self.unused):
            self._fault("F139", self.anchor_spans[anchor], anchor=anchor)

    def has_errors(self, line: int | None = None) -> bool:
        """Whether a fault was found that is more than a warning, in the whole file or in one line."""
        errors = (fault for fault in self.faults if fault.severity is Severity.ERROR)
        return any(line is None or fault.span.line == line for fault in errors)

    def _span(self, start: int, end: int) -> Span:
        return span_between(self.file, self.text, start, end)

    def _fault(
        self, code: str, span: Span, *, related: tuple[Related, ...] = (), advice: str = "", **args: str
    ) -> None:
        self.faults.append(Diagnostic.of(code, span, related=related, advice=advice, **args))

    def _document(self, event: Any) -> None:
        self.documents += 1
        if self.documents > 1:
            start = event.start_mark.index
            self._fault("F118", self._span(start, first_line(self.text, start, len(self.text))))
            raise Stop

    def _scalar(self, event: Any) -> None:
        start = event.start_mark.index
        end = event.end_mark.index
        style = event.style or ""
        value = event.value
        if event.tag is not None:
            self._tag(event)
        if style == '"' and "\\" in self.text[start:end]:
            self._check_escapes(value, start, end)
        frame = self.stack[-1] if self.stack else None
        if frame is not None and frame.awaits_key:
            self._key(frame, value, start, end, style, anchor=event.anchor)
            return
        if not style:
            if not value:
                start, end = self._empty(frame, start, end)
            value = self._plain(value, start, end)
            lost = comment_behind(self.text, end) if self.comments and value and isinstance(value, str) else None
            if lost:
                self._fault("F150", self._span(*lost), written=self.text[slice(*lost)])
        elif style in "|>":
            self.text_end = end
            end = start + len(self.text[start:end].rstrip(" \n"))
            item = folded_item(self.text[start:end]) if style == ">" else None
            if item:
                self._fault("F151", self._span(start + item[0], start + item[1]))
        if event.anchor is not None:
            self._anchor(event.anchor, start)
            start = min(_after_properties(self.text, start), end)
        entry = self._place(frame, value, start, end, style, children=None)
        if event.anchor is not None:
            self.anchors[event.anchor] = (value, entry, 1)

    def _plain(self, text: str, start: int, end: int) -> Any:
        try:
            value = resolve(text)
        except MisspeltError as fault:
            self._fault("F130", self._span(start, end), written=text, advice=fault.advice)
            return text
        if text in VARIANTS:
            self._fault("F131", self._span(start, end), written=text, value=text.lower())
        return value

    def _empty(self, frame: Frame | None, start: int, end: int) -> tuple[int, int]:
        """Return the place right behind the indicator before an empty value; the two parsers differ on it."""
        if start != end or frame is None:
            return start, end
        edge = frame.key[2] if frame.mapping else frame.edge
        hit = _INDICATOR.match(self.text, edge)
        place = hit.end() if hit else min(edge, start)
        return place, place

    def _key(self, frame: Frame, value: str, start: int, end: int, style: str, *, anchor: str | None) -> None:
        frame.awaits_key = False
        frame.nodes += 1
        self.nodes += 1
        frame.key = (value, start, end)
        if anchor is not None:
            self._anchor(anchor, start)
            self.anchors[anchor] = (value, Entry(start, end, style, None, start, end), 1)
        if not style:
            self._plain_key(value, start, end)
        earlier = frame.entries.get(value)
        if earlier is not None:
            first = Related(self._span(earlier.key_start, earlier.key_end), "first given here")
            self._fault("F121", self._span(start, end), key=value, related=(first,))

    def _plain_key(self, value: str, start: int, end: int) -> None:
        if value == "<<":
            self._fault("F123", self._span(start, end))
        elif value[:1] in _WIDE_BLANKS:
            self._fault("F116", self._span(start, start + 1), character=character_name(value[0]))
        else:
            try:
                is_text = isinstance(resolve(value), str)
            except MisspeltError:
                is_text = False
            if not is_text:
                written = value or "nothing"
                self._fault("F122", self._span(start, max(end, start + 1)), key=written)

    def _open(self, event: Any, *, mapping: bool) -> None:
        start = event.start_mark.index
        flow = bool(event.flow_style)
        parent = self.stack[-1] if self.stack else None
        if flow and mapping and self.text[start : start + 2] in _TEMPLATE_STARTS:
            raise UnquotedTemplate(start, alone=parent is None or parent.flow or parent.awaits_key)
        if event.tag is not None:
            self._tag(event)
        if len(self.stack) >= NESTING_LIMIT:
            self._fault("F128", self._span(start, start + 1), limit=str(NESTING_LIMIT))
            raise Stop
        frame = Frame(start, event.end_mark.index, mapping=mapping, flow=flow, anchor=event.anchor)
        if parent is not None and parent.awaits_key:
            frame.is_key = True
        self._count(start)
        if event.anchor is not None:
            self._anchor(event.anchor, start)
            self.anchors[event.anchor] = None
        self.stack.append(frame)

    def _close(self, event: Any) -> None:
        frame = self.stack.pop()
        end = event.end_mark.index
        if not frame.flow:
            end = first_line(self.text, frame.start, end)
        parent = self.stack[-1] if self.stack else None
        if frame.is_key and parent is not None:
            kind = "a map" if frame.mapping else "a list"
            self._fault("F122", self._span(frame.start, end), key=kind)
            parent.awaits_key = False
            parent.key = (f"\0{frame.start}", frame.start, end)
            return
        style = "{" if frame.flow else ":"
        self.nodes -= 1
        entry = self._place(parent, frame.data, frame.start, end, style, children=frame.entries)
        if parent is not None:
            parent.nodes += frame.nodes - 1
            parent.edge = event.end_mark.index
        if frame.anchor is not None:
            self.anchors[frame.anchor] = (frame.data, entry, frame.nodes)

    def _alias(self, event: Any) -> None:
        start, end, name = event.start_mark.index, event.end_mark.index, event.anchor
        self.unused.discard(name)
        frame = self.stack[-1] if self.stack else None
        if name not in self.anchors:
            self._fault("F125", self._span(start, end), alias=name)
        elif not _ANCHOR.match(self.text, start):
            self._fault("F146", self._span(start, end), anchor=name)
        target = self.anchors.get(name, (None, None, 1))
        if target is None:
            first = Related(self.anchor_spans[name], "the anchor begins here")
            self._fault("F126", self._span(start, end), alias=name, related=(first,))
            target = (None, None, 1)
        value, entry, nodes = target
        if frame is not None and frame.awaits_key:
            if isinstance(value, str):
                self._key(frame, value, start, end, "*", anchor=None)
            else:
                self._fault("F122", self._span(start, end), key=f"*{name}")
                frame.awaits_key, frame.key = False, (f"\0{start}", start, end)
            return
        self._count(start, nodes - 1)
        if frame is not None:
            frame.nodes += nodes - 1
        self._place(frame, value, start, end, "*", children=[entry] if entry is not None else None)

    def _place(self, frame: Frame | None, value: Any, start: int, end: int, style: str, *, children: Children) -> Entry:
        self._count(start)
        if frame is None:
            entry = Entry(start, end, style, children, start, start)
            self.data, self.root = value, entry
            return entry
        frame.nodes += 1
        if frame.mapping:
            key, key_start, key_end = frame.key
            entry = Entry(start, end, style, children, key_start, key_end)
            if key not in frame.data:
                frame.data[key] = value
                frame.entries[key] = entry
            frame.awaits_key = True
        else:
            entry = Entry(start, end, style, children, start, start)
            frame.data.append(value)
            frame.entries.append(entry)
            frame.edge = end
        if not style and value in DOUBTFUL:
            self.doubtful.append(entry)
        return entry

    def _count(self, start: int, nodes: int = 1) -> None:
        self.nodes += nodes
        if self.nodes > NODE_LIMIT:
            code = "F127" if nodes > 1 or self.anchors else "F129"
            self._fault(code, self._span(start, first_line(self.text, start, len(self.text))), limit=f"{NODE_LIMIT:,}")
            raise Stop

    def _anchor(self, name: str, start: int) -> None:
        span = self._span(start, start + 1 + len(name))
        # `&a:` is an anchor called `a` to one parser and `a:` to the other; no third reading is better than a fault.
        if self.text[start] == "&" and not _ANCHOR.match(self.text, start):
            self._fault("F146", span, anchor=name)
            self.anchor_spans.setdefault(name, span)
        elif name in self.anchors:
            first = Related(self.anchor_spans[name], "first set here")
            self._fault("F124", span, anchor=name, related=(first,))
        else:
            self.anchor_spans[name] = span
            self.unused.add(name)

    def _tag(self, event: Any) -> None:
        start = event.start_mark.index
        hit = _TAG.match(self.text, start)
        span = self._span(hit.start(1), hit.end(1)) if hit else self._span(start, start + 1)
        tag = hit.group(1) if hit else str(event.tag)
        advice = ""
        if tag.startswith("!include"):
            advice = "write `{file: name.md}` where a text may stand, or `extends: NAME` to build on another profile"
        self._fault("F120", span, tag=tag, advice=advice)

    def _check_escapes(self, value: str, start: int, end: int) -> None:
        bad = forbidden_in_value(value)
        if bad is None:
            return
        for hit in _ESCAPE.finditer(self.text, start, end):
            if _escaped(hit.group()) == bad:
                self._fault(
                    "F136", self._span(hit.start(), hit.end()), escape=hit.group(), character=character_name(bad)
                )
                return


_STARTS = frozenset({"MappingStartEvent", "SequenceStartEvent"})
_ENDS = frozenset({"MappingEndEvent", "SequenceEndEvent"})
_TEMPLATE_STARTS = frozenset({"{{", "{%", "{#"})
_WIDE_BLANKS = frozenset(
    "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_TAG = re.compile(r"(?:&\S+\s+)?(!\S*)")
_ANCHOR = re.compile(r"[&*][A-Za-z0-9_-]+(?=[\s,\]}]|$)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*\s*)*")
_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_INDICATOR = re.compile(r"(?:\s|#[^\n]*\n)*(?:,(?:\s|#[^\n]*\n)*)?[-:,?\[]")
_SIMPLE = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    "N": "\x85",
    "L": "\u2028",
    "P": "\u2029",
}


def _after_properties(text: str, start: int) -> int:
    """Return where a value begins behind its anchor."""
    hit = _PROPERTIES.match(text, start)
    return hit.end() if hit else start


def _escaped(escape: str) -> str:
    return chr(code_point(escape)) if escape[1] in "xuU" else _SIMPLE.get(escape[1], escape[1])
