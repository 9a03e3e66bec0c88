"""All shares of a plan: taken from the cache, or made, in several processes where that helps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from frieze.build.keys import ShareKeys
from frieze.build.making import Made, Maker
from frieze.build.packing import contents, pack, unpack
from frieze.build.workers import LEAST, processes, spread
from frieze.cache import Store, entry_hash
from frieze.emit import ShareFiles, contract_rows
from frieze.freeze import Plan, Share

Progress = Callable[[str, int, int], None]


class Piece(NamedTuple):
    """A part of an entry of the cache: the entry's key and hash, where it begins, and what it is."""

    key: str
    hash: str
    start: int
    content: bytes


@dataclass(slots=True)
class Workshop:
    """Makes shares. `hashes` are those of the sources, as far as somebody knows them.

    `files` are those of the shares that it made, by agent; `keys` where each is kept.
    """

    store: Store | None = None
    jobs: int = 1
    progress: Progress | None = None
    hashes: Mapping[str, str] = field(default_factory=dict)
    files: dict[str, ShareFiles] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    _kept: dict[str, tuple[str, bytes]] = field(default_factory=dict)

    def shares(self, plan: Plan) -> Mapping[str, Share]:
        """Return the share of every agent, in the plan's order."""
        keys = ShareKeys.of(plan, self.hashes) if self.store else None
        self.keys = {agent: keys.key(agent) for agent in plan.apart} if keys else {}
        found: dict[str, Made] = {}
        for agent, key in self.keys.items():
            entry = self.store.entry(key) if self.store else None
            if entry is not None:
                found[agent] = unpack(entry[1], plan)
                self._kept[agent] = entry
        self._make(plan, [agent for agent in plan.apart if agent not in found], found)
        self.files = {agent: found[agent].files for agent in plan.apart}
        return {agent: found[agent].share for agent in plan.apart}

    def pieces(self) -> Iterator[tuple[str, Piece]]:
        """Yield the files of the bundle that are pieces of shares which the cache holds."""
        for agent, (found, data) in self._kept.items():
            for path, start, content in contents(data, agent, self.files[agent]):
                yield path, Piece(self.keys[agent], found, start, content)

    def _make(self, plan: Plan, agents: list[str], found: dict[str, Made]) -> None:
        maker = Maker(plan, contract_rows(plan.space.graph))

        def here(agent: str) -> None:
            if self.progress:
                self.progress("agents", len(found), len(plan.apart))
            found[agent] = maker.make(agent)
            if self.store:
                self._keep(agent, pack(found[agent]))

        def there(agent: str) -> bytes | None:
            data = pack(maker.make(agent))
            self._keep(agent, data)
            return data

        count = processes(len(agents), self.jobs, LEAST)
        if count < 2:
            for agent in agents:
                here(agent)
            return
        delivered = spread(agents, there, count, here)
        for agent, data in delivered.items():
            found[agent] = unpack(data, plan)
        if self.store:
            self._kept |= {agent: (entry_hash(self.keys[agent], data), data) for agent, data in delivered.items()}
            self.store.written += sum(map(len, delivered.values()))

    def _keep(self, agent: str, data: bytes | None) -> None:
        if self.store and data is not None:
            self._kept[agent] = (self.store.put(self.keys[agent], data), data)
