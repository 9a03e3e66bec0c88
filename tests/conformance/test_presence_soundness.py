"""What the presence proof accepts prints no absent value, whatever is given: every combination is rendered."""

from __future__ import annotations

import re
from itertools import islice, product
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime.interpreter import compile_body, compile_expression
from frieze.template.hardening import harden
from frieze.template.presence import prove_presence
from support import absent
from support.declared import expression_of, residual_of
from support.operations import operations
from support.operations import statements as printing

INPUTS: dict[str, Any] = {
    "a": {"type": "line"},
    "b": {"type": "line"},
    "r": {"type": "line", "required": True},
    "k": {"type": "integer"},
    "f": {"type": "boolean"},
    "ls": {"type": "list", "of": "line"},
    "c": {"type": "choice", "options": ["x", "y"], "required": True},
    "lang": {"type": "language"},
    "cs": {"type": "list", "of": {"type": "choice", "options": ["x", "y"]}},
    "xs": {
        "type": "list",
        "of": {
            "fields": {
                "id": {"type": "line", "required": True},
                "note": {"type": "line"},
                "s": {"type": "choice", "options": ["x", "y"]},
                "tags": {"type": "list", "of": "line"},
            }
        },
    },
    "m": {"type": "attributes"},
}
MISSING = object()
VALUES: dict[str, list[Any]] = {
    "a": ["A", MISSING, "x"],
    "b": ["B", MISSING],
    "r": ["R"],
    "k": [MISSING, 0, 5],
    "f": [True, MISSING, False],
    "ls": [MISSING, ["p", "q"], [], ["x"]],
    "c": ["x"],
    "lang": ["de", MISSING],
    "cs": [MISSING, ["x", "y"], []],
    "xs": [
        MISSING,
        [],
        [{"id": "i", "note": "n"}, {"id": "j", "s": "x"}],
        [{"id": "j", "tags": []}],
        [{"id": "i", "note": "n", "s": "y", "tags": ["t"]}],
    ],
    "m": [MISSING, {"city": "C"}, {"street": "S"}],
}

TEXTS = st.sampled_from(["a", "b", "r", "m.city", "n", "p", "q"])
LISTS = st.sampled_from(["ls", "xs", "ls", "(ls | sort)", "(ls | reverse | list)", "ls[:1]", "(ls or [r])"])
CONSTANTS = st.sampled_from(["'x'", "'A'", "''"])
ATOMS = st.one_of(TEXTS, TEXTS, CONSTANTS)

