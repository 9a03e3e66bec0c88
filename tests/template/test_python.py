"""Generated Python against the interpreter: the same text and the same errors for every body."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frieze.runtime.interpreter import compile_body
from frieze.runtime.joined import escaped_value
from frieze.runtime.missing import ABSENT
from frieze.runtime.rows import Slot
from frieze.template import UnsupportedTemplate, freeze
from frieze.template.ir import constant
from frieze.template.literals import number_literal, text_literal, text_literals
from frieze.template.python_expressions import Module, Names, NotGenerated, suffix_of
from frieze.template.python_fragments import Fragments, Function
from frieze.template.python_module import import_lines, template_module
from frieze.template.python_pieces import INDENT
from frieze.template.specialise import GLOBALS
from support.grammar import case
from support.residuals import bodies, contexts
from support.sources import functions, outcome, render_of
from support.values import NASTY

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
TEXTS = st.text() | st.text(alphabet="\"'\\{}\n\r\t\x00%#é日\u202e\u2028", max_size=20) | st.sampled_from(NASTY)


def lenient_render(body: list[Any], direct: dict[str, Slot]) -> Any:
    """Return the function of a body as a bundle's modules have it, called with values by name."""
    module = Module(strict=False)
    text = Function(Fragments(strict=False), module, body, direct).text
    own = [name for each in direct for name in locals_of(each)]
    head = f"def render(others, {', '.join(own)}):"
    source = [*import_lines("frieze.runtime", module), *module.lines(), head, text]
    write = functions("\n".join(source) + f'{INDENT}return "".join(out)\n')["render"]

    def render(values: dict[str, Any]) -> str:
        own = [value for name, slot in direct.items() for value in placed(values.get(name, ABSENT), slot)]
        others = {name: value for name, value in values.items() if name not in direct}
        return str(write(others, *own))

    return render


def locals_of(name: str) -> list[str]:
    """Return the locals in which direct code finds an input."""
    return [f"in_{name}", f"given_{name}", f"texts_of_{name}", f"rows_of_{name}"]


def placed(value: Any, slot: Slot) -> list[Any]:
    """Return what stands in these locals."""
    if not slot.is_list:
        return [escaped_value(value), value, None, None]
    rows = value if isinstance(value, list) else []
    texts = [row[field] for row in rows for field in slot.fields] if slot.fields else list(rows)
    return [value, None, escaped_value(texts), escaped_value(value)]


@settings(CALM, max_examples=250)
@given(bodies(), contexts)
def test_a_body_renders_as_in_the_interpreter(body: list[Any], values: dict[str, Any]) -> None:
    assert outcome(render_of(body), values) == outcome(compile_body(body, strict=True), values)


@settings(CALM, max_examples=250)
@given(bodies(("escape", "safe", "number", "any")), contexts)
def test_a_hardened_body_renders_as_in_the_interpreter(body: list[Any], values: dict[str, Any]) -> None:
    assert outcome(render_of(body), values) == outcome(compile_body(body, strict=True), values)


@settings(CALM, max_examples=300)
@given(bodies(("escape", "safe")), contexts)
def test_direct_code_gives_the_same_text_or_declines(body: list[Any], values: dict[str, Any]) -> None:
    render = lenient_render(body, {"a": Slot(0), "b": Slot(1), "m": Slot(2, is_list=isinstance(values.get("m"), list))})
    expected = outcome(compile_body(body, strict=False), values)
    try:
        text = render(values)
    except Exception:  # noqa: BLE001 - whatever it is, the interpreter is asked then
        return
    assert ("text", text) == expected


PRINTED = ["out", ["local", "n#1"]]
BOUND = ["let", "n#1", "bound"]


