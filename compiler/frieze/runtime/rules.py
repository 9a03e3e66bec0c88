"""Rules that arrive with a request, settled with those that hold anyway."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from .hierarchy import Outcome, Rule, settle
from .notes import Note, record

Row: TypeAlias = Mapping[str, Any]
"""A rule as data: `id`, `text`, `authority`, `topic`, `scope`, `strength`, `effect`; after settling also `where` (the
scope in words), and where it is overruled `overruled_by`, `because` and, if it holds elsewhere, `elsewhere`."""

SETTLED = ("where", "overruled_by", "because", "elsewhere")
"""The fields that settling adds."""

OF_REQUESTS = ("project", "user")
"""Whose word a request can bring; whoever claims more speaks as the user."""


def settled_rows(rules: Sequence[Row]) -> list[dict[str, Any]]:
    """Return all rules with what became of each, those that hold first."""
    outcomes = settle(_rule(row) for row in rules)
    rows = [_row(row, outcome) for row, outcome in zip(rules, outcomes, strict=True)]
    return sorted(rows, key=lambda row: "overruled_by" in row and "elsewhere" not in row)


def settling(known: Sequence[Row], name: str, path: str) -> Callable[[Any, list[Note]], Any]:
    """Return the function that settles the rules of a request with `known` ones; what is overruled is noted."""
    taken = {row["id"] for row in known}

    def settled(given: Any, notes: list[Note]) -> list[dict[str, Any]]:
        rules = list(known)
        for row in given:
            authority = row.get("authority", "user")
            if authority not in OF_REQUESTS:
                record(notes, Note("authority-refused", name, path, f"`{row['id']}` claims `{authority}`"))
                authority = "user"
            unlike = f"{authority}/{row['id']}" if row["id"] in taken else row["id"]
            rules.append({**row, "id": unlike, "authority": authority})
        rows = settled_rows(rules)
        for row in rows:
            if "overruled_by" in row:
                where = "" if "elsewhere" not in row else ", in part"
                detail = f"`{row['id']}` by `{row['overruled_by']}`{where}: {row['because']}"
                record(notes, Note("rule-overruled", name, path, detail))
        return rows

    return settled


def _rule(row: Row) -> Rule:
    return Rule(
        id=row["id"],
        text=row["text"],
        authority=row.get("authority", "user"),
        topic=row.get("topic", ""),
        scope=tuple(row.get("scope") or ()),
        must=row.get("strength") != "should",
        effect=row.get("effect"),
    )


def _row(row: Row, outcome: Outcome) -> dict[str, Any]:
    kept = ("id", "text", "topic", "strength", "effect")
    made = {key: row[key] for key in kept if row.get(key)}
    made["authority"] = outcome.rule.authority
    if outcome.rule.scope:
        made["where"] = ", ".join(outcome.rule.scope)
    if outcome.by:
        made |= {"overruled_by": outcome.by.id, "because": outcome.because}
        if outcome.holds:
            made["elsewhere"] = ", ".join(outcome.by.scope) or "there"
    return made
