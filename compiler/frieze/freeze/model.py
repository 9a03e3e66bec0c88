"""What freezing gives: trees of frozen blocks, before anything is a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from frieze.diagnostics import Diagnostic, Span
from frieze.freeze.questions import Asked
from frieze.freeze.space import Space
from frieze.freeze.trees import Tree
from frieze.profiles.declarations import Block, Graph, Layout
from frieze.template.ir import Body, Expression, Mark

if TYPE_CHECKING:
    from frieze.freeze.shares import Share


class Written(Protocol):
    """A residual, in memory or where it is kept."""

    @property
    def body(self) -> Body:
        """The statements."""

    @property
    def marks(self) -> list[Mark]:
        """Where each statement comes from, in preorder."""


@dataclass(frozen=True, slots=True)
class FrozenBlock:
    """One leaf: a block as it is for some targets.

    `residual` is None where the block is known to be out. `inputs` are the specifications that the
    resolver reads, by name; `zones` the zone in direct and in group conversations; `declared` the block
    that the text came from (for `instructions` the agent's own).
    """

    declared: Block
    residual: Written | None = None
    when: Expression = None
    inputs: Mapping[str, Any] = field(default_factory=dict)
    zones: tuple[str, str] = ("never", "never")
    when_span: Span | None = None
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class FrozenLayout:
    """The slots of one arrangement, and the layout whose tags it uses."""

    slots: tuple[tuple[str, str], ...]
    layout: Layout


@dataclass(frozen=True, slots=True)
class Frozen:
    """A whole project, frozen.

    `layout` is the question whose outcome is the index into `layouts`; `trees` holds one tree for each block of some
    layout; `included` names the blocks that templates include; `shares` is what agents decide alone, by agent.
    """

    space: Space
    layout: Asked
    layouts: tuple[FrozenLayout, ...]
    questions: tuple[Asked, ...]
    trees: Mapping[str, Tree[FrozenBlock]]
    included: frozenset[str] = frozenset()
    shares: Mapping[str, Share] = field(default_factory=dict)

    @property
    def graph(self) -> Graph:
        """The linked declarations."""
        return self.space.graph
