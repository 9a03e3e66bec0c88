"""Whatever freezes renders, however deep it is nested; what is too deep has a finding with a place, never a traceback."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import frieze
from frieze.runtime import Bundle
from frieze.runtime.errors import RenderError
from frieze.runtime.interpreter import trace_body
from frieze.template import UnsupportedTemplate, freeze
from frieze.template.depth import MAX_LOOPS, MAX_OPERATIONS, MAX_STATEMENTS
from support.oracle import RAISES, jinja
from support.projects import write_minimal_project
from support.sources import functions

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning")

VALUES: dict[str, Any] = {"a": "A", "b": True, "xs": ["x"], "m": {}, "n": 1}

Nest = Callable[[str, int], str]
"""Makes an expression or a text of one, with something `n` times inside of itself."""

EXPRESSIONS: dict[str, Nest] = {
    "not": lambda e, n: "not " * n + e,
    "minus": lambda e, n: "- " * n + "n" + f" ~ ({e})",
    "brackets": lambda e, n: "(" * n + e + ")" * n,
    "add": lambda e, n: e + " ~ (" + " + ".join(["n"] * (n + 1)) + ")",
    "add right": lambda e, n: e + " ~ (" + "n + (" * n + "n" + ")" * n + ")",
    "power": lambda e, n: e + " ~ (" + " ** ".join(["n"] * (n + 1)) + ")",
    "concat": lambda e, n: " ~ ".join([e, *(["a"] * n)]),
    "concat right": lambda e, n: "a ~ (" * n + e + ")" * n,
    "and": lambda e, n: " and ".join(["a"] * n + [e]),
    "or": lambda e, n: " or ".join([e] + ["a"] * n),
    "comparisons": lambda e, n: " == ".join([e] + ["a"] * n),
    "compared": lambda e, n: "(" * n + e + " == b)" * n,
    "in": lambda e, n: f"({e}) in [" * n + "a" + "]" * n,
    "lists": lambda e, n: "[" * n + e + "]" * n,
    "maps": lambda e, n: "{'k': " * n + e + "}" * n,
    "tuples": lambda e, n: "(" * n + e + ",)" * n,
    "attributes": lambda e, n: f"({e})" + "".join(f".k{i}" for i in range(n)) + " is defined",
    "items": lambda e, n: f"(({e})|string)" + "[0]" * n,
    "slices": lambda e, n: f"(({e})|string)" + "[:9]" * n,
    "filters": lambda e, n: f"({e})" + "|string" * n,
    "filter arguments": lambda e, n: "m.k|default(" * n + e + ")" * n,
    "filter keywords": lambda e, n: "m.k|default(default_value=" * n + e + ")" * n,
    "maps of filters": lambda e, n: f"[{e}]" + "|map('string')|list" * n,
    "tests": lambda e, n: "(" * n + e + " is defined)" * n,
    "get": lambda e, n: "m.get('k', " * n + e + ")" * n,
    "inline if": lambda e, n: "a if not b else " * n + e,
    "inline if inside": lambda e, n: "(" * n + e + " if b else a)" * n,
    "inline if tested": lambda e, n: "'y' if (" * n + e + ") else 'z'" * n,
    "known not": lambda e, n: f"{e} ~ ({'not ' * n}1)",
    "known add": lambda e, n: f"{e} ~ ({' + '.join(['1'] * (n + 1))})",
    "known lists": lambda e, n: f"{e} ~ {'[' * n}1{']' * n}",
}
STATEMENTS: dict[str, Nest] = {
    "if": lambda e, n: "{% if a %}" * n + f"{{{{ {e} }}}}" + "{% endif %}" * n,
    "else": lambda e, n: "{% if not a %}y{% else %}" * n + f"{{{{ {e} }}}}" + "{% endif %}" * n,
    "elif": lambda e, n: (
        "{% if a == 0 %}"
        + "".join(f"{{% elif a == {i} %}}x" for i in range(n))
        + f"{{% else %}}{{{{ {e} }}}}{{% endif %}}"
    ),
    "elif of macros": lambda e, n: (
        "{% macro mac() %}{{ a }}{% endmacro %}{% if a == 0 %}"
        + "".join(f"{{% elif mac() == '{i}' %}}x" for i in range(n))
        + f"{{% else %}}{{{{ {e} }}}}{{% endif %}}"
    ),
    "for": lambda e, n: "{% for i in xs %}" * n + f"{{{{ {e} }}}}" + "{% endfor %}" * n,
    "for else": lambda e, n: "{% for i in m %}{% else %}" * n + f"{{{{ {e} }}}}" + "{% endfor %}" * n,
    "for if": lambda e, n: "{% for i in xs if b %}" * n + f"{{{{ {e} }}}}" + "{% endfor %}" * n,
    "known for": lambda e, n: "{% for i in [1] %}" * n + f"{{{{ {e} }}}}" + "{% endfor %}" * n,
    "with": lambda e, n: "{% with a = a ~ '.' %}" * n + f"{{{{ {e} }}}}" + "{% endwith %}" * n,
    "set": lambda e, n: "{% set a = a ~ '.' %}" * n + f"{{{{ {e} }}}}",
    "set lists": lambda e, n: f"{{% set q = {e} %}}" + "{% set q = [q] %}" * n + "{{ q }}",
    "set maps": lambda e, n: f"{{% set q = {e} %}}" + "{% set q = {'k': q} %}" * n + "{{ q }}",
    "set blocks": lambda e, n: "{% set q %}." * n + f"{{{{ {e} }}}}" + "{% endset %}{{ q }}" * n,
    "filter blocks": lambda e, n: "{% filter upper %}" * n + f"{{{{ {e} }}}}" + "{% endfilter %}" * n,
    "macros": lambda e, n: (
        "".join(f"{{% macro m{i}() %}}.{{{{ m{i - 1}() if b else '' }}}}{{% endmacro %}}" for i in range(n, 0, -1))
        + f"{{% macro m0() %}}{{{{ {e} }}}}{{% endmacro %}}{{{{ m{n}() }}}}"
    ),
    "calls": lambda e, n: (
        "{% macro w() %}{% if a %}{{ caller() }}{% endif %}{% endmacro %}"
        + "{% call w() %}" * n
        + f"{{{{ {e} }}}}"
        + "{% endcall %}" * n
    ),
    "recursion": lambda e, n: (
        f"{{% macro r(n) %}}{{% if a %}}{{% if n %}}{{{{ r(n - 1) }}}}{{% else %}}{{{{ {e} }}}}{{% endif %}}{{% endif %}}"
        f"{{% endmacro %}}{{{{ r({n}) }}}}"
    ),
    "ifs in a condition": lambda e, n: f"{{% if {'not ' * n}a %}}x{{% else %}}{{{{ {e} }}}}{{% endif %}}",
    "sums in a loop": lambda e, n: f"{{% for i in xs if {' + '.join(['n'] * (n + 1))} %}}{{{{ {e} }}}}{{% endfor %}}",
}
DEPTHS = st.one_of(st.integers(0, 160), st.sampled_from([200, 400, 999, 3000]))


def from_deep_inside(function: Callable[[], Any], calls: int = 120) -> Any:
    """What a function gives in a thread, called from inside of as many calls as a web framework makes."""
    found: list[Any] = []

    def deeper(left: int) -> None:
        if left:
            deeper(left - 1)
            return
        try:
            found.append(function())
        except BaseException as error:  # noqa: BLE001 - the caller raises it again
            found.append(error)

    thread = threading.Thread(target=deeper, args=(calls,))
    thread.start()
    thread.join()
    if isinstance(found[0], BaseException):
        raise found[0]
    return found[0]


def outcome(render: Callable[[Any], Any], values: dict[str, Any]) -> Any:
    try:
        return render(values)
    except RenderError as error:
        return "too large" if error.kind == "ResultTooLarge" else RAISES


def check(source: str, known: dict[str, Any], **options: Any) -> bool:
    """Whether a template freezes; if it does, it renders in every way, else it has one finding with a place."""
    lines = source.split("\n")
    try:
        template = freeze(source, known, hardening=False, **options)
    except UnsupportedTemplate as refused:
        found = refused.diagnostics
        assert [each.code for each in found] == ["F407"], source
        assert 1 <= found[0].span.line <= len(lines)
        assert found[0].span.column <= len(lines[found[0].span.line - 1])
        assert found[0].help
        return False
    values = {name: value for name, value in VALUES.items() if name not in known}
    text = outcome(template.render, values)
    assert outcome(functions(template.to_python())["render"], values) == text
    trace_body(template.ir, strict=True)
    expected = jinja(source, VALUES)
    if expected != RAISES and text != "too large":
        assert text == expected
    return True


@settings(max_examples=120, deadline=None)
@given(st.sampled_from(sorted(EXPRESSIONS)), DEPTHS, st.sampled_from(sorted(STATEMENTS)), DEPTHS, st.booleans())
@example("not", 140, "if", 89, False)
@example("add", 149, "else", 90, False)
@example("filters", 140, "for", 20, False)
@example("maps of filters", 60, "with", 90, False)
@example("known not", 150, "if", 90, True)
def test_what_freezes_renders(expression: str, operations: int, statement: str, levels: int, known: bool) -> None:
    source = STATEMENTS[statement](EXPRESSIONS[expression]("a", operations), levels)
    from_deep_inside(lambda: check(source, VALUES if known else {}))


@pytest.mark.parametrize("name", sorted(EXPRESSIONS))
def test_every_kind_of_expression_has_a_limit(name: str) -> None:
    nest = EXPRESSIONS[name]
    assert from_deep_inside(lambda: check(f"{{{{ {nest('a', 25)} }}}}", {}))
    for operations in (300, 1000, 5000):
        frozen = from_deep_inside(partial(check, f"Hi\n{{{{ {nest('a', operations)} }}}}", {}))
        assert frozen is (name in ("concat", "comparisons"))


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_every_kind_of_statement_has_a_limit(name: str) -> None:
    nest = STATEMENTS[name]
    assert from_deep_inside(lambda: check(nest("a", 18), {}))
    for levels in (300, 2000):
        frozen = from_deep_inside(partial(check, "Hi\n" + nest("a", levels), {}))
        assert frozen is (name in ("elif", "set", "set maps"))


def test_the_limits_are_where_they_are_said_to_be() -> None:
    assert check("{{ " + "not " * (MAX_OPERATIONS - 2) + "a }}", {})
    assert not check("{{ " + "not " * (MAX_OPERATIONS - 1) + "a }}", {})
    for kind, most in (("if", MAX_STATEMENTS - 1), ("for", MAX_LOOPS)):
        assert check(STATEMENTS[kind]("a", most), {})
        assert not check(STATEMENTS[kind]("a", most + 1), {})


def test_the_finding_stands_where_it_is_too_deep() -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze("One.\n{{ a }}\n" + "{% if a %}\n" * 95 + "{% endif %}\n" * 95, {}, hardening=False)
    assert caught.value.line == 2 + MAX_STATEMENTS + 1
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze("One.\n{{ a }}\n{{ " + "(" * 500 + "a" + ")" * 500 + " }}\n", {}, hardening=False)
    assert caught.value.line == 3
    assert 20 < caught.value.column < 500


TYPED = {"a": "line", "b": "boolean", "xs": "list", "n": "integer"}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(EXPRESSIONS)), DEPTHS, st.sampled_from(sorted(STATEMENTS)), DEPTHS)
@example("or", 148, "if", 1)
@example("concat right", 60, "else", 88)
@example("inline if", 140, "set", 10)
@example("filters", 147, "ifs in a condition", 1)
@example("and", 60, "elif", 2000)
def test_declared_inputs_are_proved_at_every_depth(
    expression: str, operations: int, statement: str, levels: int
) -> None:
    source = STATEMENTS[statement](EXPRESSIONS[expression]("a", operations), levels)

    def found() -> str:
        try:
            freeze(source, {}, inputs=TYPED).render(VALUES)
        except UnsupportedTemplate:
            return "refused"
        except RenderError as error:
            return error.kind
        return "text"

    assert from_deep_inside(found) != "RecursionError"


BLOCK = """kind: block
name: deep
heading: Deep
when: {when}
inputs:
  a: {{type: line, from: contact.name}}
  b: {{type: boolean, from: [{{path: message.from_console, when: {source}}}]}}
