"""What a service calls when it shortens a conversation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

if TYPE_CHECKING:
    from .bundle import Bundle
    from .result import Result

At: TypeAlias = Literal["before-last-user", "next-turn"]
Style: TypeAlias = Literal["openai_responses", "openai_chat", "anthropic", "plain"]


def strip(messages: Any, bundle: Bundle) -> list[Any]:
    """Return messages without the parts of a bundle's prompts; see `Bundle.strip`."""
    return bundle.strip(messages)


def restate(
    messages: Any,
    result: Result,
    *,
    at: At = "before-last-user",
    summary: str | None = None,
    style: Style | None = None,
) -> list[Any]:
    """Return a conversation, after its compaction, in which every part that stands is said once.

    Args:
        messages: what is left of the conversation; it is not changed. Parts that are still in it are taken out.
        result: what holds now.
        at: `before-last-user`: everything directly before the last message that a user wrote, for a compaction in the
            middle of a turn. Where no user's message is left it goes before the summary, else to the end.
            `next-turn`: nothing is put back, for a compaction between two turns; render the next with `previous={}`.
        summary: how the text of the summary begins, where it travels as a user's message.
        style: whose messages these are; without it, of the API that the model's vendor has.

    Raises:
        RequestError: `messages` is no list, or `at` or `style` is unknown.
    """
    return result.restate(messages, at=at, summary=summary, style=style)
