"""A grammar of templates and values. One seed makes one case, so that thousands cost seconds; hypothesis draws the seeds."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

NAMES = ("a", "b", "c", "s", "xs", "d", "rows")
"""The names of a context; some cases leave some out."""

_TEXTS = (
    "",
    "a",
    "Ab c",
    "{{ a }}",
    "{% if %}",
    "<b>&\"'",
    "1",
    "x\ny\n",
    "é😀",
    "%s",
    "items",
    "none",
    " pad ",
    "k: [v",
)
_SCALARS: tuple[Any, ...] = (None, True, False, 0, 1, 2, 3, -1, 12, 0.0, 1.5, -0.0, 1e20, *_TEXTS)

_FILTERS = [
    "upper",
    "lower",
    "title",
    "capitalize",
    "trim",
    "length",
    "first",
    "last",
    "list",
    "sort",
    "unique|list",
    "join",
    "join('-')",
    "join(',',attribute='k')",
    "default('z')",
    "default('z',true)",
    "d(b)",
    "int",
    "int(7)",
    "float",
    "string",
    "abs",
    "round",
    "round(1)",
    "replace('a','b')",
    "truncate(5)",
    "truncate(4,true,'..')",
    "indent",
    "indent(2,true)",
    "wordwrap(3)",
    "wordcount",
    "reverse",
    "reverse|list",
    "tojson",
    "dictsort",
    "items|list",
    "batch(2)|list",
    "batch(2,'x')|list",
    "slice(2)|list",
    "sum",
    "max",
    "min",
    "map('upper')|list",
    "map('string')|join('|')",
    "map(attribute='k')|list",
    "map(attribute='k',default='q')|join",
    "select|list",
    "reject('none')|list",
    "select('gt',1)|list",
    "selectattr('k')|list",
    "selectattr('v','eq',1)|list",
    "rejectattr('v','in',[1,2])|list",
    "groupby('v')|list",
    "groupby('v')|map('first')|list",
    "center(9)",
    "escape",
    "e",
    "safe",
    "striptags",
    "urlencode",
    "format(b)",
    "filesizeformat",
    "pprint",
    "attr('k')",
    "length|string",
    "select",
    "map('upper')",
    "dictsort(by='value')",
    "sort(reverse=true)",
    "sort(attribute='v')",
    "sum(attribute='v')",
    "max(attribute='v')",
    "default(b,true)",
    "round(1,'floor')",
    "batch(b)|list",
]
_TESTS = (
    "defined", "undefined", "none", "string", "number", "integer", "float", "boolean", "mapping", "sequence", "iterable",
    "true", "false", "lower", "upper", "callable", "eq 1", "ne 'a'", "in [1, 'a']", "in xs", "sameas none",
)  # fmt: skip
_SUMS = ("length", "sum(attribute='v')", "map(attribute='v')|sum", "map(attribute='v')|list|length")
_TEXT_FILTERS = (
    "upper", "lower", "title", "capitalize", "trim", "replace('a', 'b')", "truncate(5)", "truncate(4, true, '..')", "indent",
    "indent(2, true)", "wordwrap(3)", "reverse", "center(9)", "string", "urlencode", "default('z', true)", "striptags",
)  # fmt: skip
_LIST_FILTERS = (
    "list", "sort", "unique|list", "reverse|list", "batch(2)|list", "batch(2, 'x')|list", "slice(2)|list", "map('string')|list",
    "select|list", "reject('none')|list", "map('upper')|list", "sort(reverse=true)", "select('ne', 1)|list", "default([1])",
)  # fmt: skip
_ROW_FILTERS = (
    "selectattr('k')|list", "selectattr('v', 'eq', 1)|list", "rejectattr('v', 'in', [1, 2])|map(attribute='k')|list", "groupby('v')|list",
    "groupby('v')|map('first')|list", "sort(attribute='v')", "map(attribute='q', default='z')|list", "map('length')|list", "tojson|list",
)  # fmt: skip
_STEPS = [
    ".k",
    ".v",
    ".k.v",
    "['k']",
    "[0]",
    "[-1]",
    "[1:]",
    "[:2]",
    "[::-1]",
    "[1:2:1]",
    "[b]",
    ".get('k')",
    ".get('k',3)",
    ".items()|list",
    ".keys()|list",
    ".upper()",
    ".strip()",
    ".split('",
    "')",
    ".name",
    ".title()",
    ".items",
]
_OPERATORS = [
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "**",
    "~",
    "~",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "in",
    "and",
    "or",
    "and",
    "or",
    "not in",
    "is",
    "==",
]
_LISTS = (
    "xs",
    "xs",
    "rows",
    "[1, 2, 3]",
    "[a, b]",
    "(a, 1)",
    "xs|select('gt', 1)",
    "rows|selectattr('k')",
    "d",
    "d|dictsort",
    "d.items()",
    "range(3)",
    "[]",
    "xs[1:]",
    "xs|reverse",
    "s|list",
    "[('p', a), ('q', 2)]",
    "rows|map(attribute='k')",
)
_BLANKS = ("", "", "", "", "-", "+")


@dataclass
class Writer:
    """Writes templates. `wild` is how often an operand is of any type instead of a fitting one."""

    random: random.Random
    wild: float = 0.25
    loops: int = 0
    macro: bool = False

    def pick(self, *choices: Any) -> Any:
        return self.random.choice(choices)

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def value(self, depth: int = 2) -> Any:
        kind = self.random.randrange(10 if depth else 6)
        if kind < 6:
            return self.pick(*_SCALARS)
        if kind < 8:
            return [self.value(depth - 1) for _ in range(self.random.randrange(4))]
        return {
            self.pick("k", "v", "name", "items", "a"): self.value(depth - 1) for _ in range(self.random.randrange(4))
        }

    def context(self) -> dict[str, Any]:
        """Values that fit their names more often than not."""
        numbers, texts = (0, 1, 2, 3, -1, 1.5), ("", "a", "Ab c", "x y", "<b>", "{{ a }}")
        fitting = {
            "a": self.pick(*numbers, *texts, None, True, False),
            "b": self.pick(*numbers),
            "c": self.pick(True, False, None, 0, 1, ""),
            "s": self.pick(*texts),
            "xs": [self.pick(*numbers) for _ in range(self.random.randrange(4))],
            "d": {key: self.pick(*numbers, *texts) for key in ("k", "v", "z")[: self.random.randrange(4)]},
            "rows": [{"k": self.pick(*texts), "v": self.pick(1, 2, 3)} for _ in range(self.random.randrange(4))],
        }
        return {
            name: self.value() if self.chance(self.wild * 0.4) else value
            for name, value in fitting.items()
            if not self.chance(0.08)
        }

    def atom(self) -> str:
        local = ["x"] * 4 if self.loops else []
        if self.loops and self.chance(0.2):
            return str(
                self.pick("loop.index", "loop.last", "loop.first", "loop.length", "loop.index0", "loop.revindex")
            )
        rare = ["d.k", "d['v']", "rows[0].k", "x", "y"] if self.chance(0.3) else []
        return str(self.pick("a", "b", "c", "s", "xs", *rare, *local, "1", "2", "'k'", "'Ab c'", "none", "true", "1.5"))

    def number(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.3):
            return str(
                self.pick("b", "b", "1", "2", "0", "xs|length", *(["loop.index", "loop.length"] if self.loops else []))
            )
        left, right = self.number(depth - 1), self.number(depth - 1)
        return self.pick(
            f"({left} {self.pick('+', '-', '*')} {right})", f"{left} {self.pick('+', '-', '*', '//', '%', '/')} {right}",
            f"-{left}", f"({left})|{self.pick('abs', 'int', 'round', 'float', 'round(1)')}", f"xs|{self.pick('sum', 'max', 'min', 'first', 'last')}",
            f"rows|{self.pick(*_SUMS)}", f"({left} if {self.condition(depth - 1)} else {right})", f"d.get('q', {left})", f"s|{self.pick('length', 'wordcount', 'int(3)')}",
        )  # fmt: skip

    def words(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.3):
            return str(self.pick("s", "s", "'Ab c'", "''", "a|string", "rows[0].k"))
        inner = self.words(depth - 1)
        return self.pick(
            f"({inner})|{self.pick(*_TEXT_FILTERS)}", f"{inner} ~ {self.any(depth - 1)} ~ {inner}", f"({inner})[{self.pick('1:', ':2', '::-1', ':b', '0:1')}]",
            f"{self.sequence(depth - 1)}|join({self.pick('', repr('-'))})", f"({inner} or {self.words(depth - 1)})", f"({inner} if {self.condition(depth - 1)} else {self.any(depth - 1)})",
            f"({self.any(depth - 1)})|tojson", f"{inner} + {self.words(depth - 1)}", f"'%s-%s'|format({self.any(depth - 1)}, {self.number(depth - 1)})", f"d.get('k', {inner})", f"(a|default({inner}))",
        )  # fmt: skip

    def sequence(self, depth: int) -> str:
        if depth <= 0 or self.chance(0.4):
            return str(self.pick("xs", "xs", "[1, 2, 3]", "[a, b]", "rows|map(attribute='k')|list", "d|list", "s|list"))
        inner = self.sequence(depth - 1)
        return self.pick(
            f"({inner})|{self.pick(*_LIST_FILTERS)}",
            f"({inner})[{self.pick('1:', ':2', '::-1', '0:b')}]",
            f"({inner} + {self.sequence(depth - 1)})",
            f"rows|{self.pick(*_ROW_FILTERS)}",
        )

    def condition(self, depth: int = 2) -> str:
        if depth <= 0 or self.chance(0.2):
            return str(self.pick("a", "c", "xs", "s", "b > 1", "not c", "s == 'a'"))
        return self.pick(
            f"({self.any(depth - 1)}) is {self.pick('', 'not ')}{self.pick(*_TESTS)}", f"{self.number(depth - 1)} {self.pick('<', '<=', '>', '>=', '==', '!=')} {self.number(depth - 1)}",
            f"({self.condition(depth - 1)} {self.pick('and', 'or')} {self.condition(depth - 1)})", f"not {self.condition(depth - 1)}", f"{self.any(depth - 1)} {self.pick('in', 'not in')} {self.sequence(depth - 1)}",
            f"{self.words(depth - 1)} == {self.words(depth - 1)}", f"0 < {self.number(depth - 1)} <= {self.number(depth - 1)}", "x is defined", "d.k is defined", f"'a' in {self.words(depth - 1)}",
        )  # fmt: skip

    def any(self, depth: int) -> str:
        if depth > 0 and self.chance(0.15):
            return self.pick(
                f"[{self.any(depth - 1)}, {self.atom()}]",
                f"({self.any(depth - 1)}, 1)",
                f"{{'k': {self.any(depth - 1)}}}",
                f"({self.any(depth - 1)} if {self.condition(depth - 1)})",
                f"dict(k={self.any(depth - 1)})",
            )
        if depth > 0 and self.macro and self.chance(0.15):
            return f"m({self.any(depth - 1)})" if self.chance(0.6) else f"m({self.any(depth - 1)}, q={self.atom()})"
        if self.chance(0.25):
            return self.atom()
        return str(self.pick(self.number, self.words, self.sequence, self.words, self.number)(depth))

    def expression(self, depth: int = 3) -> str:
        if not self.chance(self.wild):
            return self.any(depth)
        inner = self.expression(depth - 1) if depth > 0 else self.atom()
        return str(
            self.pick(
                f"{inner}|{self.pick(*_FILTERS)}", f"{inner} {self.pick(*_OPERATORS)} {self.any(depth - 1)}", f"{inner}{self.pick(*_STEPS)}",
                f"{inner} is {self.pick(*_TESTS)}", f"({inner} and {self.any(depth - 1)})", f"{inner} < {self.any(0)} < {self.any(0)}", f"d{self.pick(*_STEPS)}",
            )
        )  # fmt: skip

    def tag(self, text: str) -> str:
        return f"{{%{self.pick(*_BLANKS)} {text} {self.pick(*_BLANKS)}%}}"

    def text(self) -> str:
        return str(
            self.pick(
                "t",
                " ",
                "\n",
                "  \n",
                "text\n",
                " - ",
                "{# c #}",
                "\n{#- c -#} \n",
                "{% raw %}{{ a }}{% endraw %}",
                "é",
                "\r\n",
                "  ",
            )
        )

    def body(self, depth: int, length: int = 3) -> str:
        return "".join(self.statement(depth) for _ in range(self.random.randint(1, length)))

    def statement(self, depth: int) -> str:
        kind = self.random.randrange(20 if depth > 0 else 10)
        if kind < 3:
            return self.text()
        if kind < 7:
            return f"{{{{{self.pick('', '', '-')} {self.expression()} {self.pick('', '', '-')}}}}}"
        if kind < 9:
            return self.tag(f"set {self.pick('x', 'y', 'x', 'a', 'xs')} = {self.expression()}")
        if kind == 9:
            return str(
                self.pick(
                    "{% set ns = namespace(k=0) %}{% set ns.k = b %}{{ ns.k }}", "{% set x, y = [1, b] %}{{ y }}",
                    *(["{{ loop.cycle('p', 'q') }}", "{{ loop.previtem|default('-') }}", "{{ x }}"] if self.loops else ["{{ s }}"]),
                )
            )  # fmt: skip
        inner = depth - 1
        if kind < 13:
            middle = "".join(
                self.tag(f"elif {self.condition()}") + self.body(inner, 2) for _ in range(self.pick(0, 0, 1))
            )
            orelse = self.tag("else") + self.body(inner, 2) if self.chance(0.5) else ""
            return self.tag(f"if {self.condition()}") + self.body(inner) + middle + orelse + self.tag("endif")
        if kind < 16:
            return self.loop(inner)
        if kind == 16:
            return f"{{% with {self.pick('x', 'y', 'a')} = {self.expression()} %}}{self.body(inner)}{{% endwith %}}"
        if kind == 17:
            name = self.pick("upper", "trim", "indent(2)", "replace('a', 'b')", "title")
            if self.chance(0.4):
                return f"{{% filter {name} %}}{self.body(inner)}{{% endfilter %}}"
            through = f" | {name}" if self.chance(0.4) else ""
            return f"{{% set {self.pick('x', 'y')}{through} %}}{self.body(inner)}{{% endset %}}{{{{ x }}}}"
        return self.define(inner)

    def loop(self, depth: int) -> str:
        target = self.pick("x", "x", "x", "y", "a", "x, y")
        condition = f" if {self.pick('x', 'x is defined', 'b', 'x != b', self.condition())}" if self.chance(0.3) else ""
        orelse = self.tag("else") + self.body(depth, 2) if self.chance(0.3) else ""
        head = self.tag(f"for {target} in {self.pick(*_LISTS) if self.chance(0.9) else self.expression()}{condition}")
        self.loops += 1
        body = self.body(depth)
        self.loops -= 1
        return head + body + orelse + self.tag("endfor")

    def define(self, depth: int) -> str:
        before, self.macro = self.macro, False
        body = self.body(depth, 3)
        self.macro = before
        macro = f"{{% macro m(p, q={self.atom()}) %}}{body}{{{{ p }}}}{self.pick('', '{{ q }}', '{{ caller() if caller is defined else 0 }}')}{{% endmacro %}}"
        use = self.pick(
            "{{ m(a) }}",
            "{{ m(x)|upper }}",
            "{{ m(b, 2) ~ m(s, q=a) }}",
            f"{{% call m({self.atom()}) %}}{self.body(depth, 2)}{{% endcall %}}",
            "{{ m(p=b) }}",
        )
        self.macro = True
        return macro + str(use)


def case(seed: int, wild: float = 0.1) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """Return a template, and a context that is split into a known and an unknown part."""
    writer = Writer(random.Random(seed), wild)
    context = writer.context()
    source = writer.body(writer.pick(1, 2, 2, 3), 3)
    known = {name for name in context if writer.chance(writer.random.choice((0.1, 0.5, 0.9)))}
    return (
        source,
        {name: value for name, value in context.items() if name in known},
        {name: value for name, value in context.items() if name not in known},
    )
