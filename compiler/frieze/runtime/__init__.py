"""The resolver: standard library only, shipped verbatim with every bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .bundle import Bundle
from .errors import BundleError, ContextError, FriezeError, MissingInput, RenderError, RequestError, UnknownSelector
from .notes import Note
from .prompt import Prompt
from .result import Part, Result
from .slugs import Slug

if TYPE_CHECKING:
    from .base import Base, Catalog, Override, Saved
    from .compaction import restate, strip
    from .documents import ProjectDocs, project_docs

__all__ = [
    "Base",
    "Bundle",
    "BundleError",
    "Catalog",
    "ContextError",
    "FriezeError",
    "MissingInput",
    "Note",
    "Override",
    "Part",
    "ProjectDocs",
    "Prompt",
    "RenderError",
    "RequestError",
    "Result",
    "Saved",
    "Slug",
    "UnknownSelector",
    "project_docs",
    "restate",
    "strip",
]

_LATE = {
    "Base": "base",
    "Catalog": "base",
    "Override": "base",
    "ProjectDocs": "documents",
    "Saved": "base",
    "project_docs": "documents",
    "restate": "compaction",
    "strip": "compaction",
}
"""Names whose modules are loaded when they are first asked for."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f".{_LATE[name]}", __name__), name)
