"""From template text to a syntax tree with positions, or to a located syntax error."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from jinja2 import Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from frieze.diagnostics import Diagnostic
from frieze.template.names import refused_names
from frieze.template.positions import Locate, Places, Position
from frieze.template.scopes import Tables

_AT = re.compile(r" at \d+$")
_UNKNOWN_TAG = re.compile(r"Encountered unknown tag '([^']*)'")


@dataclass(frozen=True, slots=True)
class Parsed:
    """A template after parsing: its tree, or the diagnostics that say why there is none.

    `own_filters` says that frieze's own filters are part of the language beside those of Jinja2.
    """

    name: str
    tree: nodes.Template | None
    places: Places
    diagnostics: tuple[Diagnostic, ...] = ()
    own_filters: bool = True
    tables: Tables = field(default_factory=Tables, compare=False)
    checked: dict[Any, tuple[Diagnostic, ...]] = field(default_factory=dict, compare=False)


def parse(
    source: str,
    *,
    name: str,
    locate: Locate | None = None,
    trim_blocks: bool = True,
    lstrip_blocks: bool = True,
    own_filters: bool = True,
) -> Parsed:
    """Parse a template.

    Args:
        source: the template's text.
        name: the file that diagnostics name when `locate` is not given.
        locate: turns offsets in `source` into a span of the file that holds it.
        trim_blocks: drop the line break after a tag, as Jinja2 does.
        lstrip_blocks: drop the blanks before a tag that begins its line, as Jinja2 does.
        own_filters: whether the template may use frieze's filters beside Jinja2's.
    """

    def template(stream: Parser) -> nodes.Template:
        return stream.parse()

    return _parse(source, name, locate, (trim_blocks, lstrip_blocks), own_filters, template, None)


def parse_expression(source: str, *, name: str, locate: Locate | None = None, own_filters: bool = True) -> Parsed:
    """Parse a single expression; the tree is a template that prints it."""

    def expression(stream: Parser) -> nodes.Template:
        line = stream.stream.current.lineno
        found = stream.parse_expression()
        if not stream.stream.eos:
            stream.fail("the condition goes on after its end", stream.stream.current.lineno)
        return nodes.Template([nodes.Output([found], lineno=line)], lineno=line)

    return _parse(source, name, locate, (True, True), own_filters, expression, "variable")


def _parse(
    source: str,
    name: str,
    locate: Locate | None,
    blanks: tuple[bool, bool],
    own_filters: bool,
    run: Callable[[Parser], nodes.Template],
    state: str | None,
) -> Parsed:
    places = Places(source, name, locate)
    environment = _environment(*blanks).overlay()
    environment.places = places
    try:
        tree = run(Parser(environment, places.source, state=state))
        tree.set_environment(environment)
        refused = refused_names(tree, places)
        return Parsed(name, None if refused else tree, places, refused, own_filters)
    except TemplateSyntaxError as error:
        return Parsed(name, None, places, (_syntax_error(error, places),), own_filters)
    except RecursionError:
        deep = Diagnostic.of("F407", places.span(0, 0), what="nesting", limit="a few hundred levels")
        return Parsed(name, None, places, (deep,), own_filters)


class _Located(Environment):
    """An environment whose token stream carries offsets into `places`."""

    places: Places

    def _tokenize(
        self, source: str, name: str | None, filename: str | None = None, state: str | None = None
    ) -> TokenStream:
        tokens = self.places.watch(self.lexer.tokeniter(source, name, filename, state))
        return TokenStream(self.lexer.wrap(tokens, name, filename), name, filename)


@cache
def _environment(trim_blocks: bool, lstrip_blocks: bool) -> _Located:
    return _Located(
        undefined=StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=trim_blocks,
        lstrip_blocks=lstrip_blocks,
    )


def _syntax_error(error: TemplateSyntaxError, places: Places) -> Diagnostic:
    source = places.source
    if isinstance(error.lineno, Position):
        start, end = error.lineno.start, error.lineno.end
        if start == end and start == len(source) and start:
            start -= 1
    else:
        start = places.last
        if "end of comment" in str(error.message):
            start = source.rfind("{#", 0, start + 2)
        while start < len(source) and source[start].isspace():
            start += 1
        end = min(start + 1, len(source))
    reason = _AT.sub("", (error.message or "this cannot be read").rstrip("."))
    return Diagnostic.of("F401", places.span(start, end), reason=reason, advice=_advice(reason, source, start))


def _advice(reason: str, source: str, at: int) -> str:
    """Say what to write instead, for the ways in which prose runs into the syntax."""
    if "end of comment" in reason:
        return "`{#` starts a comment: to print it, write `{{ '{#' }}`; a comment ends with `#}`"
    if "end of raw" in reason:
        return "close the raw part with `{% endraw %}`"
    opening = max(source.rfind("{{", 0, at + 1), source.rfind("{%", 0, at + 1))
    tag = source[opening : opening + 2] if opening >= 0 else ""
    unknown = _UNKNOWN_TAG.search(reason)
    if unknown is not None:
        from frieze.diagnostics import did_you_mean

        extra = {"break": "filter the loop instead: `{% for x in xs if ... %}`", "do": "use `set`"}
        extra["continue"] = extra["break"]
        return extra.get(unknown[1]) or did_you_mean(
            unknown[1], ("if", "elif", "else", "endif", "for", "endfor", "set", "endset", "with", "endwith", "macro",
                         "endmacro", "call", "endcall", "filter", "endfilter", "include", "raw", "endraw"),
            "to print a literal `{%`, write `{{ '{%' }}`",
        )  # fmt: skip
    if tag:
        part = "tag" if tag == "{%" else "expression"
        return f"check the {part}; to print a literal `{tag}`, write `{{{{ '{tag}' }}}}` or use `{{% raw %}}`"
    return ""
