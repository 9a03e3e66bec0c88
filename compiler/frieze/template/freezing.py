"""`freeze`: specialise one template by itself, for use from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.runtime.interpreter import compile_body
from frieze.template.ir import Body, Expression, Residual, statements
from frieze.template.parse import Parsed, parse
from frieze.template.specialise import specialise

EVALUATION_FAILS = "F406"


class UnsupportedTemplate(Exception):  # noqa: N818 - public name
    """A template, or a part of it, has no right residual.

    Attributes:
        diagnostics: everything that was found, in the order of the text.
        file: the name of the first one's file.
        line: its line, from 1.
        column: its column, from 1.
        advice: what to write instead; may be empty.
    """

    def __init__(self, diagnostics: tuple[Diagnostic, ...]) -> None:
        super().__init__(diagnostics)
        self.diagnostics = diagnostics
        first = diagnostics[0]
        self.file, self.line, self.column = first.span.file, first.span.line, first.span.column
        self.advice = first.help

    def __str__(self) -> str:
        return "\n".join(
            f"{each.span.file}:{each.span.line}:{each.span.column}: {each.message}"
            + (f" ({each.help})" if each.help else "")
            for each in self.diagnostics
        )


class Template:
    """A frozen template.

    Attributes:
        ir: the residual, JSON data; see `frieze.template.ir`.
        names: the unknown names that occur in it.
    """

    def __init__(
        self, parsed: Parsed, known: Mapping[str, Any], options: Mapping[str, Any], residual: Residual
    ) -> None:
        self._parsed = parsed
        self._known = known
        self._options = options
        self._residual = residual
        self._globals: frozenset[str] = frozenset()

    @property
    def ir(self) -> Body:
        """The residual body."""
        return self._residual.body

    @property
    def residual(self) -> Residual:
        """The residual body with its marks."""
        return self._residual

    @cached_property
    def names(self) -> frozenset[str]:
        """The unknown names that occur in the residual."""
        return frozenset(_inputs(self.ir))

    @cached_property
    def _render(self) -> Callable[[Mapping[str, Any]], str]:
        return compile_body(self.ir, strict=True)

    def render(self, values: Mapping[str, Any]) -> str:
        """Return the text for these values of the unknown names.

        Raises:
            RenderError: the template has no text for them.
        """
        return self._render(values)

    def freeze(self, known: Mapping[str, Any]) -> Template:
        """Return the template with these names known as well."""
        return _freeze(self._parsed, {**self._known, **deepcopy(dict(known))}, self._options)


def freeze(
    source: str,
    known: Mapping[str, Any],
    *,
    trim_blocks: bool = True,
    lstrip_blocks: bool = True,
    hardening: bool = True,
    name: str = "<template>",
    inputs: Mapping[str, str] | None = None,
) -> Template:
    """Specialise a template.

    Args:
        source: the template, in Jinja2's syntax.
        known: name -> value, JSON data.
        trim_blocks: drop the line break after a tag.
        lstrip_blocks: drop the blanks before a tag that begins its line.
        hardening: clean and escape unknown text where it is printed; False prints as Jinja2 does.
        name: the file that diagnostics name.
        inputs: name -> type of the unknown names; None: every other name is unknown and of any type.

    Raises:
        UnsupportedTemplate: some part of it has no right residual; nothing is ever rendered differently.
    """
    parsed = parse(source, name=name, trim_blocks=trim_blocks, lstrip_blocks=lstrip_blocks, own_filters=hardening)
    return _freeze(parsed, deepcopy(dict(known)), {"hardening": hardening, "inputs": inputs})


def _freeze(parsed: Parsed, known: Mapping[str, Any], options: Mapping[str, Any]) -> Template:
    inputs = options["inputs"]
    residual, diagnostics = specialise(parsed, known=known, inputs=None if inputs is None else frozenset(inputs))
    faults = tuple(each for each in diagnostics if each.code != EVALUATION_FAILS)
    if faults:
        raise UnsupportedTemplate(tuple(sorted(faults, key=lambda each: each.span)))
    if options["hardening"]:
        _harden(residual.body)
    return Template(parsed, known, options, residual)


def _harden(body: Body) -> None:
    """Give every output the form for values of any type; a captured text holds escaped values already."""
    for node in statements(body):
        if isinstance(node, list) and node[0] == "out":
            node.append("any")


def _inputs(node: Expression) -> set[str]:
    if not isinstance(node, list):
        return set()
    if len(node) == 2 and node[0] == "input" and isinstance(node[1], str):
        return {node[1]}
    return set().union(*map(_inputs, node))
