"""The partial evaluator: Jinja syntax in, residual out."""

from __future__ import annotations

from frieze.template.freezing import Template, UnsupportedTemplate, freeze
from frieze.template.parse import Parsed, parse, parse_expression
from frieze.template.specialise import expression, specialise
from frieze.template.values import Outcome, Question, Unanswered

__all__ = [
    "Outcome",
    "Parsed",
    "Question",
    "Template",
    "Unanswered",
    "UnsupportedTemplate",
    "expression",
    "freeze",
    "parse",
    "parse_expression",
    "specialise",
]
