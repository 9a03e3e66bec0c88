"""The parser's complaints in a reader's words, at the place where the reader can mend them."""

from __future__ import annotations

import re

from frieze.diagnostics import Diagnostic, Related, Span
from frieze.sources.characters import character_name, code_point
from frieze.sources.places import first_line, span_between
from frieze.sources.tree import UnquotedTemplate

_WIDE_COLON = "\uff1a"
_BLANKS = re.compile(r"^ *([\xa0\u1680\u2000-\u200a\u202f\u205f\u3000])", re.MULTILINE)
_TABBED = re.compile(r" *(\t)")
_BIG_ESCAPE = re.compile(r"\\U[0-9a-fA-F]{8}")

_TEXT_KEY = re.compile(r"( *)(instructions|body|text|description|when_to_use):[ \t]*")

_UNKNOWN = "something else was expected here"
_SENTENCES = (
    ("a block scalar", "behind `|` or `>` only a digit, `+`, `-` and a comment may stand"),
    ("scanning an anchor", "an anchor's name is made of letters, digits, `-` and `_`"),
    ("scanning an alias", "an alias's name is made of letters, digits, `-` and `_`"),
    ("sequence entries are not allowed", "an item of a list cannot begin here"),
    ("mapping keys are not allowed", "a key cannot begin here"),
    ("document end marker", "nothing may stand behind `...`"),
    ("expected the node content", "a value was expected here"),
    ("plain scalar", "a `:` in a text inside brackets needs quotes"),
)


def parser_fault(
    error: Exception, text: str, file: str, *, in_flow: bool, text_end: int
) -> Diagnostic | UnquotedTemplate:
    """Return what one exception of the pure parser means; an unquoted template is handed back as such."""
    context_mark = getattr(error, "context_mark", None)
    mark = getattr(error, "problem_mark", None) or context_mark
    if mark is None:
        return _without_mark(text, file)
    problem, context = getattr(error, "problem", None) or "", getattr(error, "context", None) or ""
    at = min(mark.index, len(text))
    opened = context_mark.index if context_mark is not None else at
    for index in (at - 1, at, opened):
        if text[max(index, 0) : max(index, 0) + 2] in {"{%", "{#", "{{"}:
            return UnquotedTemplate(max(index, 0), alone=in_flow)
    report = _Report(text, file, at, opened, problem=problem, context=context)
    return report.stray_line(text_end) or report.diagnose()


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _without_mark(text: str, file: str) -> Diagnostic:
    for hit in _BIG_ESCAPE.finditer(text):
        if code_point(hit.group()) > 0x10FFFF:
            return Diagnostic.of("F135", span_between(file, text, *hit.span()), escape=hit.group())
    return Diagnostic.of("F140", Span(file), problem=_UNKNOWN)


