"""Small facts about values of every sort: their canonical text, whether they are data, what they are called."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from typing import Any

from jinja2 import Undefined
from markupsafe import Markup

from frieze.diagnostics import Span
from frieze.template.budget import BudgetError, measure, too_much
from frieze.template.ir import Expression
from frieze.template.values import Exhausted, Failure, Known, MacroValue, Missing, Namespace, Selected, Selection, Value

_OWN_DATA = re.compile(r"^`(agent|platform|model|personality)\.data` has no `([^`]*)`")
_UNDEFINED = re.compile(r"^'([^']*)' is undefined$")
TRIVIAL = frozenset({"input", "local"})
VIEWS: tuple[type, ...] = (type({}.keys()), type({}.values()), type({}.items()), range)
"""Values that are walked like lists and are none."""


def runner(value: Value) -> Callable[[Selection], Any]:
    """Return how a known or selected operand gets its value."""
    if isinstance(value, Selected):
        return value.run
    known = value.value if isinstance(value, Known) else None
    return lambda _: known


def wording(value: Value) -> str:
    """Return the canonical text of a known or selected operand."""
    if isinstance(value, Selected):
        return value.operand
    known = value.value if isinstance(value, Known) else None
    try:
        return json.dumps(known, ensure_ascii=False)
    except (TypeError, ValueError):
        return repr(known)


def personality_text(value: Selected) -> Selected:
    """Return what a bare `personality` means: its text."""
    run = value.run
    text = f"{value.text}.text"
    return Selected(text, value.selectors, lambda data: run(data)["text"], atomic=True, parts=frozenset({text}))


def parts_read(operands: Iterable[Selected], text: str) -> frozenset[str] | None:
    """Return the parts of selectors that an operation reads; `text` is its canonical text."""
    found: set[str] = set()
    for operand in operands:
        name = text.removeprefix(f"{operand.bare}.")
        parts = frozenset({text}) if operand.bare and name != text and name.isidentifier() else operand.parts
        if parts is None:
            return None
        found |= parts
    return frozenset(found)


def plain(value: Any) -> Any:
    """Return an answer as plain data.

    Raises:
        UndefinedError: it is undefined.
        NotDataError: it is no data.
    """
    if isinstance(value, Undefined):
        return str(value)
    if hasattr(value, "__next__") or isinstance(value, VIEWS):
        value = list(value)
    measure(value)
    return str(value) if isinstance(value, Markup) else value


def trivial(expression: Expression) -> bool:
    """Tell whether reading an expression again costs nothing and cannot fail."""
    return not isinstance(expression, list) or expression[0] in TRIVIAL


def undefined_expression(value: Undefined) -> Expression:
    """Return an expression that is missing in the same way."""
    if type(value) is Undefined:
        return ["cond", False, None]
    return ["local", str(value._undefined_name or "value")]  # noqa: SLF001 - the only way to its name


def sort_of(value: Value) -> str:
    """Name a value that exists at compile time only."""
    if isinstance(value, Namespace):
        return "a namespace"
    if isinstance(value, MacroValue):
        return "a macro"
    return "a name without a value" if isinstance(value, Missing) else "`loop` itself"


def failing(failure: Failure) -> tuple[str, str]:
    """Return why an expression has no value in plain words, and what to do about it where that is known."""
    if failure.kind == "ZeroDivisionError":
        return "it divides by zero", ""
    missing = _OWN_DATA.search(failure.message)
    advice = f"declare `{missing[2]}` under `data:` of the {missing[1]}, or correct the name" if missing else ""
    return _UNDEFINED.sub(r"`\1` has no value", failure.message) or "it has no value", advice


def exhausted(error: BaseException, span: Span) -> Exhausted:
    """Return how a run ends that needs too much."""
    what, limit = (error.what, error.limit) if isinstance(error, BudgetError) else ("nesting", "a few hundred levels")
    return Exhausted(too_much(span, what, limit))


def limit_error(kind: str, message: str) -> BaseException | None:
    """Return the error of a limit that an answer tells of by kind and message; None for an error of the author's."""
    if kind == BudgetError.__name__:
        what, _, limit = message.partition(": ")
        return BudgetError(what, limit)
    return RecursionError() if kind in ("RecursionError", "MemoryError") else None
