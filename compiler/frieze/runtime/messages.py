"""The caller's messages: their shape is checked and longer ones are made of them; they are never changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .context import kind_name
from .errors import RequestError

GAP = "\n\n"
"""What stands between two texts of a message: whatever a vendor does between parts, a heading opens a line."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """How one API writes messages.

    `roles` are those that a message may have, `text` is the type of a text part, `mark` the key and value of a
    cache mark. `silent` roles may go without content; `items`: entries of other types than messages are allowed.
    """

    vendor: str
    roles: tuple[str, ...]
    text: str
    mark: tuple[str, Mapping[str, Any]]
    silent: tuple[str, ...] = ()
    items: bool = False


class Chunk(NamedTuple):
    """A text to send, with whether a cache mark stands at its end."""

    text: str
    marked: bool = False


def checked(messages: Any, dialect: Dialect) -> list[Any]:
    """Return the caller's messages as a new list. Objects of the vendor's client may stand among them.

    Raises:
        RequestError: something in there is no message.
    """
    if not isinstance(messages, list | tuple):
        raise RequestError("messages", "a list of messages", kind_name(messages))
    for number, message in enumerate(messages):
        _check(message, f"messages[{number}]", dialect)
    return list(messages)


def role_of(message: Any) -> str | None:
    """Return a message's role; None for an entry that has none."""
    role = message.get("role") if isinstance(message, Mapping) else getattr(message, "role", None)
    return role if isinstance(role, str) else None


def extends(message: Any, role: str) -> bool:
    """Tell whether a message is of this role and of a form that can be added to."""
    return isinstance(message, Mapping) and message.get("role") == role


def message_of(role: str, chunks: Iterable[Chunk], dialect: Dialect) -> dict[str, Any]:
    """Return a message with one content part a chunk."""
    return {"role": role, "content": [part_of(chunk, dialect) for chunk in chunks]}


def part_of(chunk: Chunk, dialect: Dialect) -> dict[str, Any]:
    """Return a chunk as a text part, with its cache mark."""
    part: dict[str, Any] = {"type": dialect.text, "text": chunk.text}
    if chunk.marked:
        key, value = dialect.mark
        part[key] = dict(value)
    return part


def with_texts(message: Mapping[str, Any], texts: Iterable[str], dialect: Dialect) -> dict[str, Any]:
    """Return a message with texts added behind its own content, a part each."""
    parts = _parts(message["content"], dialect)
    for text in texts:
        lead = GAP if parts and _is_text(parts[-1], dialect) else ""
        parts.append(part_of(Chunk(lead + text), dialect))
    return {**message, "content": parts}


def led_by(message: Mapping[str, Any], chunks: Sequence[Chunk], dialect: Dialect) -> dict[str, Any]:
    """Return a message with chunks in front of its own content, a part each."""
    own = _parts(message["content"], dialect)
    *first, last = chunks
    ended = last._replace(text=last.text + GAP) if own else last
    return {**message, "content": [*(part_of(chunk, dialect) for chunk in (*first, ended)), *own]}


def marks_in(value: Any, key: str) -> Iterator[Mapping[str, Any]]:
    """Yield the cache marks that content, messages or tools already hold, at any depth."""
    if isinstance(value, list | tuple):
        for entry in value:
            yield from marks_in(entry, key)
    elif isinstance(value, Mapping):
        if isinstance(value.get(key), Mapping):
            yield value[key]
        for inner in ("content", "output"):
            yield from marks_in(value.get(inner), key)


def _check(message: Any, path: str, dialect: Dialect) -> None:
    if not isinstance(message, Mapping):
        if not hasattr(message, "role") and not (dialect.items and hasattr(message, "type")):
            raise RequestError(path, "a map with `role` and `content`", kind_name(message))
        return
    if dialect.items and "role" not in message and isinstance(message.get("type"), str):
        return
    role = message.get("role")
    if role not in dialect.roles:
        *rest, last = [f"`{name}`" for name in dialect.roles]
        found = f"`{role}`" if isinstance(role, str) else kind_name(role) if "role" in message else "left out"
        raise RequestError(f"{path}.role", f"{', '.join(rest)} or {last}", found)
    content = message.get("content")
    if isinstance(content, str) or (content is None and role in dialect.silent):
        return
    if not isinstance(content, list | tuple):
        found = kind_name(content) if "content" in message else "left out"
        raise RequestError(f"{path}.content", "text or a list of content parts", found)
    for number, part in enumerate(content):
        _check_part(part, f"{path}.content[{number}]", dialect)


def _check_part(part: Any, path: str, dialect: Dialect) -> None:
    if not isinstance(part, Mapping):
        if not hasattr(part, "type"):
            raise RequestError(path, "a content part: a map with `type`", kind_name(part))
    elif not isinstance(part.get("type"), str):
        found = kind_name(part["type"]) if "type" in part else "left out"
        raise RequestError(f"{path}.type", "the type of a content part", found)
    elif part["type"] == dialect.text and not isinstance(part.get("text"), str):
        found = kind_name(part["text"]) if "text" in part else "left out"
        raise RequestError(f"{path}.text", "text", found)


def _parts(content: Any, dialect: Dialect) -> list[Any]:
    """Return content as a new list of parts. Blank texts go: vendors refuse them, and there is something to say now."""
    if isinstance(content, str):
        content = [part_of(Chunk(content), dialect)]
    return [part for part in content if not (_is_text(part, dialect) and _is_blank(part))]


def _is_text(part: Any, dialect: Dialect) -> bool:
    return isinstance(part, Mapping) and part.get("type") == dialect.text


def _is_blank(part: Mapping[str, Any]) -> bool:
    return not part["text"] or part["text"].isspace()
