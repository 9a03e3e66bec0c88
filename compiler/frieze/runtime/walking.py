"""The one walk over residual IR that knows which parts of a node are expressions and which are names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

_LEAVES = frozenset({"input", "local", "loop", "float", "fail"})


def inside(node: Any) -> Iterator[Any]:
    """Yield the expressions and statements that stand directly in an expression or statement, in order.

    Names, operators, keys of arguments and constants of the notation are no expressions; constant operands are.
    """
    if not isinstance(node, list) or node[0] in _LEAVES:
        return
    operation, *parts = node
    if operation in ("filter", "test"):
        yield parts[1]
        yield from parts[2]
        yield from (value for _, value in parts[3])
    elif operation == "call":
        yield parts[1]
        yield from parts[2]
    elif operation == "cmp":
        yield parts[0]
        yield from (value for _, value in parts[1:])
    elif operation == "dict":
        yield from (side for pair in parts for side in pair)
    elif operation in ("attr", "out"):
        yield parts[0]
    elif operation == "let":
        yield parts[1]
    elif operation == "capture":
        yield from parts[1]
    elif operation == "if":
        for test, body in parts[0]:
            yield test
            yield from body
        yield from parts[1]
    elif operation == "for":
        yield from parts[1:3]
        yield from parts[3]
        yield from parts[4]
    else:
        yield from parts


def input_names(nodes: Iterable[Any]) -> set[str]:
    """Return the names of the inputs that statements or expressions read."""
    found: set[str] = set()
    pending = list(nodes)
    while pending:
        node = pending.pop()
        if isinstance(node, list) and node[0] == "input":
            found.add(node[1])
        else:
            pending += inside(node)
    return found
