"""A project whose prompts have parts of every role and zone, for many models, and conversations to send with them."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

import frieze
from frieze.runtime import Bundle
from support.projects import write_files

_MODEL = "kind: model\nname: {name}\nvendor: {vendor}\nprompt_cache: {cache}\nroles: {roles}\n"
_OWN = {
    "strict": ("none", "true", "{static: system, notices: user, data: user}"),
    "uncached": ("openai", "false", "{static: developer, notices: developer, data: user}"),
    "one-mark": ("anthropic", "{breakpoints: 1}", "{static: system, notices: system, data: system}"),
    "strong": ("openai", "{kind: explicit}", "{static: system, notices: system, data: developer}"),
}
MODELS = ("claude-sonnet-4-6", "claude-opus-4-8", "gpt-5.6", "gpt-5.5", "gemma-3-4b-it", *_OWN)

_BLOCKS = {
    "rules": "role: developer\nheading: Rules\nbody: Follow the house rules.\n",
    "guide": "role: user\ntag: project_guide\nbody: Run the tests first.\n",
    "guest": "heading: Guest\nzone: session\nwhen: name is defined\n"
    "inputs: {name: {type: line, from: contact.name}}\nbody: |\n  {{ name | quoted }}\n",
    "draft": "role: user\ntag: draft\nzone: session\nwhen: name is defined\n"
    "inputs: {name: {type: line, from: contact.name}}\nbody: |\n  The draft of {{ name | quoted }}.\n",
    "spoken": "kind_of_content: notice\nheading: Language\nwhen: tongue is defined\n"
    "inputs: {tongue: {type: language, from: message.metadata.language}}\nbody: |\n  Answer in {{ tongue }}.\n",
    "wish": "role: user\nkind_of_content: notice\nheading: Wish\nwhen: tongue is defined\n"
    "inputs: {tongue: {type: language, from: message.metadata.language}}\nbody: |\n  The user set {{ tongue }}.\n",
    "place": "heading: Zone\nwhen: zone is defined\n"
    "inputs: {zone: {type: timezone, from: message.metadata.timezone}}\nbody: |\n  {{ zone }}\n",
}
AGENTS = {
    "full": ["instructions", *_BLOCKS],
    "operator": ["instructions", "rules", "guest", "spoken", "place"],
    "bare": ["instructions"],
    "late": ["guest", "spoken", "place"],
}
_AGENT = (
    "kind: agent\nname: {name}\nlayout: {name}\ninstructions: Help the guest.\ntools: {tools}\n"
    "defaults: {{platform: api, personality: none}}\nallows: {{models: [{models}], personalities: [none]}}\n"
)
FULL: dict[str, Any] = {
    "contact": {"name": "Aiko"},
    "message": {"metadata": {"language": "ja", "timezone": "Asia/Tokyo"}},
}
CONTEXTS = st.sampled_from([FULL, {}, {"contact": {"name": "Bo"}}, {"message": {"metadata": {"language": "de"}}}])


@cache
def bundle() -> Bundle:
    """Return the compiled project."""
    files = {"frieze.yaml": "kind: project\nname: roles\nversion: 1.0.0\n"}
    for name, body in _BLOCKS.items():
        files[f"profiles/{name}.yaml"] = f"kind: block\nname: {name}\n{body}"
    for name, (vendor, cached, roles) in _OWN.items():
        files[f"profiles/{name}.yaml"] = _MODEL.format(name=name, vendor=vendor, cache=cached, roles=roles)
    for name, blocks in AGENTS.items():
        rows = "".join(f"  {block}: {{}}\n" for block in blocks)
        files[f"profiles/layout-{name}.yaml"] = f"kind: layout\nname: {name}\nblocks:\n{rows}"
        tools = "[]" if name == "bare" else "[search, book]"
        files[f"profiles/agent-{name}.yaml"] = _AGENT.format(name=name, tools=tools, models=", ".join(MODELS))
    for name in ("search", "book"):
        files[f"profiles/tool-{name}.yaml"] = f"kind: tool\nname: {name}\ndescription: It can {name}.\n"
    with tempfile.TemporaryDirectory() as folder:
        result = frieze.compile(write_files(Path(folder), files))
    assert result.bundle is not None, result.diagnostics
    return Bundle.from_files(result.bundle.files)


TEXTS = st.sampled_from(["Hello.", "Where is it?", "", " \n", "<turn_notices>", "Bye\n"])
_MARK = st.sampled_from(
    [{}, {}, {"cache_control": {"type": "ephemeral"}}, {"cache_control": {"type": "ephemeral", "ttl": "1h"}}]
)
_BREAK = st.sampled_from([{}, {}, {"prompt_cache_breakpoint": {"mode": "explicit"}}])


def _text_parts(kind: str, marks: st.SearchStrategy[dict]) -> st.SearchStrategy[list]:
    part = st.builds(lambda text, mark: {"type": kind, "text": text, **(mark if text.strip() else {})}, TEXTS, marks)
    return st.lists(part, min_size=1, max_size=3)


_RESULT = {"type": "tool_result", "tool_use_id": "t1", "content": "4 rooms"}
_CALL = {"type": "tool_use", "id": "t1", "name": "search", "input": {}}


@st.composite
def anthropic_messages(draw: st.DrawFn) -> list[dict]:
    """Turns that alternate, and begin with a user's; some have tool results, marks, a prefill, a system message at the end."""
    content = TEXTS | _text_parts("text", _MARK)
    messages: list[dict] = []
    for number in range(draw(st.integers(0, 5))):
        role = ("user", "assistant")[number % 2]
        said = draw(content)
        if role == "user" and messages and messages[-1]["content"] == [_CALL]:
            said = [dict(_RESULT), *([] if isinstance(said, str) else said)]
        elif role == "assistant" and draw(st.booleans()):
            said = [_CALL]
        messages.append({"role": role, "content": said})
    if messages and messages[-1]["role"] == "user" and draw(st.booleans()):
        messages.append(
            {"role": "system", "content": draw(st.just("Mind the cat.") | _text_parts("text", st.just({})))}
        )
    return messages


@st.composite
def chat_messages(draw: st.DrawFn) -> list[dict]:
    """Turns of Chat Completions, with tool calls and their answers."""
    messages: list[dict] = []
    for _ in range(draw(st.integers(0, 4))):
        messages.append({"role": "user", "content": draw(TEXTS | _text_parts("text", _BREAK))})
        if draw(st.booleans()):
            call = {"id": "c1", "type": "function", "function": {"name": "search", "arguments": "{}"}}
            messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
            messages.append({"role": "tool", "tool_call_id": "c1", "content": "4 rooms"})
        if draw(st.booleans()):
            messages.append({"role": "assistant", "content": "Here."})
    return messages


@st.composite
def response_items(draw: st.DrawFn) -> list[dict]:
    """Items of Responses, with calls and their outputs."""
    items: list[dict] = []
    for _ in range(draw(st.integers(0, 4))):
        items.append({"role": "user", "content": draw(TEXTS | _text_parts("input_text", _BREAK))})
        if draw(st.booleans()):
            items.append({"type": "function_call", "call_id": "c1", "name": "search", "arguments": "{}"})
            items.append({"type": "function_call_output", "call_id": "c1", "output": "4 rooms"})
        if draw(st.booleans()):
            items.append({"role": "assistant", "content": "Here."})
    return items


PLAIN_MESSAGES = st.lists(
    st.builds(lambda role, content: {"role": role, "content": content}, st.sampled_from(["user", "assistant"]), TEXTS),
    max_size=4,
)
