"""The rules for expressions: which values an operation takes, and which ones it must not touch."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from frieze.diagnostics import Diagnostic, Span, did_you_mean
from frieze.runtime.operations import TESTS
from frieze.runtime.walking import inside
from frieze.template.applied import DEFAULTS, HASHABLE, check_filter, check_test
from frieze.template.arguments import Argument, Arguments, typed
from frieze.template.ir import Expression
from frieze.template.kinds import NOTHING, Type, elements
from frieze.template.typing import Scope
from frieze.template.wording import wording

_WORDS = {
    "list": "a list",
    "map": "a map",
    "none": "none",
    "boolean": "true or false",
    "datetime": "a point in time",
    "any": "a value of unknown type",
    "text": "text",
    "number": "a number",
    "document": "a document",
}
_PRINT_HELP = {
    "list": "print its elements: `{{% for item in {subject} %}}`, or `{{{{ {subject} | join(', ') }}}}`",
    "map": "print its values one by one, or all as one line of JSON: `{{{{ {subject} | json }}}}`",
    "boolean": "say it in words: `{{{{ {subject} | yesno }}}}`, or `{{% if {subject} %}}`",
    "datetime": "print what is needed of it: `{{{{ {subject} | date }}}}`, `| time`, `| weekday`",
    "none": "give it a value that can be printed",
    "any": "make sure that it is text or a number",
}
_PASSING = frozenset({"and", "or", "cond"})
"""Operations whose truth is that of an operand, which is looked at by itself."""


class Checker:
    """Collects what is wrong with expressions, each fault once."""

    def __init__(self) -> None:
        self.found: dict[Diagnostic, Diagnostic] = {}

    def report(self, code: str, place: Span, *, advice: str = "", **arguments: object) -> None:
        """Add a finding."""
        diagnostic = Diagnostic.of(code, place, related=(), advice=advice, **arguments)
        self.found.setdefault(diagnostic, diagnostic)

    def check(self, expression: Expression, place: Span, scope: Scope, *, truth: bool = False) -> None:
        """Check an expression and all in it; `truth`: only whether it is true matters."""
        if not isinstance(expression, list):
            return
        if truth and expression[0] not in _PASSING and scope.type(expression).zero:
            self.report("F506", place, subject=wording(expression))
        operation, *parts = expression
        for part, decides in _operands(expression, truth=truth):
            self.check(part, place, scope, truth=decides)
        rule = _RULES.get(operation)
        if rule is not None:
            rule(self, parts, place, scope)

    def printable(self, expression: Expression, kind: Type, place: Span) -> bool:
        """Refuse what has no text of its own; tells whether there is nothing to refuse."""
        for name in sorted(kind.names - {"text", "number", "document"}):
            if name == "any" and any(diagnostic.span == place for diagnostic in self.found):
                return False
            subject = wording(expression)
            advice = _PRINT_HELP[name].format(subject=subject)
            self.report("F510", place, subject=subject, kind=_WORDS[name], advice=advice)
            return False
        return True

    def iterable(self, target: Any, iterable: Expression, place: Span, scope: Scope) -> None:
        """Refuse a loop over what has no elements, and targets that do not fit them."""
        kind = scope.type(iterable)
        self.takes("a loop", iterable, kind, ("list", "map", "text"), place)
        self.whole("a loop", iterable, kind, place)
        wanted = _misfit(target, elements(kind))
        if wanted:
            members = f"elements of {wanted} parts" if wanted != 2 else "pairs"
            pairs = f"write `{wording(iterable)} | items`" if wanted == 2 and kind.only("map") else ""
            self.report(
                "F519",
                place,
                use="a loop with several names",
                kind=members,
                subject=wording(iterable),
                advice=pairs,
            )

    def takes(
        self, use: str, subject: Expression, kind: Type, names: tuple[str, ...], place: Span, *, advice: str = ""
    ) -> bool:
        """Refuse an operand that is of no kind an operation takes; tells whether it is."""
        fits = kind.only(*names)
        if not fits and not (kind.may("any") and any(diagnostic.span == place for diagnostic in self.found)):
            words = " or ".join(_WORDS[name] for name in names)
            self.report("F519", place, use=use, kind=words, subject=wording(subject), advice=advice)
        return fits

    def whole(self, use: str, subject: Expression, kind: Type, place: Span) -> None:
        """Refuse to work on a text that is in its printed form."""
        if kind.sealed and kind.may("text", "document"):
            self.report("F517", place, subject=wording(subject), use=use)

    def compares(self, comparison: str, left: Argument, right: Argument, place: Span) -> None:
        """Refuse to compare what cannot be compared, or what is in its printed form."""
        use = f"`{comparison}`"
        for side in (left, right):
            self.whole("a comparison", side.expression, side.type, place)
        if comparison in {"in", "not in"}:
            if self.takes(use, right.expression, right.type, ("list", "map", "text"), place):
                inner = ("text",) if right.type.may("text") else HASHABLE if right.type.may("map") else ()
                if inner:
                    self.takes(use, left.expression, left.type, inner, place)
        elif comparison not in {"==", "!="}:
            pattern = right.type if isinstance(right.expression, str | int | float) else left.type
            same = next((name,) for name in ("text", "datetime", "number") if pattern.only(name) or name == "number")
            for side in (left, right):
                self.takes(use, side.expression, side.type, same, place)


def _misfit(target: Any, kind: Type) -> int:
    """Return how many parts a target wants of elements that need not have as many; 0 where they fit."""
    if isinstance(target, str):
        return 0
    if not kind.only("list") or kind.members is None or len(kind.members) != len(target):
        return len(target)
    return next(filter(None, map(_misfit, target, kind.members)), 0)


def _operands(expression: list[Any], *, truth: bool) -> Iterator[tuple[Expression, bool]]:
    """Walk the operands of an operation, each with whether its truth decides."""
    operation = expression[0]
    decides = {"and": (True, truth), "or": (True, truth), "not": (True,), "cond": (True, truth, truth)}.get(
        operation, ()
    )
    if operation == "filter" and expression[1] in DEFAULTS:
        arguments = Arguments.of(expression[1], expression[3], expression[4], lambda _: NOTHING)
        decides = (arguments.get("boolean") is True,)
    return zip_longest(inside(expression), decides, fillvalue=False)


_ONE_TEXT = (
    "`{subject}` is one text: print it whole, or say what it holds, as in `of: {{fields: {{{key}: {{type: line}}}}}}`"
)


def _member(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    base, key = parts
    kind = scope.type(base)
    if isinstance(key, str):
        takes = ("map", "list") if kind.fields is not None else ("map",)
        advice = _ONE_TEXT.format(subject=wording(base), key=key) if kind.only("text") else ""
        checker.takes(f"`.{key}`", base, kind, takes, place, advice=advice)
        if kind.fields is not None and key not in kind.fields:
            known = ", ".join(f"`{name}`" for name in kind.fields)
            advice = did_you_mean(key, kind.fields, f"it has {known}")
            checker.report("F521", place, subject=wording(base), field=key, advice=advice)
    else:
        checker.takes("a subscript", base, kind, ("list", "map", "text"), place)
        checker.whole("a subscript", base, kind, place)
        by = scope.type(key)
        checker.takes("a subscript", key, by, ("number",) if kind.may("list", "text") else HASHABLE, place)
        if by.foreign and kind.may("map"):
            checker.report("F519", place, use="a subscript", kind="a key that no request chooses", subject=wording(key))


def _slice(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    kind = scope.type(parts[0])
    checker.takes("a slice", parts[0], kind, ("list", "text"), place)
    checker.whole("a slice", parts[0], kind, place)
    for bound in parts[1:]:
        if bound is not None:
            whole = scope.type(bound)
            if not whole.only("number") or not whole.whole:
                checker.report("F519", place, use="a slice", kind="a whole number", subject=wording(bound))
    if parts[3] is not None and (not isinstance(parts[3], int) or parts[3] == 0):
        checker.report(
            "F519", place, use="a slice", kind="a step that is known when compiling", subject=wording(parts[3])
        )


def _compare(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    left = Argument(parts[0], scope.type(parts[0]))
    for comparison, expression in parts[1:]:
        right = Argument(expression, scope.type(expression))
        checker.compares(comparison, left, right, place)
        left = right


def _concat(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    for part in parts:
        checker.printable(part, scope.type(part), place)


def _arithmetic(operation: str) -> Any:
    def check(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
        kinds = [scope.type(part) for part in parts]
        pattern = next((kind for part, kind in zip(parts, kinds, strict=True) if not isinstance(part, list)), kinds[0])
        joins = operation == "+" and (pattern.only("text") or pattern.only("list"))
        same = tuple(pattern.names) if joins else ("number",)
        for part, kind in zip(parts, kinds, strict=True):
            checker.takes(f"`{operation}`", part, kind, same, place)

    return check


def _filter(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    name, subject, positional, named = parts
    arguments = Arguments.of(name, positional, named, scope.type)
    check_filter(checker, name, subject, scope.type(subject), arguments, place)
    prefix = arguments.get("prefix")
    if name == "prefixed" and not isinstance(prefix, str | None):
        checker.report("F520", place, subject=wording(prefix))


def _test(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    name, subject, positional, named = parts
    arguments = Arguments.bind(TESTS.get(name), *typed(positional, named, scope.type))
    check_test(checker, name, subject, scope.type(subject), arguments, place)


def _display(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    for key, _ in parts:
        checker.takes("a key of a map", key, scope.type(key), HASHABLE, place)
        checker.whole("a key of a map", key, scope.type(key), place)


def _call(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    method, subject, arguments = parts
    checker.takes(f"`.{method}()`", subject, scope.type(subject), ("map",), place)
    if method == "get" and len(arguments) < 2:
        key = arguments[0] if arguments and isinstance(arguments[0], str) else "key"
        checker.report("F524", place, subject=wording(["call", *parts]), base=wording(subject), key=key)


_RULES: dict[str, Any] = {
    "attr": _member,
    "item": _member,
    "slice": _slice,
    "cmp": _compare,
    "concat": _concat,
    "filter": _filter,
    "test": _test,
    "dict": _display,
    "call": _call,
    **{operation: _arithmetic(operation) for operation in ("+", "-", "*", "/", "//", "%", "**", "neg", "pos")},
}
