"""The interpreter against real Jinja2, against itself, and on damaged input."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import jinja2
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from frieze.runtime.arithmetic import MAX_BITS, MAX_RESULT
from frieze.runtime.errors import BundleError, FriezeError, RenderError
from frieze.runtime.escape import escape
from frieze.runtime.interpreter import compile_body, compile_expression, trace_body
from frieze.runtime.missing import ABSENT
from frieze.runtime.nesting import MAX_LEVELS, first_too_deep
from frieze.template.ir import statements
from support.residual_text import ENVIRONMENT, jinja_source
from support.residuals import bodies, contexts, expressions

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


class Absent(jinja2.Undefined):
    """What a declared input without a value is, said in Jinja2's own terms."""

    __slots__ = ()
    __str__ = __contains__ = jinja2.Undefined._fail_with_undefined_error

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return id(Absent)


ABSENCE = jinja2.Environment(undefined=Absent, keep_trailing_newline=True)


def outcome(render: Any, context: dict[str, Any]) -> tuple[str, Any]:
    """Return ("text", text) or ("error", the name of its kind)."""
    try:
        return "text", render(context)
    except RenderError as error:
        return "error", error.kind
    except Exception as error:  # noqa: BLE001 - an oracle raises whatever it likes
        return "error", type(error).__name__


@settings(CALM, max_examples=300)
@given(bodies(), contexts)
def test_a_body_renders_as_jinja_does(body: list[Any], context: dict[str, Any]) -> None:
    source, constants = jinja_source(body)
    kind, expected = outcome(ENVIRONMENT.from_string(source).render, {**constants, **context})
    found = outcome(compile_body(body, strict=True), context)
    if kind == "text" and " at 0x" in expected:
        assert found == ("error", "Unprintable")
    elif kind == "text" or (expected == "UndefinedError" and found[1] != "Unprintable"):
        assert found == (kind, expected)
    else:
        assert found[0] == kind


@settings(CALM, max_examples=300)
@given(expressions(tuple(["input", name] for name in "abcm")), contexts)
def test_an_expression_means_what_it_means_in_jinja(expression: Any, context: dict[str, Any]) -> None:
    source, constants = jinja_source([["out", expression]])
    kind, expected = outcome(ENVIRONMENT.from_string(source).render, {**constants, **context})
    found = outcome(compile_body([["out", expression]], strict=True), context)
    if kind == "text" and " at 0x" in expected:
        assert found == ("error", "Unprintable")
    elif kind == "text" or (expected == "UndefinedError" and found[1] != "Unprintable"):
        assert found == (kind, expected)
    else:
        assert found[0] == kind


@settings(CALM, max_examples=300)
@given(bodies(displays=False), contexts)
def test_absence_never_gives_another_text(body: list[Any], context: dict[str, Any]) -> None:
    source, constants = jinja_source(body)
    kind, expected = outcome(ABSENCE.from_string(source).render, {**constants, **context})
    found = outcome(compile_body(body, strict=False), context)
    if found[0] == "text":
        assert found == (kind, expected)
    elif kind == "error" and found[1] != "AbsentValue":
        assert found[0] == kind


@settings(CALM, max_examples=300)
@given(bodies(forms=("escape", "escape", "escape", "safe", "number", "any")), contexts, st.booleans())
def test_quick_and_exact_give_one_text(body: list[Any], context: dict[str, Any], strict: bool) -> None:
    found = outcome(compile_body(body, strict=strict), context)
    pieces = outcome(trace_body(body, strict=strict), context)
    if pieces[0] == "text":
        pieces = ("text", "".join(text for text, _ in pieces[1]))
    assert found == pieces


words = st.one_of(
    st.sampled_from(["plain", "R&D", "a<b", "b>a", "日本", "\u0301x", "&lt;", ""]), st.integers(0, 3), st.none()
)
rows = st.lists(st.one_of(st.fixed_dictionaries({"n": words}, optional={"w": words}), words), max_size=4)


