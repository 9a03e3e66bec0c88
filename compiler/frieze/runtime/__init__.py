"""The resolver: standard library only, shipped verbatim with every bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .bundle import Bundle
from .errors import BundleError, ContextError, FriezeError, MissingInput, RenderError, RequestError, UnknownSelector
from .notes import Note
from .prompt import Prompt
from .result import Result
from .slugs import Slug

if TYPE_CHECKING:
    from .base import Base, Catalog, Override, Saved
    from .compaction import restate, strip
    from .documents import ProjectDocs, project_docs
    from .parts import Part

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


def __getattr__(name: str) -> Any:
    """Load what most services never ask for."""
    found: Any
    if name in ("Base", "Catalog", "Override", "Saved"):
        from . import base as found
    elif name in ("ProjectDocs", "project_docs"):
        from . import documents as found
    elif name == "Part":
        from . import parts as found
    elif name in ("restate", "strip"):
        from . import compaction as found
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(found, name)
