"""F5, inputs and what may be printed."""

from __future__ import annotations

from frieze.diagnostics.catalogue import absence, printing
from frieze.diagnostics.model import Code

ENTRIES: tuple[Code, ...] = (*absence.ENTRIES, *printing.ENTRIES)
