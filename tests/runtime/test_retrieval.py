"""What may be searched: levels against a model that counts documents, and limits that are none."""

from __future__ import annotations

import enum
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.emit.context_schema import context_schema
from frieze.runtime.notes import NOTES
from frieze.runtime.retrieval import Condition, Limit, Retrieval, intersection, read_limit, retrieval
from frieze.schema.files import flat_schema
from support.values import values

BASES = ("faq", "hr", "legal")
DOCUMENTS = ("a", "b")
TAGS = ("region", "audience")
VALUES = ("x", "y")

CARRIED = [
    {tag: list(carried) for tag, carried in zip(TAGS, choice, strict=True) if carried is not None}
    for choice in itertools.product([None, (), ("x",), ("y",), ("x", "y")], repeat=len(TAGS))
]
UNIVERSE = list(itertools.product((*BASES, "other"), (*DOCUMENTS, "other"), CARRIED))
"""Every document that the limits below can tell apart."""

CONDITIONS = st.builds(
    lambda tag, operator, carried: {"tag": tag, operator: carried},
    st.sampled_from(TAGS),
    st.sampled_from(["any", "all", "none"]),
    st.lists(st.sampled_from(VALUES), min_size=1, max_size=3),
)
NAMED = {
    "knowledge_bases": st.none() | st.lists(st.sampled_from(BASES), max_size=4),
    "documents": st.none() | st.lists(st.sampled_from(DOCUMENTS), max_size=2),
    "tags": st.none() | st.lists(CONDITIONS, max_size=3),
}
LIMITS = st.none() | st.fixed_dictionaries({}, optional=NAMED)
BROKEN = st.sampled_from(
    [
        "faq",
        ["faq"],
        True,
        0,
        {"knowledge_base": ["faq"]},
        {"knowledge_bases": "faq"},
        {"knowledge_bases": ["faq", None]},
        {"knowledge_bases": ["faq", " "]},
        {"documents": [1]},
        {"documents": {"a"}},
        {"documents": ["\ud800"]},
        {"tags": {"tag": "region", "any": ["x"]}},
        {"tags": ["region"]},
        {"tags": [{"tag": "region"}]},
        {"tags": [{"any": ["x"]}]},
        {"tags": [{"tag": None, "any": ["x"]}]},
        {"tags": [{"tag": "region", "any": []}]},
        {"tags": [{"tag": "region", "any": None}]},
        {"tags": [{"tag": "region", "any": "x"}]},
        {"tags": [{"tag": "region", "any": ["x"], "none": ["y"]}]},
        {"tags": [{"tag": "region", "not": ["x"]}]},
        {"tags": [{"tag": "region", "any": ["x"], "why": "because"}]},
        {"tags": [{"tag": "region", "any": [3]}]},
        {1: []},
    ]
)
SCHEMA = context_schema({"limit": {"type": "retrieval"}}, "example")


def levels(limits: Sequence[Any]) -> list[tuple[str, Any]]:
    return [(f"level{number}", limit) for number, limit in enumerate(limits)]


def found(result: Retrieval) -> set[int]:
    return {number for number, (base, name, tags) in enumerate(UNIVERSE) if result.allows(base, name, tags)}


def passes(limit: Mapping[str, Any], base: str, name: str, tags: Mapping[str, list[str]]) -> bool:
    """The meaning of one limit, said as plainly as can be."""
    if limit.get("knowledge_bases") is not None and base not in limit["knowledge_bases"]:
        return False
    if limit.get("documents") is not None and name not in limit["documents"]:
        return False
    for condition in limit.get("tags") or []:
        carried = tags.get(condition["tag"], [])
        if "any" in condition and not [value for value in condition["any"] if value in carried]:
            return False
        if "all" in condition and [value for value in condition["all"] if value not in carried]:
            return False
        if "none" in condition and [value for value in condition["none"] if value in carried]:
            return False
    return True


def modelled(limits: Sequence[Mapping[str, Any] | None]) -> set[int]:
    given_limits = [limit for limit in limits if limit is not None]
    if all(limit.get("knowledge_bases") is None for limit in given_limits):
        return set()
    return {number for number, entry in enumerate(UNIVERSE) if all(passes(limit, *entry) for limit in given_limits)}


@given(st.lists(LIMITS, max_size=5))
@settings(max_examples=300, deadline=None)
def test_levels_allow_what_the_model_allows(limits: list[Any]) -> None:
    result = intersection(levels(limits))
    expected = modelled(limits)
    assert found(result) == expected
    assert result.closed == (not expected)
    assert result.as_data()["closed"] == (not expected)


