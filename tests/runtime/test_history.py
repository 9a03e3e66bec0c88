"""Taking the parts of a prompt out of a conversation, and putting them back after a compaction."""

from __future__ import annotations

import copy
import random
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.runtime import RequestError, restate, strip
from frieze.runtime.marking import parts_in
from support import sessions

CONTEXT = {"desk": {"approval": "ask", "mode": "plan", "documents": "Read this.\n\nAnd this.", "place": "/srv"}}
STYLES = ("openai_responses", "openai_chat", "anthropic", "plain")
USER = {"role": "user", "content": "Hello."}
ANSWER = {"role": "assistant", "content": "Good day."}


def result(model: str = "alpha", manner: str = "warm") -> Any:
    return sessions.bundle().prompt("clerk", model=model, personality=manner).render(CONTEXT, previous={})


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("model", ["alpha", "beta", "gamma", "claude-sonnet-4-6"])
def test_strip_takes_out_what_was_put_in(style: str, model: str) -> None:
    parts = getattr(result(model).messages, style)()
    assert (
        sessions.standing(parts).keys() == {"manner", "permissions", "mode", "documents", "place"} or style == "plain"
    )
    conversation = [*parts, USER, ANSWER]
    before = copy.deepcopy(conversation)
    assert strip(conversation, sessions.bundle()) == [USER, ANSWER]
    assert conversation == before


@pytest.mark.parametrize(
    "text",
    [
        "What does <environment_context> mean?",
        "<environment_context> is a tag",
        "is it </environment_context>",
        "<project_context>\nmine\n</project_context>",
        "<environment_context>\n/srv\n</environment_context>\nand what now?",
        "Look: <environment_context>\n/srv\n</environment_context>",
        "<environment_context> and </manner_spec>",
        "# Documents",
        "</DOCUMENTS>",
        "<manner_spec></environment_context>",
        "",
        " \n",
    ],
)
@pytest.mark.parametrize("role", ["user", "developer", "system"])
def test_a_text_that_only_mentions_a_marker_stays(text: str, role: str) -> None:
    conversation = [{"role": role, "content": text}, {"role": role, "content": [{"type": "text", "text": text}]}]
    assert strip(conversation, sessions.bundle()) == conversation


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n/srv\n</environment_context>",
        "\n\n  <ENVIRONMENT_context>\n/srv\n</Environment_Context> \n",
        "<environment_context></environment_context>",
        "# DOCUMENTS for the desk\n\n<DOCUMENTS>\nx\n</documents>",
        "<manner_spec>\nBe warm.\n</manner_spec>\n\n<collaboration_mode>\nplan\n</collaboration_mode>",
        "<turn_context>\nIt is late.\n</turn_context>",
    ],
)
def test_markers_count_in_any_case_and_behind_white_space(text: str) -> None:
    shapes: list[dict[str, Any]] = [
        {"role": "user", "content": text},
        {"role": "developer", "content": [{"type": "input_text", "text": text}]},
        {"type": "message", "role": "user", "content": [{"type": "text", "text": text}]},
        {"role": "user", "parts": [{"text": text}]},
    ]
    assert strip(shapes, sessions.bundle()) == []
    kept = {"role": "user", "content": [{"type": "text", "text": "Hello."}, {"type": "image", "source": {}}]}
    mixed = {"role": "user", "content": [kept["content"][0], {"type": "text", "text": text}, kept["content"][1]]}
    assert strip([mixed], sessions.bundle()) == [kept]
    assert len(mixed["content"]) == 3


def test_only_what_an_operator_or_a_user_says_is_looked_at() -> None:
    text = "<environment_context>\n/srv\n</environment_context>"
    items = [
        {"role": "assistant", "content": text},
        {"role": "tool", "tool_call_id": "1", "content": text},
        {"type": "function_call_output", "call_id": "1", "output": text},
        {"type": "reasoning", "content": [{"type": "reasoning_text", "text": text}]},
        SimpleNamespace(role="assistant", content=text),
    ]
    assert strip(items, sessions.bundle()) == items


def test_objects_of_a_client_are_read() -> None:
    text = "<environment_context>\n/srv\n</environment_context>"
    part = SimpleNamespace(type="text", text="Hello.")
    mixed = SimpleNamespace(role="user", content=[SimpleNamespace(type="text", text=text), part])
    gone = SimpleNamespace(role="user", content=text)
    assert strip([mixed, gone], sessions.bundle()) == [{"role": "user", "content": [part]}]
    assert len(mixed.content) == 2


_PIECES = st.sampled_from(
    [
        *("<environment_context>", "</environment_context>", "<manner_spec>", "</MANNER_SPEC>", "# Documents"),
        *("</DOCUMENTS>", "\n", "\n\n", " ", "x", "İ", "plan"),
    ]
)
_PAIRS = [
    *(("<environment_context>", "</environment_context>"), ("<manner_spec>", "</manner_spec>")),
    ("# documents", "</documents>"),
]


