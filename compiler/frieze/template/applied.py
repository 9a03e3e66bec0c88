"""The rules for filters and tests: what they take, and arguments that no request can make them fail on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from frieze.diagnostics import Span
from frieze.runtime.clock import zone
from frieze.runtime.operations import CLASSES, FILTERS, TESTS
from frieze.template.arguments import Argument, Arguments
from frieze.template.filters import attribute_type, with_default
from frieze.template.ir import Expression
from frieze.template.kinds import Type, elements, values
from frieze.template.wording import wording

if TYPE_CHECKING:
    from frieze.template.checking import Checker

DEFAULTS = frozenset({"default", "d"})
HASHABLE = ("text", "number", "boolean", "none", "datetime", "document")
"""Kinds of values that can be keys of maps and told apart by `unique`."""

_TAKES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("date", "time", "weekday", "iso_week", "utc_offset", "local"), ("datetime",)),
    "yesno": ("boolean",),
    **dict.fromkeys(("quoted", "prefixed"), ("text", "number", "document")),
    **dict.fromkeys(("json", "tojson"), ("text", "number", "boolean", "none", "list", "map", "document")),
    **dict.fromkeys(("abs", "round", "filesizeformat", "float"), ("number",)),
    **dict.fromkeys(("truncate", "wordwrap", "indent"), ("text",)),
    **dict.fromkeys(("length", "count"), ("list", "map", "text", "document")),
    **dict.fromkeys(("first", "last", "list", "reverse"), ("list", "map", "text")),
    **dict.fromkeys(("sort", "unique", "map", "select", "reject", "selectattr", "rejectattr"), ("list",)),
    **dict.fromkeys(("min", "max", "sum", "join", "batch", "slice", "groupby", "fitted"), ("list",)),
    **dict.fromkeys(("dictsort", "items"), ("map",)),
}
_DOCUMENT = frozenset({"quoted", "prefixed", "json", "tojson", "length", "count"})
_NEVER = frozenset({"format", "pprint", "xmlattr"})
"""Filters that fail on some values of every type; where all is known they have run before."""

_ORDERED = (("text",), ("number", "boolean"), ("datetime",))
_COMPARISONS = {
    **dict.fromkeys(("<", "lt", "lessthan"), "<"),
    **dict.fromkeys(("<=", "le"), "<="),
    **dict.fromkeys((">", "gt", "greaterthan"), ">"),
    **dict.fromkeys((">=", "ge"), ">="),
    **dict.fromkeys(("==", "eq", "equalto"), "=="),
    **dict.fromkeys(("!=", "ne"), "!="),
    "in": "in",
}
_TEST_TAKES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("odd", "even", "divisibleby"), ("number",)),
    **dict.fromkeys(("lower", "upper"), ("text", "number")),
}

_LARGEST = 1000
_LEAST: Mapping[tuple[str, str], int] = {
    ("batch", "linecount"): 1,
    ("slice", "slices"): 1,
    ("truncate", "length"): 0,
    ("truncate", "leeway"): 0,
    ("wordwrap", "width"): 1,
    ("center", "width"): 0,
    ("indent", "width"): 0,
    ("round", "precision"): -15,
    ("replace", "count"): 0,
    ("int", "base"): 2,
    ("divisibleby", "num"): 1,
    ("fitted", "room"): 0,
}
"""Arguments that must be whole numbers known when compiling, from what is given here."""

_MOST: Mapping[tuple[str, str], int] = {("fitted", "room"): 10_000_000}
"""The largest number of those that may be above `_LARGEST`."""

_ARGUMENT_TAKES: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("end", "prefix"), ("text",)),
    **dict.fromkeys(("chars", "wrapstring"), ("text", "none")),
    **dict.fromkeys(("d", "old", "new"), ("text", "number")),
    "start": ("number",),
    "reverse": ("boolean", "number"),
    "tz": ("text",),
}
_FIXED: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("dictsort", "by"): ("key", "value"),
    ("round", "method"): ("common", "ceil", "floor"),
}
_PLACED = frozenset({"default_value", "fill_with", "default", "yes", "no"})
"""Arguments that may be in their printed form: they are put in a place of their own, whole."""


def check_filter(
    checker: Checker, name: str, subject: Expression, kind: Type, arguments: Arguments, place: Span
) -> None:
    """Check one filter on a value of some type."""
    sources = (kind, *arguments.kinds().values())
    if name in _NEVER or (CLASSES.get(name) == "refused" and any(source.foreign for source in sources)):
        checker.report("F511", place, filter=name, subject=wording(subject))
        return
    if arguments.fault:
        checker.report("F525", place, operation=name, what=arguments.fault)
        return
    if name in DEFAULTS:
        return
    if not checker.takes(f"`{name}`", subject, kind, _TAKES.get(name, ("text", "number")), place):
        return
    if not (kind.only("document") and name in _DOCUMENT):
        checker.whole(f"`{name}`", subject, kind, place)
    for parameter, argument in arguments.given.items():
        _argument(checker, name, parameter, argument, place)
    _fit(checker, name, arguments, place)
    _elements(checker, name, subject, kind, arguments, place)


def check_test(checker: Checker, name: str, subject: Expression, kind: Type, arguments: Arguments, place: Span) -> None:
    """Check one test of a value of some type."""
    if arguments.fault:
        checker.report("F525", place, operation=name, what=arguments.fault)
        return
    if name in _TEST_TAKES:
        checker.takes(f"`{name}`", subject, kind, _TEST_TAKES[name], place)
        checker.whole(f"`{name}`", subject, kind, place)
        for parameter, argument in arguments.given.items():
            _argument(checker, name, parameter, argument, place)
    if name == "sameas":
        [other] = arguments.given.values()
        if not any(each.only("boolean", "none") for each in (kind, other.type)):
            checker.takes("`sameas`", subject, kind, ("boolean", "none"), place)
    if name in _COMPARISONS:
        [other] = arguments.given.values()
        checker.compares(_COMPARISONS[name], Argument(subject, kind), other, place)


def _argument(checker: Checker, name: str, parameter: str, argument: Argument, place: Span) -> None:
    use = f"`{parameter}` of `{name}`"
    least = _LEAST.get((name, parameter))
    constant = argument.expression
    text_margin = (name, parameter) == ("indent", "width") and isinstance(constant, str)
    if least is not None and not text_margin and not (constant is None and parameter in ("count", "leeway")):
        most = _MOST.get((name, parameter), _LARGEST)
        if not isinstance(constant, int) or isinstance(constant, bool) or not least <= constant <= most:
            what = f"with `{parameter}` other than a whole number from {least} to {most}, known when compiling"
            checker.report("F525", place, operation=name, what=what)
    elif (name, parameter) in _FIXED:
        if constant not in _FIXED[name, parameter]:
            words = " or ".join(f"`{word}`" for word in _FIXED[name, parameter])
            checker.report("F525", place, operation=name, what=f"with `{parameter}` other than {words}")
    elif (name, parameter) == ("attr", "name"):
        if not isinstance(constant, str) or constant.startswith("_"):
            checker.report("F525", place, operation=name, what="with a name that is not known when compiling")
    elif parameter == "attribute":
        _path(checker, name, constant, place)
    elif parameter in _ARGUMENT_TAKES:
        checker.takes(use, constant, argument.type, _ARGUMENT_TAKES[parameter], place)
    if parameter not in _PLACED:
        checker.whole(use, constant, argument.type, place)


def _path(checker: Checker, name: str, path: Expression, place: Span) -> None:
    if not isinstance(path, str | int | None) or isinstance(path, bool):
        checker.report(
            "F525", place, operation=name, what="with the name of an attribute that is not known when compiling"
        )


def _fit(checker: Checker, name: str, arguments: Arguments, place: Span) -> None:
    """Check arguments that depend on each other, or on what is there in the world."""
    if name == "truncate":
        end = arguments.get("end") if "end" in arguments.given else "..."
        length = arguments.get("length") if "length" in arguments.given else 255
        if not isinstance(end, str) or (isinstance(length, int) and length < len(end)):
            checker.report("F525", place, operation=name, what="with an `end` that may be longer than `length`")
    elif name == "local":
        chosen = arguments.kind("tz")
        known = arguments.get("tz")
        if (chosen is not None and chosen.foreign) or (isinstance(known, str) and zone(known) is None):
            checker.report("F525", place, operation=name, what="with `tz` other than a time zone")


def _elements(checker: Checker, name: str, subject: Expression, kind: Type, arguments: Arguments, place: Span) -> None:
    """Check what a filter does with the elements of its list, or the parts of its map."""
    path = arguments.get("attribute")
    item = elements(kind)
    if name == "map":
        _mapped(checker, subject, item, arguments, place)
    elif name in {"select", "reject", "selectattr", "rejectattr"}:
        _picked(checker, name, subject, item, arguments, place)
    elif name in {"sort", "min", "max", "groupby", "unique"}:
        for each in path.split(",") if isinstance(path, str) and name == "sort" else [path]:
            found = (
                item if each is None else with_default(attribute_type(item, each)[0], each, arguments.kind("default"))
            )
            if name == "unique":
                checker.takes(f"`{name}`", subject, found, HASHABLE, place)
            else:
                _ordered(checker, name, subject, found, place)
    elif name == "fitted":
        for parameter, usual in (("text", "description"), ("name", "name")):
            field = arguments.get(parameter) if parameter in arguments.given else usual
            if not isinstance(field, str) or "." in field:
                checker.report("F525", place, operation=name, what=f"with `{parameter}` other than the name of a field")
            elif checker.takes("`fitted`", subject, item, ("map",), place):
                checker.takes("`fitted`", subject, attribute_type(item, field)[0], ("text",), place)
    elif name == "dictsort":
        _ordered(checker, name, subject, values(kind) if arguments.get("by") == "value" else item, place)
    elif name in {"join", "sum"}:
        found = item if path is None else attribute_type(item, path)[0]
        if name == "join":
            written = [argument.expression for argument in arguments.given.values()]
            checker.printable(["filter", name, subject, written, []], found, place)
        else:
            checker.takes("`sum`", subject, found, ("number",), place)
    elif name in {"json", "tojson"} and not _json(kind):
        checker.report("F519", place, use=f"`{name}`", kind="text, numbers, lists and maps", subject=wording(subject))


def _mapped(checker: Checker, subject: Expression, item: Type, arguments: Arguments, place: Span) -> None:
    name = arguments.named(0)
    if not arguments.rest:
        _path(checker, "map", arguments.get("attribute"), place)
        if "attribute" not in arguments.given:
            checker.report("F525", place, operation="map", what="without a filter or `attribute=`")
        for extra in sorted(arguments.given.keys() - {"attribute", "default"}):
            checker.report("F525", place, operation="map", what=f"with `{extra}=`")
    elif name not in FILTERS:
        checker.report("F525", place, operation="map", what=f"with `{name}`, which is no filter")
    else:
        check_filter(checker, name, subject, item, arguments.passed_to(0), place)


def _picked(checker: Checker, name: str, subject: Expression, item: Type, arguments: Arguments, place: Span) -> None:
    position = 1 if name.endswith("attr") else 0
    if position:
        if not arguments.rest:
            checker.report("F525", place, operation=name, what="without the name of an attribute")
            return
        path = arguments.rest[0].expression
        _path(checker, name, path, place)
        item = attribute_type(item, path)[0]
    test = arguments.named(position)
    if not test:
        if item.zero:
            checker.report("F506", place, subject=wording(subject))
    elif test not in TESTS:
        checker.report("F525", place, operation=name, what=f"with `{test}`, which is no test")
    else:
        check_test(checker, test, subject, item, arguments.passed_to(position, test=True), place)


def _ordered(checker: Checker, name: str, subject: Expression, kind: Type, place: Span) -> None:
    if not any(kind.only(*names) for names in _ORDERED):
        checker.report("F519", place, use=f"`{name}`", kind="texts only, or numbers only", subject=wording(subject))


def _json(kind: Type) -> bool:
    """Tell whether a value is JSON data through and through, with texts as keys."""
    if kind.may("datetime", "any") or (kind.may("map") and kind.keys is not None and not kind.keys.only("text")):
        return False
    parts = [kind.item, *(kind.members or ()), *(field.type for field in (kind.fields or {}).values())]
    return all(_json(part) for part in parts if part is not None)
