"""Layout edits on plain data."""

from __future__ import annotations

from random import Random
from time import process_time

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from frieze.diagnostics import Diagnostic, Span
from frieze.profiles.declarations import LayoutEdit
from frieze.profiles.layouts import EditedLayout, Slots, apply_edit

PLACES = {"first": ("first", ""), "last": ("last", "")}


def place(text: str) -> tuple[str, str]:
    side, _, slot = text.partition(" ")
    return PLACES.get(text, (side, slot))


def edit(
    insert: dict[str, str] | None = None, remove: list[str] | None = None, move: dict[str, str] | None = None
) -> LayoutEdit:
    return LayoutEdit(
        "std",
        tuple((name, place(where), Span(f"insert {name}")) for name, where in (insert or {}).items()),
        tuple((name, Span(f"remove {name}")) for name in remove or []),
        tuple((name, place(where), Span(f"move {name}")) for name, where in (move or {}).items()),
    )


def layout(slots: Slots) -> EditedLayout:
    return EditedLayout("std", Span("chosen"), {slot: Span(f"layout {slot}") for slot, _ in slots})


def slots(names: str) -> Slots:
    return tuple((name, f"std/{name}") for name in names.split())


def applied(names: str, change: LayoutEdit) -> tuple[str, list[Diagnostic]]:
    base = slots(names)
    result, faults = apply_edit(base, change, layout(base))
    return " ".join(slot for slot, _ in result), faults


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (edit(insert={"x": "after a"}), "a x b c"),
        (edit(insert={"x": "before a"}), "x a b c"),
        (edit(insert={"x": "first"}), "x a b c"),
        (edit(insert={"x": "last"}), "a b c x"),
        (edit(insert={"x": "after b", "y": "after b"}), "a b x y c"),
        (edit(insert={"x": "before b", "y": "before b"}), "a x y b c"),
        (edit(insert={"x": "first", "y": "first"}), "x y a b c"),
        (edit(insert={"x": "last", "y": "last"}), "a b c x y"),
        (edit(insert={"x": "after y", "y": "after a"}), "a y x b c"),
        (edit(insert={"x": "after y", "y": "before z", "z": "last"}), "a b c y x z"),
        (edit(remove=["b"]), "a c"),
        (edit(move={"a": "last"}), "b c a"),
        (edit(move={"c": "before a"}), "c a b"),
        (edit(move={"c": "before a"}, insert={"x": "after c"}), "c x a b"),
        (edit(move={"a": "after b", "b": "last"}), "c b a"),
        (edit(insert={"x": "after b"}, move={"b": "first"}), "b x a c"),
        (edit(remove=["b"], insert={"b": "after c"}), "a c b"),
        (edit(remove=["a", "b", "c"], insert={"x": "first"}), "x"),
        (edit(), "a b c"),
    ],
)
def test_edit(change: LayoutEdit, expected: str) -> None:
    assert applied("a b c", change) == (expected, [])


def test_an_inserted_block_keeps_its_qualified_name_and_gets_a_bare_slot() -> None:
    result, _ = apply_edit(slots("a"), edit(insert={"std/extra": "last", "own": "last"}), layout(slots("a")))
    assert result == (("a", "std/a"), ("extra", "std/extra"), ("own", "own"))


@pytest.mark.parametrize(
    ("change", "code", "where", "expected"),
    [
        (edit(remove=["d"]), "F341", "remove d", "a b c"),
        (edit(move={"d": "first"}), "F341", "move d", "a b c"),
        (edit(insert={"x": "after d"}), "F341", "insert x", "a b c x"),
        (edit(move={"a": "after d"}), "F341", "move a", "a b c"),
        (edit(insert={"a": "last"}), "F342", "insert a", "a b c"),
        (edit(remove=["b"], insert={"x": "after b"}), "F343", "insert x", "a c x"),
        (edit(remove=["b"], move={"a": "after b"}), "F343", "move a", "a c"),
        (edit(remove=["b"], move={"b": "first"}), "F343", "move b", "a c"),
        (edit(move={"a": "after b", "b": "after a"}), "F344", "move a", "a b c"),
        (edit(insert={"x": "after y", "y": "after x"}), "F344", "insert x", "a b c x y"),
        (edit(move={"a": "after a"}), "F344", "move a", "a b c"),
    ],
)
def test_a_wish_that_cannot_be_met(change: LayoutEdit, code: str, where: str, expected: str) -> None:
    result, faults = applied("a b c", change)
    assert [(fault.code, fault.span.file) for fault in faults] == [(code, where)]
    assert result == expected


