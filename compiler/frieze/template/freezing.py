"""`freeze`: specialise one template by itself, for use from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import cached_property
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.runtime.interpreter import compile_body
from frieze.runtime.walking import input_names
from frieze.template.absence import without_echoes
from frieze.template.budget import BudgetError, NotDataError, measure
from frieze.template.hardening import harden, harden_untyped
from frieze.template.ir import Body, Residual
from frieze.template.parse import Parsed, parse
from frieze.template.presence import prove_presence
from frieze.template.python_module import template_module
from frieze.template.sorts import exhausted
from frieze.template.specialise import GLOBALS, specialise

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
        return frozenset(input_names(self.ir))

    @cached_property
    def _render(self) -> Callable[[Mapping[str, Any]], str]:
        return compile_body(self.ir, strict=True)

    def render(self, values: Mapping[str, Any]) -> str:
        """Return the text for these values of the unknown names.

        Raises:
            RenderError: the template has no text for them.
        """
        shadowed = frozenset(values.keys() & GLOBALS)
        if shadowed > self._options["shadowed"]:
            return _freeze(self._parsed, self._known, {**self._options, "shadowed": shadowed}).render(values)
        return self._render(values)

    def to_python(self) -> str:
        """Return the source of a Python module that defines `render(values)`, which does what `render` does.

        It imports from `frieze.runtime` alone and executes nothing that is not written in it. Values under the names
        of functions (`range`, `dict`, ...) are refused there, since they would make this another template.
        """
        return template_module(self.ir, GLOBALS - self._options["shadowed"])

    def freeze(self, known: Mapping[str, Any]) -> Template:
        """Return the template with these names known as well."""
        return _freeze(self._parsed, {**self._known, **_copied(known, self._parsed)}, self._options)


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
        inputs: name -> type of the unknown names, all of which will be given; with hardening, templates are held to the
            rules of profiles then. None: every other name is unknown and of any type.

    Raises:
        UnsupportedTemplate: some part of it has no right residual; nothing is ever rendered differently.
        TypeError: a known value is not JSON data.
    """
    parsed = parse(source, name=name, trim_blocks=trim_blocks, lstrip_blocks=lstrip_blocks, own_filters=hardening)
    return _freeze(parsed, _copied(known, parsed), {"hardening": hardening, "inputs": inputs, "shadowed": frozenset()})


def _copied(known: Mapping[str, Any], parsed: Parsed) -> dict[str, Any]:
    """Return the known values, so that a later change of the caller's does not reach them.

    Raises:
        UnsupportedTemplate: they are too large or too deep.
        TypeError: they are not JSON data.
    """
    try:
        for value in known.values():
            measure(value)
    except BudgetError as error:
        raise UnsupportedTemplate((exhausted(error, parsed.places.span(0, 0)).diagnostic,)) from None
    except NotDataError as error:
        raise TypeError(f"a known value is, or holds, a {error.what}, which is not JSON data") from None
    return deepcopy(dict(known))


def _freeze(parsed: Parsed, known: Mapping[str, Any], options: Mapping[str, Any]) -> Template:
    inputs = options["inputs"]
    residual, diagnostics = specialise(
        parsed,
        known=known,
        inputs=None if inputs is None else frozenset(inputs),
        shadowed=options["shadowed"],
    )
    faults = tuple(each for each in diagnostics if each.code != EVALUATION_FAILS)
    if faults:
        raise UnsupportedTemplate(tuple(sorted(faults, key=lambda each: each.span)))
    if options["hardening"]:
        residual = _hardened(residual, inputs)
    return Template(parsed, known, options, residual)


def _hardened(residual: Residual, inputs: Mapping[str, str] | None) -> Residual:
    """Choose how every output prints, and prove that declared values are there wherever they are used.

    Raises:
        UnsupportedTemplate: a value of a declared type must not be printed so, or may have no such part.
    """
    if inputs is None:
        hardened, found = harden_untyped(residual)
    else:
        declared = {name: {"type": kind, "required": True} for name, kind in inputs.items()}
        hardened, found = harden(residual, declared)
        found = [*without_echoes(prove_presence(residual, declared), found), *found]
    if found:
        raise UnsupportedTemplate(tuple(sorted(found, key=lambda each: each.span)))
    return hardened
