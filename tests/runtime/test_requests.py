"""Requests for vendors: what stands where, whatever the conversation looks like."""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from frieze.runtime import RequestError, Result
from support.requests import (
    AGENTS,
    CONTEXTS,
    FULL,
    MODELS,
    PLAIN_MESSAGES,
    anthropic_messages,
    bundle,
    chat_messages,
    response_items,
)

NOW = datetime(2026, 3, 14, 9, 26, tzinfo=UTC)
HELLO = [{"role": "user", "content": "Hello."}]
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))


def rendered(agent: str, model: str, context: dict) -> Result:
    return bundle().prompt(agent, model=model).render(context, NOW)


RESULTS = st.builds(
    rendered,
    st.sampled_from(list(AGENTS)),
    st.sampled_from(MODELS),
    CONTEXTS,
)


def texts(content: Any) -> list[str]:
    """Return the texts of a message's content, in order; what is no text counts as nothing."""
    return [content] if isinstance(content, str) else [part["text"] for part in content if "text" in part]


def all_marks(value: Any, key: str) -> int:
    """Count a key at any depth."""
    if isinstance(value, dict):
        return (key in value) + sum(all_marks(inner, key) for inner in value.values())
    return sum(all_marks(inner, key) for inner in value) if isinstance(value, list | tuple) else 0


def role_texts(result: Result, *roles: str) -> list[str]:
    return [part.text for part in result.parts if part.place == "prefix" and part.role in roles]


def tail_texts(result: Result) -> list[str]:
    return [part.text for part in result.parts if part.place != "prefix"]


def new_parts(request: Any, messages: list[dict]) -> list[str]:
    """Return the texts of a request that are not the caller's."""
    theirs = [text for message in messages for text in texts(message.get("content") or [])]
    ours = [text for message in request for text in texts(message.get("content") or [])]
    for text in theirs:
        if text in ours:
            ours.remove(text)
    return ours


def kept(request: list[Any], messages: list[dict]) -> bool:
    """Tell whether the caller's messages stand in the request, in order, each with its own content in one stretch."""
    ours = iter(request)
    for message in messages:
        for candidate in ours:
            own = [p for p in _parts(message) if not blank(p)]
            found = [p for p in _parts(candidate) if not blank(p)]
            rest = {k: v for k, v in message.items() if k != "content"}
            if rest == {k: v for k, v in candidate.items() if k != "content"} and stretch(own, found):
                break
        else:
            return False
    return True


def _parts(message: dict) -> list[Any]:
    content = message.get("content")
    return [{"text": content}] if isinstance(content, str) else [_bare(part) for part in content or []]


def _bare(part: dict) -> dict:
    return {k: v for k, v in part.items() if not (k == "type" and v in {"text", "input_text"})}


def blank(part: dict) -> bool:
    return "text" in part and not part["text"].strip()


def stretch(own: list, found: list) -> bool:
    return any(found[at : at + len(own)] == own for at in range(len(found) - len(own) + 1))


