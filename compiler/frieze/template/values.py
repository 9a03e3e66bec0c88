"""The sorts of values that specialising works with, and what stops it.

*Known* values are data. *Selected* values are expressions over selectors that nobody has asked for yet. *Unknown*
values are residual expressions. The other sorts (displays, namespaces, loops, macros) exist at compile time only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from frieze.diagnostics import Diagnostic
from frieze.template.ir import Expression

if TYPE_CHECKING:
    from jinja2 import nodes

    from frieze.template.scopes import Frame, Scope

Selection: TypeAlias = Mapping[str, Any]


@dataclass(slots=True)
class Known:
    """A value that is there. Iterators remember the region of the template that may use them up."""

    value: Any
    region: int = 0


@dataclass(frozen=True, slots=True)
class Selected:
    """An expression over selectors: its canonical text; `bare` is the selector's name when it is nothing else.

    `size` counts its operations as a tree. `parts` are the parts of selectors that it reads, such as `agent.name`; None
    where it may read more.
    """

    text: str
    selectors: frozenset[str]
    run: Callable[[Selection], Any]
    bare: str = ""
    atomic: bool = False
    size: int = 1
    parts: frozenset[str] | None = None

    @property
    def operand(self) -> str:
        """The text as it stands inside a larger expression."""
        return self.text if self.atomic else f"({self.text})"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A residual expression.

    `lazy` is the filter whose result can be gone through only once; `markup` is set where Jinja2 has a `Markup`,
    which differs from text as soon as it is an operand.
    """

    expression: Expression
    lazy: str = ""
    markup: bool = False


@dataclass(frozen=True, slots=True)
class Display:
    """A list or tuple written out in the template, some of whose elements are not known.

    `weight` counts the values in it as a tree, `depth` its levels; `frieze.template.weights` makes displays.
    """

    kind: str
    items: tuple[Value, ...]
    weight: int
    depth: int


@dataclass(slots=True)
class Namespace:
    """What `namespace(...)` made; it may be written in the region that made it."""

    region: int
    values: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class KnownLoop:
    """`loop` of an unrolled loop. `repacked`: its items are not what `previtem` and `nextitem` give."""

    items: list[Value]
    region: int
    repacked: bool = False
    depth0: int = 0
    index0: int = 0
    recurse: Callable[[Value, int], Value] | None = None
    changed: list[Any] | None = None


@dataclass(slots=True)
class UnknownLoop:
    """`loop` of a residual loop; `used` tells whether the residual reads it, `repacked` as in `KnownLoop`."""

    name: str
    repacked: bool = False
    used: bool = False


@dataclass(frozen=True, slots=True)
class MacroValue:
    """A macro, or the `caller` of a call block, with the scope that it was defined in."""

    name: str
    node: nodes.Macro | nodes.CallBlock
    frame: Frame
    scope: Scope


@dataclass(frozen=True, slots=True)
class Spoilt:
    """A value that cannot be used, and the diagnostic that says why; None where that was said already."""

    diagnostic: Diagnostic | None


class Missing:
    """The state of a name that nothing was bound to."""


MISSING = Missing()

Value: TypeAlias = (
    Known | Selected | Unknown | Display | Namespace | KnownLoop | UnknownLoop | MacroValue | Spoilt | Missing
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a question: a value, or the error (kind, message) that evaluating it raised."""

    value: Any = None
    error: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A known expression whose value is needed.

    `key` is its canonical text. `evaluate` takes {selector: its data} and returns plain data, or raises. Of that data
    it reads only `parts`, such as `agent.name`; None where it may read more.
    """

    key: str
    selectors: tuple[str, ...]
    evaluate: Callable[[Selection], Any]
    parts: frozenset[str] | None = None


class Unanswered(Exception):  # noqa: N818 - it is not an error: the caller answers and runs again
    """Specialising needs the answer to a question."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.key)
        self.question = question


class Refusal(Exception):  # noqa: N818 - carries a diagnostic to the statement that reports it
    """A construct has no right residual; None when the reason was reported already."""

    def __init__(self, diagnostic: Diagnostic | None) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


class Exhausted(Exception):  # noqa: N818 - ends the run, with a diagnostic
    """The budget is used up; nothing after this point is looked at."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


class Failure(Exception):  # noqa: N818 - an outcome of the author's template, not of the compiler
    """Evaluating known values raises, as Jinja2 would."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message


class Halt(Exception):  # noqa: N818 - control flow
    """The rest of a body cannot be reached, because something in it certainly fails."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message
