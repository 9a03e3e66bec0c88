"""The sentences of the presence proof: a counter-model in words, and the edit that fits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from frieze.diagnostics import Diagnostic, Span
from frieze.template.facts import EACH
from frieze.template.formulas import Atom
from frieze.template.ir import Expression
from frieze.template.kinds import TEXT, Type
from frieze.template.wording import wording

PRINT = "print"
LABEL = "label"


@dataclass(frozen=True, slots=True)
class Use:
    """A use of `subject` inside the expression `whole` at `place`; `purpose` is `print`, `label` or a phrase.

    `label` is the text that stands before it on the line; `kind` the subject's type; `whole_block` says that a `when`
    of its block could guard it.
    """

    place: Span
    subject: Expression
    purpose: str
    whole: Expression
    label: str = ""
    kind: Type = TEXT
    whole_block: bool = True


def diagnose(use: Use, model: Mapping[Atom, bool]) -> Diagnostic:
    """Return the finding for a use and the case in which its subject is absent."""
    subject = wording(use.subject)
    when = _when(subject, model)
    if use.purpose == LABEL:
        own = {fact: value for fact, value in model.items() if fact.subject != subject}
        return Diagnostic.of("F504", use.place, subject=subject, when=_when("", own), label=use.label)
    advice = _advice(use, model)
    if use.purpose == PRINT:
        return Diagnostic.of("F501", use.place, subject=subject, when=when, advice=advice)
    return Diagnostic.of("F502", use.place, subject=subject, when=when, use=use.purpose, advice=advice)


def without_echoes(absent: list[Diagnostic], faults: list[Diagnostic]) -> list[Diagnostic]:
    """Leave out that a part may be absent where another finding says that there is no such part at all."""
    missing = set()
    for fault in faults:
        facts = dict(fault.args)
        if fault.code == "F519" and facts["use"].startswith("`."):
            missing.add((fault.span, facts["subject"] + facts["use"].strip("`")))
        elif fault.code == "F521":
            missing.add((fault.span, f"{facts['subject']}.{facts['field']}"))
    return [each for each in absent if each.code != "F501" or (each.span, dict(each.args)["subject"]) not in missing]


def too_involved(place: Span, subject: Expression) -> Diagnostic:
    """Return the finding for a proof that was given up."""
    return Diagnostic.of("F503", place, subject=wording(subject))


def _when(subject: str, model: Mapping[Atom, bool]) -> str:
    """Word a counter-model; empty when it says no more than that the subject is absent."""
    implied = {fact.subject for fact in model if fact.kind in {"true", "filled"}}
    model = {
        fact: value for fact, value in model.items() if not (value and fact.kind == "given" and fact.subject in implied)
    }
    if [(fact.kind, fact.subject, value) for fact, value in model.items()] == [("given", subject, False)]:
        return ""
    given = _names(model, "given", value=True)
    missing = _names(model, "given", value=False)
    clauses = [f"{_list(given)} {_is(given)} given"] if given else []
    clauses += [_clause(fact, value) for fact, value in model.items() if fact.kind != "given"]
    if missing and given and len(clauses) == 1:
        clauses.append(f"{_list(missing)} {_is(missing)} not")
    elif len(missing) == 2:
        clauses.append(f"neither {missing[0]} nor {missing[1]} is given")
    elif missing:
        clauses.append(f"{_list(missing)} {_is(missing)} not given")
    return ": when " + " and ".join(clauses) if clauses else ""


def _names(model: Mapping[Atom, bool], kind: str, *, value: bool) -> list[str]:
    return [f"`{fact.subject}`" for fact, holds in model.items() if fact.kind == kind and holds is value]


def _list(names: list[str]) -> str:
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _clause(fact: Atom, value: bool) -> str:
    positive, negative = {
        "true": ("is true", "is false"),
        "filled": ("has entries", "is empty"),
    }.get(fact.kind, ("holds", "does not hold"))
    return f"`{fact.subject}` {positive if value else negative}"


def _advice(use: Use, model: Mapping[Atom, bool]) -> str:
    subject = use.subject
    operation = subject[0] if isinstance(subject, list) else ""
    if operation == "attr" and subject[1] == EACH:
        return f"pass over the elements without it first: `selectattr('{subject[2]}', 'defined')`"
    outer = _default_around(use.whole, subject)
    if outer is not None:
        return (
            f"`default` comes too late here: put it before `{outer}`, as in "
            f"`{{{{ {wording(subject)} | default('...') | {outer} }}}}`"
        )
    if operation == "or":
        return f"end it with a value that is always there, as in `{wording(subject)} or '...'`"
    if operation == "filter" and subject[1] in {"default", "d"}:
        return f"add a second `default` with a text, as in `{wording(subject)} | default('...')`"
    missing = [fact.subject for fact, value in model.items() if not value and fact.kind in {"given", "filled"}]
    guard = missing[-1] if missing else wording(subject)
    if guard == wording(subject) and use.kind.only("number", "boolean"):
        guard += " is defined"
    words = f"guard it with `{{% if {guard} %}}`"
    if operation in {"input", "attr", "item"} and use.kind.only("text", "number"):
        sample = "0" if use.kind.only("number") else "'...'"
        words += f", or give it a value first, as in `{wording(subject)} | default({sample})`"
    if operation == "input" and use.whole_block:
        words += f"; `when: {guard}` guards a whole block (guards in other blocks do not count)"
    return words


def _default_around(whole: Expression, subject: Expression) -> str | None:
    """Return the filter right behind `subject` when a `default` follows later in the same chain."""
    chain = []
    while isinstance(whole, list) and whole[0] == "filter" and whole != subject:
        chain.append(whole[1])
        whole = whole[2]
    if whole != subject or len(chain) < 2:
        return None
    return chain[-1] if any(name in {"default", "d"} for name in chain[:-1]) else None