class TestAnthropic:
    @QUICK
    @given(RESULTS, anthropic_messages(), st.booleans())
    def test_properties(self, result: Result, messages: list[dict], automatic: bool) -> None:
        more = {"cache_control": {"type": "ephemeral"}} if automatic else {}
        before = copy.deepcopy((messages, more))
        assume(messages or result.tail or role_texts(result, "user"))
        request = result.anthropic(messages, max_tokens=9, **more)
        assert (messages, more) == before
        json.dumps(request)
        system = request.get("system", [])
        assert "".join(part["text"] for part in system) == "\n\n".join(role_texts(result, "system", "developer"))
        assert all(part["text"].strip() for part in system)
        sent = request["messages"]
        assert kept(sent, messages)
        self.check_turns(sent, messages)
        self.check_tail(result, sent, messages)
        limit = {"claude-sonnet-4-6": 4, "claude-opus-4-8": 4, "one-mark": 1}.get(result.target["model"], 0)
        theirs = all_marks(messages, "cache_control") + automatic
        marks = all_marks(request, "cache_control")
        assert theirs <= marks <= max(limit, theirs)
        if limit - theirs >= 2:
            zones = {part.zone for part in result.parts if part.place == "prefix"} | (
                {"never"} if result.tools else set()
            )
            assert marks - theirs == len(zones)

    def check_turns(self, sent: list[dict], messages: list[dict]) -> None:
        roles = [message["role"] for message in sent]
        assert roles[0] == "user"
        assert [role for role in roles if role != "system"] == (["user", "assistant"] * len(roles))[
            : len(roles) - roles.count("system")
        ]
        for number, role in enumerate(roles):
            if role == "system":
                assert roles[number - 1] == "user"
                assert roles[number + 1 : number + 2] in ([], ["assistant"])
        if messages and messages[-1]["role"] == "assistant":
            assert sent[-1] == messages[-1]
        for message in sent:
            if message not in messages:
                assert message["content"]
                assert all(text.strip() for text in texts(message["content"]))
            results = [not isinstance(part, str) and part.get("type") == "tool_result" for part in message["content"]]
            assert results == sorted(results, reverse=True) or message["role"] != "user"

    def check_tail(self, result: Result, sent: list[dict], messages: list[dict]) -> None:
        added = "".join(new_parts(sent, messages))
        for text in tail_texts(result):
            assert text in added
        ends = ["".join(texts(message["content"])[-1:]) for message in sent[-3:] if message["role"] != "assistant"]
        if result.tail:
            with_callers_own = messages[-1:] and messages[-1]["role"] == "system"
            assert any(end.strip().startswith("<turn_") for end in (ends if with_callers_own else ends[-1:]))

    def test_a_strong_model_takes_notices_as_a_system_message(self) -> None:
        request = rendered("operator", "claude-opus-4-8", FULL).anthropic(HELLO, max_tokens=9)
        assert [message["role"] for message in request["messages"]] == ["user", "system"]
        assert [part["text"].strip().split("\n")[0] for part in request["messages"][0]["content"]] == [
            "Hello.",
            "<turn_context>",
        ]
        assert request["messages"][1]["content"][0]["text"].startswith("<turn_notices>\nLanguage\n")

    def test_a_block_of_the_users_role_never_travels_in_a_stronger_one(self) -> None:
        request = rendered("full", "claude-opus-4-8", FULL).anthropic(HELLO, max_tokens=9)
        user, system = request["messages"]
        assert "The user set ja." in "".join(texts(user["content"]))
        assert texts(system["content"]) == ["<turn_notices>\nLanguage\nAnswer in ja.\n</turn_notices>"]

    def test_a_prefill_stays_the_last_and_the_tail_ends_the_turn_before(self) -> None:
        messages = [*HELLO, {"role": "assistant", "content": "Dear"}]
        request = rendered("operator", "claude-sonnet-4-6", FULL).anthropic(messages, max_tokens=9)
        assert request["messages"][-1] is messages[-1]
        assert (
            "".join(texts(request["messages"][0]["content"]))
            == "Hello.\n\n" + rendered("operator", "claude-sonnet-4-6", FULL).tail
        )

    def test_results_of_tools_stay_first(self) -> None:
        done = {"type": "tool_result", "tool_use_id": "t1", "content": "4"}
        messages = [
            *HELLO,
            {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "search", "input": {}}]},
        ]
        request = rendered("full", "claude-sonnet-4-6", FULL).anthropic(
            [*messages, {"role": "user", "content": [done]}], max_tokens=9
        )
        content = request["messages"][-1]["content"]
        assert content[0] is done
        assert content[1]["text"].startswith("<turn_notices>")

    def test_where_marks_stand(self) -> None:
        full = rendered("operator", "claude-sonnet-4-6", FULL).anthropic(HELLO, max_tokens=9)
        assert [part["text"].strip().split("\n")[0] for part in full["system"] if "cache_control" in part] == [
            "Rules",
            "Guest",
        ]
        one = rendered("operator", "one-mark", FULL).anthropic(HELLO, max_tokens=9)
        assert [part["text"].strip().split("\n")[0] for part in one["system"] if "cache_control" in part] == ["Rules"]
        late = rendered("late", "claude-sonnet-4-6", FULL).anthropic(HELLO, max_tokens=9)
        assert ["cache_control" in tool for tool in late["tools"]] == [False, True]
        assert [tool["name"] for tool in late["tools"]] == ["book", "search"]
        assert "cache_control" in late["system"][-1]
        bare = rendered("bare", "one-mark", {}).anthropic(HELLO, max_tokens=9)
        assert all_marks(bare, "cache_control") == 1

    def test_marks_on_the_callers_tools_count(self) -> None:
        mark = {"cache_control": {"type": "ephemeral"}}
        tools = [{"name": f"t{number}", "input_schema": {"type": "object"}, **mark} for number in range(3)]
        request = rendered("operator", "claude-sonnet-4-6", FULL).anthropic(HELLO, max_tokens=9, tools=tools)
        assert all_marks(request["tools"], "cache_control") == 3
        assert all_marks(request, "cache_control") == 4

    def test_texts_of_one_turn_stand_apart(self) -> None:
        result = rendered("full", "claude-sonnet-4-6", FULL)
        [message] = result.anthropic(HELLO, max_tokens=9)["messages"]
        front = "\n\n".join(role_texts(result, "user"))
        said = "".join(texts(message["content"]))
        assert said.startswith(f"{front}\n\nHello.\n\n<turn_notices>\n")
        assert "</turn_notices>\n\n<turn_context>" in said

    def test_marks_live_as_long_as_those_behind_them(self) -> None:
        mark = {"cache_control": {"type": "ephemeral", "ttl": "1h"}}
        messages = [{"role": "user", "content": [{"type": "text", "text": "Hi", **mark}]}]
        request = rendered("operator", "claude-sonnet-4-6", FULL).anthropic(messages, max_tokens=9)
        assert {part["cache_control"]["ttl"] for part in request["system"] if "cache_control" in part} == {"1h"}

    def test_objects_of_the_client_may_stand_in_a_conversation(self) -> None:
        class Block:
            type = "text"
            text = "Yes?"

        answer = {"role": "assistant", "content": [Block()]}
        request = rendered("operator", "claude-sonnet-4-6", FULL).anthropic([*HELLO, answer, *HELLO], max_tokens=9)
        assert request["messages"][1] is answer


