"""F712: template syntax in a text that is no template, so that the model would read the braces.

What stands between backticks or in a fenced block is an example and is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from frieze.diagnostics import Diagnostic, Span
from frieze.freeze import Frozen
from frieze.profiles.declarations import Origin, Text
from frieze.profiles.naming import LIBRARY

_EXAMPLE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`", re.DOTALL)
_TAG = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.DOTALL)


def template_in_plain_text(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for the first tag of each plain text of the project."""
    for text, origin, path in _plain_values(frozen):
        found = _tag(text)
        span = origin.span(*path) if found else None
        if found and span and not span.file.startswith(LIBRARY):
            yield _warning(found, span)
    for plain in _plain_texts(frozen):
        found = _tag(plain.value)
        if found and not plain.span.file.startswith(LIBRARY):
            yield _warning(found, plain.locate(*found.span()))


def _plain_values(frozen: Frozen) -> Iterator[tuple[str, Origin, tuple[str, ...]]]:
    graph = frozen.graph
    for block in graph.blocks.values():
        yield block.heading or "", block.origin, ("heading",)
    for platform in graph.platforms.values():
        group = platform.data.get("group") or {}
        yield group.get("instructions") or "", platform.origin, ("group", "instructions")
    for skill in graph.skills.values():
        for field in ("description", "when_to_use"):
            yield skill.data.get(field) or "", skill.origin, (field,)
    for tool in graph.tools.values():
        yield tool.description, tool.origin, ("description",)
    for layout in graph.layouts.values():
        yield layout.opening, layout.origin, ("opening",)


def _plain_texts(frozen: Frozen) -> Iterator[Text]:
    """Yield plain texts of profiles. A model's plain instructions are none of them: they may speak of anything."""
    graph = frozen.graph
    texts = (
        *(personality.text for personality in graph.personalities.values()),
        *(skill.text for skill in graph.skills.values()),
    )
    yield from (text for text in texts if text)
    for model in graph.models.values():
        yield from model.personalities.values()


def _tag(text: str) -> re.Match[str] | None:
    return _TAG.search(_EXAMPLE.sub(lambda example: " " * len(example[0]), text)) if "{" in text else None


def _warning(found: re.Match[str], span: Span) -> Diagnostic:
    return Diagnostic.of("F712", span, written=" ".join(found[0].split()))
