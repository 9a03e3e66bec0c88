"""Residual expressions as an author would write them, for messages. Never parsed again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from frieze.template.ir import Expression

_LONGEST = 60


def wording(expression: Expression) -> str:
    """Return the expression as template source, shortened to 60 characters."""
    text = _words(expression)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3].rstrip() + "..."


def _words(expression: Expression) -> str:
    if not isinstance(expression, list):
        return _literal(expression)
    operation, *parts = expression
    if operation == "float":
        return str(parts[0])
    if operation in {"list", "tuple"}:
        inside = ", ".join(map(_words, parts))
        return f"[{inside}]" if operation == "list" else f"({inside})"
    if operation == "dict":
        return "{" + ", ".join(f"{_words(key)}: {_words(value)}" for key, value in parts) + "}"
    if operation == "input":
        return str(parts[0])
    if operation == "local":
        return str(parts[0]).partition("#")[0]
    if operation == "loop":
        return f"loop.{parts[1]}"
    if operation == "attr":
        return f"{_tight(parts[0])}.{parts[1]}"
    if operation == "item":
        return f"{_tight(parts[0])}[{_words(parts[1])}]"
    if operation == "slice":
        start, stop, step = ("" if bound is None else _words(bound) for bound in parts[1:])
        return f"{_tight(parts[0])}[{start}:{stop}{':' + step if step else ''}]"
    if operation == "filter":
        return f"{_tight(parts[1])} | {parts[0]}{_arguments(parts[2], parts[3])}"
    if operation == "test":
        return f"{_tight(parts[1])} is {parts[0]}{_arguments(parts[2], parts[3])}"
    if operation == "call":
        return f"{_tight(parts[1])}.{parts[0]}({', '.join(map(_words, parts[2]))})"
    return _operators(operation, parts)


def _operators(operation: str, parts: Sequence[Any]) -> str:
    if operation == "not":
        return f"not {_tight(parts[0])}"
    if operation in {"neg", "pos"}:
        return ("-" if operation == "neg" else "+") + _tight(parts[0])
    if operation == "cond":
        test, then, *otherwise = map(_words, parts)
        return f"{then} if {test}" + "".join(f" else {text}" for text in otherwise)
    if operation == "cmp":
        return _tight(parts[0]) + "".join(f" {comparison} {_tight(value)}" for comparison, value in parts[1:])
    if operation == "concat":
        return " ~ ".join(map(_tight, parts))
    if operation == "fail":
        return "..."
    return f" {operation} ".join(
        _words(part) if isinstance(part, list) and part[0] == operation else _tight(part) for part in parts
    )


_LOOSE = {"and", "or", "not", "cond", "cmp", "concat", "+", "-", "*", "/", "//", "%", "**", "neg", "pos", "test"}


def _tight(expression: Expression) -> str:
    words = _words(expression)
    return f"({words})" if isinstance(expression, list) and expression[0] in _LOOSE else words


def _arguments(positional: Sequence[Expression], named: Sequence[Sequence[Any]]) -> str:
    words = [*map(_words, positional), *(f"{key}={_words(value)}" for key, value in named)]
    return f"({', '.join(words)})" if words else ""


def _literal(value: object) -> str:
    if isinstance(value, str):
        encoded = json.dumps(value, ensure_ascii=False)
        return encoded if "'" in value else "'" + encoded[1:-1].replace('\\"', '"') + "'"
    return (
        {None: "none", True: "true", False: "false"}.get(value, str(value))
        if value is None or isinstance(value, bool)
        else str(value)
    )
