"""The typed, frozen declarations: one record a kind. Positions stay in the record's `origin`, never in the values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypeAlias

from frieze.diagnostics import Span

Data: TypeAlias = Mapping[str, Any]
DataPath: TypeAlias = tuple[str | int, ...]
EMPTY: Data = MappingProxyType({})
Affine: TypeAlias = tuple[str, int, int]
"""A file, a line and a column in it, both from 1."""


class Origin(Protocol):
    """Where a declaration's merged values stand; through `extends`, different values may come from different files."""

    @property
    def file(self) -> str:
        """The declaring file's display path."""

    def span(self, *path: str | int) -> Span:
        """Return the span of the value at a data path, or of its nearest parent that has one."""

    def files(self) -> Iterable[str]:
        """Return the display paths of all files that values come from."""

    def key(self, *path: str | int) -> Span:
        """Return the span of the key at a data path, or of its nearest parent that has one."""


class Locate(Protocol):
    """Turns offsets in a text's value into places in the file that holds it."""

    def __call__(self, start: int, end: int) -> Span:
        """Return the span of `value[start:end]`; offsets count code points of the decoded value."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of a profile, from a YAML scalar or from a file beside it, with its positions.

    `where` gives the span of the whole text when it is asked for: most texts have nothing to report. `lines` is asked
    for `affine`.
    """

    value: str
    file: str
    where: Callable[[], Span]
    locate: Locate
    lines: Callable[[], Affine | None] = field(default=lambda: None, compare=False)

    @property
    def span(self) -> Span:
        """The whole text."""
        return self.where()

    @property
    def affine(self) -> Affine | None:
        """File, line and column of a text whose lines stand one below the other in the file, None for any other.

        Column c of line i of the text, both from 0, is found at column + c of line + i.
        """
        return self.lines()


class Source(NamedTuple):
    """One place of an input's value: a path in the context or of a selector, and when it counts."""

    path: str
    when: Text | None
    where: partial[Span]

    @property
    def span(self) -> Span:
        """Where the path is written."""
        return self.where()


class Input(NamedTuple):
    """A declared input. `options` holds what its type understands (`max_length`, `of`, ...) as plain data."""

    name: str
    type: str
    sources: tuple[Source, ...]
    required: bool
    options: Data
    where: partial[Span]

    @property
    def span(self) -> Span:
        """Where the name is written."""
        return self.where()


@dataclass(frozen=True, slots=True)
class Block:
    """A block: what becomes a part. For an agent's `instructions` the agent supplies `body`, `inputs`, `zone`.

    `markers` are the texts that the part begins and ends with in a conversation, None where they are its tag's.
    `changed` and `ended` are said when a part that was sent has another text now, or none. A `transient` part only
    announces; a `verbatim` one has no frame and keeps its blank lines. `covers` are slots whose text it may hold.
    `enforced_by` names the rules that enforce what its text forbids; with `advice` nothing has to.
    """

    name: str
    origin: Origin
    description: str = ""
    heading: str | None = None
    tag: str | None = None
    role: str = "system"
    authority: str = "system"
    kind_of_content: str = "data"
    zone: str | None = None
    send: str | None = None
    when: Text | None = None
    inputs: Mapping[str, Input] = field(default_factory=dict)
    body: Text | None = None
    markers: tuple[str, str] | None = None
    changed: Text | None = None
    ended: Text | None = None
    transient: bool = False
    covers: tuple[str, ...] = ()
    verbatim: bool = False
    enforced_by: tuple[str, ...] = ()
    advice: bool = False


@dataclass(frozen=True, slots=True)
class LayoutEdit:
    """`from`, `insert`, `remove`, `move`; a place is `("after" | "before", block)` or `("first" | "last", "")`."""

    base: str | None
    insert: tuple[tuple[str, tuple[str, str], Span], ...] = ()
    remove: tuple[tuple[str, Span], ...] = ()
    move: tuple[tuple[str, tuple[str, str], Span], ...] = ()
    span: Span | None = None
    anchors: Mapping[str, Span] = field(default_factory=dict)
    """Slot -> where the slot is named beside which it is put."""


@dataclass(frozen=True, slots=True)
class Layout:
    """An ordered list of (slot name, qualified block name), the tags of the tail, and its default for `ended`."""

    name: str
    origin: Origin
    blocks: tuple[tuple[str, str], ...]
    tags: Mapping[str, str]
    opening: str
    ended: Text | None = None


@dataclass(frozen=True, slots=True)
class Selectable:
    """What agents, platforms, models and personalities have in common.

    `data` is what templates see under the selector's name: plain JSON data with `name` inside.
    """

    name: str
    origin: Origin
    data: Data
    layout: LayoutEdit | None = None


