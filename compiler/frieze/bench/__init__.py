"""Measurements of rendering, compiling and the guard. Every figure is a ratio of two things measured in turns."""

from __future__ import annotations

from frieze.bench.rendering import (
    Reference,
    cold_over_jinja_import,
    interpreter_over_floor,
    jinja_over_render,
    measure_all,
    render_over_floor,
    render_over_floor_cjk,
)

__all__ = [
    "Reference",
    "cold_over_jinja_import",
    "interpreter_over_floor",
    "jinja_over_render",
    "measure_all",
    "render_over_floor",
    "render_over_floor_cjk",
]
