"""Jinja2 itself as the oracle of the partial evaluator."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import jinja2

from frieze.runtime.errors import RenderError
from frieze.template import UnsupportedTemplate, freeze

RAISES = ("raises",)
REFUSED = ("refused",)


def jinja(
    source: str,
    values: Mapping[str, Any],
    *,
    trim_blocks: bool = True,
    lstrip_blocks: bool = True,
    optimized: bool = True,
) -> Any:
    """What Jinja2 renders, or RAISES. Without `optimized` it does not evaluate constants while it compiles."""
    environment = jinja2.Environment(
        optimized=optimized,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=trim_blocks,
        lstrip_blocks=lstrip_blocks,
    )
    try:
        return environment.from_string(source).render(deepcopy(dict(values)))
    except Exception:  # noqa: BLE001 - whatever it raises counts alike
        return RAISES


def frozen(source: str, known: Mapping[str, Any], unknown: Mapping[str, Any], **options: Any) -> Any:
    """What freezing and then rendering gives: a text, RAISES or REFUSED; any other exception is a fault."""
    try:
        template = freeze(source, known, hardening=False, **options)
    except UnsupportedTemplate:
        return REFUSED
    try:
        return template.render(unknown)
    except RenderError as error:
        return REFUSED if error.kind in ("Unsupported", "Unprintable", "SecurityError", "ResultTooLarge") else RAISES
