"""The shapes of a bundle's files, checked before anything relies on them.

A hash says that a file is what its manifest names, not that the two make sense; a damaged bundle is refused here,
with the place, and never met by a prompt. `schema/bundle.schema.json` says the same to people and to other programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeAlias

from .errors import BundleError, FriezeError

Shape: TypeAlias = Any
"""A type, a tuple of shapes (any of them), None, or one of the classes below."""

BRANCHES = 10_000
"""Questions that one walk through a variant tree may meet."""

_Damage = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


class ListOf(NamedTuple):
    """A list of members of one shape."""

    member: Shape


class MapOf(NamedTuple):
    """A map from any text to values of one shape."""

    value: Shape


class Row(NamedTuple):
    """A list with a shape for each place."""

    members: tuple[Shape, ...]


class Record(NamedTuple):
    """A map with these keys; others may stand beside them."""

    keys: Mapping[str, Shape]
    optional: Mapping[str, Shape] = {}


_OPTIONAL_TEXT = (str, None)
_PLACE = Row((str, int))
_LIMIT = Record({}, {"knowledge_bases": (ListOf(str), None), "documents": (ListOf(str), None), "tags": ListOf(dict)})

_OPTIONS: dict[str, Shape] = {
    "type": str,
    "required": bool,
    "visible": bool,
    "mask": bool,
    "max_length": int,
    "max_items": int,
    **{key: ListOf((str, int, float, bool)) for key in ("absent_values", "options")},
    **{key: ListOf(str) for key in ("supported", "reserved", "headings", "markers")},
}
_OPTIONS["keys"] = MapOf((None, Record({}, _OPTIONS)))
_OPTIONS["of"] = (str, Record({"fields": MapOf((str, Record({}, _OPTIONS)))}), Record({"type": str}, _OPTIONS))
"""What an input's type may be told, for the input itself, its members, fields and keys."""

_SOURCE = Record({}, {"path": str, "type": str})

MANIFEST_SHAPE = Record(
    {
        "name": str,
        "package": str,
        "version": str,
        "description": str,
        "agents": MapOf(
            Record(
                {"allows": int, "defaults": MapOf(str), "description": str},
                {
                    "tools": ListOf(Record({"name": str, "description": str, "input_schema": dict})),
                    "skills": MapOf(str),
                    "retrieval": _LIMIT,
                    "tasks": MapOf(str),
                    "permissions": str,
                },
            )
        ),
        "allowances": ListOf(
            Record({key: ListOf(str) for key in ("platform", "model", "personality", "mode", "audience")})
        ),
        "models": MapOf(
            Record(
                {
                    "prompt_cache": bool,
                    "personality": _OPTIONAL_TEXT,
                    "slug": str,
                    "vendor": _OPTIONAL_TEXT,
                    "cache": (
                        None,
                        Record({"kind": str, "breakpoints": (int, None), "minimum_tokens": (int, None)}),
                    ),
                    "roles": Record({"static": str, "notices": str, "data": str}, {"later": str}),
                    "max_output_tokens": (int, None),
                },
                {"slugs": ListOf(str), "fallback": bool, "personalities": MapOf(str)},
            )
        ),
        "blocks": MapOf(
            Record(
                {
                    "heading": _OPTIONAL_TEXT,
                    "tag": _OPTIONAL_TEXT,
                    "role": str,
                    "authority": str,
                    "kind": str,
                    "source": str,
                    "file": str,
                },
                {
                    "markers": Row((str, str)),
                    "changed": str,
                    "ended": str,
                    "transient": bool,
                    "verbatim": bool,
                    "base": bool,
                    "covers": ListOf(str),
                },
            )
        ),
        "layout": int,
        "layouts": ListOf(
            Record(
                {
                    "slots": ListOf(Row((str, str))),
                    "tags": Record({"notices": str, "context": str}),
                    "opening": str,
                    "source": _PLACE,
                },
                {"ended": str},
            )
        ),
        "questions": ListOf(
            Record({"ask": str, "of": ListOf(str), "else": int, "table": dict, "outcomes": ListOf(str)})
        ),
        "contract": MapOf(Record({"type": str, "zones": Row((str, str))}, _OPTIONS)),
        "provenance": MapOf(str),
        "files": MapOf(str),
    },
    {
        "platforms": MapOf(Record({"retrieval": _LIMIT})),
        "project_documents": Record(
            {},
            {
                "overrides": ListOf(str),
                "names": ListOf(str),
                "fallbacks": ListOf(str),
                "root_markers": ListOf(str),
                "max_bytes": int,
            },
        ),
        "personalities": MapOf(Record({}, {"text": str, "removes": ListOf(str)})),
    },
)

RESIDUALS_SHAPE = Record(
    {
        "tree": (int, dict),
        "leaves": ListOf(Record({}, {"residual": str, "zones": Row((str, str)), "send": str})),
        "residuals": MapOf(
            Record(
                {
                    "body": list,
                    "inputs": MapOf(Record({"name": str, "type": str, "sources": ListOf(_SOURCE)}, _OPTIONS)),
                }
            )
        ),
    }
)

PROVENANCE_SHAPE = Record(
    {"leaves": ListOf(Record({"block": _PLACE, "frame": _PLACE, "when": (_PLACE, None), "marks": list}))}
)


def misfit(value: Any, shape: Shape) -> str | None:
    """Return the place in `value` that does not have the shape, as `agents.helper.allows`; None where all fits."""
    found = _misfit(value, shape)
    return None if found is None else found.removeprefix(".")


def _misfit(value: Any, shape: Shape) -> str | None:
    """Return the same, with a dot in front of a key: places are only put together where something does not fit."""
    kind = shape.__class__
    if kind is ListOf or kind is Row:
        if not isinstance(value, list):
            return ""
        if kind is Row and len(value) != len(shape.members):
            return ""
        shapes = shape.members if kind is Row else [shape.member] * len(value)
        for number, (member, wanted) in enumerate(zip(value, shapes, strict=True)):
            found = _misfit(member, wanted)
            if found is not None:
                return f"[{number}]{found}"
        return None
    if kind is MapOf or kind is Record:
        if not isinstance(value, dict):
            return ""
        keys = dict.fromkeys(value, shape.value) if kind is MapOf else shape.keys
        optional = {} if kind is MapOf else shape.optional
        for key, wanted in keys.items():
            found = _misfit(value[key], wanted) if key in value else ""
            if found is not None:
                return f".{key}{found}"
        for key, wanted in optional.items():
            found = _misfit(value[key], wanted) if key in value else None
            if found is not None:
                return f".{key}{found}"
        return None
    if kind is tuple:
        each = [_misfit(value, one) for one in shape]
        return None if None in each else max((place or "" for place in each), key=len)
    if shape is None:
        return None if value is None else ""
    fits = isinstance(value, shape) and not (shape is int and isinstance(value, bool))
    return None if fits else ""


def checked(value: Any, shape: Shape, file: str) -> Any:
    """Return `value`.

    Raises:
        BundleError: it does not have the shape.
    """
    found = misfit(value, shape)
    if found is not None:
        raise BundleError(file, f"is not as a compiler writes it{f', at `{found}`' if found else ''}")
    return value


@contextmanager
def damage(file: str) -> Iterator[None]:
    """Turn what a contradiction inside of a bundle raises, such as a name that leads nowhere, into a `BundleError`."""
    try:
        yield
    except FriezeError:
        raise
    except _Damage as error:
        raise BundleError(file, f"contradicts itself ({type(error).__name__}: {error})") from error
