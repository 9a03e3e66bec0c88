"""Conversations that hold parts of a prompt: finding them, taking them out, putting them back after a compaction.

Messages may be of any vendor's form: with text or a list of parts under `content` (or `parts`), as maps or as objects
of a client. They are never changed; a message that loses something is a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from .context import kind_name
from .errors import RequestError
from .marking import Facts, Markers, ended_text, markers_of, parts_in
from .messages import role_of
from .session import block_of

if TYPE_CHECKING:
    from .compaction import Style
    from .spoken import Messages

_OURS = ("system", "developer", "user")
_CONTENT = ("content", "parts")

STYLES: Mapping[str | None, Style] = {"anthropic": "anthropic", "openai": "openai_responses"}
"""Vendor -> the form of the messages of its own API."""


def without_parts(messages: Any, markers: Iterable[Markers]) -> list[Any]:
    """Return messages without the content parts that are parts of a prompt; see `Bundle.strip`."""
    known = tuple(markers)
    stripped = (_stripped(message, known) for message in _listed(messages))
    return [message for message in stripped if message is not None]


def restated(left: list[Any], parts: Messages, at: str, summary: str | None, style: str) -> list[Any]:
    """Return a stripped conversation with parts in their place; see `restate`."""
    if at not in ("before-last-user", "next-turn"):
        raise RequestError("at", "`before-last-user` or `next-turn`", kind_name(at))
    forms = {
        "openai_responses": parts.openai_responses,
        "openai_chat": parts.openai_chat,
        "anthropic": parts.anthropic,
        "plain": parts.plain,
    }
    if style not in forms:
        raise RequestError("style", "`openai_responses`, `openai_chat`, `anthropic` or `plain`", kind_name(style))
    if at == "next-turn":
        return left
    place = _place(left, summary.strip() if summary else "")
    return [*left[:place], *forms[style](), *left[place:]]


def found_parts(messages: Any, manifest: Mapping[str, Any], layout: Mapping[str, Any]) -> frozenset[str]:
    """Return the slots of which a conversation holds a part, unless the last such part says that it ended.

    A part that may say what another one says counts for both.
    """
    slots = _slots(manifest, layout)
    of_markers: dict[Markers, list[str]] = {}
    for slot, facts in slots.items():
        markers = markers_of(facts)
        if markers:
            of_markers.setdefault(markers, []).extend(
                [slot, *(held for held in facts.get("covers", ()) if held in slots)]
            )
    last: dict[str, str] = {}
    for message in _listed(messages):
        if role_of(message) not in _OURS:
            continue
        for text in _texts(message):
            for markers, part in parts_in(text, of_markers):
                last |= dict.fromkeys(of_markers[markers], part)
    return frozenset(slot for slot, text in last.items() if text != ended_text(slots[slot], layout).strip())


def _slots(manifest: Mapping[str, Any], layout: Mapping[str, Any]) -> dict[str, Facts]:
    names = {slot for each in (layout, *manifest["layouts"]) for slot, _ in each["slots"]}
    return {slot: facts for slot in sorted(names) if (facts := block_of(manifest, layout, slot))}


def _listed(messages: Any) -> list[Any]:
    if not isinstance(messages, list | tuple):
        raise RequestError("messages", "a list of messages", kind_name(messages))
    return list(messages)


def _stripped(message: Any, markers: tuple[Markers, ...]) -> Any:
    """Return a message without parts of a prompt: itself where it has none, None where nothing is left."""
    if role_of(message) not in _OURS:
        return message
    for key in _CONTENT:
        content = _field(message, key)
        if isinstance(content, str):
            return None if parts_in(content, markers) else message
        if isinstance(content, list | tuple):
            kept = [part for part in content if not parts_in(_text_of(part), markers)]
            if len(kept) == len(content):
                return message
            fields = message if isinstance(message, Mapping) else {"role": role_of(message)}
            return {**fields, key: kept} if kept else None
    return message


def _texts(message: Any) -> Iterator[str]:
    for key in _CONTENT:
        content = _field(message, key)
        if isinstance(content, str):
            yield content
        elif isinstance(content, list | tuple):
            yield from map(_text_of, content)


def _text_of(part: Any) -> str:
    text = part if isinstance(part, str) else _field(part, "text")
    return text if isinstance(text, str) else ""


def _field(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else getattr(value, key, None)


def _place(messages: list[Any], summary: str) -> int:
    """Return where the parts go: before the last message of a user's own, else before the summary, else at the end."""

    def last(is_it: Callable[[Any], bool]) -> int | None:
        return next((at for at in reversed(range(len(messages))) if is_it(messages[at])), None)

    def is_summary(message: Any) -> bool:
        if role_of(message) is None:
            return _field(message, "type") in ("compaction", "compaction_summary")
        return bool(summary) and any(text.lstrip().startswith(summary) for text in _texts(message))

    def is_users(message: Any) -> bool:
        return role_of(message) == "user" and not is_summary(message) and not _answers_tool(message)

    place = last(is_users)
    if place is None:
        place = last(is_summary)
    return len(messages) if place is None else place


def _answers_tool(message: Any) -> bool:
    """Tell whether a user's message is what a tool returned: nothing may stand between that and the call."""
    content = _field(message, "content")
    return isinstance(content, list | tuple) and any(_field(part, "type") == "tool_result" for part in content)