class _Report:
    """One complaint with its places: `at` where it was noticed, `opened` where the construct began."""

    def __init__(self, text: str, file: str, at: int, opened: int, *, problem: str, context: str) -> None:
        self.text, self.file = text, file
        self.at, self.opened = at, opened
        self.problem, self.context = problem, context
        self.line_start = text.rfind("\n", 0, at) + 1

    def stray_line(self, text_end: int) -> Diagnostic | None:
        """A line that was meant to belong to the `|` or `>` text that ends at `text_end`, but is indented less."""
        between = self.text[text_end : self.at] if text_end else "nothing ended"
        if between.strip() or self.at == self.line_start or self.at >= len(self.text):
            return None
        advice = "the first line of the text above is indented further; indent all of its lines alike"
        return self._of("F144", *self._rest_of_line(), advice=advice)

    def diagnose(self) -> Diagnostic:
        problem, context = self.problem, self.context
        unmarked = self._unmarked_text()
        if unmarked:
            return unmarked
        if "quoted scalar" in context and ("end of stream" in problem or "document separator" in problem):
            return self._of("F134", self.opened, self.opened + 1, quote=self.text[self.opened : self.opened + 1])
        if "escape" in problem:
            return self._escape()
        if "more indented" in context:
            return self._of("F147", *self._line_before())
        special = self._blank() or self._tab()
        if special:
            return special
        if "flow" in context:
            bracket = self.text[self.opened : self.opened + 1]
            where = Related(self._span(self.at, self.at + 1), "this does not belong to it")
            related = (where,) if self.at < len(self.text) else ()
            return self._of("F137", self.opened, self.opened + 1, bracket=bracket, related=related)
        if "mapping values are not allowed" in problem:
            return self._of("F141", self.at, self.at + 1)
        if "could not find expected ':'" in problem or "simple key" in context:
            return self._colon()
        if "cannot start any token" in problem:
            return self._of("F143", self.at, self.at + 1, character=self.text[self.at : self.at + 1])
        if "expected <block end>" in problem or "expected '<document start>'" in problem:
            quote = self._quote_before()
            if quote:
                return quote
            return self._of("F144", *self._rest_of_line())
        return self._other()

    def _unmarked_text(self) -> Diagnostic | None:
        """Prose on lines of its own below `instructions:`, where `|` was forgotten; YAML reads keys in it."""
        at = self.opened if "simple key" in self.context else self.at
        start = self.text.rfind("\n", 0, at) + 1
        lines = self.text[:start].split("\n")[:-1]
        below = self.text[start : first_line(self.text, start, len(self.text))]
        indentation = _indentation(below)
        while lines and indentation:
            line = lines.pop()
            start -= len(line) + 1
            key = _TEXT_KEY.fullmatch(line)
            if key and len(key[1]) < indentation and not below.lstrip().startswith("file:"):
                return self._of("F149", start + key.start(2), start + key.end(2) + 1, key=key[2])
            if line.strip():
                below, indentation = line, min(indentation, _indentation(line))
        return None

    def _quote_before(self) -> Diagnostic | None:
        """A quote inside of a quoted text, which ends the text for YAML."""
        before = self.text[self.line_start : self.at].rstrip()
        if not before.endswith(("'", '"')):
            return None
        end = self.line_start + len(before)
        advice = "put a backslash before it" if before[-1] == '"' else "write it twice (`''`)"
        advice += ", or write the text under `|`, where quotes mean nothing"
        return self._of("F148", end - 1, end, quote=before[-1], advice=advice)

    def _other(self) -> Diagnostic:
        """The rare ones: no code of their own, but a sentence."""
        said = f"{self.context} {self.problem}"
        if "a tag" in said or "tag handle" in said:
            return self._of("F120", self.opened, self.opened + 1, tag=self.text[self.opened : self.opened + 1])
        problem = next((sentence for words, sentence in _SENTENCES if words in said), _UNKNOWN)
        return self._of("F140", self.at, self.at + 1, problem=problem)

    def _of(
        self, code: str, start: int, end: int, *, related: tuple[Related, ...] = (), advice: str = "", **args: str
    ) -> Diagnostic:
        return Diagnostic.of(code, self._span(start, end), related=related, advice=advice, **args)

    def _span(self, start: int, end: int) -> Span:
        return span_between(self.file, self.text, start, end)

    def _escape(self) -> Diagnostic:
        start = self.text.rfind("\\", 0, self.at + 1)
        start = max(start, 0)
        return self._of("F135", start, start + 2, escape=self.text[start : start + 2].rstrip("\n"))

    def _tab(self) -> Diagnostic | None:
        """A tab at the complaint, or as the indentation of its line."""
        if self.text[self.at : self.at + 1] == "\t":
            return self._of("F142", self.at, self.at + 1)
        for start in (self.line_start, self.text.rfind("\n", 0, max(self.opened, 0)) + 1):
            hit = _TABBED.match(self.text, start)
            if hit:
                return self._of("F142", hit.start(1), hit.end(1))
        return None

    def _blank(self) -> Diagnostic | None:
        """A blank that only looks like a space, before the text of the line or of the one where it began."""
        for start in (self.line_start, self.text.rfind("\n", 0, max(self.opened, 0)) + 1):
            hit = _BLANKS.match(self.text, start)
            if hit:
                return self._of("F116", hit.start(1), hit.end(1), character=character_name(hit.group(1)))
        return None

    def _colon(self) -> Diagnostic:
        start = self.opened
        end = first_line(self.text, start, len(self.text))
        line = self.text[start:end]
        advice = ""
        if _WIDE_COLON in line:
            advice = "the colon here is the wide one of East Asian keyboards: write `:` and a space"
        elif re.match(r"[\w-]+:\S", line):
            advice = "put a space after the colon"
        return self._of("F145", start, end, advice=advice)

    def _line_before(self) -> tuple[int, int]:
        """The line of spaces before the line of the complaint."""
        end = self.line_start - 1
        while end > 0 and self.text[end - 1] == "\n":
            end -= 1
        return self.text.rfind("\n", 0, end) + 1, end

    def _rest_of_line(self) -> tuple[int, int]:
        return self.at, first_line(self.text, self.at, len(self.text))
