"""The resolver: standard library only, shipped verbatim with every bundle."""

from __future__ import annotations

from .bundle import Bundle
from .compaction import restate, strip
from .errors import BundleError, ContextError, FriezeError, MissingInput, RenderError, RequestError, UnknownSelector
from .notes import Note
from .documents import ProjectDocs, project_docs
from .prompt import Prompt
from .result import Part, Result

__all__ = [
    "Bundle",
    "BundleError",
    "ContextError",
    "FriezeError",
    "MissingInput",
    "Note",
    "Part",
    "ProjectDocs",
    "Prompt",
    "RenderError",
    "RequestError",
    "Result",
    "UnknownSelector",
    "project_docs",
    "restate",
    "strip",
]
