"""From a rendered prompt and the caller's messages to the arguments of a vendor's client.

What is stable goes in front, in the layout's order, each part a content part; what changes every turn goes behind the
last message. Put together, the texts of the static part are `Result.prefix`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .context import kind_name
from .errors import RequestError
from .messages import GAP, Dialect, checked, marks_in, message_of, part_of, role_of
from .placing import (
    Source,
    joined,
    later_role,
    opened,
    stable_runs,
    tail_groups,
    weaker,
    with_tail_behind,
    with_tail_inside,
)

EPHEMERAL: Mapping[str, Any] = {"type": "ephemeral"}
_CHAT_ROLES = ("system", "developer", "user", "assistant", "tool", "function")
ANTHROPIC = Dialect("anthropic", ("user", "assistant", "system"), "text", ("cache_control", EPHEMERAL))
_BREAKPOINT = ("prompt_cache_breakpoint", {"mode": "explicit"})
CHAT = Dialect("openai", _CHAT_ROLES, "text", _BREAKPOINT, silent=("assistant",))
RESPONSES = Dialect("openai", ("system", "developer", "user", "assistant"), "input_text", _BREAKPOINT, items=True)
PLAIN = Dialect("", _CHAT_ROLES, "text", _BREAKPOINT)


def anthropic(
    source: Source, messages: Any, max_tokens: int | None, tools: Any, more: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arguments of `client.messages.create`; see `Result.anthropic`."""
    _leave_out(more, "system")
    turns = checked(messages, ANTHROPIC)
    if turns and role_of(turns[0]) == "system":
        raise RequestError(
            "messages[0].role", "`user` or `assistant`, because the system text is the prompt's", "`system`"
        )
    offered = _tools(source, tools, lambda tool: tool)
    key = ANTHROPIC.mark[0]
    later = [*marks_in(turns, key), *marks_in([more], key)]
    left = source.marks(ANTHROPIC, len(later) + len(list(marks_in(offered, key))))
    runs, on_tools = stable_runs(source, lambda role: "user" if role == "user" else "system", left, bool(offered))
    dialect = _lasting(later)
    if on_tools and isinstance(offered[-1], Mapping):
        offered[-1] = {dialect.mark[0]: dict(dialect.mark[1]), **offered[-1]}
    system = [part_of(chunk, dialect) for role, chunks in runs if role == "system" for chunk in chunks]
    turns = with_tail_inside(turns, tail_groups(source, _anthropic_role), ANTHROPIC)
    for role, chunks in runs:
        if role == "user":
            turns = opened(turns, chunks, dialect)
    if not turns:
        raise RequestError("messages", "at least one message", "an empty list")
    limit = max_tokens if max_tokens is not None else source.model and source.model["max_output_tokens"]
    if limit is None:
        raise RequestError("max_tokens", "given, because the model's profile has no `max_output_tokens`", "left out")
    request = {"model": _slug(source, more), "max_tokens": limit}
    return {**request, **_given(system=system, tools=offered), "messages": turns, **more}


