"""Measurements of the rendering path. Every figure is a ratio of two times taken in turns in one run."""

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
