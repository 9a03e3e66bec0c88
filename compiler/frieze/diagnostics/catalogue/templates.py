"""F4, templates."""

from __future__ import annotations

from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = ()