@settings(CALM, max_examples=300)
@given(rows, words, words)
@example([{"n": "a", "w": "b"}, {"n": "R&D", "w": "日本"}], "first", "second")
@example([{"n": "a", "w": "b>a"}], "first", "second")
@example([{"n": "&lt;", "w": "b"}], "first", "second")
@example([{"n": "a", "w": "\u0301x"}], "first", "second")
@example([{"n": "a", "w": 5}, {"n": "a"}], "first", "")
def test_a_profile_body_escapes_each_value(items: list[Any], first: Any, second: Any) -> None:
    def slot(value: Any) -> list[Any]:
        return ["out", value, "escape"]

    row = ["- ", slot(["attr", ["local", "r#1"], "n"]), ": ", slot(["attr", ["local", "r#1"], "w"]), "\n"]
    body = [
        slot(["input", "f"]),
        slot(["input", "s"]),
        "\n100%\n",
        ["if", [[["input", "s"], [slot(["input", "s"]), "!"]]], ["none"]],
        ["for", "r#1", ["input", "rows"], None, row, ["no rows"], None],
    ]

    def expected(_: Any) -> str:
        def text(value: Any) -> str:
            if isinstance(value, str):
                return escape(value)
            if value is None:
                raise TypeError
            return str(value)

        lines = [f"- {text(item['n'])}: {text(item['w'])}\n" for item in items]
        middle = f"{text(second)}!" if second else "none"
        return f"{text(first)}{text(second)}\n100%\n{middle}{''.join(lines) if items else 'no rows'}"

    wanted = outcome(expected, {})
    found = outcome(compile_body(body, strict=False), {"f": first, "s": second, "rows": items})
    assert found == wanted if wanted[0] == "text" else found[0] == "error"


@settings(CALM, max_examples=300)
@given(bodies(), contexts)
def test_pieces_name_the_statement_that_printed_them(body: list[Any], context: dict[str, Any]) -> None:
    kind, pieces = outcome(trace_body(body, strict=True), context)
    rendered = outcome(compile_body(body, strict=True), context)
    if kind == "error":
        assert rendered == (kind, pieces)
        return
    assert ("text", "".join(text for text, _ in pieces)) == rendered
    order = list(statements(body))
    for text, index in pieces:
        node = order[index]
        assert node == text if isinstance(node, str) else node[0] == "out"


ITEM, N, ONE_TO_SIX = ["local", "i#1"], ["local", "n#1"], ["list", 1, 5, 6]
SCOPES: list[tuple[list[Any], dict[str, Any], str]] = [
    (
        [
            [
                "for",
                "i#1",
                ONE_TO_SIX,
                None,
                [
                    ["if", [[["cmp", ITEM, ["==", 5]], [["let", "n#1", ITEM]]]], []],
                    ["out", ["filter", "default", N, ["-"], []]],
                ],
                [],
                None,
            ]
        ],
        {},
        "-5-",
    ),
    (
        [
            ["for", "i#1", ONE_TO_SIX, None, [["capture", "n#1", [["out", ITEM]]], ["out", N]], [], None],
            ["out", ["test", "defined", N, [], []]],
        ],
        {},
        "156False",
    ),
    (
        [
            ["let", "n#1", 0],
            ["for", "i#1", ONE_TO_SIX, None, [["let", "n#1", ["+", N, ITEM]], ["out", N], ","], [], None],
            ["out", N],
        ],
        {},
        "1,5,6,0",
    ),
    (
        [
            [
                "for",
                "i#1",
                ONE_TO_SIX,
                ["cmp", ITEM, [">", ["input", "u"]]],
                [
                    ["out", ["loop", "loop#1", "index"]],
                    "/",
                    ["out", ["loop", "loop#1", "length"]],
                    "/",
                    ["out", ["loop", "loop#1", "last"]],
                    " ",
                ],
                ["none"],
                "loop#1",
            ]
        ],
        {"u": 2},
        "1/2/False 2/2/True ",
    ),
    (
        [["for", "i#1", ONE_TO_SIX, ["cmp", ITEM, [">", ["input", "u"]]], ["x"], ["none"], None]],
        {"u": 9},
        "none",
    ),
    (
        [
            [
                "for",
                ["i#1", ["n#1", "m#1"]],
                ["input", "u"],
                None,
                [["out", ["concat", ITEM, N, ["local", "m#1"]]], ";"],
                [],
                None,
            ]
        ],
        {"u": [[1, "ab"], [2, {"c": 0, "d": 0}]]},
        "1ab;2cd;",
    ),
    (
        [
            [
                "for",
                "i#1",
                ["input", "u"],
                None,
                [
                    ["for", "j#1", ITEM, None, [["out", ["loop", "inner", "index"]]], [], "inner"],
                    ["out", ["loop", "outer", "index"]],
                    "|",
                ],
                [],
                "outer",
            ]
        ],
        {"u": ["abc", "de"]},
        "1231|122|",
    ),
    ([["if", [[["input", "u"], [["let", "n#1", 1]]]], [["let", "n#1", 2]]], ["out", N]], {"u": ""}, "2"),
    (
        [["capture", "n#1", ["<", ["out", ["input", "u"]], ">"]], ["out", ["filter", "length", N, [], []]]],
        {"u": "ab"},
        "4",
    ),
]


