"""A share as bytes and back: a JSON head, then its files as they are. Nothing in it is ever executed.

What comes back is equal in everything that is read of it. Bodies are left in the files until somebody asks for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from frieze.build.making import Made
from frieze.diagnostics import Diagnostic, Related, Span
from frieze.emit import PartFiles, ShareFiles
from frieze.emit.python import module_name
from frieze.emit.shares import agent_path, beside
from frieze.freeze import FrozenBlock, Plan, Share
from frieze.freeze.questions import Asked
from frieze.freeze.shares import Part
from frieze.freeze.targets import SELECTORS, Choice, Targets
from frieze.freeze.trees import Branch, Leaf, Tree
from frieze.profiles.declarations import Block
from frieze.template import Outcome
from frieze.template.ir import Body, Mark


def pack(made: Made) -> bytes | None:
    """Return a share as bytes, None where it holds a value that JSON would change."""
    share, files = made.share, made.files
    blobs: list[bytes] = []

    def blob(data: bytes) -> int:
        blobs.append(data)
        return len(data)

    parts = {}
    pools: dict[str, _Pool] = {}
    for name, part in share.parts.items():
        asked = [_asked(entry) for entry in part.asked]
        if not all(_exact(outcome) for entry in part.asked for outcome in entry.outcomes):
            return None
        own = files.parts[name]
        pool = pools[name] = _Pool()
        parts[name] = {
            "asked": asked,
            "tree": _tree(part.tree, {entry.key: place for place, entry in enumerate(part.asked)}, pool),
            "inputs": pool.specs,
            "choices": list(pool.choices),
            "numbers": list(own.numbers),
            "names": list(own.names),
            "head": blob(own.head),
            "provenance": blob(own.provenance),
            "digest": own.digest,
        }
    head = {
        "agent": share.agent,
        "voice": share.voice,
        "included": sorted(share.included),
        "notes": share.notes,
        "parts": parts,
        "module": blob(files.module),
        "digest": files.digest,
        "inputs": {name: _place(spec, pools) for name, spec in files.inputs.items()},
    }
    written = json.dumps(head, separators=(",", ":"), allow_nan=False).encode()
    return b"".join([b"%d\n" % len(written), written, *blobs])


def unpack(data: bytes, plan: Plan) -> Made:
    """Return the share that `pack` wrote."""
    begin, end = _head(data)
    head = json.loads(data[begin:end])
    blobs = _Blobs(data, end)
    parts: dict[str, Part] = {}
    files: dict[str, PartFiles] = {}
    for name, part in head["parts"].items():
        files[name] = PartFiles(
            blobs.take(part["head"]),
            tuple(part["numbers"]),
            tuple(part["names"]),
            blobs.take(part["provenance"]),
            part["digest"],
        )
        asked = tuple(_question(place, entry) for place, entry in enumerate(part["asked"]))
        block = plan.freezer.filled(plan.freezer.graph.blocks[name], head["agent"])
        choices = [tuple(each) for each in part["choices"]]
        parts[name] = Part(_Reader(block, asked, part["inputs"], choices, files[name]).tree(part["tree"]), asked)
    module = blobs.take(head["module"])
    share = Share(head["agent"], parts, head["voice"], frozenset(head["included"]), head["notes"])
    pools = {name: part["inputs"] for name, part in head["parts"].items()}
    inputs = {name: pools[block][place] for name, (block, place) in head["inputs"].items()}
    return Made(share, ShareFiles(files, module, head["digest"], inputs))


def contents(data: bytes, agent: str, files: ShareFiles) -> Iterator[tuple[str, int, bytes]]:
    """Yield for each file of the bundle that stands in a packed share its path, where it begins, and what it is."""
    _, at = _head(data)
    for name, part in files.parts.items():
        path = agent_path(agent, name)
        for place, content in ((path, part.head), (beside(path), part.provenance)):
            yield place, at, content
            at += len(content)
        module = module_name(path)
    yield f"prompts/{module}.py", at, files.module


def _head(data: bytes) -> tuple[int, int]:
    """Return where the head of a packed share begins and ends."""
    begin = data.index(b"\n") + 1
    return begin, begin + int(data[: begin - 1])


class StoredResidual:
    """The residual of a leaf, read from its share's files when somebody asks."""

    __slots__ = ("_files", "_name", "_number")

    def __init__(self, files: PartFiles, number: int, name: str) -> None:
        self._files = files
        self._number = number
        self._name = name

    @property
    def body(self) -> Body:
        """The statements."""
        body: Body = json.loads(self._files.head + b"}")["residuals"][self._name]["body"]
        return body

    @property
    def marks(self) -> list[Mark]:
        """Where each statement comes from."""
        marks: list[Mark] = json.loads(self._files.provenance)["leaves"][self._number]["marks"]
        return marks


@dataclass(slots=True)
class _Blobs:
    data: bytes
    at: int

    def take(self, size: int) -> bytes:
        start, self.at = self.at, self.at + size
        return self.data[start : self.at]


