"""Messages to append to a conversation, and the form that they have for each vendor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

from .messages import GAP
from .placing import later_role


class Message(NamedTuple):
    """Adjacent parts of one role: `system`, `developer` or `user`; one content part for each."""

    role: str
    parts: tuple[str, ...]


class Messages(tuple[Message, ...]):  # noqa: SLOT001 - a tuple has no room for slots
    """Messages to append to a conversation, and what they are for each vendor's client.

    A model's record says in which role it takes what comes later (`roles.later`, else `roles.notices`): a part never
    travels in a stronger role than its block has.
    """

    roles: Mapping[str, str]

    @classmethod
    def of(cls, parts: Iterable[tuple[str, str]], roles: Mapping[str, str]) -> Messages:
        """Return messages of (role, text) pairs, for a model that takes these roles."""
        found = cls(Message(*run) for run in _runs(parts))
        found.roles = roles
        return found

    def openai_responses(self) -> list[dict[str, Any]]:
        """Return items of `input`, in the roles that the model takes later."""
        return self._items("input_text", lambda role: later_role(self.roles, role))

    def openai_chat(self) -> list[dict[str, Any]]:
        """Return messages for the Chat Completions API, in the roles that the model takes later."""
        return self._items("text", lambda role: later_role(self.roles, role))

    def anthropic(self) -> list[dict[str, Any]]:
        """Return messages for the Messages API, all of them a user's.

        That API has no developer's role, and takes a system message only behind a user's, not before it.
        """
        return self._items("text", lambda _: "user")

    def plain(self) -> list[dict[str, Any]]:
        """Return messages with a role and a text: `system` where the model takes that later, else `user`."""
        runs = _runs((_plain_role(self.roles, role), text) for role, parts in self for text in parts)
        return [{"role": role, "content": GAP.join(parts)} for role, parts in runs]

    def _items(self, kind: str, role_for: Callable[[str], str]) -> list[dict[str, Any]]:
        runs = _runs((role_for(role), text) for role, parts in self for text in parts)
        return [
            {
                "role": role,
                "content": [{"type": kind, "text": f"{GAP if at else ''}{text}"} for at, text in enumerate(parts)],
            }
            for role, parts in runs
        ]


def _runs(parts: Iterable[tuple[str, str]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    for role, run in groupby(parts, lambda pair: pair[0]):
        yield role, tuple(text for _, text in run)


def _plain_role(roles: Mapping[str, str], role: str) -> str:
    return "user" if later_role(roles, role) == "user" else "system"