class TestChat:
    @QUICK
    @given(RESULTS, chat_messages(), st.booleans())
    def test_properties(self, result: Result, messages: list[dict], explicit: bool) -> None:
        more = {"prompt_cache_options": {"mode": "explicit"}} if explicit else {}
        before = copy.deepcopy(messages)
        request = result.openai_chat(messages, **more)
        assert messages == before
        sent = request["messages"]
        assert kept(sent, messages)
        roles = [message["role"] for message in sent]
        static = [text for message in sent[: first_other(roles)] for text in texts(message["content"])]
        operators = "\n\n".join(role_texts(result, "system", "developer"))
        assume(messages or not result.tail)
        assert "".join(static).replace("\n\n", "") == operators.replace("\n\n", "")
        if "developer" not in {part.role for part in result.parts if part.place == "prefix"}:
            assert "".join(static) == operators
        assert all(one != "user" or other != "user" for one, other in itertools.pairwise(roles)) or twice(messages)
        check_new(sent, messages)
        added = "".join(new_parts(sent, messages))
        assert all(text in added for text in tail_texts(result))
        if result.tail:
            assert texts(sent[-1]["content"])[-1].strip().startswith("<turn_")
        check_breakpoints(result, request, messages, explicit)

    def test_roles_behind_the_last_message(self) -> None:
        sent = rendered("operator", "gpt-5.5", FULL).openai_chat(HELLO)["messages"]
        assert [message["role"] for message in sent] == ["developer", "user", "developer"]
        sent = rendered("operator", "strong", FULL).openai_chat(HELLO)["messages"]
        assert [message["role"] for message in sent] == ["system", "developer", "system", "user", "system", "developer"]

    def test_behind_an_assistants_message_and_results_a_turn_of_its_own(self) -> None:
        for last in ({"role": "assistant", "content": "Yes."}, {"role": "tool", "tool_call_id": "c", "content": "4"}):
            sent = rendered("operator", "gpt-5.6", FULL).openai_chat([*HELLO, last])["messages"]
            assert [message["role"] for message in sent[-2:]] == [last["role"], "user"]

    def test_a_prompt_without_a_cache_is_all_in_front(self) -> None:
        result = rendered("operator", "uncached", FULL)
        sent = result.openai_chat(HELLO)["messages"]
        assert "".join(texts(sent[0]["content"])) == result.text
        assert sent[1:] == HELLO


def first_other(roles: list[str]) -> int:
    return next((at for at, role in enumerate(roles) if role not in {"system", "developer"}), len(roles))


