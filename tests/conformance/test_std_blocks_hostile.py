"""Hostile values in every slot of every `std` block: whole prompts, both arrangements, both audiences."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime import Prompt, Result
from support.catalogue import bundle
from support.contexts import merged
from support.hostile import load, materialise
from support.laws import check_prompt, zone_of
from support.values import CALM, texts, values

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)

BASE: dict[str, Any] = {
    "contact": {"name": "Aiko", "attributes": {"tier": "gold"}},
    "member": {"name": "Mori", "attributes": {"role": "lead"}, "disabled_features": ["search"]},
    "message": {
        "metadata": {
            "timezone": "Asia/Tokyo",
            "language": "ja",
            "latitude": 35,
            "longitude": 135,
            "accuracy": 5,
            "page": "a",
        },
        "from_console": True,
        "forced_skill": "refunds",
        "forced_tool": "find",
        "reference_documents": [{"name": "a.pdf"}, {"name": "b.pdf"}],
    },
    "request": {"accept_language": "ja"},
    "conversation": {"opening_message": "Hello!", "starter_questions": ["Prices?", "Hours?"]},
    "retrieval": {
        "knowledge_bases": [{"name": "handbook", "status": "failed"}, {"name": "prices", "status": "ok"}],
        "reranker_skipped": True,
    },
    "skills": [{"name": "lantern", "when_to_use": "A week.", "description": "A feast."}, {"name": "weddings"}],
}
"""A context with which every block is in, in the console."""


class Slot(NamedTuple):
    """A place for a value: what it adds to the context, and the blocks that may show it.

    `session` tells that the value stays the same for a conversation between two; `keys` that it is a key.
    """

    put: Callable[[Any], dict[str, Any]]
    blocks: tuple[str, ...]
    session: bool = False
    keys: bool = False


def metadata(name: str) -> Callable[[Any], dict[str, Any]]:
    return lambda value: {"message": {"metadata": {name: value}}}


def base(value: Any, **more: Any) -> dict[str, Any]:
    return {
        "retrieval": {
            "knowledge_bases": [{"name": value, "status": "failed", **more}, {"name": "prices", "status": "ok"}]
        }
    }


def visitor(**contact: Any) -> dict[str, Any]:
    return {"message": {"from_console": False}, "contact": contact}


def skill(**fields: Any) -> dict[str, Any]:
    return {"skills": [{"name": "lantern", **fields}, {"name": "weddings"}]}


SKILLS = ("conversation-skills",)
BASES = ("knowledge-bases", "knowledge-unavailable")
SLOTS = {
    "timezone": Slot(metadata("timezone"), ("current-time",)),
    "contact name": Slot(lambda v: visitor(name=v), ("user-name",), session=True),
    "member name": Slot(lambda v: {"member": {"name": v}}, ("user-name",), session=True),
    "latitude": Slot(metadata("latitude"), ("location",)),
    "longitude": Slot(metadata("longitude"), ("location",)),
    "accuracy": Slot(metadata("accuracy"), ("location",)),
    "language": Slot(metadata("language"), ("language",)),
    "browser's language": Slot(
        lambda v: {"message": {"metadata": {"language": None}}, "request": {"accept_language": v}}, ("language",)
    ),
    "message attribute": Slot(metadata("page"), ("contact-attributes",)),
    "contact attribute": Slot(
        lambda v: {"contact": {"attributes": {"tier": v}}}, ("contact-attributes",), session=True
    ),
    "contact key": Slot(
        lambda v: {"contact": {"attributes": {v: "x"}}}, ("contact-attributes",), session=True, keys=True
    ),
    "member attribute": Slot(lambda v: {"member": {"attributes": {"role": v}}}, ("member-attributes",), session=True),
    "member key": Slot(lambda v: {"member": {"attributes": {v: "x"}}}, ("member-attributes",), session=True, keys=True),
    "base's name": Slot(base, BASES, session=True),
    "base's status": Slot(lambda v: base("handbook", status=v), ("knowledge-unavailable",)),
    "opening": Slot(lambda v: {"conversation": {"opening_message": v}}, ("opening",), session=True),
    "question": Slot(lambda v: {"conversation": {"starter_questions": [v, "Hours?"]}}, ("opening",), session=True),
    "skill's name": Slot(lambda v: skill(name=v), SKILLS, session=True),
    "skill's use": Slot(lambda v: skill(when_to_use=v), SKILLS, session=True),
    "skill's description": Slot(lambda v: skill(description=v), SKILLS, session=True),
    "forced skill": Slot(lambda v: {"message": {"forced_skill": v}}, ("forced-tool",)),
    "forced tool": Slot(lambda v: {"message": {"forced_tool": v}}, ("forced-tool",)),
    "document": Slot(
        lambda v: {"message": {"reference_documents": [{"name": v}, {"name": "b"}]}}, ("reference-documents",)
    ),
    "feature": Slot(lambda v: {"member": {"disabled_features": [v]}}, ("disabled-features",)),
    "reranker": Slot(lambda v: {"retrieval": {"reranker_skipped": v}}, ("ranking-degraded",)),
}
HARMLESS = {
    "timezone": "Asia/Seoul",
    "latitude": 1,
    "longitude": 1,
    "accuracy": 1,
    "language": "de",
    "browser's language": "de",
    "base's status": "failed",
    "reranker": True,
}
TARGETS = [
    *(("full", model, audience) for model, audience in product(("cached", "uncached"), ("direct", "group"))),
    ("plain", "cached", "direct"),
]
"""Both arrangements and both audiences; `plain` binds no skills, so that the conversation's have the heading."""