def openai_chat(source: Source, messages: Any, tools: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `client.chat.completions.create`; see `Result.openai_chat`."""
    offered = _tools(source, tools, _chat_tool)
    turns = checked(messages, CHAT)
    static = "system" if source.roles["static"] == "system" else "developer"
    runs, _ = stable_runs(source, _openai_role(source, static), source.marks(CHAT, _openai_marks(turns, more)))
    turns = with_tail_behind(turns, tail_groups(source, _later_role(source)), CHAT)
    request = {"model": _slug(source, more), "messages": joined(runs, turns, CHAT)}
    return {**request, **_given(tools=offered), **more}


def openai_responses(source: Source, messages: Any, tools: Any, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of `client.responses.create`; see `Result.openai_responses`."""
    _leave_out(more, "instructions", "input")
    offered = _tools(source, tools, _responses_tool)
    items = checked(messages, RESPONSES)
    role_for = _openai_role(source, source.roles["static"])
    runs, _ = stable_runs(source, role_for, source.marks(RESPONSES, _openai_marks(items, more)))
    instructions = "".join(chunk.text for role, chunks in runs if role == "instructions" for chunk in chunks)
    items = with_tail_behind(items, tail_groups(source, _later_role(source)), RESPONSES)
    front = [message_of(role, chunks, RESPONSES) for role, chunks in runs if role != "instructions"]
    request = {"model": _slug(source, more), **_given(instructions=instructions, tools=offered)}
    return {**request, "input": [*front, *items], **more}


def plain(source: Source, messages: Any, *, in_session: bool) -> list[dict[str, Any]]:
    """Return messages with string contents; see `Result.plain`.

    In a session a part that stands before a user's words is a message of its own; some models refuse two in a row.
    """
    turns = [_as_text(turn, f"messages[{number}]") for number, turn in enumerate(checked(messages, PLAIN))]
    runs, _ = stable_runs(source, lambda role: "user" if role == "user" else "system", 0)
    turns = with_tail_behind(
        turns, tail_groups(source, lambda limit, role: "user" if weaker(limit, role) == "user" else "system"), PLAIN
    )
    together = joined(runs, turns, PLAIN)
    texts = [
        turn if isinstance(turn["content"], str) else {**turn, "content": "".join(p["text"] for p in turn["content"])}
        for turn in together
    ]
    return _without_two_users(texts) if in_session else texts


def _without_two_users(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Put user's messages that stand next to each other together, where they hold nothing but a text."""
    found: list[dict[str, Any]] = []
    for turn in turns:
        alike = found and all(
            each.keys() == {"role", "content"} and each["role"] == "user" for each in (found[-1], turn)
        )
        if alike:
            found[-1] = {"role": "user", "content": GAP.join([found[-1]["content"], turn["content"]])}
        else:
            found.append(turn)
    return found


def _anthropic_role(limit: str, role: str) -> str:
    return "system" if limit == "system" and role != "user" else "user"


def _openai_role(source: Source, static: str) -> Callable[[str], str]:
    developer = "developer" if source.knows("developer") else static
    return {"system": static, "developer": developer, "user": "user"}.__getitem__


def _later_role(source: Source) -> Callable[[str, str], str]:
    return lambda limit, role: later_role(source.roles, role, limit)


def _openai_marks(turns: list[Any], more: Mapping[str, Any]) -> int:
    """Count the marks that are taken: the caller's, and the one that the vendor sets unless told not to."""
    options = more.get("prompt_cache_options")
    told = isinstance(options, Mapping) and options.get("mode") == "explicit"
    return len(list(marks_in(turns, _BREAKPOINT[0]))) + (not told)


def _lasting(later: list[Mapping[str, Any]]) -> Dialect:
    """Return the dialect with marks that live as long as those behind them: a longer life must not follow a shorter."""
    if not any(mark.get("ttl") == "1h" for mark in later):
        return ANTHROPIC
    return Dialect(ANTHROPIC.vendor, ANTHROPIC.roles, ANTHROPIC.text, (ANTHROPIC.mark[0], {**EPHEMERAL, "ttl": "1h"}))


def _tools(source: Source, given: Any, shape: Callable[[Mapping[str, Any]], Mapping[str, Any]]) -> list[Any]:
    """Return the prompt's tools and the caller's, in the vendor's shape.

    Raises:
        RequestError: not a list, or a tool of the caller's has the name of one of the prompt's.
    """
    if not isinstance(given, list | tuple):
        raise RequestError("tools", "a list of tools", kind_name(given))
    names = {tool["name"] for tool in source.tools}
    offered: list[Any] = [shape(tool) for tool in source.tools]
    for number, tool in enumerate(given):
        if not isinstance(tool, Mapping):
            offered.append(tool)
            continue
        inner = tool.get("function")
        name = tool.get("name") or (inner.get("name") if isinstance(inner, Mapping) else None)
        if isinstance(name, str) and name in names:
            raise RequestError(f"tools[{number}]", "a tool with a name of its own", f"`{name}`, which the prompt has")
        offered.append(shape(tool) if "input_schema" in tool and "type" not in tool else tool)
    return offered


def _chat_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    described = {"description": tool["description"]} if tool.get("description") else {}
    return {"type": "function", "function": {"name": tool["name"], **described, "parameters": tool["input_schema"]}}


def _responses_tool(tool: Mapping[str, Any]) -> dict[str, Any]:
    function = _chat_tool(tool)["function"]
    return {"type": "function", **function, "strict": False}


def _as_text(turn: Any, path: str) -> dict[str, Any]:
    if not isinstance(turn, Mapping):
        raise RequestError(path, "a map with `role` and `content`", kind_name(turn))
    content = turn["content"]
    if not isinstance(content, str):
        for number, part in enumerate(content):
            if not isinstance(part, Mapping) or part["type"] != PLAIN.text:
                raise RequestError(f"{path}.content[{number}]", "a text part", "a part of another type")
        content = GAP.join(part["text"] for part in content)
    return {**turn, "content": content}


def _slug(source: Source, more: Mapping[str, Any]) -> str | None:
    if source.model is None and "model" not in more:
        raise RequestError("model", "given, because the prompt was chosen without one", "left out")
    return source.model["slug"] if source.model else None


def _leave_out(more: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if name in more:
            raise RequestError(name, "left to the prompt", "given")


def _given(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
