"""F6, bundles and output."""

from __future__ import annotations

from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = ()
