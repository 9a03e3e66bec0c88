"""The residual IR written out as a Jinja2 template, so that Jinja2 can be asked what a residual means.

Constants become variables: what Jinja2 folds when it compiles has quirks of its own, which are not the IR's.
"""

from __future__ import annotations

from typing import Any

import jinja2

ENVIRONMENT = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True)


def jinja_source(body: list[Any]) -> tuple[str, dict[str, Any]]:
    """Return a body as Jinja2 source, and the variables that stand for its constants."""
    writer = _Writer()
    return writer.body(body), writer.constants


class _Writer:
    def __init__(self) -> None:
        self.constants: dict[str, Any] = {}

    def body(self, body: list[Any]) -> str:
        return "".join(map(self.statement, body))

    def statement(self, node: Any) -> str:
        match node:
            case str():
                return node
            case ["out", value]:
                return f"{{{{ {self.expression(value)} }}}}"
            case ["if", arms, orelse]:
                text = "".join(
                    f"{{% {'elif' if number else 'if'} {self.expression(test)} %}}{self.body(arm)}"
                    for number, (test, arm) in enumerate(arms)
                )
                return text + (f"{{% else %}}{self.body(orelse)}" if orelse else "") + "{% endif %}"
            case ["for", target, iterable, test, body, orelse, _]:
                condition = "" if test is None else f" if {self.expression(test)}"
                otherwise = f"{{% else %}}{self.body(orelse)}" if orelse else ""
                head = f"{{% for {_target(target)} in {self.expression(iterable)}{condition} %}}"
                return f"{head}{self.body(body)}{otherwise}{{% endfor %}}"
            case ["let", name, value]:
                return f"{{% set {_bare(name)} = {self.expression(value)} %}}"
            case ["capture", name, body]:
                return f"{{% set {_bare(name)} %}}{self.body(body)}{{% endset %}}"
        raise AssertionError(node)

    def expression(self, node: Any) -> str:
        if node in (["list"], ["tuple"], ["dict"]):
            node = {"list": [], "tuple": (), "dict": {}}[node[0]]
        if not isinstance(node, list) or not node:
            name = f"constant_{len(self.constants)}"
            self.constants[name] = node
            return name
        match node:
            case ["input" | "local", name]:
                return _bare(name)
            case ["loop", _, field]:
                return f"loop.{field}"
            case ["list", *parts]:
                return f"[{self.several(parts)}]"
            case ["tuple", *parts]:
                return f"({''.join(self.expression(part) + ', ' for part in parts)})"
            case ["dict", *pairs]:
                return f"{{{', '.join(f'{self.expression(key)}: {self.expression(value)}' for key, value in pairs)}}}"
            case ["attr", owner, name]:
                return f"({self.expression(owner)}).{name}"
            case ["item", owner, key]:
                return f"({self.expression(owner)})[{self.expression(key)}]"
            case ["slice", owner, *limits]:
                return (
                    f"({self.expression(owner)})[{':'.join('' if x is None else self.expression(x) for x in limits)}]"
                )
            case ["not", operand]:
                return f"(not {self.expression(operand)})"
            case ["cond", test, then, *other]:
                otherwise = f" else {self.expression(other[0])}" if other else ""
                return f"({self.expression(then)} if {self.expression(test)}{otherwise})"
            case ["cmp", first, *links]:
                return f"({self.expression(first)}{''.join(f' {op} {self.expression(part)}' for op, part in links)})"
            case ["concat", *parts]:
                return f"({' ~ '.join(map(self.expression, parts))})"
            case ["neg" | "pos" as sign, operand]:
                return f"({'-' if sign == 'neg' else '+'}{self.expression(operand)})"
            case ["filter", name, value, arguments, keywords]:
                return f"({self.expression(value)}|{name}{self.call(arguments, keywords)})"
            case ["test", name, value, arguments, keywords]:
                return f"({self.expression(value)} is {name}{self.call(arguments, keywords)})"
            case ["call", method, value, arguments]:
                return f"({self.expression(value)}).{method}({self.several(arguments)})"
            case [str(op), left, right]:
                return f"({self.expression(left)} {op} {self.expression(right)})"
        raise AssertionError(node)

    def several(self, parts: list[Any]) -> str:
        return ", ".join(map(self.expression, parts))

    def call(self, arguments: list[Any], keywords: list[Any]) -> str:
        named = [f"{key}={self.expression(value)}" for key, value in keywords]
        return f"({', '.join([*map(self.expression, arguments), *named])})" if arguments or keywords else ""


def _target(target: Any) -> str:
    return _bare(target) if isinstance(target, str) else f"({''.join(_target(part) + ', ' for part in target)})"


def _bare(name: str) -> str:
    return name.partition("#")[0]
