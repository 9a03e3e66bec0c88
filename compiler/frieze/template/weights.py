"""How large lists and maps with unknown parts are when they are written out: counted while they are built.

Such a value may stand in another one any number of times, and each of them is written out or made when rendering. What
is counted is therefore a tree, although only its new top is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from frieze.runtime.operations import CLASSES
from frieze.runtime.walking import inside
from frieze.template.budget import DEPTH_LIMIT, DISPLAY_LIMIT, BudgetError, NotDataError, count
from frieze.template.ir import Expression
from frieze.template.values import Display, Known, Unknown, Value

_DISPLAYS = frozenset({"list", "tuple", "dict"})
_CHOICES = frozenset({"and", "or", "cond"})
_WITHOUT_PARTS = frozenset({"not", "cmp", "test", "concat", "loop"})


def display(kind: str, items: Sequence[Value], weights: Mapping[str, int]) -> Display:
    """Return a list or tuple of these elements; `weights` are those of the locals.

    Raises:
        BudgetError: it would be too large or too deep.
    """
    weight = bounded(1 + sum(max(_weight_of(item, weights), 1) for item in items))
    depth = 1 + max((item.depth for item in items if isinstance(item, Display)), default=0)
    if depth > DEPTH_LIMIT:
        raise BudgetError("nesting", f"{DEPTH_LIMIT} levels")
    return Display(kind, tuple(items), weight, depth)


def bounded(weight: int) -> int:
    """Return a weight.

    Raises:
        BudgetError: it is too much.
    """
    if weight > DISPLAY_LIMIT:
        raise BudgetError("memory", f"{DISPLAY_LIMIT:,} values in one list or map that holds unknown ones")
    return weight


def expression_weight(expression: Expression, weights: Mapping[str, int]) -> int:
    """Count the values in the lists and maps that an expression writes out; 0 where it writes none.

    An operation on them is taken to put all of them into its result, as `+` does.
    """
    if not isinstance(expression, list):
        return 0
    operation = expression[0]
    if operation == "local":
        return weights.get(expression[1], 0)
    if operation in _WITHOUT_PARTS or (operation == "filter" and CLASSES.get(expression[1]) in ("number", "form")):
        return 0
    parts = [expression_weight(part, weights) for part in inside(expression)]
    if operation in _DISPLAYS:
        return 1 + sum(max(part, 1) for part in parts)
    if operation in _CHOICES:
        return max(parts)
    if operation == "*":
        return sum(parts) * max([2, *(part for part in expression[1:] if isinstance(part, int))])
    return sum(parts)


def _weight_of(value: Value, weights: Mapping[str, int]) -> int:
    if isinstance(value, Display):
        return value.weight
    if isinstance(value, Unknown):
        return expression_weight(value.expression, weights)
    if isinstance(value, Known):
        try:
            return count(value.value)
        except NotDataError:
            return 1
    return 1
