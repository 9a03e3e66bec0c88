"""The code table, mostly one module a stage. A code's number never changes its meaning.

F1 reading files and YAML, F2 schema, F3 profiles and links, F4 templates, F5 values and inputs,
F6 bundles and output, F7 checks, F80 and F81 what a command is given besides the project, F82 to F89 permission policies.
"""

from __future__ import annotations

from frieze.diagnostics.catalogue import (
    bundles,
    checks,
    commands,
    models,
    names,
    policies,
    profiles,
    schemas,
    sources,
    templates,
    values,
)
from frieze.diagnostics.model import Code

CODES: dict[str, Code] = {
    entry.code: entry
    for module in (sources, schemas, profiles, models, templates, values, bundles, checks, commands, policies, names)
    for entry in module.ENTRIES
}

__all__ = ["CODES"]
