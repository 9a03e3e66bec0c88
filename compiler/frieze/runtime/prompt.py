"""One prompt: the frozen blocks of one target, rendered with a request's context."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .context import check_context
from .covering import covered_slots, covers, take_out
from .direct import direct_way
from .errors import MissingInput, RenderError, UnknownSelector
from .missing import ABSENT
from .readers import request_reader
from .result import Result
from .sending import Entry, Sending

if TYPE_CHECKING:
    from os import PathLike

    from .documents import Folder, ProjectDocs
    from .explain import Explanation
    from .guard import Guard
    from .notes import Note
    from .retrieval import Retrieval
    from .variants import Library, Variant


class Prompt:
    """The prompt of one target. Rendering is pure: the context is neither changed nor kept."""

    __slots__ = (
        "_blocks",
        "_contract",
        "_covers",
        "_direct",
        "_dynamic",
        "_library",
        "_read",
        "_sending",
        "_specs",
        "_target",
    )

    def __init__(self, library: Library, target: Mapping[str, str | None]) -> None:
        self._library = library
        self._target = dict(target)
        layout = library.layout(target)
        self._blocks = tuple(library.variant(slot, block, target) for slot, block in layout["slots"])
        self._contract = library.manifest["contract"]
        keys = dict.fromkeys(key for block in self._blocks for _, key in block.inputs)
        self._specs = {key: library.specs[key] for key in keys}
        self._read = request_reader(self._specs, self._contract)
        model = target["model"]
        cached = bool(model and library.manifest["models"][model]["prompt_cache"])
        self._dynamic: list[Variant] = []
        entries = []
        held = covered_slots(block.facts for block in self._blocks)
        for block in self._blocks:
            text = None if block.slot in held else _fixed(block)
            if text is None:
                text = len(self._dynamic)
                self._dynamic.append(block)
            if text != "":
                entries.append(Entry(block, block.zones[target["audience"] == "group"], text))
        self._sending = Sending(library.manifest, self._target, layout, cached, entries)
        self._covers = covers(entries)
        self._direct = direct_way(self._dynamic, self._specs, self._contract)

    @property
    def cached(self) -> bool:
        """Whether the model has a prompt cache, so that what changes every turn goes behind the last message."""
        return self._sending.cached

    @property
    def target(self) -> dict[str, str | None]:
        """The selectors that this prompt was chosen by."""
        return dict(self._target)

    def render(
        self,
        context: Mapping[str, Any] | None = None,
        now: datetime | None = None,
        *,
        previous: Any = None,
        history: Any = None,
    ) -> Result:
        """Fill in a request's values.

        Args:
            context: the request's data in the shape of the bundle's `context.schema.json`; everything is optional.
            now: the time of the request, with its time zone; without it the system clock in UTC.
            previous: the snapshot of the conversation's last result, as data or JSON text, `{}` at its start; then
                `Result.updates` is what has to be said now. A snapshot that cannot be read is a note.
            history: the conversation's messages. Without a snapshot, parts in it possibly stand; with one, parts that
                are gone from it are said again.

        Raises:
            MissingInput: a required input has no valid value.
            ContextError: the context is not a map, or a branch of it has the wrong overall shape.
            RenderError: a template does something that has no result, such as dividing by zero.
            RequestError: `history` is not a list.
            TypeError: `now` is not a datetime.
        """
        if self._covers or previous is not None or history is not None:
            return self._in_session(context, now, previous, history)
        notes: list[Note] = []
        if self._direct is not None:
            found = self._direct.read(context, now, notes)
            if found is not None:
                texts, late = found
                return Result(self._sending, texts, tuple(notes) if notes else (), None, late and (self._direct, late))
            notes = []
        values = self._values(context, now, notes)
        texts = [block.text(_given(block, values)) for block in self._dynamic]
        return Result(self._sending, texts, tuple(notes))

    def _in_session(
        self, context: Mapping[str, Any] | None, now: datetime | None, previous: Any, history: Any
    ) -> Result:
        from .session import Session, said_before

        notes: list[Note] = []
        said = said_before(previous, history, self._sending, notes)
        values = self._values(context, now, notes)
        texts = [block.text(_given(block, values)) for block in self._dynamic]
        covered = take_out(self._covers, texts)
        return Result(self._sending, texts, tuple(notes), Session(said, covered))

    def skill(self, name: str) -> str:
        """Return the full text of a skill that the agent binds: what the tool `read-skill` answers.

        Raises:
            UnknownSelector: the agent binds no skill of that name that has a text.
        """
        files = self._library.manifest["agents"][self._target["agent"]].get("skills", {})
        if name not in files:
            raise UnknownSelector.among("skill", name, tuple(files))
        return self._library.text(files[name])

    def project_docs(
        self,
        cwd: Folder | Mapping[str, Folder],
        *,
        user_folder: Folder | None = None,
        project_settings: Mapping[str, Any] | None = None,
    ) -> ProjectDocs:
        """Find and read the documents such as AGENTS.md that hold for a working directory, as the project sets it.

        `ProjectDocs.context()` goes into the context of a render. Arguments and errors as of the function
        `project_docs`.
        """
        from .documents import project_docs

        settings = self._library.manifest.get("project_documents")
        return project_docs(cwd, user_folder=user_folder, settings=settings, project_settings=project_settings)

    def guard(self, *, workspace: str | PathLike[str], interactive: bool = True) -> Guard:
        """Return the guard for what this prompt's own text speaks of: the agent's policy, in this prompt's mode.

        Keep it for as long as the conversation: what a person approves is known to this guard alone.

        Args:
            workspace: the folder that the agent works in.
            interactive: whether a person can be asked; without one, what needs a confirmation is denied.

        Raises:
            UnknownSelector: the agent has no policy.
        """
        from .policies import guard_of_target

        return guard_of_target(self._library, self._target, workspace, interactive=interactive)

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
        from .shapes import damage

        values = self._values(context, now, [])
        with damage("provenance"):
            return explain(self._library, self._target, self._sending.layout, self.cached, self._blocks, values)

    def _values(self, context: Mapping[str, Any] | None, now: datetime | None, notes: list[Note]) -> dict[str, Any]:
        checked = check_context({} if context is None else context, self._contract, notes)
        moment = datetime.now(UTC) if now is None else now
        if not isinstance(moment, datetime):
            raise TypeError(f"`now` must be a datetime, not {type(now).__name__}")
        values = self._read(checked, moment, notes)
        missing = [
            (spec["name"], tuple(source["path"] for source in spec["sources"] if "path" in source))
            for key, value in values.items()
            if value is ABSENT and (spec := self._specs[key]).get("required")
        ]
        if missing:
            raise MissingInput(tuple(missing), self.target)
        return values


def _given(block: Variant, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a block's inputs have."""
    return {name: value for name, key in block.inputs if (value := values[key]) is not ABSENT}


def _fixed(block: Variant) -> str | int | None:
    """Return the text of a block that reads nothing, None for any other, and where it fails as soon as it is asked."""
    if block.inputs or block.when is not None:
        return None
    try:
        return block.text({})
    except RenderError:
        return None
