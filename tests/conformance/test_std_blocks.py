"""Every block of `std`: in and out on each of its conditions, its sources in order, its zone and its kind."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest

from frieze.runtime import Result, UnknownSelector
from support.catalogue import MANY, bundle

NOW = datetime(2026, 1, 1, 23, 30, tzinfo=UTC)


class Case(NamedTuple):
    """A target, a context, and the block's whole text or what it must hold; None where the block is out."""

    target: str
    context: dict[str, Any]
    expected: str | tuple[str, ...] | None


def message(**metadata: Any) -> dict[str, Any]:
    return {"message": {"metadata": metadata}}


def bases(*statuses: str | None) -> dict[str, Any]:
    rows = [{"name": f"base {number}", "status": status} for number, status in enumerate(statuses)]
    return {"retrieval": {"knowledge_bases": rows}}


MEMBER = {"member": {"name": "Mori", "attributes": {"role": "lead"}}}
CONTACT = {"contact": {"name": "Aiko", "attributes": {"tier": "gold", "pet": "cat"}}}
CONSOLE = {"message": {"from_console": True}}
OPENING = {"conversation": {"opening_message": "Hello!\nHow are you?", "starter_questions": ["Prices?", "Hours?"]}}
MESSAGE = 'This conversation was opened with this message: "Hello!\\nHow are you?"'
QUESTIONS = (
    'The user could start with one of these questions, and may name one by its number:\n1. "Prices?"\n2. "Hours?"'
)
CHOSEN = {"message": {"reference_documents": [{"name": "a.pdf"}, {"name": "b"}]}}
LACKS = {"member": {"disabled_features": ["web search"]}}
ONE = "A knowledge base belongs to this conversation."
SEVERAL = "Several knowledge bases belong to this conversation."
MORE_SKILLS = {
    "skills": [{"name": "lantern", "when_to_use": "The week.", "description": "Other."}, {"name": "weddings"}]
}

