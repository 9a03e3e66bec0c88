"""The rules for expressions: which values an operation takes, and which ones it must not touch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from frieze.diagnostics import Diagnostic, Span, did_you_mean
from frieze.runtime.operations import CLASSES
from frieze.template.filters import Arguments, attribute_type
from frieze.template.ir import Expression
from frieze.template.kinds import UNKNOWN, Type
from frieze.template.typing import Scope, elements
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
_TAKES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("date", "time", "weekday", "iso_week", "utc_offset", "local"), ("datetime",)),
    "yesno": ("boolean",),
    **dict.fromkeys(("quoted", "prefixed"), ("text", "number", "document")),
    **dict.fromkeys(("json", "tojson"), ("text", "number", "boolean", "none", "list", "map", "document")),
    **dict.fromkeys(("abs", "round", "filesizeformat"), ("number",)),
    **dict.fromkeys(("truncate", "wordwrap", "indent"), ("text",)),
    **dict.fromkeys(("length", "count"), ("list", "map", "text", "document")),
    **dict.fromkeys(("first", "last", "list", "reverse"), ("list", "map", "text")),
    **dict.fromkeys(("sort", "unique", "map", "select", "reject", "selectattr", "rejectattr"), ("list",)),
    **dict.fromkeys(("min", "max", "sum", "join", "batch", "slice", "groupby"), ("list",)),
    **dict.fromkeys(("dictsort", "items"), ("map",)),
}
_PASSING = frozenset({"and", "or", "cond"})
"""Operations whose truth is that of an operand, which is looked at by itself."""

_WHOLE = frozenset({"default", "d"})
_DOCUMENT = _WHOLE | {"quoted", "prefixed", "json", "tojson", "length", "count"}


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
        for part, decides in _operands(operation, parts, truth=truth):
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
        element = elements(kind)
        if not isinstance(target, str) and not element.may("list", "any"):
            self.report("F519", place, use="a loop with several names", kind="pairs", subject=wording(iterable))
        elif not isinstance(target, str) and element.members is not None and len(element.members) != len(target):
            members = f"elements of {len(target)} parts"
            self.report("F519", place, use="this loop", kind=members, subject=wording(iterable))

    def takes(self, use: str, subject: Expression, kind: Type, names: tuple[str, ...], place: Span) -> bool:
        """Refuse an operand that is of no kind an operation takes; tells whether it is."""
        fits = kind.only(*names, "any")
        if not fits:
            words = " or ".join(_WORDS[name] for name in names)
            self.report("F519", place, use=use, kind=words, subject=wording(subject))
        return fits

    def whole(self, use: str, subject: Expression, kind: Type, place: Span) -> None:
        """Refuse to work on a text that is in its printed form."""
        if kind.sealed and kind.may("text", "document"):
            self.report("F517", place, subject=wording(subject), use=use)


def _operands(operation: str, parts: list[Any], *, truth: bool) -> Iterator[tuple[Expression, bool]]:
    """Walk the operands of an operation, each with whether its truth decides."""
    if operation in {"filter", "test"}:
        name, subject, positional, named = parts
        by_truth = name in _WHOLE and Arguments(positional, dict(named)).get("boolean", 1) is True
        yield subject, operation == "filter" and by_truth
        yield from ((part, False) for part in positional)
        yield from ((part, False) for _, part in named)
    elif operation in {"and", "or"}:
        yield parts[0], True
        yield parts[1], truth
    elif operation == "not":
        yield parts[0], True
    elif operation == "cond":
        yield parts[0], True
        yield from ((part, truth) for part in parts[1:])
    elif operation == "cmp":
        yield parts[0], False
        yield from ((part, False) for _, part in parts[1:])
    elif operation == "dict":
        yield from ((side, False) for pair in parts for side in pair)
    elif operation == "call":
        yield from ((part, False) for part in (parts[1], *parts[2]))
    elif operation not in {"input", "local", "loop", "float", "fail"}:
        yield from ((part, False) for part in parts)


def _member(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    base, key = parts
    kind = scope.type(base)
    if isinstance(key, str):
        checker.takes(f"`.{key}`", base, kind, ("map", "list") if kind.fields is not None else ("map",), place)
        if kind.fields is not None and key not in kind.fields:
            known = ", ".join(f"`{name}`" for name in kind.fields)
            advice = did_you_mean(key, kind.fields, f"it has {known}")
            checker.report("F521", place, subject=wording(base), field=key, advice=advice)
    else:
        checker.takes("a subscript", base, kind, ("list", "map", "text"), place)
        checker.whole("a subscript", base, kind, place)


def _slice(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    kind = scope.type(parts[0])
    checker.takes("a slice", parts[0], kind, ("list", "text"), place)
    checker.whole("a slice", parts[0], kind, place)
    for bound in parts[1:]:
        if bound is not None:
            checker.takes("a slice", bound, scope.type(bound), ("number",), place)


def _compare(checker: Checker, parts: list[Any], place: Span, scope: Scope) -> None:
    left = parts[0]
    for comparison, right in parts[1:]:
        kinds = scope.type(left), scope.type(right)
        for side, kind in zip((left, right), kinds, strict=True):
            checker.whole("a comparison", side, kind, place)
        if comparison in {"in", "not in"}:
            checker.takes(f"`{comparison}`", right, kinds[1], ("list", "map", "text"), place)
        elif comparison not in {"==", "!="}:
            pattern = kinds[1] if isinstance(right, str | int | float) else kinds[0]
            same = next((name,) for name in ("text", "datetime", "number") if pattern.only(name) or name == "number")
            checker.takes(f"`{comparison}`", left, kinds[0], same, place)
            checker.takes(f"`{comparison}`", right, kinds[1], same, place)
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
    kind = scope.type(subject)
    arguments = [scope.type(value) for value in (*positional, *(value for _, value in named))]
    _apply(checker, name, subject, [kind, *arguments], place)
    if name == "map" and positional and isinstance(positional[0], str):
        _apply(checker, positional[0], subject, [kind.item or UNKNOWN, *arguments[1:]], place)
    if name in {"join", "sum"}:
        _elements(checker, name, parts, kind, place)
    prefix = Arguments(positional, dict(named)).get("prefix", 0)
    if name == "prefixed" and not isinstance(prefix, str | None):
        checker.report("F520", place, subject=wording(prefix))


def _elements(checker: Checker, name: str, parts: list[Any], kind: Type, place: Span) -> None:
    """Check the elements that `join` prints and `sum` adds up."""
    path = Arguments(parts[2], dict(parts[3])).get("attribute", 1 if name == "join" else 0)
    item = kind.item or UNKNOWN
    if path is not None:
        item, _ = attribute_type(item, path)
    if name == "join":
        checker.printable(["filter", name, *parts[1:]], item, place)
    else:
        checker.takes("`sum`", parts[1], item, ("number",), place)


def _apply(checker: Checker, name: str, subject: Expression, kinds: list[Type], place: Span) -> None:
    """Check one filter; `kinds` are the types of its value and of its arguments."""
    kind = kinds[0]
    if CLASSES.get(name) == "refused" and any(value.foreign for value in kinds):
        checker.report("F511", place, filter=name, subject=wording(subject))
        return
    if name in _WHOLE or not checker.takes(f"`{name}`", subject, kind, _TAKES.get(name, ("text", "number")), place):
        return
    if kind.only("text", "document") and not (kind.only("document") and name in _DOCUMENT):
        checker.whole(f"`{name}`", subject, kind, place)


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
    "call": _call,
    **{operation: _arithmetic(operation) for operation in ("+", "-", "*", "/", "//", "%", "**", "neg", "pos")},
}
