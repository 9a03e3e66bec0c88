"""The templates of a project, each parsed once and specialised as often as the variant trees ask."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeAlias

from jinja2 import nodes

from frieze.diagnostics import Diagnostic
from frieze.freeze.bases import Bases, is_base
from frieze.freeze.targets import SELECTORS
from frieze.profiles.declarations import Block, Graph, Text
from frieze.profiles.naming import LIBRARY
from frieze.template import (
    Outcome,
    Parsed,
    Question,
    Unanswered,
    expression,
    parse,
    parse_expression,
    specialise,
)
from frieze.template.fragments import Fragmented, Fragments, straight
from frieze.template.ir import Expression, Residual
from frieze.template.parse import literal
from frieze.template.positions import Locate, Places

Answers: TypeAlias = Mapping[str, Outcome]

NAMES = frozenset(SELECTORS)


@dataclass(slots=True)
class Templates:
    """Parses and specialises. What is parsed is kept by the text object, which the graph keeps alive."""

    graph: Graph
    parsed: dict[int, Parsed] = field(default_factory=dict)
    fragments: Fragments = field(default_factory=Fragments)
    fragmented: dict[int, Fragmented | None] = field(default_factory=dict)
    included: set[str] = field(default_factory=set)
    looked: dict[Any, Any] = field(default_factory=dict)
    """What checks found out and want to keep for the next template."""
    bases: Bases = field(init=False)

    def __post_init__(self) -> None:
        """Let the base instructions share what is parsed."""
        self.bases = Bases(self.graph, self.parsed, self.fragmented)

    def body(self, text: Text, inputs: frozenset[str], answers: Answers) -> tuple[Residual, list[Diagnostic]]:
        """Specialise a body.

        Raises:
            Unanswered: it depends on a question that is not answered yet.
        """
        fragmented = self._fragmented(text)
        residual = fragmented.specialise(NAMES, answers, inputs) if fragmented else None
        if residual is not None:
            return residual, []
        return specialise(
            self._template(text),
            known={},
            selectors=NAMES,
            answers=answers,
            inputs=inputs,
            loader=partial(self._included, answers),
            includable=tuple(self.graph.blocks),
        )

    def condition(
        self, text: Text, names: frozenset[str], answers: Answers
    ) -> tuple[bool, Expression, list[Diagnostic]]:
        """Specialise a condition: whether it is known, and its value or its residual.

        Raises:
            Unanswered: it depends on a question that is not answered yet.
        """
        parsed = self._condition(text)
        value, faults = expression(parsed, known={}, selectors=NAMES, answers=answers, inputs=names)
        return isinstance(value, bool), value, faults

    def known_path(self, path: str, answers: Answers) -> Any:
        """Return the value of a path of a selector, None where it has none.

        Raises:
            Unanswered: the selector's value is not known yet.
        """
        # A template that prints the path asks for something else: there a part that is not there is an error.
        key = f"the value of {path}"
        outcome = answers.get(key)
        if outcome is None:
            question = Question(key, (path.partition(".")[0],), lambda data: _at(data, path))
            settle = getattr(answers, "settle", None)
            outcome = settle(question) if settle else None
            if outcome is None:
                raise Unanswered(question)
        return outcome.value

    def is_simple(self, text: Text) -> bool:
        """Tell whether the statements of a template leave nothing behind; see `frieze.template.fragments`."""
        return self._fragmented(text) is not None

    def trees(self, text: Text) -> Iterator[nodes.Template]:
        """Yield the syntax trees that a template is made of; none where it cannot be read."""
        fragmented = self._fragmented(text)
        if fragmented is not None:
            yield from fragmented.trees()
        elif (tree := self._template(text).tree) is not None:
            yield tree

    def pieces(self, text: Text) -> Iterator[tuple[str, nodes.Template, Locate]]:
        """Yield what a template is made of besides texts: its source, its tree, and where its offsets stand."""
        fragmented = self._fragmented(text)
        if fragmented is not None:
            yield from fragmented.pieces()
        elif (parsed := self._template(text)).tree is not None:
            yield text.value, parsed.tree, parsed.places.span

    def condition_pieces(self, text: Text) -> Iterator[tuple[str, nodes.Template, Locate]]:
        """Yield the same of a condition."""
        parsed = self._condition(text)
        if parsed.tree is not None:
            yield text.value, parsed.tree, parsed.places.span

    def syntax(self, block: Block) -> list[Diagnostic]:
        """Return the syntax errors of a block that is only included."""
        return list(self._template(block.body).diagnostics) if block.body else []

    def includes(self, text: Text) -> Iterator[str]:
        """Yield the names of the blocks that a template includes, as far as they are written out."""
        if "include" not in text.value:
            return
        tree = self._template(text).tree
        for include in tree.find_all(nodes.Include) if tree else ():
            for constant in [include.template, *include.template.find_all(nodes.Const)]:
                name = str(getattr(constant, "value", ""))
                yield from (known for known in (name, LIBRARY + name) if known in self.graph.blocks)

    def _condition(self, text: Text) -> Parsed:
        parsed = self.parsed.get(id(text))
        if parsed is None:
            parsed = parse_expression(text.value, name=text.file, locate=text.locate)
            self.parsed[id(text)] = parsed
        return parsed

    def _template(self, text: Text) -> Parsed:
        parsed = self.parsed.get(id(text))
        if parsed is None:
            parsed = self.parsed[id(text)] = parse(text.value, name=text.file, locate=text.locate)
        return parsed

    def _fragmented(self, text: Text) -> Fragmented | None:
        if id(text) not in self.fragmented:
            place = text.affine
            locate = straight(text.value, *place) if place else text.locate
            self.fragmented[id(text)] = self.fragments.of(text.value, locate)
        return self.fragmented[id(text)]

    def _included(self, answers: Answers, name: str) -> Parsed | None:
        """Find what `{% include "name" %}` means: the body of a block.

        Raises:
            Unanswered: the body depends on a question that is not answered yet.
        """
        if name in self.graph.broken:
            return Parsed(name, None, Places("", name, None))
        block = self.graph.blocks.get(name) or self.graph.blocks.get(LIBRARY + name)
        if block is None:
            return None
        body = block.body
        if is_base(block):
            body = self.bases.text(answers)
            if body is None:
                return literal((), name=block.origin.file, locate=block.origin.span)
        if body is None:
            return None
        self.included.add(block.name)
        return self._template(body)


def _at(data: Any, path: str) -> Any:
    for name in path.split("."):
        data = data.get(name) if isinstance(data, Mapping) else None
    return data
