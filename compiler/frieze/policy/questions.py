"""What a person is asked must say what is about to happen, and no tool may let the model answer in their place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, did_you_mean
from frieze.profiles.declarations import DataPath, Policy, Tool
from frieze.profiles.naming import bare, listed

SUBJECTS = ("command", "paths", "files", "packages", "hosts")
"""Placeholders that name what is about to happen; a question needs one of them."""

PLACEHOLDERS = (*SUBJECTS, "program", "branch", "remote", "pattern")
"""Everything that the guard fills in."""

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[0-9]+")

_CONFIRMING = frozenset(
    {
        *(
            "confirm",
            "confirmed",
            "confirms",
            "confirmation",
            "approve",
            "approved",
            "approval",
            "consent",
            "consented",
        ),
        *("authorize", "authorized", "authorise", "authorised", "acknowledged", "agreed", "yes", "sure"),
    }
)
"""Last words of an argument's name by which a model would answer for the person."""

_PARTS = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
_LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
_SINGLE = ("items", "additionalProperties", "contains", "not", "if", "then", "else")


def question_faults(policy: Policy) -> Iterator[Diagnostic]:
    """Yield each question of a policy that does not say what is about to happen, or names what nothing fills in."""
    places = [("rules", name, "confirm") for name in policy.data.get("rules", {})]
    places += [("actions", action, "confirm") for action in policy.data.get("actions", {})]
    for place in places:
        section, name, _ = place
        question = policy.data[section][name].get("confirm")
        if question is None:
            continue
        found = _PLACEHOLDER.findall(question)
        for field in found:
            if field not in PLACEHOLDERS:
                advice = did_you_mean(field, PLACEHOLDERS, f"the placeholders are {listed(PLACEHOLDERS)}")
                yield Diagnostic.of("F843", policy.origin.span(*place), field=field, advice=advice)
        if not any(field in SUBJECTS for field in found):
            yield Diagnostic.of("F842", policy.origin.span(*place), question=question)


def tool_faults(tool: Tool) -> Iterator[Diagnostic]:
    """Yield each argument of a tool, however deep, by which the model could confirm in a person's place."""
    for path in _confirming(tool.input_schema, ()):
        yield Diagnostic.of("F844", tool.origin.key("input", *path), name=str(path[-1]), tool=bare(tool.name))


def _confirming(schema: Any, path: DataPath) -> Iterator[DataPath]:
    if not isinstance(schema, Mapping):
        return
    for key in _PARTS:
        parts = schema.get(key)
        for name, part in parts.items() if isinstance(parts, Mapping) else ():
            here = (*path, key, name)
            if key == "properties" and _confirms(name):
                yield here
            else:
                yield from _confirming(part, here)
    for key in _LISTS:
        listed_parts = schema.get(key)
        for index, part in enumerate(listed_parts if isinstance(listed_parts, list) else ()):
            yield from _confirming(part, (*path, key, index))
    for key in _SINGLE:
        yield from _confirming(schema.get(key), (*path, key))


def _confirms(name: str) -> bool:
    words = [word.lower() for word in _WORDS.findall(name)]
    return bool(words) and words[-1] in _CONFIRMING