CASES: dict[str, dict[str, Case]] = {
    "group-instructions": {
        "group": Case("full rich group", {}, "Several people read this."),
        "direct": Case("full rich", {}, None),
        "a platform without a text": Case("full bare group", {}, None),
    },
    "instructions": {"always": Case("plain bare", {}, "Help people.")},
    "personality": {
        "the model's own text": Case("full rich", {}, "Be kind in the words of this model."),
        "no text": Case("plain rich", {}, None),
        "printed by the instructions": Case("own-voice rich", {}, None),
    },
    "citation-rule": {
        "agent with citations": Case("full bare", {}, ("[1][2]",)),
        "agent without": Case("plain bare", {}, None),
    },
    "current-time": {
        "the message's zone": Case(
            "full rich",
            message(timezone="America/New_York"),
            "Current time information\nTime zone: America/New_York\nLocal date and time: 2026-01-01 18:30\n"
            "Weekday: Thursday\nISO week: 2026-W01\nUTC offset: -05:00",
        ),
        "else the platform's": Case("full rich", {}, ("Asia/Tokyo", "2026-01-02 08:30", "Friday", "+09:00")),
        "an invalid zone falls through": Case("full rich", message(timezone="Mars/Olympus"), ("Asia/Tokyo",)),
        "no zone": Case("full half", {}, None),
        "no awareness": Case("full bare", message(timezone="Asia/Tokyo"), None),
    },
    "user-name": {
        "contact": Case("full rich", CONTACT | MEMBER, 'Current user information\nName: "Aiko"'),
        "member in the console": Case(
            "full rich", CONTACT | MEMBER | CONSOLE, 'Current user information\nName: "Mori"'
        ),
        "a member without a name is not the contact": Case("full rich", CONTACT | CONSOLE, None),
        "anonymous": Case("full rich", {"contact": {"name": "Anonymous"}}, None),
        "no name": Case("full rich", {}, None),
        "no awareness": Case("full bare", CONTACT, None),
    },
    "location": {
        "both": Case(
            "full rich", message(latitude=0, longitude=-9.5), "Current location\nLatitude: 0\nLongitude: -9.5"
        ),
        "with accuracy": Case("full rich", message(latitude=1, longitude=2, accuracy=25), ("Accuracy: 25 m",)),
        "one only": Case("full rich", message(latitude=1), None),
        "out of range": Case("full rich", message(latitude=91, longitude=2), None),
        "no awareness": Case("full bare", message(latitude=1, longitude=2), None),
    },
    "language": {
        "the message's": Case(
            "full rich", message(language="ja") | {"request": {"accept_language": "de"}}, ("User language\n", ": ja")
        ),
        "else the browser's": Case("full rich", {"request": {"accept_language": "fr;q=0.5, de"}}, (": de",)),
        "else the platform's": Case("full rich", {}, (": en",)),
        "where the platform says so": Case("full half", {}, None),
        "awareness is not asked": Case("full bare", message(language="ja"), (": ja",)),
        "an invalid one falls through": Case("full rich", message(language="j!"), (": en",)),
    },
    "contact-attributes": {
        "the message wins": Case(
            "full bare",
            CONTACT | message(tier="silver"),
            'Contact custom attributes\n- "pet": "cat"\n- "tier": "silver"',
        ),
        "reserved keys only": Case("full rich", message(timezone="UTC", language="en", locale="x"), None),
        "nothing": Case("full rich", {}, None),
    },
    "member-attributes": {
        "member writes": Case("full bare", MEMBER | CONSOLE, 'Organization member attributes\n- "role": "lead"'),
        "member does not write": Case("full bare", MEMBER, None),
        "without attributes": Case("full bare", {"member": {"name": "Mori"}} | CONSOLE, None),
    },
    "knowledge-bases": {
        "the agent's, several": Case("full bare", {}, (SEVERAL,)),
        "the agent's, one": Case("single bare", {}, (ONE,)),
        "the conversation's, one": Case("full bare", bases("ok"), (ONE,)),
        "the conversation's, several": Case("single bare", bases("ok", "ok"), (SEVERAL,)),
        "failed ones count as well": Case("single bare", bases("failed", "failed"), (SEVERAL,)),
        "the conversation has none": Case("full bare", {"retrieval": {"knowledge_bases": []}}, None),
        "an agent without, a conversation with": Case("plain bare", bases("ok"), (ONE,)),
        "none at all": Case("plain bare", {}, None),
        "chat": Case("chat bare", bases("ok"), None),
    },
    "opening": {
        "chat: the message": Case("chat bare", OPENING, MESSAGE),
        "web chat in context: both, once": Case("full rich", OPENING, f"{MESSAGE}\n{QUESTIONS}"),
        "chat and in context: both, once": Case("chat rich", OPENING, f"{MESSAGE}\n{QUESTIONS}"),
        "questions alone": Case("full rich", {"conversation": {"starter_questions": ["Prices?", "Hours?"]}}, QUESTIONS),
        "questions alone in chat": Case("chat bare", {"conversation": {"starter_questions": ["Prices?"]}}, None),
        "agentic without the toggle": Case("full bare", OPENING, None),
        "nothing was sent": Case("chat rich", {}, None),
    },
    "attachments": {
        "agentic": Case("full bare", {}, ("- `read-image`: photos\n- `read-pdf`: PDF files",)),
        "chat": Case("chat bare", {}, None),
        "no tools": Case("plain bare", {}, None),
    },
    "code-interpreter": {
        "agentic": Case("full bare", {}, ("You can run code.",)),
        "chat": Case("chat bare", {}, None),
        "off": Case("plain bare", {}, None),
    },
    "skills": {
        "when to use, else the description": Case(
            "full bare",
            {},
            (
                "Available skills\nA skill",
                "`read-skill`",
                ":\n- refunds: A customer wants money back.\n- late: Arrivals after the desk has closed.",
            ),
        ),
        "many are cut with a count": Case("many bare", {}, ("\n- long: word word", "\n- s48\nNot listed: 3 more.")),
        "none": Case("plain bare", {}, None),
        "the conversation's are not here": Case("plain bare", MORE_SKILLS, None),
    },
    "conversation-skills": {
        "besides the agent's": Case(
            "full bare", MORE_SKILLS, ("further skills", ':\n- "lantern": "The week."\n- "weddings"')
        ),
        "alone": Case("plain bare", MORE_SKILLS, ("Available skills\n", '- "lantern": "The week."\n- "weddings"')),
        "the description, where nothing else is given": Case(
            "plain bare", {"skills": [{"name": "a", "description": "b"}]}, ('\n- "a": "b"',)
        ),
        "a bound name is not taken": Case("full bare", {"skills": [{"name": "refunds", "description": "All."}]}, None),
        "many are cut with a count": Case(
            "plain bare", {"skills": [{"name": f"n{i}"} for i in range(53)]}, ('- "n49"\n', "Not listed: 3 more.")
        ),
        "a long text is cut": Case("plain bare", {"skills": [{"name": "a", "description": "b" * 999}]}, ("b…",)),
        "none": Case("full bare", {}, None),
    },
    "forced-tool": {
        "a skill": Case("plain bare", {"message": {"forced_skill": "refunds"}}, ('chose a skill: "refunds".',)),
        "a tool": Case("plain bare", {"message": {"forced_tool": "find"}}, ('chose a tool: "find".',)),
        "both": Case(
            "plain bare", {"message": {"forced_skill": "a", "forced_tool": "b"}}, ('skill: "a".', 'tool: "b".')
        ),
        "none": Case("plain bare", {}, None),
    },
    "reference-documents": {
        "chosen": Case("plain rich", CHOSEN, (':\n- "a.pdf"\n- "b"\nSearch them first',)),
        "none": Case("plain rich", {"message": {"reference_documents": []}}, None),
        "a platform without": Case("plain bare", CHOSEN, None),
    },
    "knowledge-unavailable": {
        "all": Case("plain bare", bases("failed", "failed"), ("No knowledge base can be reached", "try again later")),
        "one of one": Case("plain bare", bases("failed"), ("No knowledge base can be reached",)),
        "some": Case("plain bare", bases("ok", "failed", None), ("Some knowledge bases", ':\n- "base 1"\nSearch')),
        "none": Case("plain bare", bases("ok", None), None),
        "nothing known": Case("full rich", {}, None),
        "no bases": Case("full rich", {"retrieval": {"knowledge_bases": []}}, None),
    },
    "ranking-degraded": {
        "skipped": Case("full bare", {"retrieval": {"reranker_skipped": True}}, ("ranked worse than usual",)),
        "not skipped": Case("full bare", {"retrieval": {"reranker_skipped": False}}, None),
        "no reranker": Case("plain bare", {"retrieval": {"reranker_skipped": True}}, None),
        "nothing known": Case("full bare", {}, None),
    },
    "disabled-features": {
        "lacking": Case("plain rich", LACKS, (':\n- "web search"\nDo not offer',)),
        "none": Case("plain rich", {"member": {"disabled_features": []}}, None),
        "a platform without": Case("plain bare", LACKS, None),
    },
}

