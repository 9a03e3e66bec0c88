"""What the docstrings of an emitted package say, as the inside of a docstring whatever it holds."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Mapping
from typing import Any

from frieze.template.literals import text_literal

INDENT = "    "
WIDTH = 110


def agent_documentation(agent: str, description: str, inputs: Mapping[str, Mapping[str, Any]]) -> str:
    """Say what an agent is, and which inputs its instructions take, in lines of the docstring of `prompt`.

    Args:
        agent: its name.
        description: what its profile says of it.
        inputs: the specifications of the inputs that its instructions read, by name.
    """
    lines = wrapped(f"{agent}: {description.strip() or 'No description.'}", 1)
    for name, spec in sorted(inputs.items()):
        paths = ", ".join(source["path"] for source in spec["sources"] if source.get("path"))
        need = "; required" if spec.get("required") else ""
        where = f" from {paths}" if paths else ""
        meaning = str(spec.get("description") or "").strip()
        lines += wrapped(f"- {name} ({spec['type']}{where}{need})" + (f": {meaning}" if meaning else ""), 2)
    return inside(lines, 1)


def wrapped(text: str, depth: int) -> list[str]:
    """Return a text in lines that fit, indented by so many levels."""
    indent = INDENT * depth
    if text and len(indent) + len(text) <= WIDTH and text == " ".join(text.split()):
        return [indent + text]
    return textwrap.wrap(text, WIDTH, initial_indent=indent, subsequent_indent=indent + INDENT, break_on_hyphens=False)


def inside(lines: Iterable[str], depth: int) -> str:
    """Return lines as they stand below the first one of a docstring, whose own level is `depth`."""
    indent = INDENT * depth
    return "\n".join((indent + text_literal(line)[1:-1]).rstrip() for line in lines)


def docstring(lines: Iterable[str], depth: int) -> str:
    """Return lines as the inside of a docstring, the first one beside the quotation marks."""
    head, *more = lines
    first = text_literal(head)[1:-1]
    return f"{first}\n{inside(more, depth)}\n{INDENT * depth}" if more else first
