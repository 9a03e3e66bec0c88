"""F1, reading files and YAML."""

from __future__ import annotations

from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = ()