@dataclass(frozen=True, slots=True)
class Agent(Selectable):
    """An agent: its instructions, and which selectors it uses and allows.

    `retrieval` is the limit of the search, as written. `tasks` maps tasks to the qualified names of models, and to
    their slugs once the agent is linked.
    """

    instructions: Block | None = None
    defaults: Mapping[str, str] = field(default_factory=dict)
    allows: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    skills: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    retrieval: Data | None = None
    tasks: Mapping[str, str] = field(default_factory=dict)
    permissions: str | None = None
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Platform(Selectable):
    """A channel: what it gives, its limits, its defaults. `retrieval` is the limit of the search, as written."""

    retrieval: Data | None = None


@dataclass(frozen=True, slots=True)
class Personality(Selectable):
    """A manner of speaking; `text` is the fallback where a model has none of its own.

    `removes` are first-level headings whose sections it takes out of a model's plain instructions.
    """

    text: Text | None = None
    removes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Model(Selectable):
    """A model record. `prompt_cache` arranges parts and is not visible to templates.

    `slug` is what the vendor calls it; `cache` says how its prompt cache is used (`kind`, `breakpoints`,
    `minimum_tokens`), None where it has none; `roles` in which roles the static part, later parts, notices and data
    travel. `slugs` are beginnings of other names for which the record answers, `fallback` those that no record does.
    `instructions` are plain, `template` wins over them; `texts` maps `sandbox` and `approval` to texts by name.
    """

    prompt_cache: bool = False
    slug: str = ""
    slugs: tuple[str, ...] = ()
    fallback: bool = False
    instructions: Text | None = None
    template: Text | None = None
    cache: Data | None = None
    roles: Data = field(default_factory=dict)
    max_output_tokens: int | None = None
    personalities: Mapping[str, Text] = field(default_factory=dict)
    default_personality: str | None = None
    texts: Mapping[str, Mapping[str, Text]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill that an agent binds."""

    name: str
    origin: Origin
    data: Data
    text: Text | None = None


@dataclass(frozen=True, slots=True)
class RuleText:
    """A rule that an agent follows; `data` is what the resolver settles with others.

    `enforced_by` names rules of the permission policy that keep it; `advice` says that nothing does.
    """

    name: str
    origin: Origin
    data: Data
    text: Text | None = None
    enforced_by: tuple[str, ...] = ()
    advice: bool = False


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that an agent is offered; `input_schema` is the JSON Schema of its arguments.

    `action` is the kind of action that a call of it is, None where nothing says so; `paths`, `commands`, `hosts` and
    `patches` name the arguments that hold such.
    """

    name: str
    origin: Origin
    description: str
    input_schema: Data
    action: str | None = None
    paths: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    hosts: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """A permission policy as written, after `extends`; the room `policy` makes the decision table of it.

    `base` is the policy that it tightens, `floor` the one that nothing loosens, `programs` the one that holds the table
    of programs that its own adds to; `layer` is who gives its rules, `layers` who gives each.
    """

    name: str
    origin: Origin
    data: Data
    layer: str = "developer"
    layers: Mapping[str, str] = field(default_factory=dict)
    base: str | None = None
    floor: str | None = None
    programs: str | None = None


@dataclass(frozen=True, slots=True)
class ContextPath:
    """One row of the context contract: `zones` is the zone in direct and in group conversations."""

    path: str
    type: str
    zones: tuple[str, str]
    trust: str
    options: Data
    description: str
    span: Span


@dataclass(frozen=True, slots=True)
class Project:
    """The project file, merged with that of the library: its context contract, and which documents are looked for."""

    name: str
    version: str
    origin: Origin
    description: str
    context: Mapping[str, ContextPath]
    reserved: tuple[str, ...]
    project_documents: Data = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Graph:
    """The whole project, linked: every name below is known to exist. Maps are keyed by qualified name.

    Names of the library are qualified with `std/`; the project's own are bare. `agents` holds only agents that
    the project itself declares (those of the library are bases for `extends`). `platforms`, `models` and
    `personalities` hold what some agent allows or defaults to.
    """

    project: Project
    agents: Mapping[str, Agent]
    platforms: Mapping[str, Platform]
    models: Mapping[str, Model]
    personalities: Mapping[str, Personality]
    blocks: Mapping[str, Block]
    layouts: Mapping[str, Layout]
    skills: Mapping[str, Skill]
    tools: Mapping[str, Tool] = field(default_factory=dict)
    rules: Mapping[str, RuleText] = field(default_factory=dict)
    policies: Mapping[str, Policy] = field(default_factory=dict)
    tables: Mapping[str, Data] = field(default_factory=dict)
    """Decision tables of the policies that agents have; the room `policy` adds them."""
    permissions: Mapping[tuple[str, str, str], Mapping[str, str]] = field(default_factory=dict)
    """(policy, mode, model or "") -> the text about permissions, `attended` by a person and `unattended`."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Source text by display path, for excerpts."""
    broken: frozenset[str] = frozenset()
    """Blocks that are declared and left out, for a fault of their own."""
    members: Mapping[str, tuple[Data, ...]] = field(default_factory=dict)
    """What templates can see of every platform, model, personality, skill and rule that is declared, used or not."""
    readers: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    """For each text beside a profile the files that name it, all by display path."""
