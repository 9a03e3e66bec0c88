"""The files of one variant tree, and of what one agent decides alone.

A tree's numbers (of questions and outcomes) are the project's own and are written last, so that everything before them
can be made apart from the rest of the project.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from json.encoder import encode_basestring
from typing import Any, NamedTuple, TypeAlias

from frieze.diagnostics import Span
from frieze.emit.documentation import agent_documentation
from frieze.emit.python import AGENTS, Frame, Sources, module_source
from frieze.freeze.model import FrozenBlock
from frieze.freeze.shares import Adopted, Share
from frieze.freeze.trees import Branch, Tree
from frieze.profiles.declarations import Agent, Block, Graph
from frieze.runtime.bundle import canonical
from frieze.template.ir import Body, Expression
from frieze.template.sound import Remembered

HASH_LENGTH = 16
"""Characters of a residual's name: the start of the SHA-256 of its canonical JSON."""


Outline: TypeAlias = "int | tuple[int, tuple[tuple[int, Outline], ...]]"
"""A tree in a file: the number of a leaf, or the index of a question and what follows each of its outcomes."""


class PartFiles(NamedTuple):
    """A tree's file up to the tree itself, the tree's outline with the numbers of its own questions, its provenance.

    `names` holds the residual of each number, None where the block is out; `digest` is the SHA-256 of the provenance.
    """

    head: bytes
    outline: Outline
    names: tuple[str | None, ...]
    provenance: bytes
    digest: str

    def whole(self, adopted: Adopted | None = None) -> bytes:
        """Return the file, with the questions of the project in the place of the tree's own."""
        return b'%s,"tree":%s}\n' % (self.head, _node(self.outline, adopted).encode())


def _node(outline: Outline, adopted: Adopted | None) -> str:
    """Return an outline as canonical JSON."""
    if isinstance(outline, int):
        return str(outline)
    place, to = outline
    index = place
    below = {str(number): sub for number, sub in to}
    if adopted is not None:
        entry, numbers = adopted[place]
        index = entry.index
        below = {str(numbers[number]): sub for number, sub in to}
    rows = ",".join([f'"{number}":{_node(below[number], adopted)}' for number in sorted(below)])
    return f'{{"ask":{index},"to":{{{rows}}}}}'


def outline_of(tree: Tree[FrozenBlock], numbers: Iterator[int]) -> Outline:
    """Return the outline of a tree; `numbers` are those of its leaves in order."""
    if isinstance(tree, Branch):
        return tree.question.index, tuple((number, outline_of(below, numbers)) for number, below in tree.to.items())
    return next(numbers)


class ShareFiles(NamedTuple):
    """What a share gives: the files of its blocks, its generated module, and what the package says of the agent.

    `digest` is the SHA-256 of the module.
    """

    parts: Mapping[str, PartFiles]
    module: bytes
    digest: str
    documentation: str


class CanonicalTexts:
    """Statements and inputs as canonical JSON: variants and agents share them, and each is written once."""

    __slots__ = ("_inputs", "_statements")

    def __init__(self) -> None:
        self._statements = Remembered(_text)
        self._inputs = Remembered(_text)

    def content(self, body: Body, inputs: Mapping[str, Any], when: Expression) -> bytes:
        """Return a residual as the bundle has it, the same as `canonical` gives."""
        statement = self._statements
        nodes = [encode_basestring(node) if isinstance(node, str) else statement(node) for node in body]
        condition = f',"when":{_text(when)}' if when is not None else ""
        return f'{{"body":[{",".join(nodes)}],"inputs":{self._inputs(inputs)}{condition}}}'.encode()


def _text(value: Any) -> str:
    return canonical(value).decode()


def share_files(share: Share, graph: Graph, shared: Sources, texts: CanonicalTexts | None = None) -> ShareFiles:
    """Return the files of a share; `shared` and `texts` hold what was written before, for other shares."""
    texts = texts or CanonicalTexts()
    parts: dict[str, PartFiles] = {}
    inputs: dict[str, Any] = {}
    sources = []
    for name, part in sorted(share.parts.items()):
        parts[name], residuals = tree_files(part.tree, texts)
        sources.append((agent_path(share.agent, name), frame_of(graph.blocks[name]), residuals))
        for content in residuals.values():
            inputs.update(content["inputs"])
    module = module_source(sources, shared).encode()
    documentation = agent_documentation(share.agent, description_of(graph.agents[share.agent]), inputs)
    return ShareFiles(parts, module, hashlib.sha256(module).hexdigest(), documentation)