@pytest.mark.parametrize(
    "body",
    [
        [["if", [[["input", "a"], [BOUND]]], []], PRINTED],
        [["if", [[["input", "a"], [BOUND]]], [["let", "n#1", "else"]]], PRINTED],
        [PRINTED, BOUND],
        [BOUND, ["for", "r#1", ["list", 1, 2], None, [PRINTED, ["let", "n#1", "inside"], PRINTED], [], None], PRINTED],
        [["for", "r#1", ["list", 1, 2], None, [BOUND, PRINTED], [], None], PRINTED],
        [["for", "r#1", ["list", 1], None, [["capture", "n#1", ["x"]]], [], None], ["capture", "n#1", ["y"]], PRINTED],
        [["for", "r#1", ["list"], None, [], [BOUND], None], PRINTED],
    ],
)
def test_locals_hold_what_the_interpreter_has(body: list[Any]) -> None:
    for values in ({"a": True}, {"a": False}):
        assert outcome(render_of(body), values) == outcome(compile_body(body, strict=True), values)
        assert outcome(lenient_render(body, {}), values) == outcome(compile_body(body, strict=False), values)


@pytest.mark.parametrize("value", ["Aiko", "R&D <b>", "日本 & <3"])
def test_direct_code_prints_clean_texts(value: str) -> None:
    body = [
        "Hello ",
        ["out", ["input", "a"], "escape"],
        ["if", [[["cmp", ["input", "a"], ["==", "Aiko"]], [" it is you"]]], [" it is not"]],
        [
            "for",
            "r#1",
            ["input", "rows"],
            None,
            ["\n- ", ["out", ["attr", ["local", "r#1"], "name"], "escape"]],
            [],
            None,
        ],
        ["for", "r#2", ["input", "rows"], None, [["if", [[["attr", ["local", "r#2"], "x"], ["!"]]], ["?"]]], [], None],
        ["for", "t#1", ["input", "tags"], None, [" ", ["out", ["local", "t#1"], "escape"]], ["none"], None],
        ["for", "t#2", ["input", "none"], None, ["x", ["out", ["local", "t#2"], "escape"]], ["none"], None],
        [
            "for",
            "r#3",
            ["input", "rows"],
            None,
            [
                ["out", ["attr", ["local", "r#3"], "x"], "escape"],
                "; ",
                ["out", ["attr", ["local", "r#3"], "name"], "escape"],
                ["out", ["attr", ["local", "r#3"], "x"], "escape"],
                "\n",
            ],
            [],
            None,
        ],
        ["out", ["filter", "quoted", ["input", "a"], [], []], "safe"],
        ["out", ["input", "b"], "number"],
    ]
    values = {"a": value, "b": 5, "rows": [{"name": value, "x": "d"}, {"name": "b", "x": "c"}], "tags": [value, "d"]}
    slots = {
        "a": Slot(0),
        "rows": Slot(1, is_list=True, fields=("name", "x")),
        "tags": Slot(3, is_list=True),
        "none": Slot(5, is_list=True),
    }
    assert lenient_render(body, slots)(values) == compile_body(body, strict=False)(values)


@settings(CALM, max_examples=200)
@given(st.integers(0, 2**32), st.booleans())
def test_a_template_renders_as_in_the_interpreter(seed: int, hardening: bool) -> None:
    source, known, unknown = case(seed)
    try:
        frozen = freeze(source, known, hardening=hardening)
    except UnsupportedTemplate:
        return
    if GLOBALS.isdisjoint(unknown):
        assert outcome(functions(frozen.to_python())["render"], unknown) == outcome(frozen.render, unknown)


@settings(CALM, max_examples=300)
@given(TEXTS)
def test_any_text_survives_as_a_literal(text: str) -> None:
    assert ast.literal_eval(text_literal(text)) == text
    assert ast.literal_eval(f"({' '.join(text_literals(text))})") == text
    assert "\n" not in text_literal(text)
    (statement,) = ast.parse(text_literal(text)).body
    assert isinstance(statement, ast.Expr)
    assert isinstance(statement.value, ast.Constant)


def test_every_code_point_survives_and_is_seen() -> None:
    for code in (*range(0x3000), *range(0xD7A0, 0xE000), *range(0xFE00, 0x10100), 0x1F468, 0xE0041, 0x10FFFF):
        literal = text_literal(chr(code))
        assert ast.literal_eval(literal) == chr(code)
        assert literal.isprintable()


