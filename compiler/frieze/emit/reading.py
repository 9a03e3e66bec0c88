"""The part of generated modules that looks at a context: it takes what can be read directly."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from frieze.runtime.clean import LINE_CAP
from frieze.runtime.context import Contract, sections_of, shape_of
from frieze.runtime.ordinary import Direct
from frieze.template.literals import text_literal
from frieze.template.python_expressions import Module, Names, suffix_of
from frieze.template.python_fragments import indented
from frieze.template.python_pieces import INDENT


class Reading:
    """Writes the part of a block's function that reads its direct inputs.

    Attributes:
        text: its lines, indented, each with its line break.
        said: what `Code` says of them: the names of the inputs, the fields of those that are lists, and the sections of
            the contract whose keys they check.
        module: what they share with other functions of a module.
    """

    def __init__(
        self,
        inputs: Mapping[str, Direct],
        contract: Contract,
        worked_on: Collection[str],
        in_rows: Collection[str],
    ) -> None:
        """Take the inputs, those of them whose values are worked with beyond their print, and those printed in rows."""
        self.module = Module(strict=False)
        self.inputs = inputs
        self.worked_on = worked_on
        self.in_rows = in_rows
        self.names = Names()
        self._sections: list[str] = []
        self._keys = dict(sections_of(shape_of(contract)))
        self._nodes: dict[tuple[str, ...], str] = {(): "context"}
        needed = [path for path in map(_only_path, inputs.values()) if path]
        self._required_sections = {path[:depth] for path in needed for depth in range(1, len(path))}
        self.text = indented(self._lines())
        fields = _tuple(_tuple(map(text_literal, each.fields)) for each in inputs.values() if each.is_list)
        self.said = f"{_tuple(map(text_literal, inputs))}, {fields}, {_tuple(map(text_literal, self._sections))}"

    def _lines(self) -> list[str]:
        """Return the first lines of the function, those up to its check.

        It has a `context`, and leaves each input in the locals that `frieze.template.python` tells of.
        """
        lines = [line for each in self.inputs.values() for path in each.paths for line in self._section(path[:-1])]
        singles = {name: each for name, each in self.inputs.items() if not each.is_list}
        lists = {name: each for name, each in self.inputs.items() if each.is_list}
        whole = self._read_whole()
        may_miss = any(not (each.required or each.default) for each in singles.values())
        if may_miss or whole:
            lines.append("gaps = False")
        for name, direct in singles.items():
            lines += self._line(self.names.input(name), name, direct, counted=may_miss or bool(whole))
        lines += self._keys_checked(whole)
        lines += [f"given_{suffix_of(name)} = {self.names.input(name)}" for name in singles if name in self.worked_on]
        for name, direct in lists.items():
            lines += self._list(self.names.input(name), name, direct)
        return [*lines, *self._checked([*map(self.names.input, singles)], lists, may_miss=may_miss)]

    def _checked(self, lines: list[str], lists: Mapping[str, Direct], *, may_miss: bool) -> Iterator[str]:
        """Yield the lines that gather all texts, check them, and put those that are escaped in their places."""
        members = [f"texts_of_{suffix_of(name)}" for name in lists]
        if may_miss:
            yield f"found = texts = [{', '.join(lines)}]"
            yield "if gaps:"
            yield f"{INDENT}texts = [text for text in found if text is not {self.module.use('ABSENT')}]"
            yield from (f"texts += {each}" for each in members)
        else:
            yield f"texts = [{', '.join([*lines, *(f'*{each}' for each in members)])}]"
        yield from (f"lists.append({each})" for each in members)
        yield "if check(texts):"
        if may_miss:
            yield f"{INDENT}if gaps:"
            yield f"{INDENT * 2}texts = {self.module.use('placed')}(found, texts)"
        if lines and members:
            yield f"{INDENT}{', '.join(lines)}{',' if len(lines) == 1 else ''} = texts[:{len(lines)}]"
        elif lines:
            yield f"{INDENT}[{', '.join(lines)}] = texts"
        if len(members) == 1:
            yield f"{INDENT}{members[0]} = texts[{len(lines)}:]"
        elif members:
            rest = f"texts[{len(lines)}:]"
            yield f"{INDENT}{', '.join(members)} = {self.module.use('parted')}({rest}, {', '.join(members)})"
        for name, direct in lists.items():
            if name in self.in_rows:
                fields = ", ".join(map(text_literal, direct.fields))
                rows = f"{self.module.use('rows_of')}(texts_of_{suffix_of(name)}, ({fields},))"
                yield f"{INDENT}rows_of_{suffix_of(name)} = {rows}"

    def _read_whole(self) -> set[tuple[str, ...]]:
        """Return the sections of which each key is the first source of a line: where none is missing, all are known."""
        firsts = {each.paths[0] for each in self.inputs.values() if not each.is_list}
        return {
            path
            for path in self._nodes
            if self._known(path) and all((*path, key) in firsts for key in self._known(path))
        }

    def _known(self, path: tuple[str, ...]) -> frozenset[str]:
        """Return the keys of a section of the contract; none for what stands inside a value."""
        return self._keys.get(".".join(path), frozenset()) if path else frozenset()

    def _keys_checked(self, whole: set[tuple[str, ...]]) -> Iterator[str]:
        """Yield the lines that pass sections without unknown keys."""
        for path, node in self._nodes.items():
            known = self._known(path)
            if known:
                source = f"frozenset([{', '.join(map(text_literal, sorted(known)))}])"
                keys = self.module.bind("keys", source, ".".join(path))
                unsure = f"(gaps or len({node}) != {len(known)}) and " if path in whole else ""
                yield f"if {unsure}not {keys}.issuperset({node}):"
                yield f"{INDENT}raise {self.module.use('Odd')}"

    def _section(self, path: tuple[str, ...]) -> Iterator[str]:
        """Yield the lines that bind a section, once.

        What stands inside a value of the contract may be anything, and its keys are nobody's concern.
        """
        if path in self._nodes:
            return
        yield from self._section(path[:-1])
        self._nodes[path] = node = f"node_{len(self._nodes)}"
        dotted = ".".join(path)
        if path in self._required_sections:
            yield f"{node} = {self._required(path)}"
        else:
            yield f"{node} = {self._nodes[path[:-1]]}.get({text_literal(path[-1])}, {self.module.use('EMPTY')})"
        if dotted in self._keys:
            self._sections.append(dotted)
        yield f"if {node}.__class__ is not dict:"
        yield f"{INDENT}{node} = {self.module.use('section')}({node})"

    def _required(self, path: tuple[str, ...]) -> str:
        """Return the source of what has to be there: where it is not, any error will do."""
        return f"{self._nodes[path[:-1]]}[{text_literal(path[-1])}]"

    def _found(self, path: tuple[str, ...]) -> str:
        return f"{self._nodes[path[:-1]]}.get({text_literal(path[-1])})"

    def _line(self, value: str, name: str, direct: Direct, *, counted: bool) -> Iterator[str]:
        only = _only_path(direct)
        for depth, path in enumerate(direct.paths):
            indent = INDENT * depth
            yield f"{indent}{value} = {self._required(path) if only else self._found(path)}"
            yield f"{indent}if not {value}:"
            if not only:
                yield f"{indent}{INDENT}{self.module.use('nothing')}({value})"
            if not depth and counted and (direct.default or not direct.required or len(direct.paths) > 1):
                yield f"{INDENT}gaps = True"
        inside = INDENT * len(direct.paths)
        if direct.default:
            yield f"{inside}{value} = {text_literal(direct.default)}"
        elif direct.required:
            yield f"{inside}raise {self.module.use('Odd')}"
        else:
            yield f"{inside}{value} = {self.module.use('ABSENT')}"
        odd = []
        if direct.caps[0] < LINE_CAP:
            odd.append(f"len({value}) > {direct.caps[0]}")
        if direct.meaningless:
            known = ", ".join(map(text_literal, direct.meaningless))
            odd.append(f"{value}.casefold() in {self.module.bind('meaningless', f'frozenset([{known}])')}")
        if odd or name in self.worked_on:
            odd.insert(0, f"{value}.__class__ is not str")
            word = "if" if direct.default or direct.required else f"if {value} and"
            test = " or ".join(odd)
            yield f"{word} ({test}):" if word != "if" and len(odd) > 1 else f"{word} {test}:"
            yield f"{INDENT}raise {self.module.use('Odd')}"

    def _list(self, value: str, name: str, direct: Direct) -> Iterator[str]:
        (path,) = direct.paths
        texts = f"texts_of_{suffix_of(name)}"
        odd = self.module.use("Odd")
        yield f"{value} = {self._found(path)}"
        yield f"{texts} = []"
        yield f"if {value} is None:"
        if direct.required:
            yield f"{INDENT}raise {odd}"
        else:
            yield f"{INDENT}{value} = {self.module.use('ABSENT')}"
        yield f"elif {value}.__class__ is not list or len({value}) > {direct.most}:"
        yield f"{INDENT}raise {odd}"
        yield "else:"
        if direct.fields:
            yield f"{INDENT}for row in {value}:"
            yield f"{INDENT * 2}if row.__class__ is not dict:"
            yield f"{INDENT * 3}raise {odd}"
            yield from (f"{INDENT * 2}{texts}.append(row[{text_literal(field)}])" for field in direct.fields)
        else:
            yield f"{INDENT}{texts} += {value}"
        if name in self.worked_on:
            yield f"{INDENT}{self.module.use('only_text')}({texts})"
        for number, cap in enumerate(direct.caps):
            if cap < LINE_CAP:
                own = texts if len(direct.caps) == 1 else f"{texts}[{number}::{len(direct.caps)}]"
                yield f"{INDENT}if {texts} and max(map(len, {own})) > {cap}:"
                yield f"{INDENT * 2}raise {odd}"
        if name in self.in_rows:
            yield f"rows_of_{suffix_of(name)} = {value}"


def _only_path(direct: Direct) -> tuple[str, ...] | None:
    """Return the path of a line that can come from nowhere else and has to be there; None for any other input."""
    needed = direct.required and not direct.is_list and not direct.default and len(direct.paths) == 1
    return direct.paths[0] if needed else None


def _tuple(parts: Iterable[str]) -> str:
    written = list(parts)
    return f"({', '.join(written)}{',' if len(written) == 1 else ''})"
