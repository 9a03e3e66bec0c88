"""A share as bytes and back: a JSON head, then its files as they are. Nothing in it is ever executed.

What comes back is equal in everything that is read of it. Bodies are left in the files until somebody asks for them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isfinite
from typing import Any, NamedTuple

from frieze.build.making import Made
from frieze.diagnostics import Diagnostic, Related, Span
from frieze.emit import PartFiles, ShareFiles
from frieze.emit.python import module_name
from frieze.emit.shares import Outline, agent_path, beside
from frieze.freeze import FrozenBlock, Plan, Share
from frieze.freeze.findings import leaves
from frieze.freeze.questions import Asked
from frieze.freeze.shares import Part
from frieze.freeze.targets import SELECTORS, Choice, Targets
from frieze.freeze.trees import Branch, Leaf, Tree
from frieze.template import Outcome
from frieze.template.ir import Body, Mark


def pack(made: Made) -> bytes | None:
    """Return a share as bytes, None where it holds a value that JSON would change."""
    share, files = made.share, made.files
    parts = {}
    blobs: list[bytes] = []
    for name, part in share.parts.items():
        if not all(_exact(outcome) for entry in part.asked for outcome in entry.outcomes):
            return None
        own = files.parts[name]
        blobs += [own.head, own.provenance]
        parts[name] = {
            "asked": [_asked(entry) for entry in part.asked],
            "variants": part.variants,
            "has_findings": part.has_findings,
            "outline": own.outline,
            "names": own.names,
            "digest": own.digest,
            "sizes": [len(own.head), len(own.provenance)],
        }
    trees = [_json(_tree_data(part.tree)) for part in share.parts.values()]
    head = {
        "agent": share.agent,
        "voice": share.voice,
        "included": sorted(share.included),
        "notes": share.notes,
        "parts": parts,
        "module": len(files.module),
        "digest": files.digest,
        "documentation": files.documentation,
        "trees": [len(tree) for tree in trees],
    }
    written = _json(head)
    return b"".join([b"%d\n" % len(written), written, *blobs, files.module, *trees])


def unpack(data: bytes, plan: Plan) -> Made:
    """Return the share that `pack` wrote."""
    begin, at = _head(data)
    head = json.loads(data[begin:at])

    def take(size: int) -> bytes:
        nonlocal at
        at += size
        return data[at - size : at]

    agent = head["agent"]
    files = {}
    for name, part in head["parts"].items():
        first, second = part["sizes"]
        files[name] = PartFiles(take(first), part["outline"], part["names"], take(second), part["digest"])
    made = ShareFiles(files, take(head["module"]), head["digest"], head["documentation"])
    parts: dict[str, Part] = {}
    for (name, part), size in zip(head["parts"].items(), head["trees"], strict=True):
        asked = tuple([_question(place, entry) for place, entry in enumerate(part["asked"])])
        stored = StoredTree(plan, agent, name, asked, files[name], data, at, size)
        parts[name] = StoredPart(asked, part["variants"], part["has_findings"], stored)
        at += size
    return Made(Share(agent, parts, head["voice"], frozenset(head["included"]), head["notes"]), made)


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


class StoredTree(NamedTuple):
    """Where the tree of a part is kept: in the packed share `data`, from `at` on."""

    plan: Plan
    agent: str
    block: str
    asked: tuple[Asked, ...]
    files: PartFiles
    data: bytes
    at: int
    size: int

    def read(self) -> Tree[FrozenBlock]:
        """Return the tree."""
        kept = json.loads(self.data[self.at : self.at + self.size])
        freezer = self.plan.freezer
        block = freezer.filled(freezer.graph.blocks[self.block], self.agent)
        choices = [tuple(each) for each in kept["choices"]]
        leaves = iter(kept["leaves"])

        def tree(outline: Outline) -> Tree[FrozenBlock]:
            if not isinstance(outline, int):
                place, to = outline
                return Branch(self.asked[place], {number: tree(below) for number, below in to})
            leaf = next(leaves)
            name = self.files.names[outline]
            frozen = FrozenBlock(
                block,
                None if name is None else StoredResidual(self.files, outline, name),
                leaf["when"],
                {name: kept["inputs"][place] for name, place in leaf["inputs"].items()},
                tuple(leaf["zones"]),
                Span(*leaf["when_span"]) if leaf["when_span"] else None,
                tuple(map(read_diagnostic, leaf["found"])),
            )
            boxes = [dict(zip(SELECTORS, [choices[place] for place in box], strict=True)) for box in leaf["boxes"]]
            return Leaf(frozen, Targets(tuple(boxes)))

        return tree(self.files.outline)


class StoredPart:
    """A part of a share that is kept, of which only the outline was read."""

    __slots__ = ("_read", "_stored", "asked", "has_findings", "variants")

    def __init__(self, asked: tuple[Asked, ...], variants: int, has_findings: bool, stored: StoredTree) -> None:
        self.asked = asked
        self.variants = variants
        self.has_findings = has_findings
        self._stored = stored
        self._read: Tree[FrozenBlock] | None = None

    @property
    def tree(self) -> Tree[FrozenBlock]:
        """The tree, with the part's own questions."""
        if self._read is None:
            self._read = self._stored.read()
        return self._read


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

    __slots__ = ("_places", "_texts", "choices", "specs")

    def __init__(self) -> None:
        self.specs: list[Any] = []
        self.choices: dict[tuple[Choice, ...], int] = {}
        self._places: dict[int, int] = {}
        self._texts: dict[str, int] = {}

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
        return found


def _tree_data(tree: Tree[FrozenBlock]) -> dict[str, Any]:
    """Return what a tree holds besides its outline."""
    pool = _Pool()
    rows = [
        {
            "when": leaf.value.when,
            "inputs": {name: pool.place(spec) for name, spec in leaf.value.inputs.items()},
            "zones": leaf.value.zones,
            "when_span": leaf.value.when_span,
            "found": list(map(diagnostic_data, leaf.value.diagnostics)),
            "boxes": [
                [pool.choices.setdefault(box[name], len(pool.choices)) for name in SELECTORS]
                for box in leaf.targets.boxes
            ],
        }
        for leaf in leaves(tree)
    ]
    return {"leaves": rows, "inputs": pool.specs, "choices": list(pool.choices)}


def _json(data: Any) -> bytes:
    return json.dumps(data, separators=(",", ":"), allow_nan=False).encode()


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
