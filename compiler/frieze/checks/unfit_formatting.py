"""F711: a text asks for formatting that a channel, on which the agent may be used, does not show.

The check reads the frozen variants, so what stands behind `{% if platform.tables %}` counts only where it is said. It
reads English, Japanese and Chinese, sentence by sentence; a sentence with a negation is never blamed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeAlias

from frieze.checks.notes import noted
from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen, FrozenBlock, Share
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.freeze.space import Space
from frieze.freeze.trees import Tree
from frieze.profiles.declarations import Text
from frieze.profiles.naming import LIBRARY, listed
from frieze.template.ir import Body, Statement

NOTE = "formatting"
"""The name under which a share keeps what was found in it."""

Row: TypeAlias = list[Any]
"""A span as a list, the name of the formatting, the platforms that do not show it."""

SLOT = "\0"
"""Stands in a text where a value is printed."""

DOUBLE_ASTERISKS = frozenset({"commonmark", "discord", "teams"})
HEADINGS = frozenset({"commonmark", "discord"})

_NEGATION = re.compile(
    r"\b(?:no|not|never|without|avoid|neither|nor|none|cannot|nothing|unless|except|instead of|rather than)\b|n't\b"
    r"|ない|ません|ずに|なく|禁止|避け|不|勿|别",
    re.IGNORECASE,
)
_ASKING = re.compile(
    r"\b(?:us(?:e|ing)|write|format|answer|reply|respond|put|present|show|list|give|make|draw|set|structure|organi[sz]e"
    r"|prefer|include|add|start|begin|compare|summari[sz]e|lay|return|output|highlight|emphasi[sz]e|mark|render)\b",
    re.IGNORECASE,
)
_OTHER_TABLES = re.compile(
    r"\b(?:book|booking|reserv\w+|restaurant|dinner|seats?|waiters?|database|sql|quer(?:y|ies))\b", re.IGNORECASE
)
_SENTENCE = re.compile(r"[^\n.!?;。\uff01\uff1f]+(?:[.!?;](?!\s|$)[^\n.!?;。\uff01\uff1f]*)*[.!?;。\uff01\uff1f]?")


@dataclass(frozen=True, slots=True)
class Formatting:
    """A kind of formatting: how a text asks for it, and whether a platform shows it."""

    name: str
    words: re.Pattern[str]
    ideographs: re.Pattern[str]
    shown: Callable[[Mapping[str, Any]], bool]
    other: re.Pattern[str] | None = None


FORMATTINGS = (
    Formatting(
        "a table",
        re.compile(
            r"(?<!the )(?<!this )(?<!that )(?<!our )(?<!following )\btables?\b(?! (?:below|above|of contents|for \d))",
            re.IGNORECASE,
        ),
        re.compile("表格|表形式|一覧表|比較表|表にまとめ"),
        lambda platform: bool(platform["tables"]),
        _OTHER_TABLES,
    ),
    Formatting(
        "headings",
        re.compile(
            r"(?<!the )\b(?:headings?|headlines|section (?:titles?|headers?))\b(?! (?:to|for|towards)\b)", re.IGNORECASE
        ),
        re.compile("見出し|标题|標題"),
        lambda platform: platform["markup"] in HEADINGS,
    ),
    Formatting(
        "bold text",
        re.compile(
            r"\b(?:in|use|with|and|or) bold(?:face)?\b|\bbold(?:face)? (?:text|type|print|letters|words?)\b",
            re.IGNORECASE,
        ),
        re.compile("太字|粗体|粗體"),
        lambda platform: platform["markup"] != "none",
    ),
    Formatting(
        "Markdown",
        re.compile(r"\bmarkdown\b|\bdouble asterisks\b", re.IGNORECASE),
        re.compile("Markdown|マークダウン"),
        lambda platform: platform["markup"] in DOUBLE_ASTERISKS,
    ),
)

_ASCII_WORDS = ("table", "head", "section", "bold", "markdown", "asterisks")
_WORDS = (
    *_ASCII_WORDS,
    *(word.casefold() for formatting in FORMATTINGS for word in formatting.ideographs.pattern.split("|")),
)
"""Without one of these no formatting is named: most texts need no closer look."""


def unfit_formatting(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each place that asks for formatting, with the platforms that do not show it.

    A platform that does not say what markup it shows is not judged.
    """
    met: dict[tuple[Span, str], dict[str, None]] = {}
    for name, tree in frozen.trees.items():
        if filled_trees(tree):
            for _, rows in noted(frozen, NOTE, formatting_notes):
                _add(met, rows.get(name, []))
        else:
            _add(met, asked_in(frozen.space, tree))
    for (place, name), blind in met.items():
        yield Diagnostic.of("F711", place, formatting=name, platforms=listed(sorted(blind)))


def formatting_notes(space: Space, share: Share) -> dict[str, list[Row]]:
    """Return what is to be said of each block of a share."""
    glance = Glance()
    return {name: asked_in(space, part.tree, glance) for name, part in share.parts.items()}


