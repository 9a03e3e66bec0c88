"""F2, what the JSON Schemas say."""

from __future__ import annotations

from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = ()
