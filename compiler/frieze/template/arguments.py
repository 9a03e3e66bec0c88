"""The arguments of filters and tests, bound to the names of their parameters."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from frieze.runtime.operations import FILTERS, TESTS
from frieze.template.ir import Expression
from frieze.template.kinds import Type


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument and its type."""

    expression: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of one operation.

    `given` maps names of parameters to arguments. `rest` are those of `map`, `select` and their like, which pass them
    on. `fault` says what is wrong with their number or names; empty when nothing is.
    """

    given: Mapping[str, Argument]
    rest: tuple[Argument, ...] = ()
    fault: str = ""

    @classmethod
    def bind(
        cls, operation: Callable[..., Any] | None, positional: Sequence[Argument], named: Mapping[str, Argument]
    ) -> Arguments:
        """Bind arguments to the parameters of an operation."""
        parameters = _parameters(operation) if operation is not None else None
        if parameters is None:
            return cls(named, tuple(positional))
        # What is too many keeps a name of its own, so that nothing that is given is overlooked.
        names = [*parameters, *map(str, range(len(positional)))]
        by_position = dict(zip(names, positional, strict=False))
        missing = [
            name for name, needed in parameters.items() if needed and name not in by_position and name not in named
        ]
        fault = f"without `{missing[0]}`" if missing else ""
        if len(positional) > len(parameters):
            fault = f"with more than {len(parameters)} arguments" if parameters else "with arguments"
        elif named.keys() - parameters.keys() or named.keys() & by_position.keys():
            fault = f"with `{min((named.keys() - parameters.keys()) | (named.keys() & by_position.keys()))}=`"
        return cls(MappingProxyType({**by_position, **named}), fault=fault)

    @classmethod
    def of(
        cls, filter_name: str, positional: Sequence[Expression], named: Sequence[Any], kind_of: Callable[[Any], Type]
    ) -> Arguments:
        """Bind the arguments of a filter, as they stand in the residual."""
        return cls.bind(FILTERS.get(filter_name), *typed(positional, named, kind_of))

    def get(self, name: str) -> Expression:
        """Return an argument by the name of its parameter; None when it is not given."""
        return self.given[name].expression if name in self.given else None

    def kind(self, name: str) -> Type | None:
        """Return the type of an argument; None when it is not given."""
        return self.given[name].type if name in self.given else None

    def kinds(self) -> Mapping[str, Type]:
        """Return the types of all arguments."""
        return {
            **{str(index): argument.type for index, argument in enumerate(self.rest)},
            **{name: argument.type for name, argument in self.given.items()},
        }

    def named(self, position: int) -> str:
        """Return the name of the filter or test that is passed on at a position; empty when there is none."""
        return str(self.rest[position].expression) if position < len(self.rest) else ""

    def passed_to(self, position: int, *, test: bool = False) -> Arguments:
        """Return the arguments of the filter or test named at a position."""
        table = TESTS if test else FILTERS
        return Arguments.bind(table.get(self.named(position)), self.rest[position + 1 :], self.given)


def typed(
    positional: Sequence[Expression], named: Sequence[Any], kind_of: Callable[[Any], Type]
) -> tuple[list[Argument], dict[str, Argument]]:
    """Give arguments their types."""
    return (
        [Argument(part, kind_of(part)) for part in positional],
        {name: Argument(part, kind_of(part)) for name, part in named},
    )


@cache
def _parameters(operation: Callable[..., Any]) -> Mapping[str, bool] | None:
    """Return the parameters behind the value, each with whether it is needed; None where any number may follow."""
    try:
        _, *parameters = inspect.signature(operation).parameters.values()
    except ValueError:
        return {}
    if any(each.kind is each.VAR_POSITIONAL for each in parameters):
        return None
    return {each.name: each.default is each.empty for each in parameters}
