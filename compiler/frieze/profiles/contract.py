"""The context contract: which paths a service may pass, merged from the library's project file and the project's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from frieze.diagnostics import Diagnostic, Related
from frieze.profiles.declarations import ContextPath, Origin
from frieze.profiles.fields import OPEN

Contract = Mapping[str, ContextPath]

DEFAULT_ZONE = "turn"
DEFAULT_TRUST = "user"
_OWN_FIELDS = frozenset({"type", "zone", "trust", "description"})


def read_contract(data: Mapping[str, Any], origin: Origin) -> dict[str, ContextPath]:
    """Return the rows of one project file's `context:`, by path.

    A row that does not say its zone may change every turn; one that does not say whom to trust is a user's.
    """
    return {path: _row(path, row, origin) for path, row in data.get("context", {}).items()}


def merge_contracts(library: Contract, own: Contract) -> tuple[dict[str, ContextPath], list[Diagnostic]]:
    """Add a project's rows to the library's. A row that is taken, or that lies below a single value, is left out."""
    merged = dict(library)
    faults: list[Diagnostic] = []
    for path, row in sorted(own.items(), key=lambda item: item[0].count(".")):
        if path in library:
            related = (Related(library[path].span, f"declared here as `{library[path].type}`"),)
            faults.append(Diagnostic.of("F330", row.span, path=path, related=related))
            continue
        clash = _clash(row, merged)
        if clash:
            faults.append(clash)
            continue
        merged[path] = row
    return merged, faults


def context_type(contract: Contract, path: str) -> str | None:
    """Return the type that the contract gives to a path, `open` for a free key of an attribute map, None if unknown."""
    if path in contract:
        return contract[path].type
    parent, _, key = path.rpartition(".")
    return OPEN if key and parent in contract and contract[parent].type == "attributes" else None


def _clash(row: ContextPath, contract: Contract) -> Diagnostic | None:
    """Say where two rows stand one below the other although the upper one holds a single value."""
    upper = row_above(row.path, contract)
    lower = row
    if upper is None:
        below = sorted(path for path in contract if path.startswith(row.path + "."))
        if not below:
            return None
        upper, lower = row, contract[below[0]]
    if upper.type == "attributes":
        return None
    other = lower if upper is row else upper
    return Diagnostic.of(
        "F331",
        row.span,
        path=lower.path,
        parent=upper.path,
        type=upper.type,
        related=(Related(other.span, f"`{other.path}` is declared here"),),
    )


def row_above(path: str, contract: Contract) -> ContextPath | None:
    """Return the nearest declared row above a path."""
    above = path.rpartition(".")[0]
    while above:
        if above in contract:
            return contract[above]
        above = above.rpartition(".")[0]
    return None


def both_zones(zone: str | Mapping[str, str]) -> tuple[str, str]:
    """Return the zone in direct and in group conversations, where one answer stands for both."""
    if isinstance(zone, Mapping):
        return zone.get("direct", DEFAULT_ZONE), zone.get("group", DEFAULT_ZONE)
    return zone, zone


def _row(path: str, row: Mapping[str, Any], origin: Origin) -> ContextPath:
    return ContextPath(
        path=path,
        type=row["type"],
        zones=both_zones(row.get("zone", DEFAULT_ZONE)),
        trust=row.get("trust", DEFAULT_TRUST),
        options={key: value for key, value in row.items() if key not in _OWN_FIELDS},
        description=row.get("description", ""),
        span=origin.key("context", path),
    )
