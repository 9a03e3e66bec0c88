"""The operands of an expression of the residual IR, told apart from the names and argument lists around them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

_LEAVES = frozenset({"input", "local", "loop", "float", "fail"})


def operands(expression: Any) -> Iterator[Any]:
    """Yield the operands of one expression, constants included; nothing for a constant or a name."""
    if not isinstance(expression, list) or expression[0] in _LEAVES:
        return
    operation, *parts = expression
    if operation in {"filter", "test"}:
        _, subject, positional, named = parts
        yield from (subject, *positional, *(value for _, value in named))
    elif operation == "call":
        yield from (parts[1], *parts[2])
    elif operation == "attr":
        yield parts[0]
    elif operation == "cmp":
        yield from (parts[0], *(right for _, right in parts[1:]))
    elif operation == "dict":
        yield from (side for pair in parts for side in pair)
    else:
        yield from parts


def input_names(expressions: Iterable[Any]) -> set[str]:
    """Return the names of the inputs that expressions read."""
    found: set[str] = set()
    pending = list(expressions)
    while pending:
        expression = pending.pop()
        if isinstance(expression, list) and expression[0] == "input":
            found.add(expression[1])
        else:
            pending += operands(expression)
    return found