@pytest.mark.parametrize(("body", "values", "text"), SCOPES)
def test_scopes(body: list[Any], values: dict[str, Any], text: str) -> None:
    assert compile_body(body, strict=True)(values) == text
    assert "".join(piece for piece, _ in trace_body(body, strict=True)(values)) == text


def test_the_numbers_of_pieces_count_every_statement() -> None:
    body = [
        "a",
        ["capture", "n#1", ["b", ["out", 1], ["if", [[True, ["c"]]], []]]],
        ["if", [[False, ["d", ["out", 2]]], [True, ["e"]]], ["f"]],
        ["for", "i#1", ["list", 7, 8], None, [["out", ITEM]], ["g"], None],
        ["out", N],
    ]
    pieces = trace_body(body, strict=True)({})
    assert pieces == [("a", 0), ("e", 9), ("7", 12), ("8", 12), ("b1c", 14)]
    assert [list(statements(body))[index] for _, index in pieces] == [
        "a",
        "e",
        ["out", ITEM],
        ["out", ITEM],
        ["out", N],
    ]


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        (["input", "a"], {}, ABSENT),
        (["cond", ["input", "a"], "x"], {}, ABSENT),
        (["attr", ["input", "a"], "b"], {"a": {}}, ABSENT),
        (["item", ["input", "a"], 3], {"a": [1]}, ABSENT),
        (["filter", "first", ["input", "a"], [], []], {"a": []}, ABSENT),
        (["filter", "max", ["input", "a"], [], []], {"a": []}, ABSENT),
        (["filter", "default", ["input", "a"], [["input", "b"]], []], {}, ABSENT),
        (["filter", "default", ["input", "a"], ["d"], []], {}, "d"),
        (["filter", "length", ["input", "a"], [], []], {}, 0),
        (["test", "none", ["input", "a"], [], []], {}, False),
        (["cmp", ["input", "a"], ["==", ["input", "a"]]], {}, False),
        (["cmp", ["input", "a"], ["!=", "x"]], {}, True),
        (["cmp", ["input", "a"], ["in", ["list", "x"]]], {}, False),
        (["cmp", ["input", "a"], ["not in", ["list", "x"]]], {}, True),
        (["cmp", ["input", "a"], ["in", "xyz"]], {}, False),
        (["or", ["input", "a"], "x"], {}, "x"),
        (["and", ["input", "a"], "x"], {}, ABSENT),
        (["not", ["input", "a"]], {}, True),
    ],
)
def test_uses_that_observe_an_absent_value(expression: Any, values: dict[str, Any], expected: Any) -> None:
    found = compile_expression(expression, strict=False)(values)
    assert found is expected if expected is ABSENT else (type(found), found) == (type(expected), expected)


@pytest.mark.parametrize(
    "expression",
    [
        ["filter", "upper", ["input", "a"], [], []],
        ["filter", "join", ["list", "x"], [["input", "a"]], []],
        ["filter", "items", ["input", "a"], [], []],
        ["test", "string", ["input", "a"], [], []],
        ["attr", ["input", "a"], "b"],
        ["attr", ["input", "a"], "items"],
        ["item", ["input", "a"], 0],
        ["item", ["dict"], ["input", "a"]],
        ["slice", ["input", "a"], 0, 1, None],
        ["call", "items", ["input", "a"], []],
        ["cmp", ["input", "a"], ["<", 1]],
        ["cmp", 1, ["in", ["input", "a"]]],
        ["concat", "x", ["input", "a"]],
        ["+", ["input", "a"], 1],
        ["+", 1, ["input", "a"]],
        ["%", "%s", ["input", "a"]],
        ["neg", ["input", "a"]],
    ],
)
def test_uses_that_consume_an_absent_value(expression: Any) -> None:
    evaluate = compile_expression(expression, strict=False)
    if expression[0] == "item" and expression[1] == ["dict"]:
        assert evaluate({}) is ABSENT
        return
    with pytest.raises(RenderError) as caught:
        evaluate({})
    assert caught.value.kind == "AbsentValue"


