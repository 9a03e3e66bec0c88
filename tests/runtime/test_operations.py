"""Filters and tests against real Jinja2 with StrictUndefined, on generated values and arguments."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.errors import RenderError
from frieze.runtime.interpreter import compile_body
from frieze.runtime.operations import (
    CLASSES,
    FILTERS,
    JINJA_FILTERS,
    LAZY_FILTERS,
    MARKUP_CONSUMERS,
    MARKUP_FILTERS,
    METHODS,
    OBSERVING_FILTERS,
    OBSERVING_TESTS,
    TESTS,
)
from support.residual_text import ENVIRONMENT, jinja_source

ADDRESS = re.compile(r" at 0x[0-9a-f]+>|<built-in method|<bound method")
MISSING = object()

texts = st.one_of(
    st.text(alphabet="ab BC-é\n%<'1.ßǅ\u2028\t&\"/=,", max_size=24),
    st.sampled_from(["a", "b", "12", "1.5", "0x1f", " 7 ", "Ab-cd efgh", "the quick brown fox jumps", "%s", "a,b.c"]),
)
numbers = st.one_of(
    st.integers(-3, 40),
    st.floats(-100, 100, width=32),
    st.sampled_from([0.5, 2.5, -0.0]),
)
large = st.sampled_from([1e300, 10**20, 1e16, 999.0, 1500, 2_000_000, 10**6])
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
records = st.lists(
    st.fixed_dictionaries({}, optional={"a": scalars, "b": st.one_of(numbers, st.fixed_dictionaries({"c": scalars}))}),
    max_size=4,
)
values = st.one_of(
    scalars,
    st.lists(numbers, max_size=5),
    st.lists(texts, max_size=5),
    records,
    st.dictionaries(st.sampled_from(["a", "b", "B", "c", "k 1"]), scalars, max_size=4),
    st.recursive(
        scalars,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=6,
    ),
)
paths = st.sampled_from(["a", "b", "b.c", "b.0", "a,b", "0", 0, 1, "", "zz", None, "b,a.x"])
flags = st.sampled_from([True, False, 0, 1, "x", ""])
sizes = st.one_of(st.integers(-2, 30), st.sampled_from([True, None, 2.0, "3"]))
filter_names = st.sampled_from(sorted(set(JINJA_FILTERS) - MARKUP_FILTERS))
test_names = st.sampled_from(sorted(set(TESTS) - {"sameas"}))

FILTER_ARGUMENTS: dict[str, list[tuple[str, st.SearchStrategy[Any]]]] = {
    "attr": [("name", st.sampled_from(["a", "zz", 1]))],
    "batch": [("linecount", sizes), ("fill_with", scalars)],
    "center": [("width", sizes)],
    "d": [("default_value", values), ("boolean", flags)],
    "default": [("default_value", values), ("boolean", flags)],
    "dictsort": [("case_sensitive", flags), ("by", st.sampled_from(["key", "value", "x"])), ("reverse", flags)],
    "filesizeformat": [("binary", flags)],
    "float": [("default", scalars)],
    "format": [("", values), ("", values)],
    "groupby": [("attribute", paths), ("default", scalars), ("case_sensitive", flags)],
    "indent": [("width", st.one_of(sizes, texts)), ("first", flags), ("blank", flags)],
    "int": [("default", scalars), ("base", st.sampled_from([10, 2, 16, 0, 1, "x"]))],
    "join": [("d", scalars), ("attribute", paths)],
    "map": [("", filter_names), ("", scalars)],
    "max": [("case_sensitive", flags), ("attribute", paths)],
    "min": [("case_sensitive", flags), ("attribute", paths)],
    "reject": [("", test_names), ("", scalars)],
    "rejectattr": [("", paths), ("", test_names), ("", scalars)],
    "replace": [("old", st.one_of(st.sampled_from(["a", "", " ", "<"]), scalars)), ("new", scalars), ("count", sizes)],
    "round": [("precision", sizes), ("method", st.sampled_from(["common", "ceil", "floor", "x"]))],
    "select": [("", test_names), ("", scalars)],
    "selectattr": [("", paths), ("", test_names), ("", scalars)],
    "slice": [("slices", sizes), ("fill_with", scalars)],
    "sort": [("reverse", flags), ("case_sensitive", flags), ("attribute", paths)],
    "sum": [("attribute", paths), ("start", st.one_of(numbers, st.just([])))],
    "tojson": [("indent", st.sampled_from([None, 0, 2, "\t", True]))],
    "trim": [("chars", st.one_of(st.none(), texts, numbers))],
    "truncate": [("length", sizes), ("killwords", flags), ("end", texts), ("leeway", sizes)],
    "unique": [("case_sensitive", flags), ("attribute", paths)],
    "wordwrap": [
        ("width", sizes),
        ("break_long_words", flags),
        ("wrapstring", st.one_of(st.none(), texts)),
        ("break_on_hyphens", flags),
    ],
    "xmlattr": [("autospace", flags)],
}


def outcome(render: Any, context: dict[str, Any]) -> tuple[str, Any]:
    """Return ("text", text) or ("error", the name of its kind)."""
    try:
        return "text", render(context)
    except RenderError as error:
        return "error", error.kind
    except Exception as error:  # noqa: BLE001 - an oracle raises whatever it likes
        return "error", type(error).__name__


def agree(body: list[Any], context: dict[str, Any]) -> None:
    """Assert that the interpreter and Jinja2 give one text, or both raise."""
    source, constants = jinja_source(body)
    expected = outcome(ENVIRONMENT.from_string(source).render, {**constants, **context})
    found = outcome(compile_body(body, strict=True), context)
    if expected[0] == "text" and ADDRESS.search(expected[1]):
        assert found == ("error", "Unprintable"), (source, context, expected, found)
    elif expected[0] == "error":
        assert found[0] == "error", (source, context, expected, found)
        if expected[1] == "UndefinedError":
            assert found[1] == "UndefinedError", (source, context, expected, found)
    else:
        assert found == expected, (source, context, expected, found)


@st.composite
def calls(draw: st.DrawFn, kind: str, name: str, parameters: list[tuple[str, st.SearchStrategy[Any]]]) -> Any:
    """Draw one application of a filter or test with its context; arguments may be constants or inputs."""
    context: dict[str, Any] = {}

    def operand(strategy: st.SearchStrategy[Any], key: str) -> Any:
        value = draw(strategy)
        if (value is None or isinstance(value, str | int)) and draw(st.booleans()):
            return value
        context[key] = value
        return ["input", key]

    subject = ["input", "v"]
    if draw(st.integers(0, 15)) == 0:
        subject = draw(st.sampled_from([["input", "v"], ["attr", {}, "q"], ["cond", False, 1]]))
        if subject[0] == "attr":
            subject, context["m"] = ["attr", ["input", "m"], "q"], {}
    else:
        context["v"] = draw(st.one_of(values, large))
    positional: list[Any] = []
    keywords: list[Any] = []
    named = False
    for number, (key, strategy) in enumerate(parameters):
        how = draw(st.sampled_from(["by position", "by position", "by name", "left out", "any value"]))
        chosen = values if how == "any value" else strategy
        if how == "left out":
            named = True
        elif (named or how == "by name") and key:
            named = True
            keywords.append([key, operand(chosen, f"k{number}")])
        elif not named:
            positional.append(operand(chosen, f"p{number}"))
    return [kind, name, subject, positional, keywords], context


@pytest.mark.parametrize("name", sorted(JINJA_FILTERS))
def test_a_filter_means_what_it_means_in_jinja(name: str) -> None:
    @settings(max_examples=80, deadline=None)
    @given(calls("filter", name, FILTER_ARGUMENTS.get(name, [])))
    def check(drawn: Any) -> None:
        call, context = drawn
        if name in LAZY_FILTERS:
            call = ["cond", ["test", "string", call, [], []], call, ["filter", "list", call, [], []]]
        agree([["out", call]], context)

    check()


@pytest.mark.parametrize("name", sorted(set(TESTS) - {"sameas"}))
def test_a_test_means_what_it_means_in_jinja(name: str) -> None:
    one = {"divisibleby", "eq", "equalto", "ge", "greaterthan", "gt", "in", "le", "lessthan", "lt", "ne"}
    if not name.isalpha():
        name = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}[name]
    parameters = [("", st.one_of(st.integers(-2, 3), values))] if name in one else []

    @settings(max_examples=60, deadline=None)
    @given(calls("test", name, parameters))
    def check(drawn: Any) -> None:
        agree([["out", drawn[0]]], drawn[1])

    check()


@pytest.mark.parametrize("consumer", [None, *sorted(MARKUP_CONSUMERS)])
@pytest.mark.parametrize("producer", sorted(MARKUP_FILTERS))
def test_markup_filters_give_the_text_of_jinja_where_they_may_be_used(producer: str, consumer: str | None) -> None:
    for value in ("<a href='x'>&amp; \"é\u2028</a>", "plain", "12", 5, None, True, ["<", {"b": 1, "a": "'"}]):
        call = ["filter", producer, ["input", "v"], [], []]
        arguments: list[Any] = {"replace": ["a", "<"], "default": ["x", True], "d": ["x"]}.get(consumer or "", [])
        agree([["out", call if consumer is None else ["filter", consumer, call, arguments, []]]], {"v": value})
        agree([["out", ["concat", call, "<", ["input", "v"]]]], {"v": value})
        agree([["capture", "x", [["out", call]]], ["out", ["+", ["local", "x"], "<"]]], {"v": value})
        agree([["out", ["filter", "join", ["list", call, "<"], ["&"], []]]], {"v": value})
        agree([["out", ["cmp", call, ["==", ["input", "v"]]]]], {"v": value})


TEXT = "the quick brown fox-jumps over\n\nthe lazy dog"
CALLS: list[tuple[str, Any, list[Any]]] = [
    *(
        ("slice", list(range(length)), [count, fill])
        for length in range(8)
        for count in (1, 3, 4)
        for fill in (None, "x")
    ),
    *(("batch", list(range(length)), [count, fill]) for length in range(8) for count in (1, 3) for fill in (None, "x")),
    *(("truncate", TEXT[:length], [9]) for length in range(8, 18)),
    *(("truncate", TEXT, [9, kill, end, leeway]) for kill in (True, False) for end in ("", "…") for leeway in (0, 40)),
    *(("wordwrap", TEXT, [width, long, "|", hyphen]) for width in (3, 10) for long in (0, 1) for hyphen in (0, 1)),
    *(("indent", TEXT, [width, first, blank]) for width in (2, "> ") for first in (0, 1) for blank in (0, 1)),
    *(
        ("round", value, [digits, how])
        for value in (2.5, -2.675)
        for digits in (0, 2)
        for how in ("common", "ceil", "floor")
    ),
    *(("sort", ["b", "A", "a", "B"], [reverse, case]) for reverse in (0, 1) for case in (0, 1)),
    *(("filesizeformat", 10**power * 3, [binary]) for power in range(28) for binary in (0, 1)),
]


def test_filters_on_cases_at_their_edges() -> None:
    for name, value, arguments in CALLS:
        call = ["filter", name, ["input", "v"], [["input", f"p{n}"] for n in range(len(arguments))], []]
        call = ["filter", "list", call, [], []] if name in LAZY_FILTERS else call
        agree([["out", call]], {"v": value, **{f"p{n}": argument for n, argument in enumerate(arguments)}})


@pytest.mark.parametrize("value", [None, True, False], ids=repr)
@pytest.mark.parametrize("other", [None, True, False, 1, 0, "", [], 1.0], ids=repr)
def test_sameas_knows_true_false_and_none(value: Any, other: Any) -> None:
    for left, right in ((value, other), (other, value)):
        agree([["out", ["test", "sameas", ["input", "v"], [["input", "w"]], []]]], {"v": left, "w": right})


def test_sameas_refuses_what_python_decides() -> None:
    with pytest.raises(RenderError) as caught:
        TESTS["sameas"](1000, 1000)
    assert caught.value.kind == "Unsupported"


def test_the_tables_speak_of_the_same_names() -> None:
    assert set(CLASSES) == set(FILTERS)
    assert (
        FILTERS.keys() >= JINJA_FILTERS.keys() >= OBSERVING_FILTERS | LAZY_FILTERS | MARKUP_FILTERS | MARKUP_CONSUMERS
    )
    assert TESTS.keys() >= OBSERVING_TESTS
    assert set(ENVIRONMENT.filters) - set(JINJA_FILTERS) == {"random", "urlize"}
    assert set(ENVIRONMENT.tests) - set(TESTS) == {"filter", "test"}
    assert set(METHODS) == {"get", "items", "keys", "values"}
