"""Templates over declared inputs, as the passes behind the evaluator see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frieze.diagnostics import Diagnostic
from frieze.template import expression, parse, parse_expression, specialise
from frieze.template.hardening import harden
from frieze.template.ir import Residual
from frieze.template.presence import prove_presence

NAME = "t.yaml"
Inputs = Mapping[str, Mapping[str, Any]]


def residual_of(template: str, inputs: Inputs) -> Residual | None:
    """Return the residual of a template with nothing known; None where the evaluator finds anything."""
    parsed = parse(template, name=NAME)
    if parsed.diagnostics:
        return None
    residual, found = specialise(parsed, known={}, inputs=frozenset(inputs))
    return None if found else residual


def expression_of(text: str, inputs: Inputs) -> Any:
    """Return the residual of a condition; `true` and `false` stand for themselves."""
    parsed = parse_expression(text, name=NAME)
    found, diagnostics = expression(parsed, known={}, inputs=frozenset(inputs))
    return None if diagnostics else found


def findings(template: str, inputs: Inputs, when: str = "true") -> list[Diagnostic]:
    """Return what the presence proof finds in a template."""
    residual = residual_of(template, inputs)
    assert residual is not None, template
    return prove_presence(residual, inputs, expression_of(when, inputs))


def refusals(template: str, inputs: Inputs, **options: frozenset[str]) -> list[Diagnostic]:
    """Return what the hardening finds in a template."""
    residual = residual_of(template, inputs)
    assert residual is not None, template
    return harden(residual, inputs, **options)[1]
