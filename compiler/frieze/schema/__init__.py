"""What a profile may say: the JSON Schemas of `schema/`, and their complaints in a reader's words.

The schemas check shape only. Whether a name exists, a path is declared or a template is sound is not asked here.
"""

from __future__ import annotations

from frieze.schema.arguments import arguments_fault
from frieze.schema.files import KINDS, load_schema
from frieze.schema.validation import Seen, validate, validate_merged

__all__ = ["KINDS", "Seen", "arguments_fault", "load_schema", "validate", "validate_merged"]