@settings(CALM, max_examples=200)
@given(st.floats() | st.integers() | st.integers(-(10**3000), 10**3000))
def test_any_number_survives_next_to_an_operator(number: float) -> None:
    source = render_of([["out", ["*", constant(number), 1]]])
    assert outcome(source, {}) == outcome(compile_body([["out", ["*", constant(number), 1]]], strict=True), {})
    if isinstance(number, int):
        assert eval(number_literal(number)) == number
        assert eval(f"2 - {number_literal(number)}") == 2 - number


@settings(CALM, max_examples=200)
@given(st.lists(TEXTS | st.sampled_from(["a", "values", "out", "__import__", "x#1", "x_1", "0", "None"]), unique=True))
def test_names_come_from_a_pattern_and_never_meet(names: list[str]) -> None:
    known = Names()
    written = [*map(known.input, names), *map(known.local, names), *(known.fresh("row") for _ in names)]
    written += [f"{prefix}_{suffix_of(name)}" for prefix in ("given", "texts_of", "rows_of") for name in names]
    assert len(set(written)) == len(written)
    assert all(
        name.isidentifier()
        and name.isascii()
        and name
        not in ("values", "out", "context", "others", "lists", "check", "texts", "found", "gaps", "last", "row")
        for name in written
    )


@settings(CALM, max_examples=150)
@given(TEXTS, TEXTS)
def test_no_value_becomes_code(text: str, name: str) -> None:
    body = [
        text or "x",
        ["out", ["input", name]],
        ["let", f"{name}#1", text],
        ["out", ["local", f"{name}#1"]],
        ["out", ["cond", ["cmp", ["input", name], ["==", text]], text, ["attr", ["dict", [text, text]], text]]],
        ["if", [[["input", "stop"], [["fail", text, name]]]], []],
    ]
    tree = ast.parse(template_module(body, frozenset([name])))
    (function,) = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    plain = {"values", "out", "error", "frozenset", "list", "str", "Mapping", "Any"}
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    for node in ast.walk(function):
        if isinstance(node, ast.Name):
            assert node.id in plain | imported or node.id.startswith(("in_", "at_", "undefined_"))
        if isinstance(node, ast.Attribute):
            assert node.attr in ("append", "get", "join")
    for stop in (False, True):
        values = {name: text, "stop": stop}
        assert outcome(render_of(body), values) == outcome(compile_body(body, strict=True), values)


def nested(levels: int, kind: str) -> list[Any]:
    body: list[Any] = [["out", ["input", "x"]]]
    for level in range(levels):
        body = (
            [["for", f"i#{level}", ["list", 1], None, body, [], None]]
            if kind == "for"
            else [["if", [[True, body]], []]]
        )
    return body


@pytest.mark.parametrize(("kind", "levels"), [("for", 12), ("for", 30), ("for", 55), ("if", 38), ("if", 55)])
def test_what_python_cannot_nest_is_interpreted(kind: str, levels: int) -> None:
    body = nested(levels, kind)
    assert render_of(body)({"x": "deep"}) == "deep"
    if levels > 38:
        with pytest.raises(NotGenerated):
            Function(Fragments(strict=True), Module(strict=True), body)


def test_deep_expressions_are_interpreted() -> None:
    expression: Any = ["input", "x"]
    for _ in range(100):
        expression = ["filter", "default", expression, ["y"], []]
    assert render_of([["out", expression]])({"x": "deep"}) == "deep"


def test_the_source_is_the_same_each_time() -> None:
    template = freeze("{% for x in xs if x.n > k %}{{ loop.index }} {{ x.n | upper }}{% endfor %}", {}, hardening=False)
    assert template.to_python() == template.to_python()
    assert "exec" not in template.to_python()


def test_a_value_under_the_name_of_a_function_is_refused() -> None:
    template = freeze("{% for i in range(n) %}{{ i }}{% endfor %}", {"n": 2}, hardening=False)
    kind, error = outcome(functions(template.to_python())["render"], {"range": 5})
    assert (kind, error.kind) == ("error", "Unsupported")