def asked_in(space: Space, tree: Tree[FrozenBlock], glance: Glance | None = None) -> list[Row]:
    """Return each place of a tree that asks for formatting which some platforms do not show, and those.

    `glance` is what was seen of other trees of the same agent, whose texts are mostly the same.
    """
    rows: list[Row] = []
    glance = glance or Glance()
    for leaf in leaves(tree):
        block = leaf.value
        if block.residual is None or block.declared.body is None or block.declared.origin.file.startswith(LIBRARY):
            continue
        asked = [found for line in glance.lines(block.residual.body) for found in asked_for(line)]
        if not asked:
            continue
        platforms = {
            name: space.graph.platforms[space.records["platform"][name]].data
            for name in leaf.targets.values("platform")
            if name is not None
        }
        for formatting, sentence, start, end in asked:
            unfit = [name for name, data in platforms.items() if data["markup"] and not formatting.shown(data)]
            if unfit:
                rows.append([list(_place(block.declared.body, sentence, start, end)), formatting.name, unfit])
    return rows


@dataclass(slots=True)
class Glance:
    """Finds the lines that name some formatting; variants share most statements, so each is looked at once.

    A statement is known by its identity and kept, so that nothing else can have it.
    """

    statements: dict[int, tuple[Statement, list[str]]] = field(default_factory=dict)

    def lines(self, body: Body) -> list[str]:
        """Return those lines of a body's `texts` that name some formatting."""
        own, inner = _parted(body)
        fresh = [node for node in inner if id(node) not in self.statements]
        below = {id(node): [text for part in _bodies(node) for text in texts(part)] for node in fresh}
        is_named = bool(fresh) and bool(_naming_lines("\n".join(text for found in below.values() for text in found)))
        for node in fresh:
            found = [line for text in below[id(node)] for line in _naming_lines(text)] if is_named else []
            self.statements[id(node)] = node, found
        return _naming_lines(own) + [line for node in inner for line in self.statements[id(node)][1]]


_INNER = frozenset({"if", "for", "capture"})


def _bodies(statement: Statement) -> list[Body]:
    """Return the bodies that a statement holds."""
    if statement[0] == "if":
        return [*(arm for _, arm in statement[1]), statement[2]]
    return [statement[2]] if statement[0] == "capture" else statement[4:6]


def _add(met: dict[tuple[Span, str], dict[str, None]], rows: list[Row]) -> None:
    for span, name, unfit in rows:
        met.setdefault((Span(*span), name), {}).update(dict.fromkeys(unfit))


@lru_cache(maxsize=256)
def asked_for(line: str) -> tuple[tuple[Formatting, str, int, int], ...]:
    """Return what a line asks for: the formatting, the sentence, and where in it the words stand.

    No sentence goes on behind the end of a line.
    """
    asked = []
    for found in _SENTENCE.finditer(line):
        sentence = found[0].strip()
        if not _names_any(sentence) or _NEGATION.search(sentence):
            continue
        for formatting in FORMATTINGS:
            words = _words(formatting, sentence)
            if words:
                asked.append((formatting, sentence, *words.span()))
    return tuple(asked)


def _names_any(text: str) -> bool:
    folded = text.casefold()
    return any(word in folded for word in (_ASCII_WORDS if text.isascii() else _WORDS))


def _naming_lines(text: str) -> list[str]:
    """Return the lines of a text that name some formatting."""
    if not text.isascii():
        return [line for line in text.split("\n") if _names_any(line)]
    folded = text.lower()
    found: dict[int, str] = {}
    for word in _ASCII_WORDS:
        at = folded.find(word)
        while at >= 0:
            start, end = folded.rfind("\n", 0, at) + 1, folded.find("\n", at)
            end = len(folded) if end < 0 else end
            found[start] = text[start:end]
            at = folded.find(word, end)
    return [found[start] for start in sorted(found)]


def texts(body: Body) -> Iterator[str]:
    """Yield the texts of a body, each arm and loop by itself, with `SLOT` where a value is printed."""
    own, inner = _parted(body)
    if own:
        yield own
    for node in inner:
        for part in _bodies(node):
            yield from texts(part)


def _parted(body: Body) -> tuple[str, list[Statement]]:
    """Return a body's own text, with `SLOT` where a value is printed, and its statements that hold others."""
    own: list[str] = []
    inner: list[Statement] = []
    for node in body:
        if isinstance(node, str):
            own.append(node)
        elif node[0] == "out":
            own.append(SLOT)
        elif node[0] in _INNER:
            inner.append(node)
    return "".join(own), inner


def _words(formatting: Formatting, sentence: str) -> re.Match[str] | None:
    if formatting.other and formatting.other.search(sentence):
        return None
    found = formatting.words.search(sentence)
    if found and _ASKING.search(sentence):
        return found
    return formatting.ideographs.search(sentence)


def _place(text: Text, sentence: str, start: int, end: int) -> Span:
    """Return where the words stand in the source; the whole text where it does not hold the sentence as it is."""
    at = text.value.find(sentence)
    if at < 0:
        at, start, end = text.value.find(sentence[start:end]), 0, end - start
    return text.span if at < 0 else text.locate(at + start, at + end)
