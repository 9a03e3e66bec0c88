"""The resolver: standard library only, shipped verbatim with every bundle."""

from __future__ import annotations

from .base import Base, Catalog, Override, Saved
from .bundle import Bundle
from .compaction import restate, strip
from .documents import ProjectDocs, project_docs
from .errors import BundleError, ContextError, FriezeError, MissingInput, RenderError, RequestError, UnknownSelector
from .notes import Note
from .prompt import Prompt
from .result import Part, Result
from .slugs import Slug

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
