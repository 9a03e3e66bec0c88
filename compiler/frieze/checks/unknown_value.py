"""F704: a comparison with a text that what is compared can never be, so that it comes out the same for every target.

Templates of the library are left alone: they are written for projects that have other members.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from frieze.checks.values import OF_AGENTS, Allowed, Values, allowed, values_in_sources, values_of
from frieze.diagnostics import Diagnostic, Span, did_you_mean
from frieze.freeze import Frozen, Share
from frieze.freeze.space import Space
from frieze.profiles.declarations import Block, Input, Text
from frieze.profiles.naming import LIBRARY, listed
from frieze.template.comparisons import BEGINS, CHANGES, EACH, ENDS, HOLDS, IS, Comparison, Path, comparisons
from frieze.template.positions import Locate

NOTE = "values"
"""The name under which a share keeps what was found in it."""

Row: TypeAlias = list[Any]
"""A comparison: the path, the filters on it, how it is compared, the text, what comes out where it does not hold, what
the path can be (None where that hangs on all agents), the span."""

Inputs: TypeAlias = Mapping[str, Input]

_PART = "part"
"""How something is compared with a text that stands anywhere in it."""

_NEVER = {
    IS: "is never",
    HOLDS: "never holds",
    _PART: "never holds",
    BEGINS: "never begins with",
    ENDS: "never ends with",
}
_SO = {True: "; this is always true", False: "; this is always false", None: ""}


def unknown_value(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such comparison in the templates and conditions of the project."""
    space, graph = frozen.space, frozen.graph
    teller = _Teller(values_of(space))
    for agent in graph.agents.values():
        if agent.instructions is not None:
            share = frozen.shares.get(agent.name)
            kept = share.notes.get(NOTE) if share else None
            yield from teller.told(value_notes(space, agent.instructions) if kept is None else kept)
    for block in graph.blocks.values():
        yield from teller.told(value_notes(space, block))
    for model in graph.models.values():
        if model.template:
            yield from teller.told(_in_body(space, model.template, {}))


def values_in_share(space: Space, share: Share) -> list[Row]:
    """Return what is to be said of the agent of a share."""
    own = space.graph.agents[share.agent].instructions
    return value_notes(space, own) if own else []


def value_notes(space: Space, block: Block) -> list[Row]:
    """Return the comparisons of a block that cannot hold, and those that hang on what other agents are."""
    rows: list[Row] = []
    if block.body:
        rows += _in_body(space, block.body, block.inputs)
    if block.when:
        rows += _in_condition(space, block.when, block.inputs, values_of(space))
    for declared in block.inputs.values():
        for source in declared.sources:
            if source.when:
                rows += _in_condition(space, source.when, {}, values_in_sources(space))
    return rows


def _in_body(space: Space, text: Text, inputs: Inputs) -> Iterator[Row]:
    if text.file.startswith(LIBRARY) or not _has_a_text(text.value):
        return
    values, looked = values_of(space), space.templates.looked
    for source, tree, place in space.templates.pieces(text):
        if _has_a_text(source):
            found = looked.get((NOTE, source))
            if found is None:
                found = looked[NOTE, source] = comparisons(tree)
            yield from _suspects(found, place, inputs, values)


def _in_condition(space: Space, text: Text, inputs: Inputs, values: Values) -> Iterator[Row]:
    if not text.file.startswith(LIBRARY) and _has_a_text(text.value):
        for _, tree, place in space.templates.condition_pieces(text):
            yield from _suspects(comparisons(tree), place, inputs, values)


def _has_a_text(source: str) -> bool:
    return "'" in source or '"' in source


def _suspects(found: Iterable[Comparison], place: Locate, inputs: Inputs, values: Values) -> Iterator[Row]:
    for each in found:
        path, how = each.path, each.how
        known = allowed(path, inputs, values)
        if known is None and how == HOLDS and path[-1] == EACH:
            path, how = path[:-1], _PART
            known = allowed(path, inputs, values)
        if known is None or any(name in inputs for name in each.through):
            continue
        if path in OF_AGENTS or not _can_be(each.text, how, each.changes, known):
            own = None if path in OF_AGENTS else list(known.texts)
            yield [list(path), list(each.changes), how, each.text, each.outcome, own, list(place(each.start, each.end))]


def _can_be(text: str, how: str, changes: Iterable[str], known: Allowed) -> bool:
    """Tell whether a comparison with a text holds for something that can be there."""
    texts = known.texts
    for change in changes:
        # Nothing at all becomes a text as well.
        texts = [CHANGES[change](each) for each in (*texts, str(None))]
    if how in (IS, HOLDS):
        return text in Allowed(texts, "" if changes else known.form) or bool(changes and known.form)
    if known.form:
        return True
    test = {BEGINS: str.startswith, ENDS: str.endswith, _PART: str.__contains__}[how]
    return any(test(each, text) for each in texts)


@dataclass(slots=True)
class _Teller:
    """Says what is wrong. Texts that many agents hold are looked at once."""

    values: Values
    said: dict[tuple[str, ...], str] = field(default_factory=dict)

    def told(self, rows: Iterable[Row]) -> Iterator[Diagnostic]:
        for written, changes, how, text, outcome, own, span in rows:
            path = tuple(written)
            known = Allowed(own) if own is not None else self.values[path]
            if not _can_be(text, how, changes, known):
                key = (text, how, *path, "", *known.texts) if own is not None else (text, how, *path)
                if key not in self.said:
                    self.said[key] = _advice(text, how, path, known)
                part = ".".join(path[:-1] if _is_of_many(how, path) else path).replace(f".{EACH}", EACH)
                facts = {"part": part, "never": _NEVER[how], "text": text, "so": _SO[outcome]}
                yield Diagnostic.of("F704", Span(*span), **facts, advice=self.said[key])


def _advice(text: str, how: str, path: Path, known: Allowed) -> str:
    verb = "hold" if _is_of_many(how, path) else "be"
    every = sorted(known.texts)
    some = f"it can {verb} {listed(every)}" if every else f"nothing is declared that it could {verb}"
    return did_you_mean(text, every, some) if how in (IS, HOLDS) else some


def _is_of_many(how: str, path: Path) -> bool:
    return how == HOLDS and path[-1] == EACH