@given(st.lists(LIMITS, max_size=4), LIMITS | BROKEN, st.integers(0, 4))
@settings(max_examples=200, deadline=None)
def test_another_level_never_allows_more(limits: list[Any], another: Any, place: int) -> None:
    named = [{"knowledge_bases": list(BASES)}, *limits]
    more = [*named]
    more.insert(place + 1, another)
    assert found(intersection(levels(more))) <= found(intersection(levels(named)))


@given(st.lists(LIMITS, min_size=1, max_size=3), st.data())
@settings(max_examples=200, deadline=None)
def test_another_limit_in_a_level_never_allows_more(limits: list[Any], data: st.DataObject) -> None:
    """A name that is taken out, a condition that comes to others, a field where none was."""
    named = [{"knowledge_bases": list(BASES)}, *limits]
    narrower = {**(limits[-1] or {})}
    field = data.draw(st.sampled_from(sorted(NAMED)))
    given_value = narrower.get(field)
    if given_value is None:
        narrower[field] = data.draw(NAMED[field])
    elif field == "tags":
        narrower[field] = [*given_value, data.draw(CONDITIONS)]
    elif given_value:
        narrower[field] = given_value[1:]
    assert found(intersection(levels([*named[:-1], narrower]))) <= found(intersection(levels(named)))


@given(st.lists(LIMITS, max_size=3), BROKEN, st.integers(0, 3))
@settings(max_examples=200, deadline=None)
def test_a_limit_that_is_none_closes(limits: list[Any], broken: Any, place: int) -> None:
    limits = [{"knowledge_bases": list(BASES)}, *limits]
    limits.insert(place, broken)
    result = intersection(levels(limits))
    assert result == Retrieval()
    assert result.closed
    assert not found(result)
    faults = [note.source for note in result.notes if note.code == "invalid-limit"]
    assert faults == [f"level{min(place, len(limits) - 1)}"]


@given(st.lists(LIMITS, max_size=4), st.randoms())
@settings(max_examples=100, deadline=None)
def test_the_order_of_levels_and_names_is_of_no_consequence(limits: list[Any], random: Any) -> None:
    shuffled = [None if limit is None else {key: _shuffled(limit[key], random) for key in limit} for limit in limits]
    random.shuffle(shuffled)
    one, other = intersection(levels(limits)), intersection(levels(shuffled))
    assert one == other
    assert hash(one) == hash(other)
    assert json.dumps(one.as_data()) == json.dumps(other.as_data())


def _shuffled(members: list[Any] | None, random: Any) -> list[Any] | None:
    if members is None:
        return None
    return random.sample([*members, *members[:1]], k=len(members) + len(members[:1]))


@given(st.lists(LIMITS, max_size=4))
@settings(max_examples=100, deadline=None)
def test_the_result_is_a_limit_itself(limits: list[Any]) -> None:
    result = intersection(levels(limits))
    data = json.loads(json.dumps(result.as_data()))
    again = intersection(levels([{key: value for key, value in data.items() if key != "closed"}]))
    assert again == result


NEARLY: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from([None, "", " ", "x", 0, True, [], {}]),
    lambda below: (
        st.lists(below, max_size=2)
        | st.dictionaries(
            st.sampled_from(["knowledge_bases", "documents", "tags", "tag", "any", "all", "none"]), below, max_size=2
        )
    ),
    max_leaves=6,
)


