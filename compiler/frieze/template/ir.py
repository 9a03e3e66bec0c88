"""The residual IR: what a template is once everything known has been decided. JSON data, nothing else.

A *body* is a list of statements:

| statement | meaning |
|---|---|
| `"text"` | literal text, never empty, never next to another text |
| `["out", E]` | print as Jinja2 prints (`hardening=False` only) |
| `["out", E, FORM]` | print hardened; `FORM` is one of the output forms below |
| `["if", [[E, body], ...], body]` | the first true arm; the last body is the `else`, `[]` when there is none |
| `["for", TARGET, E, FILTER, body, else, LOOP]` | `TARGET` is a local name or a list of targets (unpacking); `FILTER` an expression or null; `LOOP` the local name of `loop`, or null where the body does not use it |
| `["let", NAME, E]` | bind a local |
| `["capture", NAME, body]` | bind a local to the text that the body prints |
| `["fail", KIND, MESSAGE]` | this branch raises `RenderError(kind, message)` |

An *expression* is a JSON string, integer, boolean, null or finite float (a constant), or a list:

| expression | meaning |
|---|---|
| `["float", "nan" / "inf" / "-inf" / "-0.0"]` | the floats that JSON cannot say |
| `["list", E...]`, `["tuple", E...]`, `["dict", [E, E]...]` | displays; a constant map keeps its order |
| `["input", NAME]` | an unknown, by name; missing when the caller did not pass it |
| `["local", NAME]` | a binding of `let`, `capture`, `for`; missing when that branch never bound it |
| `["loop", LOOP, FIELD]` | `index`, `index0`, `revindex`, `revindex0`, `first`, `last`, `length`, `depth`, `depth0`, `previtem`, `nextitem` of a loop |
| `["attr", E, NAME]`, `["item", E, E]` | Jinja2's `.` and `[]`; one missing step is lazy, its base is not |
| `["slice", E, START, STOP, STEP]` | nulls where omitted |
| `["not", E]`, `["and", E, E]`, `["or", E, E]` | `and` and `or` give operands |
| `["cond", TEST, E, E]`, `["cond", TEST, E]` | inline `if`; without an else: empty text that is not defined |
| `["cmp", E, [OP, E], ...]` | chained, lazy; OP is `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `not in` |
| `["+", E, E]` and `-`, `*`, `/`, `//`, `%`, `**` | arithmetic |
| `["neg", E]`, `["pos", E]` | signs |
| `["concat", E...]` | `~` |
| `["filter", NAME, E, [E...], [[KEY, E]...]]` | a filter of the table in `frieze.runtime.operations` |
| `["test", NAME, E, [E...], [[KEY, E]...]]` | a test of that table |
| `["call", METHOD, E, [E...]]` | `items`, `keys`, `values`, `get` of a map |
| `["fail", KIND, MESSAGE]` | raises when it is evaluated |

`frieze.runtime.walking` has the walk over a body that tells expressions from names and keys.

Output forms: `escape` (a value inside a line, `<` and `>` become entities), `safe` (text that needs no
escaping: `quoted`, `prefixed`, constants), `number` (shortest form), `any` (`hardening=True` without declared
inputs: text is cleaned as a `line` and escaped, everything else prints as in Jinja2).

Locals are named by the evaluator in order of appearance (`name#1`, `name#2`), so the same template
and the same known values always give the same bytes. A local may be bound in several arms of an `if`;
it then holds what the arm that ran last gave it.

*Marks* stand beside a body, never inside it (the body is hashed, marks are not): one entry for each
statement in preorder (a statement, then the bodies it holds, arms before `else`). For a text it is a list of
`[offset, file, line, column]`, one for each stretch that comes from one source line; for `if` a list of
spans, one an arm; for every other statement one span. A span is `[file, line, column, end_line, end_column]`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

Expression: TypeAlias = Any
Statement: TypeAlias = Any
Body: TypeAlias = list[Any]
Mark: TypeAlias = list[Any]


@dataclass(frozen=True, slots=True)
class Residual:
    """A body and its marks."""

    body: Body
    marks: list[Mark]


def statements(body: Body) -> Iterator[Statement]:
    """Walk every statement of a body in preorder, the order of its marks."""
    for node in body:
        yield node
        if isinstance(node, str):
            continue
        if node[0] == "if":
            for _, arm in node[1]:
                yield from statements(arm)
            yield from statements(node[2])
        elif node[0] == "for":
            yield from statements(node[4])
            yield from statements(node[5])
        elif node[0] == "capture":
            yield from statements(node[2])


def constant(value: object) -> Expression:
    """Encode a known value as an expression.

    Raises:
        TypeError: the value is not JSON-like data (tuples and non-text keys are, here).
    """
    import math

    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        if math.isnan(value):
            return ["float", "nan"]
        if math.isinf(value):
            return ["float", "inf" if value > 0 else "-inf"]
        return ["float", "-0.0"] if value == 0 and math.copysign(1, value) < 0 else value
    if isinstance(value, list | tuple):
        return ["list" if isinstance(value, list) else "tuple", *map(constant, value)]
    if isinstance(value, Mapping):
        return ["dict", *([constant(key), constant(item)] for key, item in value.items())]
    raise TypeError(f"{type(value).__name__} is not data")