def tree_files(tree: Tree[FrozenBlock], texts: CanonicalTexts) -> tuple[PartFiles, dict[str, Any]]:
    """Return the files of a tree, and its residuals by name."""
    residuals: dict[str, Any] = {}
    contents: dict[str, bytes] = {}
    known: dict[bytes, int] = {}
    leaves: list[dict[str, Any]] = []
    origins: list[bytes] = []
    numbers: list[int] = []
    frames: dict[int, dict[str, Any]] = {}
    for block in _blocks(tree):
        if id(block.declared) not in frames:
            frames[id(block.declared)] = _frame_origin(block.declared)
        leaf = _leaf(block, residuals, contents, texts)
        origin = canonical({**frames[id(block.declared)], **_origin(block)})
        identity = canonical(leaf) + origin
        if identity not in known:
            known[identity] = len(leaves)
            leaves.append(leaf)
            origins.append(origin)
        numbers.append(known[identity])
    bodies = b",".join(b'"%s":%s' % (name.encode(), contents[name]) for name in sorted(contents))
    head = b'{"leaves":%s,"residuals":{%s}' % (canonical(leaves), bodies)
    names = tuple(leaf.get("residual") for leaf in leaves)
    provenance = b'{"leaves":[%s]}\n' % b",".join(origins)
    digest = hashlib.sha256(provenance).hexdigest()
    return PartFiles(head, outline_of(tree, iter(numbers)), names, provenance, digest), residuals


def agent_path(agent: str, block: str) -> str:
    """Return the file of a block that an agent fills."""
    return f"{AGENTS}{agent}/{block}.json"


def beside(path: str) -> str:
    """Return the file that says where the lines of another one come from."""
    return path.replace("residuals/", "provenance/", 1)


def description_of(agent: Agent) -> str:
    """Return what an agent's profile says of it, empty where it says nothing."""
    return str(agent.data.get("description") or "")


def frame_of(block: Block) -> Frame:
    """Return what stands around a block's body."""
    return Frame(block.heading, block.tag, block.verbatim)


def place(span: Span) -> list[Any]:
    """Return a span as bundle data: its file and line."""
    return [span.file, span.line or 1]


def _blocks(tree: Tree[FrozenBlock]) -> Iterator[FrozenBlock]:
    if isinstance(tree, Branch):
        for below in tree.to.values():
            yield from _blocks(below)
    else:
        yield tree.value


def _leaf(
    frozen: FrozenBlock, residuals: dict[str, Any], contents: dict[str, bytes], texts: CanonicalTexts
) -> dict[str, Any]:
    if frozen.residual is None:
        return {}
    body, when = frozen.residual.body, frozen.when
    data = texts.content(body, frozen.inputs, when)
    name = hashlib.sha256(data).hexdigest()[:HASH_LENGTH]
    if name not in contents:
        contents[name] = data
        residuals[name] = {"body": body, "inputs": dict(sorted(frozen.inputs.items()))}
        if when is not None:
            residuals[name]["when"] = when
    leaf: dict[str, Any] = {"residual": name, "zones": list(frozen.zones)}
    if frozen.declared.send is not None:
        leaf["send"] = frozen.declared.send
    return leaf


def _frame_origin(declared: Block) -> dict[str, Any]:
    """Say where a block stands, and its heading or tag."""
    origin = declared.origin
    frame = origin.span("heading") if declared.heading else origin.span("tag")
    return {"block": place(origin.span()), "frame": place(frame)}


def _origin(frozen: FrozenBlock) -> dict[str, Any]:
    """Say where the `when` of a leaf stands, and each of its statements."""
    return {
        "when": place(frozen.when_span) if frozen.when_span else None,
        "marks": frozen.residual.marks if frozen.residual else [],
    }