ZONES = {
    "group-instructions": ("never", "never", "prefix"),
    "instructions": ("never", "never", "prefix"),
    "personality": ("never", "never", "prefix"),
    "citation-rule": ("never", "never", "prefix"),
    "current-time": ("turn", "turn", "turn_context"),
    "user-name": ("session", "turn", "turn_context"),
    "location": ("turn", "turn", "turn_context"),
    "language": ("turn", "turn", "turn_notices"),
    "contact-attributes": ("turn", "turn", "turn_context"),
    "member-attributes": ("session", "turn", "turn_context"),
    "knowledge-bases": ("session", "session", "prefix"),
    "opening": ("session", "session", "prefix"),
    "attachments": ("never", "never", "prefix"),
    "code-interpreter": ("never", "never", "prefix"),
    "skills": ("never", "never", "prefix"),
    "conversation-skills": ("session", "session", "prefix"),
    "forced-tool": ("turn", "turn", "turn_notices"),
    "reference-documents": ("turn", "turn", "turn_notices"),
    "knowledge-unavailable": ("turn", "turn", "turn_notices"),
    "ranking-degraded": ("turn", "turn", "turn_notices"),
    "disabled-features": ("turn", "turn", "turn_notices"),
}
"""Zone in direct and in group conversations, and the place of the block where its zone is turn."""

