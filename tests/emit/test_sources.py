"""Generated modules are the same whether their statements were written before or not."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from frieze.emit.python import Frame, Sources, module_source
from frieze.runtime.ordinary import Looks, direct_inputs
from frieze.runtime.rows import Slot
from frieze.template.python_expressions import Module, NotGenerated
from frieze.template.python_fragments import Fragments, Function
from support.residuals import bodies
from support.values import CALM

CONTRACT = {
    "guest.a": {"type": "line"},
    "guest.b": {"type": "line"},
    "guest.n": {"type": "integer"},
    "account.a": {"type": "line"},
    "rows": {"type": "list"},
}
LABEL = ["out", ["attr", ["local", "r#1"], "label"], "escape"]
STATEMENTS: list[Any] = [
    ["if", [[["input", "a"], ["A ", ["out", ["input", "a"], "escape"]]]], []],
    ["if", [[["cmp", ["input", "a"], ["==", "b"]], ["is b"]]], ["is not"]],
    ["if", [[["input", "m"], ["some"]]], []],
    ["if", [[["not", ["input", "b"]], [["fail", "Kind", "message"]]]], []],
    ["for", "r#1", ["input", "m"], None, ["- ", LABEL, ".\n"], ["none"], None],
    ["for", "r#1", ["input", "m"], None, [["let", "n#1", LABEL[1]], LABEL], [], None],
    ["for", "r#2", ["input", "m"], None, [["if", [[["attr", ["local", "r#2"], "label"], ["!"]]], ["?"]]], [], None],
    ["for", "r#3", ["input", "m"], None, [["out", ["attr", ["local", "r#3"], "other"], "escape"]], [], None],
    ["out", ["input", "b"], "escape"],
    ["out", ["filter", "upper", ["input", "b"], [], []], "escape"],
    ["out", ["input", "n"], "number"],
    ["let", "n#1", ["input", "a"]],
    ["out", ["local", "n#1"], "escape"],
    ["capture", "n#1", ["x", ["out", ["input", "b"], "escape"]]],
    ["out", ["local", "r#2"], "escape"],
    ["for", "r#1", ["input", "m"], None, [["if", [[["input", "a"], [LABEL]]], []]], [], None],
]
LINES: list[dict[str, Any]] = [
    {"type": "line", "sources": [{"path": "guest.a"}, {"path": "account.a"}], "required": True},
    {"type": "line", "sources": [{"path": "guest.a"}], "default": "friend", "max_length": 9},
    {"type": "line", "sources": [{"path": "guest.b"}], "absent_values": ["none"]},
    {"type": "integer", "sources": [{"path": "guest.n"}]},
]
LISTS: list[dict[str, Any]] = [
    {"type": "list", "sources": [{"path": "rows"}], "of": {"fields": {"label": {"type": "line"}}}, "required": True},
    {"type": "list", "sources": [{"path": "rows"}], "of": {"fields": {"label": {}, "other": {}}}, "max_items": 3},
    {"type": "list", "sources": [{"path": "rows"}], "of": "line"},
]
FRAMES = [Frame(None, None), Frame("Heading", None), Frame(None, "tag")]

nodes = st.sampled_from(STATEMENTS) | st.sampled_from(["text", "\n", "two\nlines\n"])
residuals = st.fixed_dictionaries(
    {
        "body": st.lists(nodes, max_size=5) | bodies(("escape", "safe")),
        "inputs": st.fixed_dictionaries(
            {"a": st.sampled_from(LINES), "b": st.sampled_from(LINES)},
            optional={"n": st.just(LINES[3]), "m": st.sampled_from(LISTS)},
        ),
        "when": st.sampled_from([None, ["input", "a"], ["not", ["input", "m"]], STATEMENTS[4]]),
    }
)


def content(numbers: list[int], inputs: dict[str, Any]) -> tuple[dict[str, Any], Frame]:
    """Return a residual with these statements, and its frame."""
    return {"body": ["text", *(STATEMENTS[number] for number in numbers)], "inputs": inputs, "when": None}, FRAMES[0]


LINE = {"a": LINES[0], "b": LINES[2]}
WIDE, NARROW = ({"a": LINES[0], "m": each} for each in (LISTS[1], LISTS[0]))


@settings(CALM, max_examples=100)
@given(st.lists(st.tuples(residuals, st.sampled_from(FRAMES)), min_size=2, max_size=6))
@example([content([0], LINE), content([1], LINE)])
@example([content([4], WIDE), content([6], WIDE)])
@example([content([4], WIDE), content([15], WIDE)])
@example([content([4, 14], WIDE), content([6, 14], WIDE)])
@example([content([7], WIDE), content([7], NARROW)])
def test_modules_do_not_depend_on_what_was_written_before(found: list[tuple[dict[str, Any], Frame]]) -> None:
    shared = Sources(CONTRACT)
    for residual, frame in (*found, *found):
        alone = module_source([("a.json", frame, {"hash": residual})], Sources(CONTRACT))
        assert module_source([("a.json", frame, {"hash": residual})], shared) == alone
        # The copies are gone afterwards, and with them their identities.
        assert module_source([("a.json", frame, {"hash": deepcopy(residual)})], shared) == alone
        assert direct_inputs(residual, shared.looks) == direct_inputs(residual, Looks(CONTRACT))
    together = [(f"{number}.json", frame, {"hash": residual}) for number, (residual, frame) in enumerate(found)]
    assert module_source(together, shared) == module_source(together, Sources(CONTRACT))


SLOTS = [
    None,
    {},
    {"a": Slot(0)},
    {"a": Slot(0), "m": Slot(0, is_list=True, fields=("label",))},
    {"m": Slot(0, is_list=True, fields=("other", "label"))},
    {"m": Slot(0, is_list=True)},
]


@settings(CALM, max_examples=100)
@given(
    st.lists(st.lists(nodes, max_size=5) | bodies(("escape", "safe")), min_size=1, max_size=3),
    st.lists(st.tuples(st.sampled_from(SLOTS), st.sampled_from([None, "", "\n</tag>"])), min_size=1, max_size=5),
    st.booleans(),
)
@example([[STATEMENTS[5]], [STATEMENTS[5], STATEMENTS[11]]], [(SLOTS[3], None)], False)
@example([[STATEMENTS[4]], [STATEMENTS[4], "text"]], [(SLOTS[3], None), (SLOTS[3], "</tag>")], False)
@example([["text"], [STATEMENTS[0], "text"]], [(None, None), ({}, None)], False)
def test_functions_do_not_depend_on_what_was_written_before(
    found: list[list[Any]], ways: list[tuple[dict[str, Slot] | None, str | None]], strict: bool
) -> None:
    shared = Fragments(strict=strict)
    for slots, after in (*ways, *ways):
        for body in found:
            alone = written(Fragments(strict=strict), body, slots, after)
            assert written(shared, body, slots, after) == alone


def written(fragments: Fragments, body: list[Any], slots: dict[str, Slot] | None, after: str | None) -> Any:
    """Return all that a function is made of and asks for, None where it has no generated form."""
    module = Module(strict=fragments.strict)
    try:
        function = Function(fragments, module, body, slots, None, after)
    except NotGenerated:
        return None
    asked = (list(function.inputs), function.worked_on, function.rows)
    return function.text, asked, module.imported, module.lines()


def test_a_statement_is_written_once_for_each_declaration_of_its_inputs() -> None:
    fragments = Fragments(strict=False)
    first = fragments.statement(STATEMENTS[0], {"a": Slot(0), "b": Slot(0)}, set(), None)
    assert fragments.statement(STATEMENTS[0], {"a": Slot(0), "n": Slot(0)}, {"n#1"}, None) is first
    assert fragments.statement(STATEMENTS[0], {}, set(), None) is not first
