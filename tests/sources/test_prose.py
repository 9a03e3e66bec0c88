"""What authors of prose run into: quotes inside of quotes, and texts without their `|`."""

from __future__ import annotations

import pytest

from frieze.sources import parse_document

HEAD = "kind: agent\nname: helper\n"


def faults(text: str) -> list[tuple[str, int, int]]:
    document, found = parse_document((HEAD + text).encode(), "helper.yaml")
    assert document is None
    return [(fault.code, fault.span.line, fault.span.column) for fault in found]


@pytest.mark.parametrize(
    ("line", "column", "advice"),
    [
        ("instructions: 'it's fine'", 18, "write it twice"),
        ('instructions: "say "hi" now"', 20, "put a backslash before it"),
    ],
)
def test_a_quote_inside_of_a_quoted_text(line: str, column: int, advice: str) -> None:
    assert faults(f"{line}\n") == [("F148", 3, column)]
    _, (fault,) = parse_document((HEAD + line).encode(), "helper.yaml")
    assert fault.help.startswith(advice)


@pytest.mark.parametrize(
    "prose",
    [
        "  You help: with orders.\n  Say {{ name }}.\n",
        "  You help people.\n  Note: be kind.\n  {{ name }} is the name.\n",
        "  You help: with orders.\n  {{ name }} is.\n  x: {{ y }} {{ z }}\n",
        "  You help: with orders.\n\n    - It's: so\n  Say hello.\nzone: session\n",
        "  # a comment\n  Hello.\n  Note: be kind.",
    ],
)
def test_a_text_without_its_bar_is_one_fault_at_its_key(prose: str) -> None:
    assert faults(f"instructions:\n{prose}") == [("F149", 3, 1)]
    document, found = parse_document(f"{HEAD}instructions: |\n{prose}".encode(), "helper.yaml")
    assert (document is not None, found) == (True, [])


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("data:\n  a: b: c\n", "F141"),
        ("instructions:\n  file: a: b\n", "F141"),
        ("instructions: Help: now\n", "F141"),
        ("data: {a: 'x' y}\n", "F137"),
        ("instructions: Help.\n  oops\nzone\n", "F145"),
    ],
)
def test_what_is_something_else_keeps_its_name(text: str, code: str) -> None:
    assert [found[0] for found in faults(text)] == [code]