@pytest.mark.parametrize("form", [None, "escape", "safe", "number", "any"])
def test_an_absent_value_is_never_printed(form: str | None) -> None:
    body = [["out", ["input", "a"], *([] if form is None else [form])]]
    with pytest.raises(RenderError) as caught:
        compile_body(body, strict=False)({})
    assert caught.value.kind == "AbsentValue"


@pytest.mark.parametrize(
    ("form", "value", "text"),
    [
        ("escape", "a<b> &lt; R&D", "a&lt;b&gt; &amp;lt; R&D"),
        ("escape", 12, "12"),
        ("escape", 35.0, "35"),
        ("safe", '"\\u003c"', '"\\u003c"'),
        ("safe", 3, "3"),
        ("number", 35.5, "35.5"),
        ("number", 35.0, "35"),
        ("number", -0.0, "0"),
        ("number", 10**30, "1" + "0" * 30),
        ("any", "a\nSystem: <x>\u202e", "a System: &lt;x&gt;"),
        ("any", None, "None"),
        ("any", True, "True"),
        ("any", 1.0, "1.0"),
        ("any", ["<i>", 1], "['&lt;i&gt;', 1]"),
        (None, "a\n<x>", "a\n<x>"),
        (None, ["<i>", 1.0, None], "['<i>', 1.0, None]"),
    ],
)
def test_output_forms(form: str | None, value: Any, text: str) -> None:
    body = [["out", ["input", "v"], *([] if form is None else [form])]]
    assert compile_body(body, strict=False)({"v": value}) == text


@pytest.mark.parametrize(
    ("form", "value"),
    [
        *(("escape", value) for value in (None, True, ["x"], {})),
        *(("safe", value) for value in (None, False, ["x"])),
        *(("number", value) for value in ("5", True, float("nan"), float("inf"))),
    ],
)
def test_values_that_a_form_refuses(form: str, value: Any) -> None:
    with pytest.raises(RenderError) as caught:
        compile_body([["out", ["input", "v"], form]], strict=False)({"v": value})
    assert caught.value.kind == "Unprintable"


DAMAGED: list[Any] = [
    None,
    "text",
    [5],
    [[]],
    [["out"]],
    [["out", 1, "html"]],
    [["out", 1, ["escape"]]],
    [["out", ["input"]]],
    [["out", ["input", 5]]],
    [["out", ["nothing", 1]]],
    [["out", [["input", "a"]]]],
    [["out", {}]],
    [["out", ["float", "1"]]],
    [["out", ["float", ["nan"]]]],
    [["out", ["dict", 1]]],
    [["out", ["dict", [1, 2, 3]]]],
    [["out", ["slice", "x", 1]]],
    [["out", ["cmp", 1]]],
    [["out", ["cmp", 1, ["~", 2]]]],
    [["out", ["cmp", 1, [["=="], 2]]]],
    [["out", ["+", 1]]],
    [["out", ["cond", 1]]],
    [["out", ["filter", "urlize", 1, [], []]]],
    [["out", ["filter", "upper", 1, []]]],
    [["out", ["filter", "upper", 1, 1, []]]],
    [["out", ["filter", "upper", 1, [], [["a"]]]]],
    [["out", ["filter", "upper", 1, [], {"a": 1}]]],
    [["out", ["test", "upper2", 1, [], []]]],
    [["out", ["call", "pop", 1, []]]],
    [["out", ["call", "get", 1, "x"]]],
    [["out", ["loop", "loop", "cycle"]]],
    [["out", ["fail", "x"]]],
    [["if", 1, []]],
    [["if", [[1]], []]],
    [["if", [[1, []]]]],
    [["if", [[1, []]], None]],
    [["for", "x", [], None, [], []]],
    [["for", 1, [], None, [], [], None]],
    [["for", [], "x", None, [], [], None]],
    [["for", "x", "x", None, "body", [], None]],
    [["for", "x", "x", None, [], [], 5]],
    [["let", "x"]],
    [["let", 5, 1]],
    [["capture", "x", "y"]],
    [["fail", "x"]],
    [["fail", 1, "x"]],
    [["jump"]],
]


