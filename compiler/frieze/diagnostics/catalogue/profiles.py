"""F3, names, links, selectors."""

from __future__ import annotations

from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = ()