def test_what_hangs_on_a_wish_that_fails_is_kept_and_not_reported_again() -> None:
    result, faults = applied("a b c", edit(insert={"x": "after nowhere", "y": "after x"}, move={"a": "before x"}))
    assert [(fault.code, fault.span.file) for fault in faults] == [("F341", "insert x")]
    assert result == "b c a x y"


def test_related_places_show_where_the_slot_was_declared_or_removed() -> None:
    _, (taken,) = applied("a b", edit(insert={"a": "last"}))
    assert taken.related[0].span.file == "layout a"
    _, (removed,) = applied("a b", edit(remove=["a"], insert={"x": "after a"}))
    assert removed.related[0].span.file == "remove a"
    _, (circle,) = applied("a b", edit(move={"a": "after b", "b": "after a"}))
    assert [found.span.file for found in circle.related] == ["move b"]


def test_a_long_chain_is_walked_once_and_not_once_a_slot() -> None:
    names = [f"x{number}" for number in range(3_000)]
    change = edit(insert={name: f"after {before}" for before, name in zip(["a", *names], names, strict=False)})
    began = process_time()
    result, faults = applied("a b", change)
    assert (result, faults) == (" ".join(["a", *names, "b"]), [])
    assert process_time() - began < 2


def test_a_circle_is_found_behind_a_chain_that_leads_to_none() -> None:
    wishes = {"x": "after y", "y": "after a", "u": "after v", "v": "after w", "w": "after v", "z": "after u"}
    result, (circle,) = applied("a b", edit(insert=wishes))
    assert (circle.code, circle.span.file, dict(circle.args)["slots"]) == ("F344", "insert v", "v -> w -> v")
    assert result == "a y x b v u z w"


BASE = list("abcdef")
NEW = list("uvwxyz")
SIDES = st.sampled_from(["after", "before"])
ANY_PLACE = st.one_of(st.sampled_from(list(PLACES)), st.tuples(SIDES, st.sampled_from(BASE + NEW)).map(" ".join))
EDITS = st.builds(
    edit,
    insert=st.dictionaries(st.sampled_from(NEW), ANY_PLACE, max_size=5),
    remove=st.lists(st.sampled_from(BASE), max_size=3, unique=True),
    move=st.dictionaries(st.sampled_from(BASE), ANY_PLACE, max_size=4),
)


@settings(max_examples=200)
@given(EDITS)
def test_every_slot_stands_exactly_once_whatever_is_wished(change: LayoutEdit) -> None:
    base = tuple((slot, slot) for slot in BASE)
    result, _ = apply_edit(base, change, layout(base))
    removed = {slot for slot, _ in change.remove}
    wanted = [slot for slot in BASE if slot not in removed] + [slot for slot, _, _ in change.insert]
    assert sorted(slot for slot, _ in result) == sorted(wanted)


@settings(max_examples=200)
@given(EDITS, st.randoms(use_true_random=False))
def test_the_written_order_only_matters_between_neighbours(change: LayoutEdit, random: Random) -> None:
    hanging = [where for _, where, _ in (*change.insert, *change.move)]
    assume(len(set(hanging)) == len(hanging))
    shuffled = LayoutEdit(
        change.base,
        tuple(random.sample(change.insert, len(change.insert))),
        tuple(random.sample(change.remove, len(change.remove))),
        tuple(random.sample(change.move, len(change.move))),
    )
    base = tuple((slot, slot) for slot in BASE)
    result, faults = apply_edit(base, change, layout(base))
    assume(not faults)
    assert apply_edit(base, shuffled, layout(base)) == (result, [])


@settings(max_examples=200)
@given(EDITS)
def test_an_edit_without_fault_puts_each_slot_beside_its_anchor(change: LayoutEdit) -> None:
    base = tuple((slot, slot) for slot in BASE)
    result, faults = apply_edit(base, change, layout(base))
    assume(not faults)
    order = [slot for slot, _ in result]
    for slot, (side, anchor), _ in (*change.insert, *change.move):
        if side == "after":
            assert order.index(slot) > order.index(anchor)
        elif side == "before":
            assert order.index(slot) < order.index(anchor)
    edited = {slot for slot, _, _ in (*change.insert, *change.move)} | {slot for slot, _ in change.remove}
    untouched = [slot for slot in BASE if slot not in edited]
    assert [slot for slot in order if slot in untouched] == untouched