@pytest.mark.parametrize("body", DAMAGED, ids=lambda body: json.dumps(body)[:60])
def test_a_damaged_body_is_refused(body: Any) -> None:
    for make in (compile_body, trace_body):
        with pytest.raises(BundleError):
            make(body, strict=True)


@settings(CALM, max_examples=300)
@given(bodies(forms=("escape", "any")), st.data())
def test_any_damage_is_refused_or_harmless(body: list[Any], data: st.DataObject) -> None:
    def damage(node: Any) -> Any:
        if isinstance(node, list) and node and data.draw(st.integers(0, 3)):
            index = data.draw(st.integers(0, len(node) - 1))
            return [*node[:index], damage(node[index]), *node[index + 1 :]]
        return data.draw(st.sampled_from([None, [], {}, 5, "x", ["input"], [[]], ["out"], ["for", "x"], True]))

    try:
        render = compile_body(damage(body), strict=False)
    except BundleError:
        return
    outcome_kind = outcome(render, {})
    assert outcome_kind[0] in ("text", "error")


def nested(kind: str, levels: int) -> list[Any]:
    """A body whose deepest statement or operation stands `levels` deep."""
    expression: Any = ["input", "a"]
    wrap: dict[str, Callable[[Any], Any]] = {
        "not": lambda inner: ["not", inner],
        "argument": lambda inner: ["filter", "default", 1, [inner], []],
        "keyword": lambda inner: ["filter", "default", 1, [], [["default_value", inner]]],
        "comparison": lambda inner: ["cmp", 1, ["==", inner]],
        "map": lambda inner: ["dict", ["k", inner]],
        "list": lambda inner: ["list", 1, inner],
        "slice": lambda inner: ["slice", "abc", None, inner, None],
    }
    if kind in wrap:
        for _ in range(levels - 2):
            expression = wrap[kind](expression)
        return [["out", expression]]
    around: dict[str, Callable[[Any], Any]] = {
        "if": lambda inner: ["if", [[["input", "a"], inner]], []],
        "else": lambda inner: ["if", [[["input", "a"], ["y"]]], inner],
        "for": lambda inner: ["for", "x#1", ["input", "a"], None, inner, [], None],
        "for else": lambda inner: ["for", "x#1", ["input", "a"], None, ["y"], inner, None],
        "capture": lambda inner: ["capture", "x#1", inner],
    }
    body: list[Any] = [["out", expression]]
    for _ in range(levels - 2):
        body = ["x", around[kind](body)]
    return body


