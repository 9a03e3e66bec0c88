"""What a render gives: parts, the stable prefix, the tail, notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .hashing import sha256_hex
from .sending import PLACES, PREFIX, arranged

if TYPE_CHECKING:
    from .base import Base
    from .direct import Direct
    from .notes import Note
    from .parts import Part
    from .placing import Source
    from .sending import Sending
    from .session import Session
    from .spoken import Messages


class Result:
    """A rendered prompt. Everything but the texts of the blocks is worked out when it is asked for."""

    __slots__ = ("_base", "_late", "_notes", "_sending", "_session", "_texts")

    def __init__(
        self,
        sending: Sending,
        texts: list[str],
        notes: tuple[Note, ...],
        session: Session | None = None,
        late: tuple[Direct, list[list[str]]] | None = None,
        base: Base | None = None,
    ) -> None:
        self._sending = sending
        self._texts = texts
        self._session = session
        self._base = base
        self._notes = notes
        self._late = late

    @property
    def notes(self) -> tuple[Note, ...]:
        """What was refused, cut or ignored, or is remarkable, by code and without values."""
        if self._late is not None:
            direct, lists = self._late
            self._notes += direct.late(lists)
            self._late = None
        return self._notes

    @property
    def target(self) -> dict[str, str | None]:
        """The selectors that the prompt was chosen by."""
        return dict(self._sending.target)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts in the order in which they are sent."""
        from .parts import Part

        return tuple(
            Part(
                piece.block.slot,
                piece.block.facts["role"],
                piece.block.facts["authority"],
                piece.text,
                piece.zone,
                piece.block.facts.get("tag"),
                piece.block.facts["source"],
                place,
            )
            for place, piece in arranged(self._sending.pieces(self._texts), self._sending.cached)
        )

    @property
    def base(self) -> Base:
        """The base instructions with their origin; the model's own unless the request brought others.

        Its text is empty where there are none.
        """
        if self._base is not None:
            return self._base
        from .base import OF_MODEL, Base

        own = [piece.text for piece in self._sending.pieces(self._texts) if piece.block.facts.get("base")]
        return Base("".join(own), OF_MODEL, self._sending.slug)

    @property
    def prefix(self) -> str:
        """The stable text: with a prompt cache the never zone, then the session zone; without one everything."""
        return self._sending.text(PREFIX, self._texts)

    @property
    def tail(self) -> str:
        """What goes after the last message; empty for a model without a prompt cache."""
        return "\n\n".join(filter(None, (self.group(place) for _, place in PLACES)))

    @property
    def text(self) -> str:
        """Everything, in order, as one text."""
        only = self._sending.only
        if only is not None:
            return self._texts[only]
        if not self._sending.has_tail:
            return self.prefix
        return "\n\n".join(filter(None, (self.prefix, self.tail)))

    def group(self, place: str) -> str:
        """Return one group of the tail (`turn_notices` or `turn_context`) between its tags, or nothing."""
        text = self._sending.text(place, self._texts)
        return wrapped(self._sending.layout, place, [text] if text else [])

    @property
    def messages(self) -> Messages:
        """What is said once and then stands in a conversation: all parts with `send: on-change`, in the layout's order.

        Adjacent parts of one role are one message. `messages.openai_responses()`, `openai_chat()`, `anthropic()` and
        `plain()` give them for a vendor's client.
        """
        from .session import full_set

        return full_set(self._sending, self._sending.pieces(self._texts))

    @property
    def updates(self) -> Messages:
        """What this conversation has to be told before its next message, as `messages`; see `render(previous=...)`.

        Empty where nothing changed, and for a result that was rendered without `previous` and `history`.
        """
        from .session import updates
        from .spoken import Messages

        if self._session is None or self._session.said is None:
            return Messages()
        return updates(self._sending, self._sending.pieces(self._texts), self._session.covered, self._session.said)

    def snapshot(self) -> dict[str, Any]:
        """Return what the conversation has been told once `updates` are in it: small JSON data without any texts."""
        from .session import snapshot

        return snapshot(self._sending, self._sending.pieces(self._texts), self._session)

    def restate(
        self, messages: Any, *, at: Any = "before-last-user", summary: Any = None, style: Any = None
    ) -> list[Any]:
        """Return a conversation, after its compaction, in which every part that stands is said once; see `restate`."""
        from .history import STYLES, restated, without_parts
        from .marking import known_markers
        from .session import full_set

        model = self._sending.target["model"]
        vendor = self._sending.manifest["models"][model]["vendor"] if model else None
        left = without_parts(messages, known_markers(self._sending.manifest))
        # Base instructions of the model's own say what holds now, and nothing that ended.
        session = self._session if self._base is not None else None
        parts = full_set(self._sending, self._sending.pieces(self._texts), session)
        return restated(left, parts, at, summary, style or STYLES.get(vendor, "plain"))

    @property
    def tools(self) -> tuple[dict[str, Any], ...]:
        """The agent's tools, sorted by name: `name`, `description` and `input_schema` of each."""
        from copy import deepcopy

        agent = self._sending.manifest["agents"][self._sending.target["agent"]]
        return tuple(deepcopy(tool) for tool in agent.get("tools", ()))

    def anthropic(
        self, messages: Any, *, max_tokens: int | None = None, tools: Any = (), **more: Any
    ) -> dict[str, Any]:
        """Return the arguments of `client.messages.create` of the package `anthropic`.

        What changes every turn goes to the end of the last user turn, and where the model takes a system message there,
        notices go into one after it. An assistant's message at the end is one that the model goes on with: it stays
        the last.

        Args:
            messages: the conversation so far, a list of messages as the vendor writes them; it is not changed.
            max_tokens: how long the answer may be; without it the model's `max_output_tokens`.
            tools: the caller's own, in the vendor's shape, behind those of the prompt.
            more: further arguments, passed on; `model` replaces the model's slug.

        Raises:
            RequestError: something has the wrong shape, or an argument is the prompt's own.
        """
        from .requests import anthropic

        return anthropic(self._source(), messages, max_tokens, tools, more)

    def openai_chat(self, messages: Any, *, tools: Any = (), **more: Any) -> dict[str, Any]:
        """Return the arguments of `client.chat.completions.create` of the package `openai`, or of an API like it.

        What changes every turn goes behind the last message: in the roles that the model takes there, else to the
        end of the last user turn. Arguments and errors are those of `anthropic`; a tool may
        also have the shape of `tools`.
        """
        from .requests import openai_chat

        return openai_chat(self._source(), messages, tools, more)

    def openai_responses(self, messages: Any, *, tools: Any = (), **more: Any) -> dict[str, Any]:
        """Return the arguments of `client.responses.create` of the package `openai`.

        `messages` are the items of `input`. Else as `openai_chat`.
        """
        from .requests import openai_responses

        return openai_responses(self._source(), messages, tools, more)

    def plain(self, messages: Any) -> list[dict[str, Any]]:
        """Return the whole conversation as messages with a role and a text, for any other client.

        Raises:
            RequestError: something has the wrong shape, or is no text.
        """
        from .requests import plain

        return plain(self._source(), messages, in_session=self._session is not None and self._session.said is not None)

    def _source(self) -> Source:
        from .placing import Source

        pieces = self._sending.pieces(self._texts)
        if self._session is not None and self._session.said is not None:
            from .session import belongs_to_requests

            pieces = tuple(filter(belongs_to_requests, pieces))
        sent = tuple(arranged(pieces, self._sending.cached))
        return Source(
            tuple(piece for place, piece in sent if place == PREFIX),
            tuple((place, piece) for place, piece in sent if place != PREFIX),
            self._sending.layout,
            self._sending.model,
            self.tools,
        )

    def attributes(self) -> dict[str, str]:
        """Return name, version and content hash of this prompt for tracing (OpenTelemetry `gen_ai.prompt.*`)."""
        chosen = ",".join(f"{key}={value}" for key, value in sorted(self._sending.target.items()) if value is not None)
        content = sha256_hex(f"{self._sending.manifest['hash']}:{chosen}".encode())
        return {
            "gen_ai.prompt.name": f"{self._sending.manifest['name']}/{self._sending.target['agent']}",
            "gen_ai.prompt.version": str(self._sending.manifest["version"]),
            "gen_ai.prompt.hash": content,
            "gen_ai.prompt.target": chosen,
        }

    def __repr__(self) -> str:
        count = len(self._sending.pieces(self._texts))
        return f"<Result of {self._sending.target['agent']}: {count} parts, {len(self.notes)} notes>"


def wrapped(layout: Mapping[str, Any], place: str, texts: list[str]) -> str:
    """Put the texts of a tail group between its tags; data opens with the layout's fixed sentence."""
    if not texts:
        return ""
    tag = layout["tags"][place.removeprefix("turn_")]
    if place == "turn_context" and layout["opening"]:
        texts = [layout["opening"], *texts]
    body = "\n\n".join(texts)
    return f"<{tag}>\n{body}\n</{tag}>"
