"""Generated source run as a module, which only tests do from memory."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from frieze.runtime.errors import RenderError
from frieze.template.python_module import template_module


def functions(source: str) -> dict[str, Any]:
    """Return what a generated module defines."""
    names: dict[str, Any] = {"__name__": "generated"}
    exec(compile(source, "<generated>", "exec", dont_inherit=True), names)
    return names


def render_of(body: list[Any]) -> Callable[[Mapping[str, Any]], str]:
    """Return the `render` of a body's module."""
    return functions(template_module(body, frozenset()))["render"]


def outcome(render: Callable[[Any], Any], values: Any) -> tuple[str, Any]:
    """Return ("text", text) or ("error", error)."""
    try:
        return "text", render(values)
    except RenderError as error:
        return "error", error
