"""What the vendors' own clients make of the requests: the bytes that they would send, and what their types say."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import openai
import pytest
from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as AnthropicParams
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as ChatParams
from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as ResponsesParams
from pydantic import TypeAdapter

import frieze
from frieze.runtime import Bundle, Result
from support import examples
from support.golden import check_golden
from support.requests import AGENTS, CONTEXTS, FULL, MODELS, anthropic_messages, bundle, chat_messages, response_items
from support.situations import SITUATIONS

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
GOLDEN = Path(__file__).parent / "golden/requests"
HELLO = [{"role": "user", "content": "Hello."}]
TALK = [*HELLO, {"role": "assistant", "content": "Welcome."}, {"role": "user", "content": "Is there a bath nearby?"}]
QUICK = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
RESULTS = st.builds(
    lambda agent, model, context: bundle().prompt(agent, model=model).render(context, NOW),
    st.sampled_from(list(AGENTS)),
    st.sampled_from(MODELS),
    CONTEXTS,
)
TYPES = {
    name: TypeAdapter(params, config=None)
    for name, params in (
        ("anthropic", AnthropicParams),
        ("openai-chat", ChatParams),
        ("openai-responses", ResponsesParams),
    )
}
ANSWERS = {
    "/v1/messages": {"id": "m", "type": "message", "role": "assistant", "content": [], "model": "m", "usage": {}},
    "/v1/chat/completions": {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": []},
    "/v1/responses": {"id": "r", "object": "response", "created_at": 1, "model": "m", "output": []},
}


class Wire:
    """A transport that answers by itself and keeps what it was given; the machine's network is never used."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        self.sent.append((request.url.path, json.loads(request.content)))
        return httpx2.Response(200, json=ANSWERS[request.url.path])


WIRE = Wire()
CLIENT = httpx2.Client(transport=httpx2.MockTransport(WIRE))
ANTHROPIC = anthropic.Anthropic(api_key="none", base_url="http://vendor.invalid", http_client=CLIENT, max_retries=0)
OPENAI = openai.OpenAI(api_key="none", base_url="http://vendor.invalid/v1", http_client=CLIENT, max_retries=0)

MAKE: dict[str, tuple[str, Callable[..., Any], Callable[..., Any]]] = {
    "anthropic": ("/v1/messages", lambda result, talk: result.anthropic(talk, max_tokens=64), ANTHROPIC.messages.create),
    "openai-chat": ("/v1/chat/completions", lambda result, talk: result.openai_chat(talk), OPENAI.chat.completions.create),
    "openai-responses": ("/v1/responses", lambda result, talk: result.openai_responses(talk), OPENAI.responses.create),
}  # fmt: skip


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test of requests opened a connection")

    monkeypatch.setattr("socket.socket.connect", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)


def sent(vendor: str, request: dict[str, Any]) -> dict[str, Any]:
    """Return the body that a vendor's client sends for a request."""
    path, _, create = MAKE[vendor]
    WIRE.sent.clear()
    create(**request)
    [(to, body)] = WIRE.sent
    assert to == path
    return body


def validate(vendor: str, request: dict[str, Any]) -> None:
    """Hold a request against the types of the client; pydantic checks what is an `Iterable` only as it is read."""
    read(TYPES[vendor].validate_python(request))


def read(value: Any) -> None:
    if isinstance(value, dict):
        value = value.values()
    if not isinstance(value, str | bytes) and isinstance(value, Iterable):
        for inner in value:
            read(inner)


def check(vendor: str, result: Result, talk: list[dict]) -> dict[str, Any]:
    request = MAKE[vendor][1](result, talk)
    assert sent(vendor, request) == request
    validate(vendor, request)
    return request


@QUICK
@given(RESULTS, anthropic_messages().filter(bool))
def test_the_client_of_anthropic_sends_the_request_as_it_is(result: Result, talk: list[dict]) -> None:
    check("anthropic", result, talk)


@QUICK
@given(RESULTS, chat_messages())
def test_the_chat_client_of_openai_sends_the_request_as_it_is(result: Result, talk: list[dict]) -> None:
    check("openai-chat", result, talk)


@QUICK
@given(RESULTS, response_items())
def test_the_responses_client_of_openai_sends_the_request_as_it_is(result: Result, talk: list[dict]) -> None:
    check("openai-responses", result, talk)


@pytest.mark.parametrize("vendor", MAKE)
def test_the_types_of_the_clients_refuse_what_is_wrong(vendor: str) -> None:
    request = MAKE[vendor][1](bundle().prompt("full", model="gpt-5.6").render(FULL, NOW), HELLO)
    key = "input" if "input" in request else "messages"
    for wrong in (
        {"model": None},
        {key: [{"role": "user", "content": [{"type": "nonsense"}]}]},
        {"tools": [{"type": "function"}]},
    ):
        with pytest.raises(ValueError, match="validation error"):
            validate(vendor, {**request, **wrong})


def test_a_conversation_with_the_clients_own_objects() -> None:
    message = openai.types.chat.ChatCompletionMessage(role="assistant", content="Here.")
    result = bundle().prompt("full", model="gpt-5.5").render(FULL, NOW)
    body = sent("openai-chat", result.openai_chat([*HELLO, message, *HELLO]))
    assert body["messages"][2] == {"role": "assistant", "content": "Here."}
    call = openai.types.responses.ResponseFunctionToolCall(
        type="function_call", call_id="c", name="search", arguments="{}"
    )
    output = {"type": "function_call_output", "call_id": "c", "output": "4"}
    items = sent("openai-responses", result.openai_responses([*HELLO, call, output]))["input"]
    assert [item.get("type", item.get("role")) for item in items[-5:]] == [
        "user", "function_call", "function_call_output", "user", "developer"
    ]  # fmt: skip
    block = anthropic.types.TextBlock(type="text", text="Here.")
    talk = [*HELLO, {"role": "assistant", "content": [block]}, *HELLO]
    body = sent(
        "anthropic", bundle().prompt("full", model="claude-opus-4-8").render(FULL, NOW).anthropic(talk, max_tokens=9)
    )
    assert body["messages"][1]["content"] == [{"type": "text", "text": "Here."}]


MODEL_OF = {"anthropic": "claude-opus-4-8", "openai-chat": "gpt-5.6", "openai-responses": "gpt-5.5"}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """Support-desk with agents for the models of both vendors."""
    root = tmp_path_factory.mktemp("desk") / "project"
    shutil.copytree(examples.ROOT / "examples/support-desk", root, ignore=shutil.ignore_patterns("dist"))
    for base in ("concierge", "greeter"):
        (root / f"profiles/agents/{base}-anywhere.yaml").write_text(
            f"kind: agent\nname: {base}-anywhere\nextends: {base}\n"
            f"allows: {{models: [{', '.join(MODEL_OF.values())}]}}\ndefaults: {{model: gpt-5.6}}\n",
            "utf-8",
        )
    result = frieze.compile(root)
    assert result.bundle is not None, result.diagnostics
    return Bundle.from_files(result.bundle.files)


@pytest.mark.parametrize("vendor", MAKE)
@pytest.mark.parametrize("name", SITUATIONS)
def test_the_requests_of_an_example(desk: Bundle, vendor: str, name: str) -> None:
    situation = SITUATIONS[name]
    target = {**situation.target, "agent": f"{situation.target['agent']}-anywhere", "model": MODEL_OF[vendor]}
    request = check(vendor, desk.prompt(**target).render(situation.given, NOW), TALK)
    check_golden(GOLDEN / f"{name}.{vendor}.json", json.dumps(request, ensure_ascii=False, indent=2) + "\n")
