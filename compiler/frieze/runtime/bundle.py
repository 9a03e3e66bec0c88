"""A compiled bundle: verified, immutable, safe to share between threads. Nothing in it is ever executed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import BundleError, UnknownSelector
from .prompt import Prompt
from .variants import Library, Variant

FORMAT = 1
"""The bundle format that this resolver reads."""

MANIFEST = "bundle.json"
OPTIONAL = ("platform", "model", "personality", "mode", "audience")
CACHED_PROMPTS = 4096


class Bundle:
    """The prompts of one project.

    Open one with `Bundle.open(path)`; then `bundle.prompt("agent", platform=...)`.
    """

    __slots__ = ("_library", "_manifest", "_prompts")

    def __init__(self, read: Callable[[str], bytes], manifest: Mapping[str, Any]) -> None:
        self._manifest = manifest
        self._library = Library(manifest, lambda name: _verified(name, read(name), manifest))
        self._prompts: dict[tuple[str | None, ...], Prompt] = {}

    @classmethod
    def open(cls, path: str | Path) -> Bundle:
        """Open a bundle folder and check the hash of every file in it.

        Raises:
            BundleError: not a bundle, a format that this resolver does not read, or a file that was
                changed, cut short or removed.
        """
        folder = Path(path)

        def read(name: str) -> bytes:
            try:
                return (folder / name).read_bytes()
            except OSError as error:
                raise BundleError(name, f"cannot be read: {error.strerror or error}") from None

        return cls._checked(read)

    @classmethod
    def from_files(cls, files: Mapping[str, bytes]) -> Bundle:
        """Open a bundle that is held in memory, as `Bundle.open` opens a folder.

        Raises:
            BundleError: as `Bundle.open`.
        """

        def read(name: str) -> bytes:
            try:
                return files[name]
            except KeyError:
                raise BundleError(name, "is missing") from None

        return cls._checked(read)

    @classmethod
    def _checked(cls, read: Callable[[str], bytes]) -> Bundle:
        manifest = _manifest(read(MANIFEST))
        for name in manifest["files"]:
            _verified(name, read(name), manifest)
        return cls(read, manifest)

    @property
    def name(self) -> str:
        """The project's name."""
        return str(self._manifest["name"])

    @property
    def version(self) -> str:
        """The project's version."""
        return str(self._manifest["version"])

    @property
    def hash(self) -> str:
        """SHA-256 of the manifest, which holds the hash of everything else."""
        return str(self._manifest["hash"])

    @property
    def agents(self) -> tuple[str, ...]:
        """The agents' names, sorted."""
        return tuple(self._manifest["agents"])

    def choices(self, agent: str) -> dict[str, tuple[str, ...]]:
        """Return what `agent` allows: selector to names.

        Raises:
            UnknownSelector: there is no such agent.
        """
        allowed = self._manifest["allowances"][self._agent(agent)["allows"]]
        return {selector: tuple(names) for selector, names in allowed.items()}

    def prompt(
        self,
        agent: str,
        *,
        platform: str | None = None,
        model: str | None = None,
        personality: str | None = None,
        mode: str | None = None,
        audience: str | None = None,
    ) -> Prompt:
        """Return the prompt of one target; cheap and cached.

        A selector that is not given falls back to the agent's default, then to the model's; `audience`
        to `direct`.

        Raises:
            UnknownSelector: a value that the agent does not allow, or none where no default settles it.
        """
        asked = (agent, platform, model, personality, mode, audience)
        found = self._prompts.get(asked)
        if found is None:
            target = self._target(agent, dict(zip(OPTIONAL, asked[1:], strict=True)))
            found = Prompt(self._library, target)
            if len(self._prompts) >= CACHED_PROMPTS:
                self._prompts.clear()
            self._prompts[asked] = found
        return found

    def targets(self) -> Iterator[dict[str, str | None]]:
        """Yield every valid target, as the selectors to pass to `prompt`. There can be very many."""
        from itertools import product

        for agent in self.agents:
            allowed = self._manifest["allowances"][self._agent(agent)["allows"]]
            for values in product(*(allowed[name] or [None] for name in OPTIONAL)):
                yield {"agent": agent, **dict(zip(OPTIONAL, values, strict=True))}

    def _agent(self, name: str) -> Mapping[str, Any]:
        agents: Mapping[str, Mapping[str, Any]] = self._manifest["agents"]
        if name not in agents:
            raise UnknownSelector.among("agent", name, tuple(agents))
        return agents[name]

    def _target(self, agent: str, asked: Mapping[str, str | None]) -> dict[str, str | None]:
        entry = self._agent(agent)
        allowed = self._manifest["allowances"][entry["allows"]]
        defaults = {"audience": "direct", **entry["defaults"]}
        target: dict[str, str | None] = {"agent": agent}
        for selector in OPTIONAL:
            value = asked[selector] or defaults.get(selector)
            if value is None and selector == "personality" and target["model"]:
                value = self._manifest["models"][target["model"]]["personality"]
            if value not in (allowed[selector] or [None]):
                raise UnknownSelector.among(selector, value, tuple(allowed[selector]))
            target[selector] = value
        return target


def _manifest(data: bytes) -> dict[str, Any]:
    try:
        manifest = json.loads(data)
        form = manifest["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BundleError(MANIFEST, "is not the manifest of a bundle") from None
    if form != FORMAT:
        raise BundleError(MANIFEST, f"has format {form!r}; this resolver reads format {FORMAT}")
    try:
        whole = manifest.get("hash") == manifest_hash(manifest)
    except ValueError:
        whole = False
    if not whole:
        raise BundleError(MANIFEST, "was changed after it was compiled")
    return dict(manifest)


def manifest_hash(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of a manifest's canonical JSON without its own `hash`."""
    rest = {key: value for key, value in manifest.items() if key != "hash"}
    return hashlib.sha256(canonical(rest)).hexdigest()


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of bundle data: sorted keys, no blanks, UTF-8."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "strict")


def _verified(name: str, data: bytes, manifest: Mapping[str, Any]) -> bytes:
    if hashlib.sha256(data).hexdigest() != manifest["files"].get(name):
        raise BundleError(name, "does not have the hash that the manifest gives; it was changed or cut short")
    return data


__all__ = ["FORMAT", "MANIFEST", "Bundle", "Variant", "canonical", "manifest_hash"]