def written(strategy: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    condition = st.fixed_dictionaries({}, optional=dict.fromkeys(("tag", "any", "all", "none"), strategy))
    rows = st.lists(condition | CONDITIONS, max_size=2)
    names = st.lists(st.sampled_from(["faq", ""]), max_size=2) | strategy
    return st.fixed_dictionaries({}, optional={"knowledge_bases": names, "documents": names, "tags": rows | strategy})


@given(written(NEARLY) | NEARLY | LIMITS | values())
@settings(max_examples=300, deadline=None)
def test_a_limit_is_what_the_schemas_say(limit: Any) -> None:
    """The resolver, the schema for services and the schema for authors agree on the form."""
    try:
        limit = json.loads(json.dumps(limit, allow_nan=False))
        json.dumps(limit, ensure_ascii=False).encode()
    except (TypeError, ValueError):
        assert isinstance(read_limit(limit), Limit) == (limit is None or limit == {})
        return
    accepted = isinstance(read_limit(limit), Limit)
    assert jsonschema.Draft202012Validator(SCHEMA).is_valid({"limit": limit}) == accepted
    author = flat_schema("agent", False)["properties"]["retrieval"]
    if jsonschema.Draft202012Validator(author).is_valid(limit):
        assert accepted


@given(values())
@settings(max_examples=150, deadline=None)
def test_anything_at_all_in_the_context_closes_or_narrows(limit: Any) -> None:
    result = retrieval(MANIFEST, {"agent": "helper", "platform": None}, {"contact": {"retrieval": limit}})
    assert set(result.knowledge_bases) <= {"faq", "hr"}
    assert all(note.code in NOTES for note in result.notes)
    json.dumps(result.as_data()).encode()


MANIFEST: dict[str, Any] = {
    "agents": {
        "helper": {"retrieval": {"knowledge_bases": ["faq", "hr"]}},
        "guide": {"retrieval": {"knowledge_bases": ["faq"], "tags": [{"tag": "lang", "any": ["en"]}]}},
        "bare": {},
    },
    "platforms": {
        "web": {"retrieval": {"tags": [{"tag": "audience", "none": ["internal"]}]}},
        "kiosk": {"retrieval": {"knowledge_bases": []}},
    },
    "contract": {
        "clock": {"type": "datetime"},
        "contact.name": {"type": "line"},
        "contact.retrieval": {"type": "retrieval"},
        "conversation.retrieval": {"type": "retrieval"},
        "message.retrieval": {"type": "retrieval"},
        "shop.desk.limit": {"type": "retrieval"},
    },
}


def asked(agent: str, platform: str | None, **context: Any) -> Retrieval:
    return retrieval(MANIFEST, {"agent": agent, "platform": platform}, context)


def test_the_base_is_the_agents_own() -> None:
    assert asked("helper", None).as_data() == {
        "closed": False,
        "knowledge_bases": ["faq", "hr"],
        "documents": None,
        "tags": [],
    }
    nothing = asked("bare", None, contact={"retrieval": {"knowledge_bases": ["faq"]}})
    assert nothing.as_data() == {"closed": True, "knowledge_bases": [], "documents": [], "tags": []}
    assert nothing.notes == ()


def test_every_level_takes_away() -> None:
    result = asked(
        "helper",
        "web",
        contact={"retrieval": {"tags": [{"tag": "region", "any": ["uk", "eu", "uk"]}]}},
        conversation={"retrieval": {"documents": ["prices", "terms", "prices"]}},
        message={"retrieval": {"knowledge_bases": ["faq", "legal"], "documents": ["terms", "manual"], "tags": None}},
    )
    assert result.notes == ()
    assert result.as_data() == {
        "closed": False,
        "knowledge_bases": ["faq"],
        "documents": ["terms"],
        "tags": [{"tag": "audience", "none": ["internal"]}, {"tag": "region", "any": ["eu", "uk"]}],
    }
    assert result.tags == (Condition("audience", "none", ("internal",)), Condition("region", "any", ("eu", "uk")))
    assert result.allows("faq", "terms", {"region": "uk"})
    assert result.allows("faq", "terms", {"region": ["us", "eu"], "audience": ["public"]})
    assert not result.allows("hr", "terms", {"region": "uk"})
    assert not result.allows("faq", "prices", {"region": "uk"})
    assert not result.allows("faq", "terms", {"region": "uk", "audience": "internal"})
    assert not result.allows("faq", "terms", {})


def test_a_path_of_this_type_anywhere_in_the_contract_is_a_level() -> None:
    assert asked("helper", None, shop={"desk": {"limit": {"knowledge_bases": ["hr"]}}}).knowledge_bases == ("hr",)


def test_conditions_are_kept_once_each() -> None:
    same = {"tags": [{"tag": "lang", "any": ["en", "en"]}, {"tag": "lang", "all": ["en"]}]}
    result = asked("guide", None, contact={"retrieval": same}, message={"retrieval": same})
    assert [(row.operator, row.values) for row in result.tags] == [("all", ("en",)), ("any", ("en",))]


def test_what_is_kept_is_in_order() -> None:
    rows = [{"tag": tag, operator: ["v"]} for tag in "cab" for operator in ("any", "all")]
    result = intersection(levels([{"knowledge_bases": list("dcba"), "documents": list("hgfe"), "tags": rows}]))
    assert "".join(result.knowledge_bases) == "abcd"
    assert "".join(result.documents or ()) == "efgh"
    assert [(row.tag, row.operator) for row in result.tags] == [(tag, op) for tag in "abc" for op in ("all", "any")]


@pytest.mark.parametrize("nothing", [None, {}, {"knowledge_bases": None, "documents": None, "tags": None}])
def test_what_declares_nothing_restricts_nothing(nothing: Any) -> None:
    assert asked("helper", "web", contact={"retrieval": nothing}) == asked("helper", "web")
    assert retrieval(MANIFEST, {"agent": "helper", "platform": "web"}, None) == asked("helper", "web", contact=None)


def test_an_empty_list_means_nothing_and_a_note_says_whose() -> None:
    for level in ("knowledge_bases", "documents"):
        result = asked("helper", None, conversation={"retrieval": {level: []}})
        assert result == Retrieval()
        assert [(note.code, note.source) for note in result.notes] == [("nothing-to-search", "conversation.retrieval")]
    assert [note.source for note in asked("helper", "kiosk").notes] == ["platform.retrieval"]
    clash = {"tags": [{"tag": "audience", "all": ["internal"]}]}
    assert [note.source for note in asked("helper", "web", message={"retrieval": clash}).notes] == ["message.retrieval"]
    assert asked("helper", "web", message={"retrieval": {"tags": []}}).notes == ()


def test_notes_say_where_and_never_what() -> None:
    result = asked(
        "helper",
        None,
        contact={"retrieval": {"documents": ["s3cret-plan", 7]}, "retreival": {}},
        message={"retrieval": {"tags": [{"tag": "s3cret", "any": ["s3cret"], "s3cret": 1}]}},
    )
    assert [(note.code, note.source, note.detail) for note in result.notes] == [
        ("unknown-path", "contact", "retreival"),
        ("invalid-limit", "contact.retrieval", "a member of `documents` must be text, found a number"),
        ("invalid-limit", "message.retrieval", "a condition has an unknown key"),
    ]
    assert result.closed


def details() -> Iterator[tuple[Any, str]]:
    yield "faq", "the limit must be a map, found text"
    yield {"bases": []}, "the limit has an unknown key"
    yield {"knowledge_bases": {}}, "`knowledge_bases` must be a list, found a map"
    yield {"documents": [""]}, "a member of `documents` is empty"
    yield {"documents": ["\udfff"]}, "a member of `documents` is not valid Unicode"
    yield {"tags": 1}, "`tags` must be a list, found a number"
    yield {"tags": [[]]}, "a condition must be a map, found a list"
    yield {"tags": [{"tag": "a"}]}, "a condition must ask exactly one of `any`, `all` and `none`"
    yield (
        {"tags": [{"tag": "a", "any": ["b"], "all": ["b"]}]},
        "a condition must ask exactly one of `any`, `all` and `none`",
    )
    yield {"tags": [{"tag": "a", "any": []}]}, "`any` of a condition must hold a value"
    yield {"tags": [{"none": ["b"]}]}, "`tag` of a condition must be text, found null"


@pytest.mark.parametrize(("limit", "detail"), list(details()))
def test_a_note_says_what_was_expected(limit: Any, detail: str) -> None:
    assert [note.detail for note in intersection(levels([limit])).notes] == [detail]


def test_names_are_compared_exactly() -> None:
    result = intersection(levels([{"knowledge_bases": ["FAQ", " faq", "fa\u0301q"]}, {"knowledge_bases": ["faq"]}]))
    assert result.closed
    assert intersection(levels([{"knowledge_bases": ["FAQ"]}])).allows("FAQ", "any")


def test_names_may_be_members_of_an_enumeration() -> None:
    class Base(enum.StrEnum):
        FAQ = "faq"

    result = intersection(levels([{"knowledge_bases": (Base.FAQ,)}]))
    assert type(result.knowledge_bases[0]) is str
    assert result.allows("faq", "a")


def test_tags_that_are_not_known_pass_no_condition() -> None:
    result = intersection(levels([{"knowledge_bases": ["faq"], "tags": [{"tag": "audience", "none": ["internal"]}]}]))
    assert result.allows("faq", "a", {})
    assert result.allows("faq", "a", {"audience": None, "year": 2026})
    for doubtful in (None, [], "audience"):
        assert not result.allows("faq", "a", doubtful)  # type: ignore[arg-type]  # what no annotation stops
    for value in (5, True, {"internal": 1}, ["public", 5], b"public"):
        assert not result.allows("faq", "a", {"audience": value})
    assert intersection(levels([{"knowledge_bases": ["faq"]}])).allows("faq", "a")


def test_one_made_by_hand_knows_that_it_is_closed() -> None:
    assert Retrieval().closed
    assert Retrieval(("faq",), ()).closed
    assert not Retrieval(("faq",), None).closed
    both = (Condition("t", "all", ("x",)), Condition("t", "none", ("x",)))
    assert Retrieval(("faq",), None, both).closed


def test_the_context_is_not_changed() -> None:
    context = {"contact": {"retrieval": {"documents": ["b", "a"], "tags": [{"tag": "t", "any": ["y", "x"]}]}}}
    before = json.dumps(context)
    asked("helper", "web", **context)
    assert json.dumps(context) == before