ROWS = [
    pytest.param(block, case, id=f"{block}: {name}") for block, cases in CASES.items() for name, case in cases.items()
]


def render(target: str, context: dict[str, Any], **more: str) -> Result:
    agent, platform, *audience = target.split()
    chosen = {"platform": platform, "audience": (audience or ["direct"])[0], **more}
    return bundle().prompt(agent, **chosen).render(context, NOW)


def text_of(result: Result, block: str) -> str | None:
    found = [part.text for part in result.parts if part.id == block]
    assert len(found) <= 1
    return found[0] if found else None


@pytest.mark.parametrize(("block", "case"), ROWS)
def test_a_block_is_in_with_its_text_or_out(block: str, case: Case) -> None:
    text = text_of(render(case.target, case.context), block)
    if case.expected is None or isinstance(case.expected, str):
        assert text == case.expected
    else:
        assert text is not None
        assert all(expected in text for expected in case.expected), text


@pytest.mark.parametrize("block", ZONES)
@pytest.mark.parametrize("audience", ["direct", "group"])
def test_zone_and_place(block: str, audience: str) -> None:
    case = next(case for case in CASES[block].values() if case.expected is not None)
    agent_and_platform = " ".join(case.target.split()[:2])
    result = render(f"{agent_and_platform} {audience}", case.context)
    inline = render(f"{agent_and_platform} {audience}", case.context, model="uncached")
    shown = [part for part in result.parts if part.id == block]
    if block == "group-instructions" and audience == "direct":
        assert not shown
        return
    (part,) = shown
    direct, group, place = ZONES[block]
    zone = group if audience == "group" else direct
    assert (part.zone, part.place) == (zone, place if zone == "turn" else "prefix")
    (same,) = [part for part in inline.parts if part.id == block]
    assert (same.text, same.place) == (part.text, "prefix")


def test_every_block_of_the_layout_is_in_the_tables() -> None:
    slots = [state.block for state in bundle().prompt("full").explain({}, NOW).blocks]
    assert slots == list(CASES) == list(ZONES)


def test_everything_at_once_stands_in_the_layouts_order() -> None:
    context = {
        **CONTACT,
        "member": {**MEMBER["member"], **LACKS["member"]},
        "message": {
            "from_console": True,
            "forced_tool": "find",
            **CHOSEN["message"],
            "metadata": {"latitude": 1, "longitude": 2, "page": "home"},
        },
        **OPENING,
        "retrieval": {**bases("failed")["retrieval"], "reranker_skipped": True},
        **MORE_SKILLS,
    }
    everything = {part.id for part in render("full rich group", context).parts}
    assert everything == set(CASES)
    inline = render("full rich group", context, model="uncached")
    assert [part.id for part in inline.parts] == list(CASES)


def test_a_long_description_of_a_bound_skill_is_cut_visibly_and_the_tool_takes_all_names() -> None:
    result = render("many bare", {})
    (row,) = [line for line in (text_of(result, "skills") or "").split("\n") if line.startswith("- long: ")]
    assert len(row.removeprefix("- long: ")) == 300
    assert row.endswith("…")
    (reader,) = result.tools
    assert reader["input_schema"]["properties"]["name"]["enum"] == sorted(MANY)


def test_skills_and_tools_of_a_prompt() -> None:
    prompt = bundle().prompt("full")
    assert prompt.skill("refunds") == "Ask for the order number."
    assert [tool["name"] for tool in prompt.render({}, NOW).tools] == ["read-skill"]
    with pytest.raises(UnknownSelector) as caught:
        prompt.skill("refund")
    assert (caught.value.selector, caught.value.choices, caught.value.nearest) == (
        "skill",
        ("late", "refunds"),
        ("refunds",),
    )
    assert bundle().prompt("plain").render({}, NOW).tools == ()
    with pytest.raises(UnknownSelector, match="there is no skill `refunds`"):
        bundle().prompt("plain").skill("refunds")
