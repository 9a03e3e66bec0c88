"""Rendering of residual templates: closures made once, then called with a request's values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from typing import Any, TypeAlias

from .arithmetic import bounded
from .errors import RenderError
from .expressions import Expressions
from .frames import FAILURES, Frame, Getter, Loop, Names, damaged, failed, unpacked
from .nesting import MAX_LEVELS, first_too_deep
from .output import FORMS
from .printing import Exact, Print, Step, Traced

Values: TypeAlias = Mapping[str, Any]
Bind: TypeAlias = Callable[[Frame, Any], None]


def compile_body(body: Any, *, strict: bool) -> Callable[[Values], str]:
    """Turn a body of the residual IR into a function from input values to text.

    Args:
        body: statements as `frieze.template.ir` describes them.
        strict: what is missing behaves as Jinja2's StrictUndefined; otherwise it is `ABSENT`: false, not defined,
            equal to nothing, without elements, and an error in every other use.

    Returns:
        A function that any number of threads may call; it raises RenderError and nothing else.

    Raises:
        BundleError: the body is damaged or nested too deeply.
    """
    _require_shallow(body)
    names = Names(strict=strict)
    run = Bodies(Exact(Expressions(names))).body(body)
    frame = names.framer()

    def render(values: Values) -> str:
        try:
            out: list[str] = []
            run(frame(values), out)
            return "".join(out)
        except FAILURES as error:
            raise failed(error) from error

    return render


def trace_body(body: Any, *, strict: bool) -> Callable[[Values], list[tuple[str, int]]]:
    """Like `compile_body`, but return the text in pieces, each with the statement that printed it.

    The number is the statement's index in the preorder of `frieze.template.ir.statements`.

    Raises:
        BundleError: the body is damaged or nested too deeply.
    """
    _require_shallow(body)
    names = Names(strict=strict)
    run = Bodies(Traced(Expressions(names))).body(body)
    frame = names.framer()

    def trace(values: Values) -> list[tuple[str, int]]:
        try:
            out: list[tuple[str, int]] = []
            run(frame(values), out)
        except FAILURES as error:
            raise failed(error) from error
        return out

    return trace


def compile_expression(expression: Any, *, strict: bool) -> Callable[[Values], Any]:
    """Turn an expression of the residual IR into a function from input values to its value.

    The value may be missing: `ABSENT`, or with `strict` an undefined that raises when it is used.

    Raises:
        BundleError: the expression is damaged or nested too deeply.
    """
    _require_shallow([["out", expression]])
    names = Names(strict=strict)
    getter = Expressions(names).compile(expression)
    frame = names.framer()

    def evaluate(values: Values) -> Any:
        try:
            return getter(frame(values))
        except FAILURES as error:
            raise failed(error) from error

    return evaluate


def _require_shallow(body: Any) -> None:
    if isinstance(body, list) and first_too_deep(body) is not None:
        raise damaged(f"a template of at most {MAX_LEVELS} levels")


class Bodies:
    """Turns bodies into closures that append what a printer makes of texts and outputs."""

    def __init__(self, printer: Exact, count: int = 0) -> None:
        self.printer = printer
        self.expressions = printer.expressions
        self.names = printer.expressions.names
        self.count = count

    def body(self, body: Any) -> Step:
        """Return the closure of a body, which is not nested too deeply.

        Raises:
            BundleError: the body is damaged.
        """
        steps: list[Step] = []
        prints: list[Print] = []
        if not isinstance(body, list):
            raise damaged("a list of statements", body)
        for node in body:
            index = self.count
            self.count += 1
            if _prints(node):
                prints.append((node, index))
                continue
            if prints:
                steps.append(self.printer.run(prints))
                prints = []
            steps.append(self._statement(node))
        if prints:
            steps.append(self.printer.run(prints))
        return _sequence(steps)

    def _statement(self, node: Any) -> Step:
        match node:
            case ["if", [*arms], orelse]:
                return self._if(arms, orelse)
            case ["for", _, _, _, [*_], _, str() | None]:
                return self._for(node)
            case ["let", str(name), expression]:
                return _let(self.names.local(name), self.expressions.compile(expression))
            case ["capture", str(name), body]:
                return self._capture(self.names.local(name), body)
            case ["fail", str(kind), str(message)]:
                return _fail(kind, message)
            case _:
                raise damaged("a statement", node)

    def _if(self, arms: list[Any], orelse: Any) -> Step:
        branches: list[tuple[Getter, Step]] = []
        for arm in arms:
            if not isinstance(arm, list) or len(arm) != 2:
                raise damaged("a condition and its body", arm)
            branches.append((self.expressions.compile(arm[0]), self.body(arm[1])))
        otherwise = self.body(orelse)
        if len(branches) == 1:
            return _choice(*branches[0], otherwise if orelse else None)

        def choose(frame: Frame, out: list[Any]) -> None:
            for test, run in branches:
                if test(frame):
                    run(frame, out)
                    return
            otherwise(frame, out)

        return choose

    def _for(self, node: list[Any]) -> Step:
        _, target, iterable, test, body, orelse, loop = node
        at_once = self.printer.rows(node)
        if at_once is not None:
            place, print_rows = at_once
            return _choice(itemgetter(place), print_rows, self.body(orelse) if orelse else None)
        bind = self._target(target)
        items = self.expressions.compile(iterable)
        passes = None if test is None else self.expressions.compile(test)
        run, otherwise = self.body(body), self.body(orelse)
        inner = sorted({self.names.local(node[1]) for node in statements(body) if node[:1] in (["let"], ["capture"])})
        slot = None if loop is None else self.names.local(loop)

        def each(frame: Frame, out: list[Any]) -> None:
            found = items(frame)
            rows = list(found if passes is None else _passing(frame, found, bind, passes))
            if not rows:
                otherwise(frame, out)
                return
            outer = [frame[index] for index in inner]
            state = Loop(rows)
            for position, row in enumerate(rows):
                state.index0 = position
                if slot is not None:
                    frame[slot] = state
                bind(frame, row)
                run(frame, out)
                for index, value in zip(inner, outer, strict=True):
                    frame[index] = value

        return each

    def _target(self, target: Any) -> Bind:
        if isinstance(target, str):
            index = self.names.local(target)

            def bind(frame: Frame, value: Any) -> None:
                frame[index] = value

            return bind
        if not isinstance(target, list) or not target:
            raise damaged("a loop target", target)
        parts = [self._target(part) for part in target]

        def unpack(frame: Frame, value: Any) -> None:
            values = unpacked(value, len(parts))
            for part, item in zip(parts, values, strict=True):
                part(frame, item)

        return unpack

    def _capture(self, index: int, body: Any) -> Step:
        inner = Bodies(self.printer.inside(), self.count)
        run = inner.body(body)
        self.count = inner.count

        def capture(frame: Frame, _: list[Any]) -> None:
            texts: list[str] = []
            run(frame, texts)
            frame[index] = text = "".join(texts)
            bounded(len(text))

        return capture


def _prints(node: Any) -> bool:
    """Tell whether a statement is a text or an output.

    Raises:
        BundleError: it is neither, nor any other statement.
    """
    if isinstance(node, str):
        return True
    if not isinstance(node, list) or not node:
        raise damaged("a statement", node)
    if node[0] != "out":
        return False
    if len(node) not in (2, 3) or (len(node) == 3 and (not isinstance(node[2], str) or node[2] not in FORMS)):
        raise damaged("an output and its form", node)
    return True


def statements(body: list[Any]) -> Iterator[Any]:
    """Walk every statement of a sound body in preorder."""
    for node in body:
        yield node
        if not isinstance(node, str):
            for inner in bodies(node):
                yield from statements(inner)


def bodies(node: list[Any]) -> list[Any]:
    """Return the bodies that a sound statement holds, in order."""
    match node[0]:
        case "if":
            return [*(arm for _, arm in node[1]), node[2]]
        case "for":
            return [node[4], node[5]]
        case "capture":
            return [node[2]]
    return []


def _choice(test: Getter, then: Step, otherwise: Step | None) -> Step:
    def choose(frame: Frame, out: list[Any]) -> None:
        if test(frame):
            then(frame, out)
        elif otherwise is not None:
            otherwise(frame, out)

    return choose


def _passing(frame: Frame, items: Any, bind: Bind, passes: Getter) -> Iterator[Any]:
    for item in items:
        bind(frame, item)
        if passes(frame):
            yield item


def _sequence(steps: list[Step]) -> Step:
    if len(steps) == 1:
        return steps[0]

    def every(frame: Frame, out: list[Any]) -> None:
        for step in steps:
            step(frame, out)

    return every


def _let(index: int, value: Getter) -> Step:
    def let(frame: Frame, _: list[Any]) -> None:
        frame[index] = value(frame)

    return let


def _fail(kind: str, message: str) -> Step:
    def fail(_: Frame, __: list[Any]) -> None:
        raise RenderError(kind, message)

    return fail