VALUES = [materialise(case["value"]) for cases in load("hostile_values.json").values() for case in cases]


@cache
def prompt(agent: str, model: str, audience: str) -> Prompt:
    return bundle().prompt(agent, platform="rich", model=model, audience=audience)


def context(slot: str, value: Any) -> dict[str, Any]:
    return merged(BASE, SLOTS[slot].put(value))


@cache
def headings() -> frozenset[str]:
    parts = bundle().prompt("full", platform="rich", model="uncached").render(BASE, NOW).parts
    first = {part.id: part.text.split("\n")[0] for part in parts}
    named = ("current-time", "user-name", "location", "language", "contact-attributes", "member-attributes", "skills")
    return frozenset(first[name] for name in named)


@cache
def harmless(slot: str, target: tuple[str, str, str]) -> Result:
    """Render with a value that says nothing; every block that the slot may reach is then in."""
    result = prompt(*target).render(context(slot, HARMLESS.get(slot, "plain words")), NOW)
    assert set(SLOTS[slot].blocks) - {part.id for part in result.parts} <= {"ranking-degraded", "knowledge-bases"}
    return result


def check(slot: str, value: Any) -> None:
    """Check one value in one slot, for every target; a key that no JSON could hold is left out."""
    if SLOTS[slot].keys and not isinstance(value, str):
        return
    given = context(slot, value)
    seen: dict[tuple[str, str], dict[str, str]] = {}
    for target in TARGETS:
        agent, _, audience = target
        result = prompt(*target).render(given, NOW)
        check_prompt(result, harmless(slot, target), headings(), SLOTS[slot].blocks)
        if not SLOTS[slot].session:
            assert zone_of(result, "session") == zone_of(harmless(slot, target), "session")
        texts_of_parts = {part.id: part.text for part in result.parts}
        assert seen.setdefault((agent, audience), texts_of_parts) == texts_of_parts, "the arrangements differ"


@pytest.mark.parametrize("slot", SLOTS)
def test_published_values_in_whole_prompts(slot: str) -> None:
    for value in VALUES:
        check(slot, value)


@pytest.mark.parametrize("slot", SLOTS)
def test_any_value_in_whole_prompts(slot: str) -> None:
    @settings(CALM, max_examples=15)
    @given(st.one_of(texts(), values()))
    def holds(value: Any) -> None:
        check(slot, value)

    holds()


def test_every_block_with_a_slot_is_attacked() -> None:
    reads = {
        state.block
        for state in bundle().prompt("plain", platform="rich").explain(BASE, NOW).blocks
        if state.state == "in" and state.why == "`when` is true for this context"
    }
    attacked = {block for slot in SLOTS.values() for block in slot.blocks}
    assert reads <= attacked
    assert attacked == {*reads, "ranking-degraded"}


def test_the_laws_can_fail() -> None:
    result = prompt("full", "cached", "direct").render(BASE, NOW)
    given = merged(BASE, {"contact": {"attributes": {"a": "b", "c": "d"}}})
    other = prompt("full", "cached", "direct").render(given, NOW)
    for blocks in ((), ("contact-attributes",)):
        with pytest.raises(AssertionError):
            check_prompt(other, result, headings(), blocks)
