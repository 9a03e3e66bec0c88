"""The JSON Schema of a tool's arguments, as its profile writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frieze.sources import DataPath


def arguments_fault(arguments: Mapping[str, Any]) -> tuple[DataPath, str] | None:
    """Return where and why this is not the JSON Schema (draft 2020-12) of an object, None where it is one."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match

    if arguments.get("type") != "object":
        return (), "write `type: object`, and each argument under `properties`"
    error = best_match(Draft202012Validator(Draft202012Validator.META_SCHEMA).iter_errors(arguments))
    if error is None:
        return None
    path = tuple(error.absolute_path)
    place = ".".join(map(str, ("input", *path)))
    wanted = f" (`{error.validator}`: {error.validator_value})" if error.validator in {"type", "enum"} else ""
    return path, f"JSON Schema wants something else at `{place}`{wanted}"
