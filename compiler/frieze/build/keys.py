"""The keys of what is kept: a hash of everything that a result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from frieze.cache import fingerprint
from frieze.freeze import Plan
from frieze.profiles.declarations import Agent, Graph


def key_of(*parts: object) -> str:
    """Return a key for some JSON data."""
    text = json.dumps([fingerprint(), *parts], ensure_ascii=False, separators=(",", ":"), default=repr)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def documents_key(root: Path) -> str:
    """Return the key of the documents that were read for a project; each has a hash of its own in there."""
    return key_of("documents", str(root))


@dataclass(frozen=True, slots=True)
class ShareKeys:
    """Keys of the shares of one plan.

    `common` is the hash of everything but the files that belong to one agent alone; those go into its own key, and
    with them what the rest of the project makes of the agent: its choices and its targets.
    """

    plan: Plan
    common: str
    hashes: Mapping[str, str]

    @classmethod
    def of(cls, plan: Plan) -> ShareKeys:
        """Hash what the agents have in common."""
        graph = plan.space.graph
        hashes = {file: _hash(text) for file, text in graph.texts.items()}
        apart = frozenset(_apart(graph))
        shared = [[file, found] for file, found in sorted(hashes.items()) if file not in apart]
        return cls(plan, key_of("common", shared, sorted(graph.broken)), hashes)

    def key(self, agent: str) -> str:
        """Return the key of an agent's share."""
        graph, space = self.plan.space.graph, self.plan.space
        record = graph.agents[agent]
        files = [[file, self.hashes.get(file)] for file in sorted(_files(graph, record))]
        targets = {name: [dict(box) for box in own.boxes] for name, own in self.plan.apart[agent].items()}
        records = {
            selector: {name: names.get(name) for box in _boxes(targets) for name in box[selector]}
            for selector, names in space.records.items()
        }
        return key_of("share", agent, self.common, files, targets, records, dict(record.data))


def _boxes(targets: Mapping[str, list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    for boxes in targets.values():
        yield from boxes


def _apart(graph: Graph) -> Iterator[str]:
    """Yield the files that only agents are made of."""
    own = {agent.origin.file for agent in graph.agents.values()}
    yield from own
    for file, readers in graph.readers.items():
        if readers <= own:
            yield file


def _files(graph: Graph, agent: Agent) -> set[str]:
    """Return the files that an agent is made of, as far as they are not the library's."""
    documents = set(agent.origin.files())
    return documents | {file for file, readers in graph.readers.items() if readers & documents}


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def hash_all(contents: Iterable[tuple[str, bytes]]) -> list[list[str]]:
    """Return each name with the hash of its content."""
    return [[name, hashlib.sha256(data).hexdigest()] for name, data in contents]
