"""The keys of what is kept: a hash of everything that a result depends on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from frieze.cache import fingerprint
from frieze.freeze import Plan
from frieze.freeze.targets import SELECTORS, Box, Choice
from frieze.profiles.declarations import Graph


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
    with them what the rest of the project makes of the agent: its choices and its targets. `texts` holds the files of
    texts that each profile names, `places` what is written of targets that several agents have.
    """

    plan: Plan
    common: str
    hashes: Mapping[str, str]
    texts: Mapping[str, frozenset[str]]
    places: dict[tuple[tuple[Choice, ...], ...], str] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, known: Mapping[str, str]) -> ShareKeys:
        """Hash what the agents have in common; `known` holds the hashes of files that were read, by display path."""
        graph = plan.space.graph
        hashes = {file: known.get(file) or _hash(text) for file, text in graph.texts.items()}
        apart = frozenset(_apart(graph))
        shared = [[file, found] for file, found in sorted(hashes.items()) if file not in apart]
        texts: dict[str, set[str]] = {}
        for file, readers in graph.readers.items():
            for reader in readers:
                texts.setdefault(reader, set()).add(file)
        named = {reader: frozenset(files) for reader, files in texts.items()}
        # One agent's personalities decide what is asked of the base instructions that another one includes.
        removed = sorted(plan.freezer.templates.bases.removed())
        return cls(plan, key_of("common", shared, sorted(graph.broken), removed), hashes, named)

    def key(self, agent: str) -> str:
        """Return the key of an agent's share."""
        record = self.plan.space.graph.agents[agent]
        files = set(record.origin.files())
        files = files.union(*(self.texts.get(file, ()) for file in files))
        targets = {name: [self._place(box) for box in own.boxes] for name, own in self.plan.apart[agent].items()}
        rows = [[file, self.hashes.get(file)] for file in sorted(files)]
        return key_of("share", agent, self.common, rows, targets, dict(record.data))

    def _place(self, box: Box) -> str:
        """Return a text for the targets of a box, and for the declarations that are meant by their names."""
        # Its agent is the share's own.
        place = tuple(box[selector] for selector in SELECTORS[1:])
        found = self.places.get(place)
        if found is None:
            records = self.plan.space.records
            meant = [
                [[name, records.get(selector, {}).get(name or "")] for name in names]
                for selector, names in zip(SELECTORS[1:], place, strict=True)
            ]
            found = self.places[place] = key_of(meant)
        return found


def _apart(graph: Graph) -> Iterator[str]:
    """Yield the files that only agents are made of; an agent's profile may be the text of something else as well."""
    own = {agent.origin.file for agent in graph.agents.values()}
    for file in own.union(graph.readers):
        if graph.readers.get(file, frozenset[str]()) <= own:
            yield file


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
