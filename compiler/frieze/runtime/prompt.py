"""One prompt: the frozen blocks of one target, rendered with a request's context."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from .context import BASE, ORIGIN, SESSION, SWITCHED, check_context, with_session
from .covering import Cover, covered_slots, covers, holds, holds_lines, take_out
from .direct import direct_way
from .errors import MissingInput, RenderError, RequestError, UnknownSelector
from .missing import ABSENT
from .result import Result
from .sending import Entry, Sending

if TYPE_CHECKING:
    from os import PathLike

    from .base import Base, Given
    from .documents import Folder, ProjectDocs
    from .explain import Explanation
    from .guard import Guard
    from .notes import Note
    from .readers import RequestReader
    from .retrieval import Retrieval
    from .variants import Library, Variant


class Prompt:
    """The prompt of one target. Rendering is pure: the context is neither changed nor kept."""

    __slots__ = (
        "_based",
        "_blocks",
        "_contract",
        "_covers",
        "_direct",
        "_dynamic",
        "_entries",
        "_library",
        "_notes",
        "_of_session",
        "_read",
        "_sending",
        "_specs",
        "_target",
    )

    def __init__(
        self,
        library: Library,
        target: Mapping[str, str | None],
        slug: str | None = None,
        notes: tuple[Note, ...] = (),
    ) -> None:
        """Prepare the prompt of a target.

        Args:
            library: the frozen blocks.
            target: a value for every selector.
            slug: what the vendor is asked for, where that is not what the model's record says.
            notes: what every result says.
        """
        self._library = library
        self._target = dict(target)
        self._notes = notes
        layout = library.layout(target)
        self._blocks = tuple(library.variant(slot, block, target) for slot, block in layout["slots"])
        self._contract = library.manifest["contract"]
        keys = dict.fromkeys(key for block in self._blocks for _, key in block.inputs)
        self._specs = {key: library.specs[key] for key in keys}
        self._of_session = any(f'"{name}"' in key for key in keys for name in (SESSION, BASE, ORIGIN, SWITCHED))
        self._read = None if library.compiled is not None else self._reader()
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
            entries.append(Entry(block, block.zones[target["audience"] == "group"], text))
        self._entries = tuple(entries)
        filled = [entry for entry in entries if entry.text != ""]
        self._sending = Sending(library.manifest, self._target, layout, cached, filled, slug)
        self._covers = covers(filled)
        self._based: tuple[Sending, tuple[Cover, ...]] | None = None
        self._direct = None
        if not self._of_session:
            self._direct = direct_way(self._dynamic, self._specs, self._contract, self._sending)

    def __repr__(self) -> str:
        _, *chosen = (f"{selector} {value}" for selector, value in self._target.items() if value)
        return f"<Prompt of {self._target['agent']}: {', '.join(chosen)}>"

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
        base: Given | None = None,
        previous: Any = None,
        history: Any = None,
    ) -> Result:
        """Fill in a request's values.

        Args:
            context: the request's data in the shape of the bundle's `context.schema.json`; everything is optional.
            now: the time of the request, with its time zone; without it the system clock in UTC.
            base: base instructions in place of the model's own: an `Override`, a `Saved` or a `Catalog`.
            previous: the snapshot of the conversation's last result, as data or JSON text, `{}` at its start; then
                `Result.updates` is what has to be said now. A snapshot that cannot be read is a note.
            history: the conversation's messages. Without a snapshot, parts in it possibly stand; with one, parts that
                are gone from it are said again.

        Raises:
            MissingInput: a required input has no valid value.
            ContextError: the context is not a map, or a branch of it has the wrong overall shape.
            RenderError: a template does something that has no result, such as dividing by zero.
            RequestError: `history` is not a list, `base` is none of these, or the layout has no place for it.
            TypeError: `now` is not a datetime.
        """
        if self._covers or base is not None or previous is not None or history is not None:
            return self._in_session(context, now, base, previous, history)
        if self._direct is not None:
            result = self._direct.read(context, now, self._notes)
            if result is not None:
                return result
        notes: list[Note] = [*self._notes]
        values = self._values(context, now, notes, self._own_session() if self._of_session else {})
        texts = [block.text(_given(block, values)) for block in self._dynamic]
        return Result(self._sending, texts, tuple(notes))

    def _in_session(
        self, context: Mapping[str, Any] | None, now: datetime | None, given: Given | None, previous: Any, history: Any
    ) -> Result:
        from .base import Saved, base_of, session_of
        from .session import Session, said_before

        notes: list[Note] = [*self._notes]
        sending, pairs = (self._sending, self._covers) if given is None else self._with_base()
        said = said_before(previous, history, sending, notes, saved=isinstance(given, Saved))
        base = None if given is None else base_of(given, sending.slug, self._target["personality"], self._personality())
        session = self._own_session() if base is None else session_of(base)
        session["switched"] = said is not None and said.switched
        values = self._values(context, now, notes, session)
        texts = [block.text(_given(block, values)) for block in self._dynamic]
        if base is not None:
            texts.append(base.text)
        covered = take_out(pairs, texts, self._holding(given, base))
        return Result(sending, texts, tuple(notes), Session(said, covered), base=base)

    def _with_base(self) -> tuple[Sending, tuple[Cover, ...]]:
        """Return the sending whose base instructions are the last of the texts that each render gives.

        Raises:
            RequestError: the layout has no place for them.
        """
        if self._based is None:
            if not any(entry.block.facts.get("base") for entry in self._entries):
                raise RequestError("base", "left out, because the layout has no block for base instructions", "given")
            number = len(self._dynamic)
            placed = [
                entry._replace(text=number) if entry.block.facts.get("base") else entry for entry in self._entries
            ]
            filled = [entry for entry in placed if entry.text != ""]
            own = self._sending
            sending = Sending(own.manifest, own.target, own.layout, own.cached, filled, own.own_slug)
            self._based = sending, covers(filled)
        return self._based

    def _holding(self, given: Given | None, base: Base | None) -> Callable[[str, str], bool]:
        """Return how to tell whether the base instructions hold the text of another part."""
        from .base import Catalog

        if isinstance(given, Catalog) and given.speaks:
            return lambda _text, _words: True
        own = [entry.text for entry in self._entries if entry.block.facts.get("base")]
        return holds if base is None or [base.text] == own else holds_lines

    def _own_session(self) -> dict[str, Any]:
        """Return what blocks can ask of a conversation that brings nothing along."""
        from .base import OF_MODEL

        there = any(entry.block.facts.get("base") for entry in self._sending.entries)
        return {"switched": False, **({"origin": OF_MODEL} if there else {})}

    def _personality(self) -> Mapping[str, Any]:
        """Return what the personality means for base instructions that come with the request."""
        name, model = self._target["personality"], self._target["model"]
        manifest = self._library.manifest
        row: Mapping[str, Any] = manifest.get("personalities", {}).get(name, {})
        texts = manifest["models"][model].get("personalities", {}) if model else {}
        return {**row, "text": texts[name]} if name in texts else row

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

    def model_for(self, task: str) -> str:
        """Return what the vendor calls the model that the agent takes for a task.

        Raises:
            UnknownSelector: the agent names no model for such a task.
        """
        tasks: Mapping[str, str] = self._library.manifest["agents"][self._target["agent"]].get("tasks", {})
        if task not in tasks:
            raise UnknownSelector.among("task", task, tuple(tasks))
        return tasks[task]

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

        values = self._values(context, now, [], self._own_session())
        with damage("provenance"):
            return explain(self._library, self._target, self._sending.layout, self.cached, self._blocks, values)

    def _reader(self) -> RequestReader:
        """Return the exact readers; a prompt with generated code makes them when a request is not ordinary."""
        from .readers import request_reader

        return request_reader(self._specs, self._contract)

    def _values(
        self, context: Mapping[str, Any] | None, now: datetime | None, notes: list[Note], session: Mapping[str, Any]
    ) -> dict[str, Any]:
        checked = check_context({} if context is None else context, self._contract, notes)
        if self._of_session:
            checked = with_session(checked, session)
        moment = datetime.now(UTC) if now is None else now
        if not isinstance(moment, datetime):
            raise TypeError(f"`now` must be a datetime, not {type(now).__name__}")
        if self._read is None:
            self._read = self._reader()
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
