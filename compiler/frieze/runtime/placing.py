"""Where the parts of a prompt stand among the caller's messages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby, takewhile
from typing import TYPE_CHECKING, Any, TypeAlias

from .messages import GAP, Chunk, Dialect, extends, led_by, message_of, role_of, with_texts
from .result import wrapped
from .sending import PLACES

if TYPE_CHECKING:
    from .sending import Piece

Run: TypeAlias = tuple[str, list[Chunk]]
"""Adjacent texts of one role."""

_ORDER = {"instructions": 0, "system": 1, "developer": 1, "user": 2}
_STRENGTH = ("system", "developer", "user")
WEAKEST: Mapping[str, str] = {"static": "system", "notices": "user", "data": "user"}
"""The roles that every model understands."""


@dataclass(frozen=True, slots=True)
class Source:
    """What requests are made of: the prompt's pieces in sending order, and the record of its model.

    `stable` are the pieces in front, `tail` those behind, with their places; `model` is None where the prompt was
    chosen without one.
    """

    stable: tuple[Piece, ...]
    tail: tuple[tuple[str, Piece], ...]
    layout: Mapping[str, Any]
    model: Mapping[str, Any] | None
    tools: tuple[Mapping[str, Any], ...]

    @property
    def roles(self) -> Mapping[str, str]:
        """The roles in which the static part, the notices and the data travel."""
        return self.model["roles"] if self.model else WEAKEST

    def knows(self, role: str) -> bool:
        """Tell whether the model understands a role."""
        return understands(self.roles, role)

    def marks(self, dialect: Dialect, used: int) -> int:
        """Return how many cache marks are left; none where the model or the API knows no marks."""
        cache = self.model and self.model["cache"]
        if not self.model or not cache or cache["kind"] != "explicit":
            return 0
        if self.model["vendor"] not in {dialect.vendor, None}:
            return 0
        limit = cache["breakpoints"]
        return 2 if limit is None else max(0, limit - used)


def stable_runs(
    source: Source, role_for: Callable[[str], str], marks: int, markable_tools: bool = False
) -> tuple[list[Run], bool]:
    """Return the stable texts in sending order, and whether a mark belongs on the tools.

    Operators' texts stand before users'. The never zone ends with the last text before any that changes; where it has
    none, the tools are all of it. Where marks are short, the never zone has the first, because all users share it.
    """
    placed = [(role_for(piece.block.facts["role"]), piece) for piece in source.stable]
    placed.sort(key=lambda pair: _ORDER[pair[0]])
    never = sum(1 for _ in takewhile(lambda pair: pair[1].zone == "never", placed))
    ends = [end for end in dict.fromkeys([never, len(placed)]) if end or markable_tools][:marks]
    runs: list[Run] = []
    for role, group in groupby(enumerate(placed, 1), lambda numbered: numbered[1][0]):
        chunks = [Chunk(piece.text, number in ends) for number, (_, piece) in group]
        runs.append((role, [chunks[0], *(chunk._replace(text=GAP + chunk.text) for chunk in chunks[1:])]))
    return runs, 0 in ends


def tail_groups(source: Source, role_for: Callable[[str, str], str]) -> list[tuple[str, str]]:
    """Return (role, text) of the tail's groups: the notices, then the data; a block's own role may be the weaker."""
    groups = []
    for kind, place in PLACES:
        limit = source.roles["notices" if kind == "notice" else "data"]
        texts: dict[str, list[str]] = {}
        for at, piece in source.tail:
            if at == place:
                texts.setdefault(role_for(limit, piece.block.facts["role"]), []).append(piece.text)
        groups += [(role, wrapped(source.layout, place, found)) for role, found in texts.items()]
    return groups


def with_tail_behind(turns: list[Any], groups: Iterable[tuple[str, str]], dialect: Dialect) -> list[Any]:
    """Add the tail behind everything: users' texts to the last user turn, the others as messages after it."""
    result = list(turns)
    for role, text in sorted(groups, key=lambda group: group[0] != "user"):
        if result and extends(result[-1], role):
            result[-1] = with_texts(result[-1], [text], dialect)
        else:
            result.append(message_of(role, [Chunk(text)], dialect))
    return result


def with_tail_inside(turns: list[Any], groups: list[tuple[str, str]], dialect: Dialect) -> list[Any]:
    """Add the tail where an assistant's message may stand at the end, and a system message only behind a user's.

    An assistant's message at the end is one that the model goes on with, so the tail stands before it, at the end of
    the turn that it answers. A system message must follow a user's message and be the last, or before an assistant's.
    """
    end = len(turns)
    while end and role_of(turns[end - 1]) == "assistant":
        end -= 1
    front, rest = turns[:end], turns[end:]
    texts = [text for role, text in groups if role == "user"]
    at = len(front) - 1
    while at >= 0 and role_of(front[at]) == "system":
        at -= 1
    strong = [text for role, text in groups if role == "system"]
    if at < 0:
        texts, strong = [text for _, text in groups], []
    if texts and at >= 0 and extends(front[at], "user"):
        front[at] = with_texts(front[at], texts, dialect)
    elif texts:
        front.append(with_texts({"role": "user", "content": ""}, texts, dialect))
    if strong and extends(front[-1], "system"):
        front[-1] = with_texts(front[-1], strong, dialect)
    elif strong:
        front.append(with_texts({"role": "system", "content": ""}, strong, dialect))
    return [*front, *rest]


def opened(turns: list[Any], chunks: list[Chunk], dialect: Dialect) -> list[Any]:
    """Put a user's texts in front of a conversation: into its first turn where that is a user's."""
    if turns and extends(turns[0], "user"):
        return [led_by(turns[0], chunks, dialect), *turns[1:]]
    return [message_of("user", chunks, dialect), *turns]


def joined(runs: list[Run], turns: list[Any], dialect: Dialect) -> list[Any]:
    """Put the stable texts in front of the messages; two user messages never stand next to each other there."""
    front = []
    for role, chunks in runs:
        if role == "user":
            turns = opened(turns, chunks, dialect)
        else:
            front.append(message_of(role, chunks, dialect))
    return [*front, *turns]


def understands(roles: Mapping[str, str], role: str) -> bool:
    """Tell whether a model with these roles understands a role."""
    return role in roles.values() or (role == "developer" and roles["static"] == "instructions")


def later_role(roles: Mapping[str, str], role: str, limit: str | None = None) -> str:
    """Return the role in which a part travels that comes behind the start; `limit` is the strongest that may be."""
    found = weaker(limit or roles.get("later", roles["notices"]), role)
    return "system" if found == "developer" and not understands(roles, "developer") else found


def weaker(limit: str, role: str) -> str:
    """Return the weaker of two roles."""
    return max(limit, role, key=_STRENGTH.index)
