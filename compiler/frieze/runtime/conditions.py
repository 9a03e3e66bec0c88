"""Conditions of sources: expressions over paths of the context, which see the values that the contract allows there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Any, TypeAlias

from .clock import aware
from .context import CLOCK, Contract
from .errors import FriezeError
from .interpreter import compile_expression
from .lists import parser
from .missing import ABSENT
from .notes import Note, Refusal, record
from .types import TYPES, Parser
from .walking import inside

Path: TypeAlias = tuple[str, ...]
Condition: TypeAlias = "Callable[[Mapping[str, Any], datetime, list[Note]], bool]"


def condition(expression: Any, contract: Contract, name: str, source: str) -> Condition:
    """Return the test of a source's `when`, an expression of the residual IR over context paths.

    `name` and `source` are the input's name and the source's path, for notes.

    A path of the contract is checked by its type first, so that the text "false" is no boolean; a wrong value counts
    as absent there. A condition that cannot be evaluated is false, with a note.
    """
    evaluate = compile_expression(expression, strict=False)
    reads = [(path, _parser_of(path, contract)) for path in sorted(set(context_paths(expression)), key=len)]

    def holds(context: Mapping[str, Any], now: datetime, notes: list[Note]) -> bool:
        seen: dict[str, Any] = {}
        for path, parse in reads:
            value = aware(now) if path == (CLOCK,) else value_at(context, path)
            if value is not None and parse is not None:
                value = parse(value, _ignore)
                if isinstance(value, Refusal):
                    record(notes, Note(value.code, name, ".".join(path), value.detail))
                    value = None
            _set(seen, path, None if value is ABSENT else value)
        try:
            return bool(evaluate(seen))
        except (FriezeError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError, RecursionError):
            record(notes, Note("condition-failed", name, source))
            return False

    return holds


def value_at(context: Any, path: Path) -> Any:
    """Return what stands at a path of the context, None where nothing does."""
    for name in path:
        if not isinstance(context, Mapping):
            return None
        context = context.get(name)
    return context


def context_paths(expression: Any) -> Iterator[Path]:
    """Yield the context paths that an expression reads, each as far as it is spelled out."""
    path = _path(expression)
    if path:
        yield path
        return
    for part in inside(expression):
        yield from context_paths(part)


def _path(expression: Any) -> Path:
    match expression:
        case ["input", str(name)]:
            return (name,)
        case ["attr" | "item", base, str(name)]:
            above = _path(base)
            return (*above, name) if above else ()
    return ()


def _parser_of(path: Path, contract: Contract) -> Parser | None:
    row = contract.get(".".join(path), {})
    kind = row.get("type", "")
    return parser(kind, row) if kind in TYPES and kind not in ("attributes", "list") else None


def _set(seen: dict[str, Any], path: Path, value: Any) -> None:
    """Put a checked value into the view; what is already there is copied, never changed."""
    *sections, name = path
    for section in sections:
        inner = seen.get(section)
        seen[section] = dict(inner) if isinstance(inner, Mapping) else {}
        seen = seen[section]
    if value is None:
        seen.pop(name, None)
    else:
        seen[name] = value


def _ignore(_code: str, _detail: str, _place: str) -> None:
    """Report nothing: what a condition looks at is not printed by it."""