def _is_made_of_parts(text: str) -> bool:
    """Try every way of cutting a text into parts."""
    text = text.strip()
    if any(text.startswith(a) and text.endswith(b) and len(text) >= len(a) + len(b) for a, b in _PAIRS):
        return True
    cuts = [at for at in range(1, len(text)) if text[at].isspace()]
    return any(_is_made_of_parts(text[:at]) and _is_made_of_parts(text[at:]) for at in cuts)


@settings(max_examples=150, deadline=None)
@given(st.lists(_PIECES, max_size=9).map("".join))
def test_against_every_way_of_cutting(text: str) -> None:
    """What is taken out can be cut into parts; what begins and ends with one pair of markers is taken out."""
    stripped = strip([{"role": "user", "content": text}], sessions.bundle()) == []
    folded = text.replace("İ", "i").lower()
    assert not stripped or _is_made_of_parts(folded)
    trimmed = folded.strip()
    if any(trimmed.startswith(a) and trimmed.endswith(b) and len(trimmed) >= len(a) + len(b) for a, b in _PAIRS):
        assert stripped


def test_two_markers_do_not_share_letters() -> None:
    same = [("==", "==")]
    assert parts_in("==", same) == parts_in("===", same) == []
    assert parts_in("====", same) == [(("==", "=="), "====")]
    assert parts_in(" ==a==\n\n==b== ", same) == [(("==", "=="), "==a=="), (("==", "=="), "==b==")]


def test_long_texts_of_markers_are_looked_through_in_time() -> None:
    rng = random.Random(7)
    words = ["<environment_context>", "</environment_context>", "\n", "<manner_spec>", "</manner_spec>", " "]
    text = "".join(rng.choice(words) for _ in range(60_000))
    begin = time.process_time()
    strip(
        [{"role": "user", "content": each} for each in (text, "</manner_spec> " * 60_000, " " * 500_000)],
        sessions.bundle(),
    )
    assert time.process_time() - begin < 5


@pytest.mark.parametrize("style", ["openai_responses", "openai_chat", "anthropic"])
def test_everything_is_put_back_directly_before_the_last_user(style: str) -> None:
    rendered = result("claude-sonnet-4-6" if style == "anthropic" else "alpha")
    full = getattr(rendered.messages, style)()
    summary = {"role": "user", "content": "Summary: much was done."}
    first, last = (
        {"role": "user", "content": "First."},
        {"role": "user", "content": [{"type": "text", "text": "Last."}]},
    )
    left = [*full[:1], first, last, summary]
    put = restate(left, rendered, summary="Summary:", style=style)
    assert put == [first, *full, last, summary]
    assert sessions.standing(put) == sessions.statement("warm", *CONTEXT["desk"].values())
    assert restate([*full, summary], rendered, summary="Summary:", style=style) == [*full, summary]
    assert restate([summary], rendered, style=style) == [*full, summary]
    assert restate([ANSWER], rendered, style=style) == [ANSWER, *full]
    assert restate([], rendered, style=style) == full


def test_before_an_item_of_a_compaction_and_never_between_a_call_and_its_answer() -> None:
    rendered = result()
    full = rendered.messages.openai_responses()
    item = {"type": "compaction", "encrypted_content": "x"}
    assert restate([ANSWER, item], rendered) == [ANSWER, *full, item]
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}}]}
    answered = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": "ok"}]}
    there = result("claude-sonnet-4-6")
    assert restate([USER, call, answered], there) == [*there.messages.anthropic(), USER, call, answered]


def test_between_two_turns_nothing_is_put_back() -> None:
    rendered = result()
    left = [*rendered.messages.openai_responses(), USER, ANSWER]
    assert restate(left, rendered, at="next-turn") == [USER, ANSWER]


@pytest.mark.parametrize(
    ("messages", "options", "path"),
    [
        ("Hello.", {}, "messages"),
        (None, {}, "messages"),
        ([], {"at": "now"}, "at"),
        ([], {"style": "gemini"}, "style"),
    ],
)
def test_what_cannot_be_restated_is_said(messages: Any, options: dict[str, Any], path: str) -> None:
    with pytest.raises(RequestError) as caught:
        restate(messages, result(), **options)
    assert caught.value.path == path


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["Hi.", "<manner_spec>", "x</manner_spec>", "<manner_spec>a</manner_spec>"]), max_size=6)
)
def test_restating_twice_is_restating_once(texts: list[str]) -> None:
    rendered = result()
    messages = [{"role": "user", "content": text} for text in texts]
    once = restate(messages, rendered)
    assert restate(once, rendered) == once
    assert [each for each in once if each in messages] == strip(messages, sessions.bundle())