CONDITIONS = st.recursive(
    st.one_of(
        TEXTS,
        TEXTS,
        TEXTS.map("{} is defined".format),
        TEXTS.map("{} is undefined".format),
        st.tuples(TEXTS, st.sampled_from(["==", "!="]), ATOMS).map(" ".join),
        st.tuples(TEXTS, st.sampled_from(["in", "not in"]), st.sampled_from(["['x', 'A']", "(ls or [])", "ls"])).map(
            " ".join
        ),
        LISTS,
        LISTS.map("({} | length)".format),
        st.tuples(LISTS, st.sampled_from(["> 0", "== 0", ">= 1", "> 1", "!= 0", "< 1"])).map(
            "{0[0]} | length {0[1]}".format
        ),
        st.sampled_from(["f", "k is defined", "k > 3", "k == 0", "a is none", "m", "'city' in m", "t", "s"]),
    ),
    lambda inner: st.one_of(
        inner.map("not ({})".format),
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map("({0[0]}) {0[1]} ({0[2]})".format),
        st.tuples(inner, inner, inner).map("(({0[0]}) if ({0[1]}) else ({0[2]}))".format),
    ),
    max_leaves=4,
)
EXPRESSIONS = st.recursive(
    st.one_of(
        TEXTS, TEXTS, ATOMS, st.sampled_from(["k", "ls | first", "xs[0].id", "ls[0]", "xs[-1].id", "(xs | last).note"])
    ),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["or", "and"]), inner).map("({0[0]} {0[1]} {0[2]})".format),
        st.tuples(inner, inner).map("({0[0]} | default({0[1]}))".format),
        st.tuples(inner, inner).map("({0[0]} | default({0[1]}, true))".format),
        st.tuples(inner, CONDITIONS, inner).map("({0[0]} if {0[1]} else {0[2]})".format),
        st.tuples(inner, inner).map("({0[0]} ~ {0[1]})".format),
        inner.map("({} | upper)".format),
        inner.map("({} | trim)".format),
        st.tuples(LISTS, inner).map("({0[0]} | join({0[1]}))".format),
        st.sampled_from(
            [
                "(xs | map(attribute='id') | join(', '))",
                "(xs | selectattr('note', 'defined') | map(attribute='note') | join(', '))",
                "(xs | map(attribute='note', default='d') | join(', '))",
                "(m.items() | list | length)",
            ]
        ),
    ),
    max_leaves=4,
)
OUTPUTS = st.one_of(
    EXPRESSIONS.map("- {{{{ {} }}}}\n".format),
    st.tuples(CONDITIONS, EXPRESSIONS).map("{{% if {0[0]} %}}- {{{{ {0[1]} }}}}{{% endif %}}".format),
    st.tuples(TEXTS).map("{{% if {0[0]} %}}- {{{{ {0[0]} }}}}{{% endif %}}".format),
)
STATEMENTS = st.recursive(
    OUTPUTS,
    lambda inner: st.one_of(
        OUTPUTS,
        st.tuples(CONDITIONS, inner, inner).map("{{% if {0[0]} %}}{0[1]}{{% else %}}{0[2]}{{% endif %}}".format),
        st.tuples(CONDITIONS, inner, CONDITIONS, inner).map(
            "{{% if {0[0]} %}}{0[1]}{{% elif {0[2]} %}}{0[3]}{{% endif %}}".format
        ),
        st.tuples(st.sampled_from("npq"), EXPRESSIONS).map("{{% set {0[0]} = {0[1]} %}}".format),
        st.tuples(st.sampled_from("ts"), CONDITIONS).map("{{% set {0[0]} = {0[1]} %}}".format),
        st.tuples(st.sampled_from("npq"), inner).map("{{% set {0[0]} %}}{0[1]}{{% endset %}}".format),
        st.tuples(st.sampled_from("npq"), EXPRESSIONS, inner).map(
            "{{% with {0[0]} = {0[1]} %}}{0[2]}{{% endwith %}}".format
        ),
        st.tuples(LISTS, st.sampled_from(["", " if x", " if x != a", " if a"]), inner, inner).map(
            "{{% for x in {0[0]}{0[1]} %}}- {{{{ x.id or x.note }}}}{0[2]}{{% else %}}{0[3]}{{% endfor %}}".format
        ),
        st.tuples(st.sampled_from(["ls", "ls[1:]", "ls | select('ne', 'x')"]), inner).map(
            "{{% for n in {0[0]} %}}{{% if loop.first %}}{0[1]}{{% else %}}- {{{{ loop.previtem }}}}{{% endif %}}"
            "- {{{{ n }}}}{{% endfor %}}".format
        ),
        st.tuples(inner, inner).map("".join),
    ),
    max_leaves=5,
)
FIELDS = ["id", "note", "s", "tags", "k", "grouper", "list", "city"]
OPERATIONS = printing(
    operations(
        ["a", "r", "c", "k", "m.city", "'x'", "lang"],
        ["ls", "xs", "m", "cs", "[r, c]", "[r, k]", "[ls, [r]]", "[ls, cs]", "{r: a}", "(xs | map(attribute='tags'))"],
        ["f", "(c == 'x')", "(a is defined)"],
        FIELDS,
    ),
    FIELDS,
)
GUARDS = st.lists(
    st.sampled_from(["a", "b", "ls", "xs", "m", "k is defined", "f is defined", "m and m.city", "a is defined"]),
    min_size=1,
    max_size=3,
).map(" and ".join)


def accepted(template: str, when: str) -> list[Any] | None:
    """Return the hardened body of a template, or None where anything is wrong with it."""
    residual = residual_of(template, INPUTS)
    condition = expression_of(when, INPUTS)
    if residual is None or condition is None or prove_presence(residual, INPUTS, condition):
        return None
    hardened, found = harden(residual, INPUTS)
    return None if found else hardened.body


def named(template: str) -> list[str]:
    """Return the inputs that a template names."""
    return [name for name in INPUTS if re.search(rf"\b{name}\b", template)]


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(STATEMENTS, GUARDS), min_size=3, max_size=8), st.one_of(st.just("true"), CONDITIONS))
def test_no_accepted_template_uses_what_is_absent(statements: list[tuple[str, str]], when: str) -> None:
    template, body = "", accepted("", when)
    if body is None:
        when, body = "true", []
    for statement, guard in statements:
        for more in (statement, f"{{% if {guard} %}}{statement}{{% endif %}}"):
            longer = accepted(template + more, when)
            if longer is not None:
                template, body = template + more, longer
                break
    render, condition = compile_body(body, strict=False), compile_expression(expression_of(when, INPUTS), strict=False)
    names = named(template + when)
    for number, row in enumerate(product(*(VALUES[name] for name in names))):
        if number > 600:
            break
        values = {name: value for name, value in zip(names, row, strict=True) if value is not MISSING}
        if condition(values):
            assert render(values) == absent.render(template, values), (template, values)


@settings(max_examples=250, deadline=None)
@given(OPERATIONS, GUARDS)
def test_no_accepted_operation_fails(template: str, guard: str) -> None:
    for guarded in (template, f"{{% if {guard} %}}{template}{{% endif %}}"):
        body = accepted(guarded, "true")
        if body is None:
            continue
        render = compile_body(body, strict=False)
        names = named(guarded)
        for row in islice(product(*(VALUES[name] for name in names)), 300):
            render({name: value for name, value in zip(names, row, strict=True) if value is not MISSING})
        break
