"""The parts of generated modules that look at a context: which inputs can be read directly, and how."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from frieze.runtime.clean import LINE_CAP
from frieze.runtime.context import CLOCK
from frieze.runtime.inputs import default_of, meaningless_of
from frieze.runtime.missing import ABSENT
from frieze.runtime.readers import caps_of_members, plain_paths
from frieze.runtime.types import TYPES
from frieze.template.ir import Body, Expression
from frieze.template.literals import text_literal
from frieze.template.python import INDENT
from frieze.template.python_expressions import Module


class Direct(NamedTuple):
    """An input whose texts are printed as they stand in the context, once all of them are found clean.

    `fields` are the fields of a list's records, empty for a line and for a list of lines.
    """

    paths: tuple[tuple[str, ...], ...]
    cap: int
    is_list: bool
    fields: tuple[str, ...]
    most: int
    default: str
    meaningless: tuple[str, ...]

    @property
    def width(self) -> int:
        """How many texts stand in each member of a list; 0 for a line."""
        return max(1, len(self.fields)) if self.is_list else 0


def direct_input(name: str, spec: Mapping[str, Any], contract: Mapping[str, Any], body: Body) -> Direct | None:
    """Return how an input can be read directly; None for an input that only its reader understands."""
    paths = plain_paths(spec)
    kinds = {contract.get(".".join(path), {}).get("type") for path in paths}
    default = default_of(spec)
    if not paths or "accept-language" in kinds:
        return None
    if spec["type"] == "line":
        text = "" if default is ABSENT else default
        if not isinstance(text, str):
            return None
        cap = spec.get("max_length") or LINE_CAP
        return Direct(paths, cap, False, (), 0, text, tuple(sorted(meaningless_of(spec))))
    caps = caps_of_members(spec.get("of") or "line")
    if spec["type"] != "list" or len(paths) != 1 or caps is None or default is not ABSENT:
        return None
    fields = tuple(caps) if isinstance(caps, dict) else ()
    if fields and not _reads_fields_alone(body, name, frozenset(fields)):
        return None
    cap = min(caps.values()) if isinstance(caps, dict) else caps
    return Direct(paths, cap, True, fields, spec.get("max_items") or TYPES["list"].cap, "", ())


def _reads_fields_alone(body: Body, name: str, fields: frozenset[str]) -> bool:
    """Tell whether a list is only looped over, and its rows only asked for their fields: other keys go unseen."""
    rows = {target for target in _loops(body, name) if target is not None}
    return None not in set(_loops(body, name)) and all(_is_harmless(node, name, rows, fields) for node in body)


def _loops(node: Any, name: str) -> Iterator[str | None]:
    """Yield the targets of the loops over an input; None for a target that is unpacked."""
    if isinstance(node, list):
        if len(node) == 7 and node[0] == "for" and node[2] == ["input", name]:
            yield node[1] if isinstance(node[1], str) else None
        for part in node:
            yield from _loops(part, name)


def _is_harmless(node: Expression, name: str, rows: set[str], fields: frozenset[str]) -> bool:
    if not isinstance(node, list):
        return True
    match node:
        case ["input", str(other)]:
            return other != name
        case ["local", str(other)]:
            return other not in rows
        case ["attr", ["local", other], str(field)] if other in rows:
            return field in fields
        case ["for", target, ["input", other], test, body, orelse, loop] if other == name and target in rows:
            return loop is None and all(_is_harmless(part, name, rows, fields) for part in (test, *body, *orelse))
        case ["if", arms, orelse]:
            tests = [test for test, _ in arms if test != ["input", name]]
            inner = [node for _, arm in arms for node in arm]
            return all(_is_harmless(part, name, rows, fields) for part in (*tests, *inner, *orelse))
    return all(_is_harmless(part, name, rows, fields) for part in node)


def reading(module: Module, inputs: Mapping[str, Direct], contract: Mapping[str, Any]) -> list[str]:
    """Return the body of the function that reads these inputs from a `context`."""
    getters: dict[tuple[str, ...], str] = {}
    lines: list[str] = []
    for direct in inputs.values():
        for path in direct.paths:
            lines += _getters(module, path[:-1], getters, contract)
    for name, direct in inputs.items():
        lines += list((_list_lines if direct.is_list else _line_lines)(module, name, direct, getters))
    return lines


def _getters(
    module: Module,
    section: tuple[str, ...],
    getters: dict[tuple[str, ...], str],
    contract: Mapping[str, Any],
) -> Iterator[str]:
    """Yield the lines that bind the `get` of a section.

    Sections of the contract are known to be dictionaries or null; what stands inside a value of the contract may be
    anything.
    """
    if section in getters:
        return
    if not section:
        getters[()] = "context.get"
        return
    yield from _getters(module, section[:-1], getters, contract)
    getters[section] = name = f"get_{len(getters)}"
    found = f"{getters[section[:-1]]}({text_literal(section[-1])})"
    if any(".".join(section[:depth]) in contract for depth in range(1, len(section) + 1)):
        yield f"{name} = {module.use('plain')}({found}).get"
    else:
        yield f"{name} = ({found} or {module.use('EMPTY')}).get"


def _line_lines(module: Module, name: str, direct: Direct, getters: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    nothing = module.use("nothing")
    for depth, path in enumerate(direct.paths):
        indent = INDENT * depth
        yield f"{indent}found = {getters[path[:-1]]}({text_literal(path[-1])})"
        yield f"{indent}if not found:"
        yield f"{indent}{INDENT}{nothing}(found)"
    if direct.default:
        yield f"{INDENT * len(direct.paths)}found = {text_literal(direct.default)}"
    yield "if found:"
    odd = "found.__class__ is not str"
    if direct.meaningless:
        known = module.bind("meaningless", f"frozenset([{', '.join(map(text_literal, direct.meaningless))}])")
        odd += f" or found.casefold() in {known}"
    yield f"{INDENT}if {odd}:"
    yield f"{INDENT * 2}raise {module.use('Odd')}"
    yield f"{INDENT}values[{text_literal(name)}] = found"
    yield f"{INDENT}lines.append(found)"


def _list_lines(module: Module, name: str, direct: Direct, getters: Mapping[tuple[str, ...], str]) -> Iterator[str]:
    (path,) = direct.paths
    yield f"found = {getters[path[:-1]]}({text_literal(path[-1])})"
    yield "if found is not None:"
    yield f"{INDENT}if found.__class__ is not list or len(found) > {direct.most}:"
    yield f"{INDENT * 2}raise {module.use('Odd')}"
    yield f"{INDENT}values[{text_literal(name)}] = found"
    if not direct.fields:
        yield f"{INDENT}members += found"
        return
    yield f"{INDENT}rows = [row for row in found if row.__class__ is dict]"
    yield f"{INDENT}if len(rows) != len(found):"
    yield f"{INDENT * 2}raise {module.use('Odd')}"
    for field in direct.fields:
        yield f"{INDENT}members += [row[{text_literal(field)}] for row in rows]"


def ordinary(contract: Mapping[str, Any]) -> tuple[list[str], list[str]]:
    """Return the bindings and the body of the function that tells whether a `context` has the contract's shape."""
    shape: dict[str, Any] = {}
    for path in sorted(set(contract) - {CLOCK}):
        *sections, name = path.split(".")
        here: dict[str, Any] | None = shape
        for section in sections:
            here = here.setdefault(section, {}) if here is not None else None
        if here is not None:
            here.setdefault(name, None)
    bindings: list[str] = []
    return bindings, [*_shape_lines(shape, "context", bindings, 1), "return True"]


def _shape_lines(shape: Mapping[str, Any], variable: str, bindings: list[str], depth: int) -> Iterator[str]:
    known = f"KEYS_{len(bindings)}"
    bindings.append(f"{known} = frozenset([{', '.join(map(text_literal, sorted(shape)))}])")
    yield f"if {variable}.__class__ is not dict or not {known}.issuperset({variable}):"
    yield f"{INDENT}return False"
    for key, members in sorted(shape.items()):
        if members:
            inner = f"section_{depth}"
            yield f"{inner} = {variable}.get({text_literal(key)})"
            yield f"if {inner} is not None:"
            yield from (INDENT + line for line in _shape_lines(members, inner, bindings, depth + 1))
