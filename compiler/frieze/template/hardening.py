"""How each value is printed, and what may not be printed or worked on.

Every `out` gets its form from the type of its expression. What cannot be made safe by a form (a list, an operation
that would undo the cleaning, a place where a request's text could pass for structure) is refused here, with
the edit that makes it right.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from frieze.diagnostics import Diagnostic, Span
from frieze.runtime.walking import input_names
from frieze.template.checking import Checker
from frieze.template.ir import Body, Expression, Mark, Residual, Statement, statements
from frieze.template.kinds import TEXT, UNKNOWN, Type
from frieze.template.lines import (
    Choice,
    Finding,
    Piece,
    Repeat,
    Skeleton,
    Slot,
    Stop,
    Text,
    bounded,
    find_faults,
    passes,
    placed,
    slots,
    texts,
)
from frieze.template.markers import find_markers
from frieze.template.sound import Sound, extent
from frieze.template.typing import Scope, Specification
from frieze.template.wording import wording

_PARTED = "F517"
_MIXING = "mixing it with other text"
_FINDINGS = {"start": "F513", "tag": "F514", "heading": "F515", "role": "F516"}


def harden(
    residual: Residual,
    inputs: Mapping[str, Specification],
    *,
    headings: frozenset[str] = frozenset(),
    tags: frozenset[str] = frozenset(),
    sound: Sound | None = None,
) -> tuple[Residual, list[Diagnostic]]:
    """Choose the output form of every `out`, and refuse what must not be printed.

    `inputs` maps names to declarations; an input with `trusted` true is exempt from the rules about neighbouring text.
    `headings` are the headings of all blocks, `tags` the names of the wrapper tags. `sound` spares statements that
    other templates have as well.
    """
    earlier = _hardened_before(residual.body, headings, tags, sound) if sound else None
    if earlier is not None:
        return Residual(earlier, residual.marks), []
    pass_ = _Hardener(residual.marks)
    body, skeleton = pass_.body(residual.body, Scope.of(inputs), sound)
    for finding in find_faults(skeleton, headings):
        pass_.neighbour(finding)
    for index, marker in find_markers(residual.body, tags):
        pass_.checker.report("F523", Span(*_first(residual.marks[index])), marker=marker)
    found = sorted(pass_.checker.found.values(), key=lambda diagnostic: diagnostic.span)
    return Residual(body, residual.marks), found


def _hardened_before(body: Body, headings: frozenset[str], tags: frozenset[str], sound: Sound) -> Body | None:
    """Return a body of statements that were all hardened before; None where one was not, or anything is wrong."""
    hardened: Body = []
    skeleton: list[Piece | str] = []
    brackets = False
    for node in body:
        if isinstance(node, str):
            hardened.append(node)
            skeleton.append(node)
            brackets = brackets or "<" in node
            continue
        earlier = sound.get(node, "form")
        if earlier is None:
            return None
        statement, pieces, _, has_brackets = earlier
        hardened.append(statement)
        skeleton += pieces
        brackets = brackets or has_brackets
    if brackets and any(find_markers(body, tags)):
        return None
    return hardened if passes(skeleton, headings, sound.all.lines) else None


def harden_untyped(residual: Residual) -> tuple[Residual, list[Diagnostic]]:
    """Choose the output forms where no input is declared: what is in its printed form stays so, the rest is `any`.

    Refused is only what would print a part of a printed form.
    """
    pass_ = _Hardener(residual.marks, typed=False)
    body, _ = pass_.body(residual.body, Scope(dict.fromkeys(input_names(residual.body), UNKNOWN)))
    found = [diagnostic for diagnostic in pass_.checker.found.values() if diagnostic.code == _PARTED]
    return Residual(body, residual.marks), sorted(found, key=lambda diagnostic: diagnostic.span)


class _Hardener:
    def __init__(self, marks: Sequence[Mark], *, typed: bool = True) -> None:
        self.marks: Iterator[Mark] = iter(marks)
        self.checker = Checker()
        self.typed = typed

    def body(self, body: Body, scope: Scope, sound: Sound | None = None) -> tuple[Body, Skeleton]:
        hardened: Body = []
        skeleton: list[Piece] = []
        for node in body:
            mark = next(self.marks)
            if isinstance(node, str):
                hardened.append(node)
                skeleton.append(Text(node))
                continue
            earlier = sound and sound.get(node, "form")
            if earlier:
                statement, pieces, count, _ = earlier
                deque(islice(self.marks, count - 1), maxlen=0)
            else:
                statement, pieces = self.statement(node, mark, scope)
                if sound and not self.checker.found and (count := extent(node)):
                    brackets = any(isinstance(each, str) and "<" in each for each in statements([node]))
                    sound.put(node, "form", (statement, pieces, count, brackets))
            hardened.append(statement)
            skeleton += pieces
        return hardened, tuple(skeleton)

    def statement(self, node: Statement, mark: Mark, scope: Scope) -> tuple[Statement, Skeleton]:
        operation, *parts = node
        if operation == "if":
            return self.branches(parts, mark, scope)
        place = Span(*mark)
        if operation == "for":
            return self.loop(parts, place, scope)
        if operation == "out":
            return self.output(parts[0], place, scope)
        if operation == "let":
            self.checker.check(parts[1], place, scope)
            scope.bind(parts[0], scope.type(parts[1]))
        elif operation == "capture":
            body, skeleton = self.body(parts[1], scope)
            scope.bind(parts[0], _captured(skeleton))
            return ["capture", parts[0], body], ()
        return node, (Stop(),) if operation == "fail" else ()

    def branches(self, parts: Sequence[Any], mark: Mark, scope: Scope) -> tuple[Statement, Skeleton]:
        arms: list[Any] = []
        skeletons: list[Skeleton] = []
        scopes: list[Scope] = []
        for (test, body), span in zip(parts[0], mark, strict=True):
            self.checker.check(test, Span(*span), scope, truth=True)
            inner = scope.fork()
            hardened, skeleton = self.body(body, inner)
            arms.append([test, hardened])
            skeletons.append(skeleton)
            scopes.append(inner)
        inner = scope.fork()
        otherwise, skeleton = self.body(parts[1], inner)
        scope.join(*scopes, inner)
        return ["if", arms, otherwise], (Choice((*skeletons, skeleton)),)

    def loop(self, parts: Sequence[Any], place: Span, scope: Scope) -> tuple[Statement, Skeleton]:
        target, iterable, condition, body, otherwise, loop = parts
        self.checker.check(iterable, place, scope)
        self.checker.iterable(target, iterable, place, scope)
        inner = scope.enter(target, iterable, loop)
        if condition is not None:
            self.checker.check(condition, place, inner, truth=True)
        hardened, skeleton = self.body(body, inner)
        last, skeleton_else = self.body(otherwise, scope.fork())
        whole: Skeleton = (Repeat(skeleton),)
        if skeleton_else:
            whole = (Choice((whole, skeleton_else)),)
        return ["for", target, iterable, condition, hardened, last, loop], whole

    def output(self, expression: Expression, place: Span, scope: Scope) -> tuple[Statement, Skeleton]:
        self.checker.check(expression, place, scope)
        kind = scope.type(expression)
        form = _form(kind)
        if not self.typed:
            if kind.sealed and kind.foreign:
                self.checker.report(_PARTED, place, subject=wording(expression), use=_MIXING)
            return ["out", expression, "safe" if kind.sealed else "any"], (Slot(free=True),)
        if not self.checker.printable(expression, kind, place):
            return ["out", expression, form], ()
        skeleton = placed(kind.printed, place, wording(expression))
        if any(slot.lines and slot.hostile for slot in slots(kind.printed)):
            self.checker.report("F512", place, subject=wording(expression))
            skeleton = ()
        elif form == "escape":
            if kind.sealed:
                self.checker.report(_PARTED, place, subject=wording(expression), use=_MIXING)
            elif any("<" in text or ">" in text for text in texts(kind.printed)):
                self.checker.report("F518", place, subject=wording(expression))
        return ["out", expression, form], skeleton

    def neighbour(self, finding: Finding) -> None:
        slot = finding.slot
        if slot.span is not None:
            self.checker.report(_FINDINGS[finding.kind], slot.span, subject=slot.subject, text=finding.text)


def _form(kind: Type) -> str:
    if kind.only("number"):
        return "number"
    return "escape" if kind.foreign else "safe"


def _captured(skeleton: Skeleton) -> Type:
    """Return the type of the text that a body prints: in its printed form as soon as a value is in it."""
    whole = any(isinstance(piece, Text) for piece in skeleton)
    values = list(slots(skeleton))
    return replace(
        TEXT,
        hostile=any(slot.hostile for slot in values),
        lines=any("\n" in text for text in texts(skeleton)),
        empty=not whole,
        falsy=not whole,
        sealed=bool(values),
        skeleton=bounded(skeleton),
    )


def _first(mark: Mark) -> Mark:
    """Return the place where a text's first stretch begins."""
    _, file, line, column = mark[0]
    return [file, line, column, line, column + 1]