KINDS = ["not", "argument", "keyword", "comparison", "map", "list", "slice"]
KINDS += ["if", "else", "for", "for else", "capture"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("strict", [True, False])
def test_nesting_is_bounded_and_needs_no_more_than_pythons_stack(kind: str, strict: bool) -> None:
    body = nested(kind, MAX_LEVELS)
    found: list[tuple[str, Any]] = []

    def run() -> None:
        renders = [make(body, strict=strict) for make in (compile_body, trace_body)]
        found.extend(outcome(render, {"a": value}) for value in (True, False, "a", []) for render in renders)

    def called_from_deep_inside(calls: int = 250) -> None:
        if calls:
            called_from_deep_inside(calls - 1)
        else:
            run()

    thread = threading.Thread(target=called_from_deep_inside)
    thread.start()
    thread.join()
    assert len(found) == 8
    assert ("error", "RecursionError") not in found
    for make in (compile_body, trace_body):
        with pytest.raises(BundleError, match=f"at most {MAX_LEVELS} levels"):
            make(nested(kind, MAX_LEVELS + 1), strict=strict)


def test_the_deepest_statement_is_named_by_its_place_in_preorder() -> None:
    deep = nested("if", MAX_LEVELS + 1)
    assert first_too_deep(nested("if", MAX_LEVELS)) is None
    body = ["a", ["if", [[True, ["b"]], [False, ["c", ["let", "x#1", 1]]]], []], *deep]
    marked = list(statements(body))
    index = first_too_deep(body)
    assert index is not None
    assert marked[index][0] == "out"


def test_absurd_nesting_is_refused() -> None:
    expression: Any = ["input", "a"]
    body: list[Any] = ["x"]
    for _ in range(100_000):
        expression = ["not", expression]
        body = [["capture", "x", body]]
    for make, damaged in ((compile_expression, expression), (compile_body, body), (trace_body, body)):
        with pytest.raises(BundleError, match="levels"):
            make(damaged, strict=True)


def test_deep_values_do_not_exhaust_the_stack() -> None:
    deep: Any = "x"
    for _ in range(100_000):
        deep = [deep]
    for expression in (["input", "v"], ["filter", "tojson", ["input", "v"], [], []]):
        with pytest.raises(RenderError):
            compile_body([["out", expression]], strict=True)({"v": deep})
    while isinstance(deep, list):
        (deep,) = deep


@pytest.mark.parametrize(
    "expression",
    [
        ["*", "x", ["input", "n"]],
        ["*", ["input", "n"], ["list", 1]],
        ["**", 2, ["input", "n"]],
        ["*", ["**", 2, MAX_BITS // 2], ["**", 2, MAX_BITS // 2 + 1]],
        ["%", "%*d", ["tuple", ["input", "n"], 1]],
        ["%", "%(a(b)c)1000000000d", ["dict", ["a(b)c", 1]]],
        ["%", "%.999999999f", 1.5],
        ["filter", "format", "%01000000000d", [1], []],
        ["filter", "center", "x", [["input", "n"]], []],
        ["filter", "indent", "x\ny", [["input", "n"]], []],
        ["filter", "indent", ["*", "y\n", 2_000_000], ["    "], []],
        ["filter", "replace", ["*", "x", 4_000_000], ["x", "yy"], []],
        ["filter", "join", ["*", ["list", 1], 1_000_000], ["abcdef"], []],
        ["filter", "list", ["filter", "batch", ["list", 1], [["input", "n"], 0], []], [], []],
        ["filter", "list", ["filter", "slice", ["list", 1], [["input", "n"]], []], [], []],
        ["filter", "tojson", ["list", 1], [["input", "n"]], []],
        ["filter", "round", 1, [["neg", ["input", "n"]]], []],
        ["filter", "round", 1, [["input", "n"], "ceil"], []],
        ["filter", "wordwrap", ["*", "x ", 200_000], [1], [["wrapstring", ["*", "abc", 20]]]],
        ["filter", "prefixed", ["*", "x\n", 2_000_000], ["abc"], []],
        ["+", ["*", "x", 3_000_000], ["*", "x", 3_000_000]],
        ["concat", ["*", "x", 3_000_000], ["*", "x", 3_000_000]],
    ],
    ids=str,
)
def test_results_are_bounded(expression: Any) -> None:
    with pytest.raises(RenderError) as caught:
        compile_body([["out", expression]], strict=True)({"n": 10**9})
    assert caught.value.kind == "ResultTooLarge"


def test_the_bound_leaves_room() -> None:
    assert len(compile_body([["out", ["*", "x", MAX_RESULT]]], strict=True)({})) == MAX_RESULT
    assert compile_expression(["cmp", ["**", 2, MAX_BITS // 2], [">", 0]], strict=True)({}) is True


@pytest.mark.parametrize(
    "expression",
    [
        ["attr", ["input", "v"], "__class__"],
        ["item", ["input", "v"], "__class__"],
        ["item", ["input", "v"], ["concat", "__cl", "ass__"]],
        ["filter", "attr", ["input", "v"], ["__class__"], []],
        [
            "filter",
            "list",
            ["filter", "map", ["list", ["input", "v"]], [], [["attribute", "__class__.__mro__"]]],
            [],
            [],
        ],
        ["filter", "sum", ["list", ["input", "v"]], ["__doc__"], []],
    ],
    ids=str,
)
@pytest.mark.parametrize("value", ["x", {"a": 1}, [1], 5, 1.5, None, True], ids=repr)
def test_internal_attributes_are_out_of_reach(expression: Any, value: Any) -> None:
    with pytest.raises(RenderError) as caught:
        compile_expression(expression, strict=True)({"v": value})
    assert caught.value.kind == "SecurityError"


def test_a_method_has_no_text() -> None:
    for expression in (["item", ["input", "v"], "upper"], ["list", ["attr", ["input", "v"], "upper"]]):
        with pytest.raises(RenderError, match="has no text"):
            compile_body([["out", expression]], strict=True)({"v": "x"})
    assert compile_body([["out", ["item", ["input", "v"], "upper"]]], strict=True)({"v": {"upper": 1}}) == "1"


@pytest.mark.parametrize(
    ("expression", "value", "text"),
    [
        (["filter", "upper", ["input", "v"], [], []], "Straße", "STRASSE"),
        (["filter", "upper", ["input", "v"], [], []], "\u0390", "\u03aa\u0301"),
        (["filter", "reverse", ["input", "v"], [], []], "ab\u0323c", "c\u0323ba"),
        (["filter", "first", ["input", "v"], [], []], ["a"], "a"),
        (["filter", "truncate", ["input", "v"], [6, True, "", 0], []], "hello \u200d" + "x" * 9, "hello "),
        (["slice", ["input", "v"], 1, None, None], "x\u0323 y", "y"),
        (["slice", ["input", "v"], 0, 6, None], "hello world", "hello "),
        (["filter", "join", ["filter", "map", ["input", "v"], ["reverse"], []], ["\t"], []], ["a\u0323", "b"], "a\tb"),
    ],
    ids=str,
)
def test_profiles_clean_again_what_a_filter_made(expression: Any, value: Any, text: str) -> None:
    assert compile_body([["out", expression, "escape"]], strict=False)({"v": value}) == text


@pytest.mark.parametrize(("length", "longest"), [(80, 200), (200, 200), (3_000, 4_000)])
def test_profiles_bound_what_upper_case_makes_longer(length: int, longest: int) -> None:
    body = [["out", ["filter", "upper", ["input", "v"], [], []], "escape"]]
    text = compile_body(body, strict=False)({"v": "\ufb03" * length})
    assert len(text) == longest
    assert text.startswith("FFIFFI")
    assert compile_body(body, strict=True)({"v": "\ufb03" * length}) == "FFI" * length


U, A = ["input", "u"], ["attr", ["input", "u"], "a"]


@pytest.mark.parametrize(
    ("expression", "values", "expected"),
    [
        (["cmp", 5, ["<", U], ["<", ["input", "missing"]]], {"u": 1}, "False"),
        (["cmp", 3, ["<", U], ["<", 9]], {"u": 2}, "False"),
        (["cmp", ["cmp", 1, ["<", U]], ["<", 3]], {"u": 5}, "True"),
        (["cmp", 1, ["in", ["list", 1, U]]], {}, "True"),
        (["cmp", 1, ["in", ["list", U, 1]]], {}, None),
        (["or", U, "x"], {"u": []}, "x"),
        (["and", U, 0], {"u": []}, "[]"),
        (["or", U, "x"], {}, None),
        (["and", U, ["attr", ["input", "missing"], "x"]], {"u": 0}, "0"),
        (["test", "defined", A, [], []], {"u": {}}, "False"),
        (["attr", A, "b"], {"u": {}}, None),
        (["filter", "default", A, ["d"], []], {"u": {"a": None}}, "None"),
        (["filter", "default", A, ["d"], []], {}, None),
        (["filter", "default", ["filter", "default", U, [["input", "v"]], []], ["z"], []], {}, "z"),
        (["filter", "default", ["filter", "upper", A, [], []], ["d"], []], {"u": {}}, None),
        (["list", A], {"u": {}}, "[Undefined]"),
        (["concat", "x", ["cond", U, "a"]], {"u": 0}, "x"),
        (["test", "defined", ["cond", U, "a"], [], []], {"u": 0}, "False"),
        (
            ["concat", ["tuple", 1, U], ["dict", [1, U]], ["cmp", ["tuple", 1], ["==", ["list", 1]]]],
            {"u": 2},
            "(1, 2){1: 2}False",
        ),
        (["item", U, "items"], {"u": {"items": 0}}, "0"),
        (["slice", "xyz", 1, U, None], {"u": None}, "yz"),
        (["slice", U, None, 2, None], {"u": [1, 2, 3]}, "[1, 2]"),
        (["**", ["neg", U], 2], {"u": 2}, "4"),
        (["+", ["float", "-0.0"], U], {"u": -0.0}, "-0.0"),
        (
            ["concat", ["float", "nan"], ["float", "inf"], ["float", "-inf"], 1e20, None, True],
            {},
            "naninf-inf1e+20NoneTrue",
        ),
    ],
    ids=str,
)
def test_expressions_on_which_an_evaluator_goes_wrong(
    expression: Any, values: dict[str, Any], expected: str | None
) -> None:
    render = compile_body([["out", expression]], strict=True)
    if expected is None:
        with pytest.raises(RenderError) as caught:
            render(values)
        assert caught.value.kind == "UndefinedError"
    else:
        assert render(values) == expected


def test_a_run_may_mix_what_is_escaped_and_what_is_not() -> None:
    body = [
        ["out", ["input", "a"], "escape"],
        "=",
        ["out", ["input", "n"], "number"],
        ["out", ["input", "b"], "escape"],
    ]
    render = compile_body(body, strict=False)
    assert render({"a": "x", "n": 2.0, "b": "y"}) == "x=2y"
    assert render({"a": "<x", "n": 2.0, "b": "y>"}) == "&lt;x=2y&gt;"


def test_a_key_named_like_a_method_is_looked_up_as_jinja_does() -> None:
    body = [["for", "r#1", ["input", "rows"], None, [["out", ["attr", ["local", "r#1"], "items"], "escape"]], [], None]]
    with pytest.raises(RenderError):
        compile_body(body, strict=False)({"rows": [{"items": "x"}]})
    assert compile_expression(["attr", ["input", "r"], "title"], strict=True)({"r": {"title": "x"}}) == "x"


def test_a_failing_branch_fails_only_when_it_runs() -> None:
    body = [["if", [[["input", "x"], [["fail", "ZeroDivisionError", "division by zero"]]]], []], "ok"]
    render = compile_body(body, strict=True)
    assert render({"x": 0}) == "ok"
    with pytest.raises(RenderError) as caught:
        render({"x": 1})
    assert caught.value == RenderError("ZeroDivisionError", "division by zero")
    lazy = compile_expression(["and", ["input", "x"], ["fail", "K", "m"]], strict=True)
    assert lazy({"x": 0}) == 0
    with pytest.raises(RenderError) as caught:
        lazy({"x": 1})
    assert caught.value == RenderError("K", "m")


def test_messages_are_those_of_jinja() -> None:
    for source, body, values in [
        ("{{ a }}", [["out", ["input", "a"]]], {}),
        ("{{ a.b.c }}", [["out", ["attr", ["attr", ["input", "a"], "b"], "c"]]], {"a": {}}),
        ("{{ a[5] ~ '' }}", [["out", ["concat", ["item", ["input", "a"], 5], ""]]], {"a": [1]}),
        ("{{ a.b|upper }}", [["out", ["filter", "upper", ["attr", ["input", "a"], "b"], [], []]]], {"a": None}),
        ("{{ a|first }}", [["out", ["filter", "first", ["input", "a"], [], []]]], {"a": []}),
        ("{{ 1 // a }}", [["out", ["//", 1, ["input", "a"]]]], {"a": 0}),
        ("{{ a|map }}", [["for", "x", ["filter", "map", ["input", "a"], [], []], None, [], [], None]], {"a": [1]}),
    ]:
        loop = source if "map" not in source else "{% for x in a|map %}{% endfor %}"
        with pytest.raises(Exception) as expected:
            ENVIRONMENT.from_string(loop).render(values)
        with pytest.raises(RenderError) as found:
            compile_body(body, strict=True)(values)
        assert found.value == RenderError(type(expected.value).__name__, str(expected.value))


def test_a_body_may_be_rendered_by_many_threads_at_once() -> None:
    from concurrent.futures import ThreadPoolExecutor

    body = [
        [
            "for",
            "x#1",
            ["input", "xs"],
            None,
            [["let", "y#1", ["local", "x#1"]], ["out", ["local", "y#1"], "escape"]],
            [],
            "l",
        ]
    ]
    render = compile_body(body, strict=False)
    contexts = [{"xs": [f"{n}.", "<"] * 50} for n in range(40)]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(render, contexts)) == [f"{n}.&lt;" * 50 for n in range(40)]


def test_values_are_never_changed() -> None:
    values = {"v": [{"a": [3, 1]}, {"a": [2]}]}
    before = json.dumps(values)
    for name in ("sort", "list", "reverse", "batch", "indent", "sum"):
        arguments = {"batch": [5, 0], "sum": ["a", ["list"]], "sort": []}.get(name, [])
        outcome(compile_body([["out", ["filter", name, ["input", "v"], arguments, []]]], strict=True), values)
    assert json.dumps(values) == before


def test_every_error_is_a_value() -> None:
    assert issubclass(RenderError, FriezeError)
    assert RenderError("a", "b") == RenderError("a", "b") != RenderError("a", "c")
    assert len({RenderError("a", "b"), RenderError("a", "b")}) == 1