body: |
  {body}
"""
ALWAYS = "agent.name == agent.name"


@pytest.mark.parametrize(
    ("body", "when", "source", "deep"),
    [
        (STATEMENTS["if"]("a", 85), ALWAYS, ALWAYS, False),
        (STATEMENTS["if"]("a", 2000), ALWAYS, ALWAYS, True),
        (STATEMENTS["elif"]("a|default('x')", 500), ALWAYS, ALWAYS, False),
        (STATEMENTS["else"]("a|default('x')", 85), ALWAYS, ALWAYS, False),
        ("a" + " or (b" * 200 + ")" * 200, ALWAYS, ALWAYS, True),
        ("'y' if a else " * 100 + "'x'", ALWAYS, ALWAYS, False),
        ("{% if " + " and ".join(["a"] * 100) + " %}{{ a }}{% endif %}", ALWAYS, ALWAYS, False),
        ("{% if " + " and ".join(["a"] * 2000) + " %}{{ a }}{% endif %}", ALWAYS, ALWAYS, True),
        ("x", "a and " * 100 + "b", ALWAYS, False),
        ("x", "a and " * 3000 + "b", ALWAYS, True),
        ("x", "not " * 3000 + "b", ALWAYS, True),
        ("x", "(" * 3000 + "b" + ")" * 3000, ALWAYS, True),
        ("x", "not " * 149 + "b", ALWAYS, True),
        ("x", ALWAYS, "agent.name and " * 100 + "message.from_console", False),
        ("x", ALWAYS, "agent.name and " * 3000 + "message.from_console", True),
        ("x", ALWAYS, "not " * 140 + "message.from_console", False),
        ("x", ALWAYS, "not " * 3000 + "message.from_console", True),
    ],
    ids=range(17),
)
def test_profiles_are_compiled_or_have_a_finding(tmp_path: Path, body: str, when: str, source: str, deep: bool) -> None:
    body = "Name: " + (body if "{" in body or body == "x" else f"{{{{ {body} }}}}") + "{% if a and b %}.{% endif %}"
    root = write_minimal_project(tmp_path, BLOCK.format(body=body, when=f'"{when}"', source=f'"{source}"'))
    result = from_deep_inside(lambda: frieze.compile(root))
    assert {each.code for each in result.diagnostics} == ({"F407"} if deep else set())
    if result.bundle is None:
        return
    for name, data in result.bundle.files.items():
        if name.endswith(".py"):
            compile(data, name, "exec")
    context = {"contact": {"name": "Aiko"}, "message": {"from_console": True}}
    assert from_deep_inside(lambda: Bundle.from_files(result.bundle.files).prompt("example-agent").render(context).text)


def test_the_stack_is_the_one_that_python_gives() -> None:
    assert sys.getrecursionlimit() == 1000