@dataclass(slots=True)
class _Reader:
    block: Block
    asked: tuple[Asked, ...]
    inputs: list[Any]
    choices: list[tuple[Choice, ...]]
    files: PartFiles
    leaves: int = 0

    def tree(self, data: Any) -> Tree[FrozenBlock]:
        if "ask" in data:
            return Branch(self.asked[data["ask"]], {number: self.tree(below) for number, below in data["to"]})
        number = self.files.numbers[self.leaves]
        self.leaves += 1
        name = self.files.names[number]
        frozen = FrozenBlock(
            self.block,
            None if name is None else StoredResidual(self.files, number, name),
            data["when"],
            {name: self.inputs[place] for name, place in data["inputs"].items()},
            tuple(data["zones"]),
            Span(*data["when_span"]) if data["when_span"] else None,
            tuple(map(read_diagnostic, data["found"])),
        )
        boxes = [dict(zip(SELECTORS, [self.choices[place] for place in box], strict=True)) for box in data["boxes"]]
        return Leaf(frozen, Targets(tuple(boxes)))


def diagnostic_data(found: Diagnostic) -> list[Any]:
    """Return a diagnostic as JSON data."""
    related = [[list(entry.span), entry.label] for entry in found.related]
    return [found.code, list(found.span), [list(pair) for pair in found.args], related, found.advice]


def read_diagnostic(data: list[Any]) -> Diagnostic:
    """Return the diagnostic that `diagnostic_data` wrote."""
    code, span, args, related, advice = data
    return Diagnostic(
        code,
        Span(*span),
        tuple((name, value) for name, value in args),
        tuple(Related(Span(*place), label) for place, label in related),
        advice,
    )


class _Pool:
    """What leaves share: specifications of inputs, by identity and by content, and what is left of each selector."""

    __slots__ = ("_kept", "_places", "_texts", "choices", "specs")

    def __init__(self) -> None:
        self.specs: list[Any] = []
        self.choices: dict[tuple[Choice, ...], int] = {}
        self._places: dict[int, int] = {}
        self._texts: dict[str, int] = {}
        self._kept: list[Any] = []

    def holds(self, spec: Any) -> bool:
        """Tell whether this very specification is in the pool."""
        return id(spec) in self._places

    def place(self, spec: Any) -> int:
        """Return the number of a specification."""
        found = self._places.get(id(spec))
        if found is None:
            text = json.dumps(spec, allow_nan=False)
            found = self._texts.get(text)
            if found is None:
                found = self._texts[text] = len(self.specs)
                self.specs.append(spec)
            self._places[id(spec)] = found
            self._kept.append(spec)
        return found


def _place(spec: Any, pools: Mapping[str, _Pool]) -> list[Any]:
    """Return in which pool a specification is, and its number there."""
    found = [(name, pool) for name, pool in pools.items() if pool.holds(spec)]
    name, pool = found[0] if found else next(iter(pools.items()))
    return [name, pool.place(spec)]


def _tree(tree: Tree[FrozenBlock], places: Mapping[str, int], pool: _Pool) -> dict[str, Any]:
    if isinstance(tree, Branch):
        to = [[number, _tree(below, places, pool)] for number, below in tree.to.items()]
        return {"ask": places[tree.question.key], "to": to}
    frozen = tree.value
    inputs = {}
    for name, spec in frozen.inputs.items():
        inputs[name] = pool.place(spec)
    return {
        "when": frozen.when,
        "inputs": inputs,
        "zones": list(frozen.zones),
        "when_span": frozen.when_span and list(frozen.when_span),
        "found": list(map(diagnostic_data, frozen.diagnostics)),
        "boxes": [
            [pool.choices.setdefault(box[name], len(pool.choices)) for name in SELECTORS] for box in tree.targets.boxes
        ],
    }


def _asked(entry: Asked) -> list[Any]:
    outcomes = [[outcome.value, outcome.error and list(outcome.error)] for outcome in entry.outcomes]
    return [entry.key, list(entry.selectors), outcomes, [[list(row), number] for row, number in entry.table.items()]]


def _question(place: int, data: list[Any]) -> Asked:
    key, selectors, outcomes, table = data
    return Asked(
        place,
        key,
        tuple(selectors),
        [Outcome(value, (error[0], error[1]) if error else None) for value, error in outcomes],
        table={tuple(row): number for row, number in table},
    )


def _exact(outcome: Outcome) -> bool:
    """Tell whether an answer is the same after JSON."""
    return all(
        kind in (str, bool, int, type(None), list, dict) or (kind is float and isfinite(value))
        for kind, value in _inside(outcome.value)
    )


def _inside(value: Any) -> Iterator[tuple[type, Any]]:
    yield type(value), value
    if isinstance(value, dict):
        for key, below in value.items():
            yield (str if type(key) is str else object), key
            yield from _inside(below)
    elif isinstance(value, list):
        for below in value:
            yield from _inside(below)
