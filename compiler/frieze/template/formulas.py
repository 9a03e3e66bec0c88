"""Propositional formulas over atoms, and whether one can be true.

Every formula is a constant, an atom or a decision (`if condition then a else b`), which is enough to say
*not*, *and* and *or*. Formulas are shared, never copied: what a chain of twenty joins builds stays small.
"""

from __future__ import annotations

from dataclasses import dataclass

SPLITS = 10_000
WORK = 2_000_000


class TooInvolvedError(Exception):
    """The question took more splits than the bound allows; nothing is known about the formula."""


@dataclass(frozen=True, slots=True)
class Atom:
    """A fact that may hold or not.

    Atoms with equal keys are the same fact; `kind` (`given`, `true`, `filled`, `holds`) and `subject` word it.
    """

    key: str
    kind: str
    subject: str


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A constant (`value`), an atom, or a decision between two formulas."""

    value: bool | None = None
    atom: Atom | None = None
    parts: tuple[Formula, Formula, Formula] | None = None


TRUE = Formula(value=True)
FALSE = Formula(value=False)


def constant(value: object) -> Formula:
    """Return the formula that is always `bool(value)`."""
    return TRUE if value else FALSE


def atom(key: str, kind: str, subject: str) -> Formula:
    """Return the formula that holds when this fact does."""
    return Formula(atom=Atom(key, kind, subject))


def choose(condition: Formula, then: Formula, otherwise: Formula) -> Formula:
    """Return `then` where `condition` holds, `otherwise` elsewhere, without needless nodes."""
    if condition.value is not None:
        return then if condition.value else otherwise
    if then is otherwise:
        return then
    if then is TRUE and otherwise is FALSE:
        return condition
    if condition.parts is not None and condition.parts[1] is FALSE and condition.parts[2] is TRUE:
        return choose(condition.parts[0], otherwise, then)
    return Formula(parts=(condition, then, otherwise))


def negate(formula: Formula) -> Formula:
    """Return the formula that holds where this one does not."""
    return choose(formula, FALSE, TRUE)


def both(left: Formula, right: Formula) -> Formula:
    """Return the conjunction."""
    return choose(left, right, FALSE)


def either(left: Formula, right: Formula) -> Formula:
    """Return the disjunction."""
    return choose(left, TRUE, right)


def counter_model(premise: Formula, conclusion: Formula) -> dict[Atom, bool] | None:
    """Return what must hold for `premise` to be true and `conclusion` false, or None when that cannot be.

    The answer is irredundant: dropping any entry would leave the question open.

    Raises:
        TooInvolvedError: no answer within `SPLITS` splits, or within `WORK` nodes looked at.
    """
    formula = both(premise, negate(conclusion))
    found = _satisfy(formula)
    if found is None:
        return None
    for fact in tuple(found):
        rest = {key: value for key, value in found.items() if key != fact}
        if _always(formula, rest):
            found = rest
    return found


def _satisfy(formula: Formula) -> dict[Atom, bool] | None:
    splits = work = 0
    open_cases: list[tuple[Formula, dict[Atom, bool]]] = [(formula, {})]
    while open_cases:
        case, model = open_cases.pop()
        if case.value is not None:
            if case.value:
                return model
            continue
        splits += 1
        fact = _first_atom(case)
        for value in (False, True):
            rest, looked_at = _assign(case, {fact.key: value})
            open_cases.append((rest, {**model, fact: value}))
            work += looked_at
        if splits > SPLITS or work > WORK:
            raise TooInvolvedError
    return None


def _always(formula: Formula, model: dict[Atom, bool]) -> bool:
    rest, _ = _assign(formula, {fact.key: value for fact, value in model.items()})
    return _satisfy(negate(rest)) is None


def _first_atom(formula: Formula) -> Atom:
    while formula.parts is not None:
        formula = formula.parts[0]
    assert formula.atom is not None  # noqa: S101  # a formula without parts and without a value is an atom
    return formula.atom


def _assign(formula: Formula, facts: dict[str, bool]) -> tuple[Formula, int]:
    """Put truth values in the place of atoms, and count the nodes; a stack of its own, since chains nest deeply."""
    done: dict[int, Formula] = {}
    stack = [formula]
    while stack:
        node = stack[-1]
        if node.parts is None:
            known = facts.get(node.atom.key) if node.atom is not None else None
            done[id(node)] = node if known is None else constant(known)
            stack.pop()
            continue
        missing = [part for part in node.parts if id(part) not in done]
        if missing:
            stack.extend(missing)
            continue
        stack.pop()
        parts = tuple(done[id(part)] for part in node.parts)
        same = all(new is old for new, old in zip(parts, node.parts, strict=True))
        done[id(node)] = node if same else choose(*parts)
    return done[id(formula)], len(done)
