"""One prompt: the frozen blocks of one target, rendered with a request's context."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .context import check_context
from .errors import MissingInput, UnknownSelector
from .missing import ABSENT
from .readers import request_reader
from .result import Piece, Result

if TYPE_CHECKING:
    from .explain import Explanation
    from .notes import Note
    from .retrieval import Retrieval
    from .variants import Library, Variant


class Prompt:
    """The prompt of one target. Rendering is pure: the context is neither changed nor kept."""

    __slots__ = ("_blocks", "_contract", "_layout", "_library", "_read", "_specs", "_target", "cached")

    def __init__(self, library: Library, target: Mapping[str, str | None]) -> None:
        self._library = library
        self._target = dict(target)
        self._layout = library.layout(target)
        self._blocks = tuple(library.variant(slot, block, target) for slot, block in self._layout["slots"])
        self._contract = library.manifest["contract"]
        keys = dict.fromkeys(key for block in self._blocks for _, key in block.inputs)
        self._specs = {key: library.specs[key] for key in keys}
        self._read = request_reader(self._specs, self._contract)
        model = target["model"]
        self.cached = bool(model and library.manifest["models"][model]["prompt_cache"])

    @property
    def target(self) -> dict[str, str | None]:
        """The selectors that this prompt was chosen by."""
        return dict(self._target)

    def render(self, context: Mapping[str, Any] | None = None, now: datetime | None = None) -> Result:
        """Fill in a request's values.

        Args:
            context: the request's data in the shape of the bundle's `context.schema.json`; everything is optional.
            now: the time of the request, with its time zone; without it the system clock in UTC.

        Raises:
            MissingInput: a required input has no valid value.
            ContextError: the context is not a map, or a branch of it has the wrong overall shape.
            RenderError: a template does something that has no result, such as dividing by zero.
        """
        notes: list[Note] = []
        values = self._values(context, now, notes)
        pieces = []
        group = self._target["audience"] == "group"
        for block in self._blocks:
            text = _text(block, values)
            if text:
                pieces.append(Piece(block, text, block.zones[group]))
        return Result(self._library.manifest, self._target, self._layout, self.cached, tuple(pieces), tuple(notes))

    def skill(self, name: str) -> str:
        """Return the full text of a skill that the agent binds: what the tool `read-skill` answers.

        Raises:
            UnknownSelector: the agent binds no skill of that name that has a text.
        """
        files = self._library.manifest["agents"][self._target["agent"]].get("skills", {})
        if name not in files:
            raise UnknownSelector.among("skill", name, tuple(files))
        return self._library.text(files[name])

    def retrieval(self, context: Mapping[str, Any] | None = None) -> Retrieval:
        """Return what may be searched for a request: what the agent, the platform and the context allow in common.

        A limit that is not valid allows nothing, and a note says which; see `Retrieval`.

        Raises:
            ContextError: the context is not a map, or a branch of it has the wrong overall shape.
        """
        from .retrieval import retrieval

        return retrieval(self._library.manifest, self._target, context)

    def explain(self, context: Mapping[str, Any] | None = None, now: datetime | None = None) -> Explanation:
        """Render, and say of every line where it comes from and of every block why it is in or out.

        Raises:
            MissingInput, ContextError, RenderError: as `render`.
        """
        from .explain import explain

        values = self._values(context, now, [])
        return explain(self._library, self._target, self._layout, self.cached, self._blocks, values)

    def _values(self, context: Mapping[str, Any] | None, now: datetime | None, notes: list[Note]) -> dict[str, Any]:
        checked = check_context({} if context is None else context, self._contract, notes)
        moment = datetime.now(UTC) if now is None else now
        values = self._read(checked, moment, notes)
        missing = [
            (spec["name"], tuple(source["path"] for source in spec["sources"] if "path" in source))
            for key, value in values.items()
            if value is ABSENT and (spec := self._specs[key]).get("required")
        ]
        if missing:
            raise MissingInput(tuple(missing), self.target)
        return values


def _text(block: Variant, values: Mapping[str, Any]) -> str:
    """Return a block's whole text, or nothing where it is out."""
    if block.render is None:
        return ""
    given = {name: value for name, key in block.inputs if (value := values[key]) is not ABSENT}
    if block.when is not None and not block.when(given):
        return ""
    return framed(block.facts, block.render(given).strip("\n"))


def framed(facts: Mapping[str, Any], body: str) -> str:
    """Put a body under its heading or between its tags; a blank body stays out."""
    if not body or body.isspace():
        return ""
    if facts.get("tag"):
        return f"<{facts['tag']}>\n{body}\n</{facts['tag']}>"
    return f"{facts['heading']}\n{body}" if facts.get("heading") else body
