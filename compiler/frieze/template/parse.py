"""From template text to a syntax tree with positions, or to a located syntax error."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NoReturn

from jinja2 import Environment, StrictUndefined, TemplateSyntaxError, nodes
from jinja2.lexer import TokenStream
from jinja2.parser import Parser

from frieze.diagnostics import Diagnostic
from frieze.template.budget import too_much
from frieze.template.depth import too_deep
from frieze.template.names import refused_names
from frieze.template.positions import Locate, Places, Position
from frieze.template.scopes import Tables
from frieze.template.syntax import syntax_error


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


def literal(stretches: Iterable[tuple[int, str]], *, name: str, locate: Locate) -> Parsed:
    """Return a template that prints texts as they are: each with its offset in the source that `locate` knows."""
    data = [nodes.TemplateData(text, lineno=Position.of(1, offset, offset + len(text))) for offset, text in stretches]
    tree = nodes.Template([nodes.Output([part], lineno=part.lineno) for part in data], lineno=1)
    tree.set_environment(_environment(trim_blocks=True, lstrip_blocks=True))
    return Parsed(name, tree, Places("", name, locate))


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
    opened: list[tuple[str, Position]] = []
    try:
        parser = _Parser(environment, places.source, state=state)
        opened = parser.opened
        tree = run(parser)
        refused = too_deep(tree, places)
        if not refused:
            tree.set_environment(environment)
            refused = refused_names(tree, places)
        return Parsed(name, None if refused else tree, places, refused, own_filters)
    except TemplateSyntaxError as error:
        return Parsed(
            name, None, places, (syntax_error(error, places, opened, condition=state is not None),), own_filters
        )
    except RecursionError:
        # The parser calls itself for whatever stands inside each other, and was here when Python had enough.
        deep = too_much(places.span(max(places.last - 1, 0), places.last), "nesting", "what the parser can follow")
        return Parsed(name, None, places, (deep,), own_filters)
    except ValueError:
        # The lexer makes the numbers, and Python takes no more digits than these for one.
        long = too_much(places.span(max(places.last - 1, 0), places.last), "digits", "4,300 in one number")
        return Parsed(name, None, places, (long,), own_filters)


class _Parser(Parser):
    """A parser that knows where the tags stand that are still open; after an error they stay."""

    def __init__(self, environment: Environment, source: str, *, state: str | None) -> None:
        self.opened: list[tuple[str, Position]] = []
        super().__init__(environment, source, state=state)

    def parse_statement(self) -> nodes.Node | list[nodes.Node]:
        token = self.stream.current
        if not isinstance(token.lineno, Position):
            return super().parse_statement()
        self.opened.append((token.value, token.lineno))
        found = super().parse_statement()
        self.opened.pop()
        return found

    def parse_compare(self) -> nodes.Expr:
        found = super().parse_compare()
        if isinstance(found, nodes.Compare):
            # Jinja2 gives the line of what follows, and its links none.
            found.lineno = found.expr.lineno
            for link in found.ops:
                link.lineno = link.expr.lineno
        return found

    def fail_unknown_tag(self, name: str, lineno: int | None = None) -> NoReturn:
        if self.opened and self.opened[-1][1] is lineno:
            self.opened.pop()
        super().fail_unknown_tag(name, lineno)


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
