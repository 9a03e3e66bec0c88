"""How a conversation is written for the API of each vendor, and carried over from one to another."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, Protocol, TypeAlias

Style: TypeAlias = Literal["anthropic", "openai_responses"]

LONGEST_ANSWER = 16_000
"""Tokens of one answer."""


class Call(NamedTuple):
    """A tool call of the model; the arguments are None where they were no JSON."""

    id: str
    name: str
    args: Any


class Event(NamedTuple):
    """Something in a conversation, whoever's API it is: texts of a role, calls of the model, or results by call."""

    role: str
    texts: tuple[str, ...] = ()
    calls: tuple[Call, ...] = ()
    results: tuple[tuple[str, str, bool], ...] = ()


class Vendor(Protocol):
    """One vendor's API."""

    style: Style

    def request(self, result: Any, history: list[Any]) -> dict[str, Any]:
        """Return the arguments of the vendor's client."""

    def entries(self, events: Iterable[Event]) -> list[Any]:
        """Return events as the vendor writes them."""

    def events(self, history: Iterable[Any]) -> Iterator[Event]:
        """Yield a conversation as events. What only this vendor understands is left out."""

    def answer(self, reply: Mapping[str, Any]) -> list[Any]:
        """Return what of a reply belongs into the conversation."""

    def is_cut(self, reply: Mapping[str, Any]) -> bool:
        """Tell whether a reply ended before the model was done, so that its calls may be incomplete."""


class Anthropic:
    """The Messages API."""

    style: Style = "anthropic"

    def request(self, result: Any, history: list[Any]) -> dict[str, Any]:
        """Return the arguments of `client.messages.create`."""
        return dict(result.anthropic(history, max_tokens=LONGEST_ANSWER))

    def answer(self, reply: Mapping[str, Any]) -> list[Any]:
        """Return the assistant's message; nothing where it is empty, which the API would refuse later."""
        return [{"role": "assistant", "content": reply["content"]}] if reply["content"] else []

    def is_cut(self, reply: Mapping[str, Any]) -> bool:
        """Tell whether the answer became too long, or the context full."""
        return reply.get("stop_reason") in ("max_tokens", "model_context_window_exceeded")

    def entries(self, events: Iterable[Event]) -> list[Any]:
        """Return messages with content parts."""
        found: list[dict[str, Any]] = []
        for event in events:
            parts: list[dict[str, Any]] = [{"type": "text", "text": text} for text in event.texts]
            parts += [
                {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args} for call in event.calls
            ]
            parts += [
                {"type": "tool_result", "tool_use_id": of, "content": text, "is_error": failed}
                for of, text, failed in event.results
            ]
            role = "assistant" if event.role == "assistant" else "user"
            if found and found[-1]["role"] == role:
                found[-1]["content"] += parts
            elif parts:
                found.append({"role": role, "content": parts})
        return found

    def events(self, history: Iterable[Any]) -> Iterator[Event]:
        """Yield an event a message."""
        for message in history:
            content = message["content"]
            parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
            yield Event(
                message["role"],
                tuple(part["text"] for part in parts if part["type"] == "text"),
                tuple(Call(part["id"], part["name"], part["input"]) for part in parts if part["type"] == "tool_use"),
                tuple(
                    (part["tool_use_id"], part["content"], bool(part.get("is_error")))
                    for part in parts
                    if part["type"] == "tool_result"
                ),
            )


class OpenAI:
    """The Responses API."""

    style: Style = "openai_responses"

    def request(self, result: Any, history: list[Any]) -> dict[str, Any]:
        """Return the arguments of `client.responses.create`; nothing is kept at the vendor's."""
        kept = {"store": False, "include": ["reasoning.encrypted_content"]}
        return dict(result.openai_responses(history, max_output_tokens=LONGEST_ANSWER, **kept))

    def answer(self, reply: Mapping[str, Any]) -> list[Any]:
        """Return the items of the reply."""
        return list(reply["output"])

    def is_cut(self, reply: Mapping[str, Any]) -> bool:
        """Tell whether the answer is incomplete."""
        return bool(reply.get("status", "completed") != "completed")

    def entries(self, events: Iterable[Event]) -> list[Any]:
        """Return items: messages, calls and their results."""
        found: list[dict[str, Any]] = []
        for event in events:
            kind = "output_text" if event.role == "assistant" else "input_text"
            if event.texts:
                found.append({"role": event.role, "content": [{"type": kind, "text": text} for text in event.texts]})
            found += [
                {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": json.dumps(call.args)}
                for call in event.calls
            ]
            found += [{"type": "function_call_output", "call_id": of, "output": text} for of, text, _ in event.results]
        return found

    def events(self, history: Iterable[Any]) -> Iterator[Event]:
        """Yield an event an item."""
        for item in history:
            if item.get("type") == "function_call":
                yield Event("assistant", calls=(Call(item["call_id"], item["name"], _read(item["arguments"])),))
            elif item.get("type") == "function_call_output":
                yield Event("user", results=((item["call_id"], item["output"], False),))
            elif "role" in item:
                content = item["content"]
                parts = [{"text": content}] if isinstance(content, str) else content
                yield Event(item["role"], tuple(part["text"] for part in parts if "text" in part))


def vendor_of(model: str) -> Vendor:
    """Return the API that a model is asked through."""
    return Anthropic() if model.startswith("claude") else OpenAI()


def carried_over(history: Sequence[Any], old: Vendor, new: Vendor) -> list[Any]:
    """Return a conversation as another vendor writes it."""
    return list(history) if old.style == new.style else new.entries(old.events(history))


def transcript(events: Iterable[Event]) -> str:
    """Return a conversation as one text, for a model that sums it up."""
    lines = []
    for event in events:
        lines += [f"[{event.role}] {text}" for text in event.texts]
        lines += [f"[{event.role} calls {call.name}] {json.dumps(call.args)}" for call in event.calls]
        lines += [f"[result] {text}" for _, text, _ in event.results]
    return "\n\n".join(lines)


def _read(arguments: str) -> Any:
    try:
        return json.loads(arguments)
    except ValueError:
        return None
