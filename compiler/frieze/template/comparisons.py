"""What a template compares with texts that are written out, read off its syntax."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from jinja2 import nodes

Path: TypeAlias = tuple[str, ...]
"""A name and the parts below it; `EACH` stands for every member of a list, or every key of a map."""

EACH = "[]"

IS, HOLDS, BEGINS, ENDS = "is", "holds", "begins", "ends"
"""How something is compared with a text: as a whole, as one of several or as a part, by its beginning, by its end."""

CHANGES: Mapping[str, Callable[[str], str]] = {
    "lower": str.lower,
    "upper": str.upper,
    "capitalize": str.capitalize,
    "trim": str.strip,
    "string": str,
}
"""Filters after which a known text is still known."""

_EQUAL = {"eq": True, "equalto": True, "==": True, "sameas": True, "ne": False, "!=": False}
_AMONG = {"in": True, "notin": False}
_METHODS = {"startswith": BEGINS, "endswith": ENDS}
_SAME_MEMBERS = frozenset({"list", "sort", "unique", "reverse", "select", "reject", "selectattr", "rejectattr"})
_ONE_MEMBER = frozenset({"first", "last", "min", "max"})


class Comparison(NamedTuple):
    """One comparison with one text.

    Attributes:
        path: what is compared.
        changes: filters that change it before, in order.
        how: `IS`, `HOLDS`, `BEGINS` or `ENDS`.
        text: the text.
        outcome: what the expression gives where the comparison does not hold; None where other texts count as well.
        start, end: where the text is written, as offsets in the template.
        through: names that the template itself gave to what is compared.
    """

    path: Path
    changes: tuple[str, ...]
    how: str
    text: str
    outcome: bool | None
    start: int
    end: int
    through: tuple[str, ...] = ()


class _Subject(NamedTuple):
    path: Path
    changes: tuple[str, ...] = ()
    through: tuple[str, ...] = ()

    def below(self, *parts: str) -> _Subject:
        return self._replace(path=(*self.path, *parts))


def comparisons(tree: nodes.Template) -> tuple[Comparison, ...]:
    """Return every comparison of a path with a text. A name that a template gives twice is followed nowhere."""
    reader = _Reader()
    given = Counter(name.name for name in tree.find_all(nodes.Name) if name.ctx != "load")
    reader.names = dict.fromkeys(given)
    once = frozenset(name for name, times in given.items() if times == 1)
    stands_for = [(node.target, reader.subject(node.node)) for node in tree.find_all(nodes.Assign)]
    for target, found in (*stands_for, *((node.target, reader.member(node.iter)) for node in tree.find_all(nodes.For))):
        if isinstance(target, nodes.Name) and target.name in once and found:
            reader.names[target.name] = found._replace(through=(*found.through, target.name))
    return tuple(found for node in tree.find_all(nodes.Expr) for found in reader.compared(node))


@dataclass(slots=True)
class _Reader:
    names: dict[str, _Subject | None] = field(default_factory=dict)
    """Names that the template gives, and what they stand for."""

    def subject(self, node: nodes.Node) -> _Subject | None:
        """Return what a path leads to, also behind filters after which it is still known."""
        if isinstance(node, nodes.Name):
            return self.names[node.name] if node.name in self.names else _Subject((node.name,))
        if isinstance(node, nodes.Getattr):
            found = self.subject(node.node)
            return found.below(node.attr) if found and not found.changes else None
        if isinstance(node, nodes.Getitem):
            key, found = _text(node.arg), self.subject(node.node)
            return found.below(key[0]) if key and found and not found.changes else None
        if isinstance(node, nodes.Filter) and node.node is not None:
            if node.name in CHANGES and not node.args and not node.kwargs:
                found = self.subject(node.node)
                return found._replace(changes=(*found.changes, node.name)) if found else None
            if node.name in _ONE_MEMBER:
                return self.member(node.node)
        return None

    def member(self, node: nodes.Node) -> _Subject | None:
        """Return what the members of a list are, or the keys of a map."""
        if isinstance(node, nodes.Filter) and node.node is not None:
            if node.name in _SAME_MEMBERS:
                return self.member(node.node)
            attributes = [_text(each.value) for each in node.kwargs if each.key == "attribute"]
            if node.name == "map" and attributes and attributes[0] and len(node.kwargs) == 1:
                found = self.member(node.node)
                return found.below(*attributes[0][0].split(".")) if found else None
            return None
        found = self.subject(node)
        return found.below(EACH) if found and not found.changes else None

    def compared(self, node: nodes.Node) -> Iterator[Comparison]:
        """Yield the comparisons that a node makes itself."""
        if isinstance(node, nodes.Compare) and len(node.ops) == 1:
            operand = node.ops[0]
            yield from self._pair(operand.op, node.expr, operand.expr)
        elif isinstance(node, nodes.Test) and len(node.args or ()) == 1:
            yield from self._pair(node.name, node.node, node.args[0])
        elif isinstance(node, nodes.Call) and isinstance(node.node, nodes.Getattr):
            yield from self._called(node.node, node.args)
        elif isinstance(node, nodes.Getitem) and isinstance(node.node, nodes.Dict):
            yield from self._keys(node.node, node.arg)
        elif isinstance(node, nodes.Filter) and node.node is not None:
            yield from self._chosen(node.name, node.node, node.args)

    def _pair(self, operator: str, left: nodes.Node, right: nodes.Node) -> Iterator[Comparison]:
        if operator in _EQUAL:
            for subject, other in ((left, right), (right, left)):
                yield from _each(self.subject(subject), IS, [other], not _EQUAL[operator])
        elif operator in _AMONG:
            outcome = not _AMONG[operator]
            if isinstance(right, nodes.Dict):
                yield from self._keys(right, left, outcome)
            elif isinstance(right, nodes.Tuple | nodes.List):
                yield from _each(self.subject(left), IS, right.items, outcome)
            else:
                yield from _each(self.member(right), HOLDS, [left], outcome)

    def _called(self, method: nodes.Getattr, arguments: list[nodes.Expr]) -> Iterator[Comparison]:
        if isinstance(method.node, nodes.Dict):
            if method.attr == "get" and arguments:
                yield from self._keys(method.node, arguments[0])
        elif method.attr in _METHODS and len(arguments) == 1:
            given = arguments[0]
            texts = given.items if isinstance(given, nodes.Tuple) else [given]
            yield from _each(self.subject(method.node), _METHODS[method.attr], texts, False)

    def _keys(self, written: nodes.Dict, key: nodes.Node, outcome: bool | None = None) -> Iterator[Comparison]:
        keys = [pair.key for pair in written.items]
        yield from _each(self.subject(key), IS, keys, outcome)

    def _chosen(self, name: str, of: nodes.Expr, arguments: list[nodes.Expr]) -> Iterator[Comparison]:
        """Yield what `select('equalto', ...)` and `selectattr('name', 'equalto', ...)` look for, or leave out."""
        if name not in {"select", "reject", "selectattr", "rejectattr"}:
            return
        found = self.member(of)
        if name.endswith("attr") and found and arguments:
            attribute = _text(arguments[0])
            found = found.below(*attribute[0].split(".")) if attribute else None
            arguments = arguments[1:]
        test = _text(arguments[0]) if len(arguments) == 2 else None
        if test and test[0] in _EQUAL:
            yield from _each(found, IS, arguments[1:], None)
        elif test and test[0] == "in" and isinstance(arguments[1], nodes.Tuple | nodes.List):
            yield from _each(found, IS, arguments[1].items, None)


def _text(node: nodes.Node) -> tuple[str, int, int] | None:
    """Return a text that is written out, and where it stands."""
    if not isinstance(node, nodes.Const) or not isinstance(node.value, str):
        return None
    return node.value, getattr(node.lineno, "start", 0), getattr(node.lineno, "end", 0)


def _each(
    subject: _Subject | None, how: str, others: list[nodes.Expr] | list[nodes.Node], outcome: bool | None
) -> Iterator[Comparison]:
    for other in others if subject else ():
        text = _text(other)
        if subject and text:
            alone = outcome if len(others) == 1 else None
            yield Comparison(subject.path, subject.changes, how, text[0], alone, *text[1:], subject.through)