def twice(messages: list[dict]) -> bool:
    """Tell whether the caller's own turns do not alternate."""
    return any(one["role"] == other["role"] == "user" for one, other in itertools.pairwise(messages))


def check_new(sent: list[dict], messages: list[dict]) -> None:
    for message in sent:
        if message not in messages and "content" in message:
            assert message["content"]
            assert all(text.strip() for text in texts(message["content"]))


def check_breakpoints(result: Result, request: dict, messages: list[dict], explicit: bool) -> None:
    limit = {"gpt-5.6": 4}.get(result.target["model"], 0)
    theirs = all_marks(messages, "prompt_cache_breakpoint")
    taken = theirs + (not explicit)
    found = all_marks(request, "prompt_cache_breakpoint")
    if result.target["model"] == "strong":
        assert found - theirs <= 2
    elif limit - taken >= 2:
        assert found - theirs == len({part.zone for part in result.parts if part.place == "prefix"})
    else:
        assert found - theirs <= max(0, limit - taken)


class TestResponses:
    @QUICK
    @given(RESULTS, response_items(), st.booleans())
    def test_properties(self, result: Result, items: list[dict], explicit: bool) -> None:
        more = {"prompt_cache_options": {"mode": "explicit"}} if explicit else {}
        before = copy.deepcopy(items)
        request = result.openai_responses(items, **more)
        assert items == before
        sent = request["input"]
        assert kept(sent, items)
        check_new(sent, items)
        if result.target["model"] == "gpt-5.5":
            assert request.get("instructions", "") == "\n\n".join(role_texts(result, "system"))
        else:
            assert "instructions" not in request
        front = [text for message in sent for text in texts(message.get("content") or [])]
        assert all(
            any(text in other for other in [*front, request.get("instructions", "")])
            for text in role_texts(result, "system")
        )
        added = "".join(new_parts(sent, items))
        assert all(text in added for text in tail_texts(result))
        if result.tail:
            assert texts(sent[-1]["content"])[-1].strip().startswith("<turn_")
        check_breakpoints(result, request, items, explicit)

    def test_parts_of_other_roles_are_items_at_the_start(self) -> None:
        request = rendered("full", "gpt-5.5", FULL).openai_responses(HELLO)
        assert [item["role"] for item in request["input"]] == ["developer", "user", "user", "developer"]
        assert texts(request["input"][1]["content"]) == [
            "<project_guide>\nRun the tests first.\n</project_guide>",
            '\n\n<draft>\nThe draft of "Aiko".\n</draft>',
        ]


class TestPlain:
    @QUICK
    @given(RESULTS, PLAIN_MESSAGES)
    def test_properties(self, result: Result, messages: list[dict]) -> None:
        before = copy.deepcopy(messages)
        sent = result.plain(messages)
        assert messages == before
        assert all(set(message) == {"role", "content"} and isinstance(message["content"], str) for message in sent)
        assert all(message["content"].strip() or message in messages for message in sent)
        everything = "\n\n".join(message["content"] for message in sent)
        for part in result.parts:
            assert part.text in everything
        if result.prefix and not role_texts(result, "user"):
            assert [message["content"] for message in sent[:1]] == [result.prefix]


class TestTools:
    @pytest.mark.parametrize("method", ["openai_chat", "openai_responses", "anthropic"])
    def test_the_prompts_first_then_the_callers_in_the_vendors_shape(self, method: str) -> None:
        own = [
            {"name": "zoo", "description": "", "input_schema": {"type": "object"}},
            {"type": "web_search", "name": "web"},
        ]
        before = copy.deepcopy(own)
        more = {"max_tokens": 9} if method == "anthropic" else {}
        tools = getattr(rendered("full", "gpt-5.6", {}), method)(HELLO, tools=own, **more)["tools"]
        assert own == before
        assert [tool.get("name") or tool["function"]["name"] for tool in tools] == ["book", "search", "zoo", "web"]
        schema = {"type": "object", "properties": {}, "additionalProperties": False}
        shapes = {
            "anthropic": {"name": "book", "description": "It can book.", "input_schema": schema},
            "openai_chat": {"type": "function", "function": {"name": "book", "description": "It can book.", "parameters": schema}},
            "openai_responses": {"type": "function", "name": "book", "description": "It can book.", "parameters": schema, "strict": False},
        }  # fmt: skip
        assert tools[0] == shapes[method]

    def test_what_a_request_holds_can_be_changed_without_harm(self) -> None:
        result = rendered("full", "gpt-5.6", {})
        result.openai_chat(HELLO)["tools"][0]["function"]["parameters"]["properties"]["x"] = 1
        assert result.tools[0]["input_schema"]["properties"] == {}


M = "`messages` must be a list of messages, not "


@pytest.mark.parametrize(
    ("method", "messages", "words"),
    [
        ("anthropic", "Hello.", M + "text"),
        ("openai_chat", {"role": "user", "content": "x"}, M + "a map"),
        ("openai_responses", None, M + "null"),
        ("plain", 3, M + "a number"),
        ("anthropic", ["Hi"], "`messages[0]` must be a map with `role` and `content`, not text"),
        ("anthropic", [{"content": "Hi"}], "`messages[0].role` must be `user`, `assistant` or `system`; it is left out"),
        ("anthropic", [{"role": "tool", "content": "Hi"}], "`messages[0].role` must be `user`, `assistant` or `system`, not `tool`"),
        ("anthropic", [{"role": "system", "content": "Hi"}], "because the system text is the prompt's"),
        ("openai_chat", [{"role": ["user"], "content": "Hi"}], "not a list"),
        ("openai_chat", [{"role": "user"}], "`messages[0].content` must be text or a list of content parts; it is left out"),
        ("openai_responses", [{"role": "user", "content": 3}], "not a number"),
        ("openai_chat", [{"role": "user", "content": ["Hi"]}], "`messages[0].content[0]` must be a content part: a map with `type`, not text"),
        ("openai_chat", [{"role": "user", "content": [{"text": "Hi"}]}], "`messages[0].content[0].type` must be"),
        ("openai_chat", [{"role": "user", "content": [{"type": "text"}]}], "`messages[0].content[0].text` must be text; it is left out"),
        ("plain", [{"role": "user", "content": [{"type": "image_url"}]}], "`messages[0].content[0]` must be a text part"),
    ],
)  # fmt: skip
def test_wrong_shapes_are_named(method: str, messages: Any, words: str) -> None:
    more = {"max_tokens": 9} if method == "anthropic" else {}
    with pytest.raises(RequestError) as raised:
        getattr(rendered("operator", "gpt-5.6", {}), method)(messages, **more)
    assert words in str(raised.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from(["user", "text", "system", ""]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["role", "content", "type", "text", "cache_control"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@QUICK
@given(st.sampled_from(["anthropic", "openai_chat", "openai_responses", "plain"]), st.lists(JSON, max_size=3) | JSON)
def test_nothing_but_a_request_error(method: str, messages: Any) -> None:
    more = {"max_tokens": 9} if method == "anthropic" else {}
    for model in ("claude-opus-4-8", "gpt-5.6"):
        with contextlib.suppress(RequestError):
            getattr(rendered("full", model, FULL), method)(messages, **more)


def test_arguments_of_the_prompt_are_the_prompts() -> None:
    result = rendered("full", "gpt-5.6", {})
    for method, name in (("anthropic", "system"), ("openai_responses", "input"), ("openai_responses", "instructions")):
        with pytest.raises(RequestError, match=f"`{name}` must be left to the prompt"):
            getattr(result, method)(HELLO, **{name: "x"})
    with pytest.raises(RequestError, match="`max_tokens` must be given"):
        rendered("full", "uncached", {}).anthropic(HELLO)
    with pytest.raises(RequestError, match=r"`tools\[0\]` must be a tool with a name of its own, not `book`"):
        result.openai_chat(HELLO, tools=[{"type": "function", "function": {"name": "book"}}])
    with pytest.raises(RequestError, match="`tools` must be a list of tools"):
        result.openai_chat(HELLO, tools="book")


def test_further_arguments_are_passed_on() -> None:
    request = rendered("operator", "gpt-5.6", {}).openai_chat(HELLO, temperature=0, model="gpt-5.6-luna")
    assert (request["temperature"], request["model"]) == (0, "gpt-5.6-luna")
    assert rendered("operator", "gpt-5.6", {}).openai_chat(HELLO)["model"] == "gpt-5.6-sol"
