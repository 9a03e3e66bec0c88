"""A compiled bundle: verified, immutable, safe to share between threads. Nothing in it is ever executed."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from stat import S_ISREG
from typing import TYPE_CHECKING, Any

from .errors import BundleError, UnknownSelector
from .hashing import sha256_hex
from .notes import Note
from .prompt import Prompt
from .shapes import MANIFEST_SHAPE, checked, damage
from .slugs import Answer, record_for
from .variants import UNSET, Library, Variant

if TYPE_CHECKING:
    from os import PathLike
    from pathlib import Path

    from .direct import Compiled
    from .guard import Guard
    from .watch import Watch

FORMAT = 1
"""The bundle format that this resolver reads."""

MANIFEST = "bundle.json"
OPTIONAL = ("platform", "model", "personality", "mode", "audience")
CACHED_PROMPTS = 4096

KEPT = ("residuals/", "skills/", "policies/")
"""Files that a prompt needs. Their bytes stay in memory, so that a bundle that was opened goes on answering when its
folder is replaced. They are kept small: the variants of a block have most of their text in common."""

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of one file that are read at most."""


class Bundle:
    """The prompts of one project.

    Open one with `Bundle.open(path)`; then `bundle.prompt("agent", platform=...)`.
    """

    __slots__ = ("_library", "_manifest", "_prompts")

    def __init__(
        self, read: Callable[[str], bytes], manifest: Mapping[str, Any], compiled: Compiled | None = None
    ) -> None:
        self._manifest = manifest
        self._library = Library(
            manifest, lambda name: _verified(name, _listed(name, read, manifest), manifest), compiled
        )
        self._prompts: dict[tuple[str | None, ...], Prompt] = {}

    def __repr__(self) -> str:
        return f"<Bundle of {self.name} {self.version}>"

    @classmethod
    def open(cls, path: str | Path) -> Bundle:
        """Open a bundle folder and check the hash of every file in it.

        Raises:
            BundleError: not a bundle, a format that this resolver does not read, or a file that was
                changed, cut short or removed.
        """
        folder = os.fspath(path)
        while True:
            before = _read(folder, MANIFEST)
            try:
                return cls._checked(lambda name: _read(folder, name))
            except BundleError:
                # A compile may replace the folder between two reads; then the manifest is another one.
                if _read(folder, MANIFEST) == before:
                    raise

    @classmethod
    def watch(cls, path: str | Path, *, interval: float | None = 1.0) -> Watch:
        """Open a bundle folder, and go over to another bundle when one takes its place; see `Watch`.

        Raises:
            BundleError: as `Bundle.open`, for the first bundle only.
        """
        from .watch import Watch

        return Watch(path, interval=interval)

    @classmethod
    def of_package(cls, folder: str, compiled: Compiled) -> Bundle:
        """Open the bundle of an imported package, which renders with its own generated modules.

        Each file is checked when it is loaded, not before: a package cannot vouch for the modules that are running.

        Raises:
            BundleError: the manifest is not one, or not as it was compiled.
        """
        return cls(lambda name: _read(folder, name), read_manifest(_read(folder, MANIFEST)), compiled)

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
        import zlib

        manifest = read_manifest(read(MANIFEST))
        kept = {}
        for name in manifest["files"]:
            data = _verified(name, read(name), manifest)
            if name.startswith(KEPT):
                kept[name] = zlib.compress(data, 1)
        return cls(lambda name: zlib.decompress(kept[name]) if name in kept else read(name), manifest)

    def strip(self, messages: Any) -> list[Any]:
        """Return a conversation without the parts of this bundle's prompts. The messages are not changed.

        A content part of a system's, developer's or user's message is taken out where it begins and ends with the
        markers of a block or of a group behind the last message, in any case of letters. A text that only mentions a
        marker stays. A message without content parts left is gone.

        Raises:
            RequestError: `messages` is not a list.
        """
        from .history import without_parts
        from .marking import known_markers

        return without_parts(messages, known_markers(self._manifest))

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
        to `direct`. `model` may be any name that a record answers for, see `slugs`: requests send it as it was asked.

        Raises:
            UnknownSelector: a value that the agent does not allow, or none where no default settles it.
        """
        asked = (agent, platform, model, personality, mode, audience)
        if not all(value is None or isinstance(value, str) for value in asked):
            raise self._not_a_name(asked)
        found = self._prompts.get(asked)
        if found is None:
            with damage(MANIFEST):
                answer = self._answer(agent, model)
                record = None if answer is None else answer.record
                target = self._target(agent, dict(zip(OPTIONAL, (platform, record, *asked[3:]), strict=True)))
                found = Prompt(self._library, target, answer and answer.slug, _notes_on(answer))
            if len(self._prompts) >= CACHED_PROMPTS:
                self._prompts.clear()
            self._prompts[asked] = found
        return found

    def guard(self, policy: str, mode: str, *, workspace: str | PathLike[str], interactive: bool = True) -> Guard:
        """Return a guard for a policy of this bundle, where there is no prompt; else see `Prompt.guard`.

        Raises:
            UnknownSelector: the bundle has no such policy, or the policy no such mode.
        """
        from .policies import guard_of

        return guard_of(self._library, policy, mode, workspace, interactive=interactive)

    def targets(self) -> Iterator[dict[str, str | None]]:
        """Yield every valid target, as the selectors to pass to `prompt`. There can be very many."""
        from itertools import product

        for agent in self.agents:
            allowed = self._manifest["allowances"][self._agent(agent)["allows"]]
            for values in product(*(allowed[name] or [None] for name in OPTIONAL)):
                yield {"agent": agent, **dict(zip(OPTIONAL, values, strict=True))}

    def _not_a_name(self, asked: tuple[Any, ...]) -> UnknownSelector:
        """Return the error for a selector that was given something else than text."""
        named = zip(("agent", *OPTIONAL), asked, strict=True)
        selector, value = next(
            (name, value) for name, value in named if value is not None and not isinstance(value, str)
        )
        choices = self.agents if selector == "agent" else ()
        return UnknownSelector(selector, repr(value)[:80], choices, ())

    def _agent(self, name: str) -> Mapping[str, Any]:
        agents: Mapping[str, Mapping[str, Any]] = self._manifest["agents"]
        if name not in agents:
            raise UnknownSelector.among("agent", name, tuple(agents))
        return agents[name]

    def _answer(self, agent: str, model: str | None) -> Answer | None:
        """Return which record answers for a model that was asked for, None where none was."""
        if not model:
            return None
        allowed = self._manifest["allowances"][self._agent(agent)["allows"]]["model"]
        answer = record_for(model, self._manifest["models"], allowed)
        if answer is None:
            raise UnknownSelector.among("model", model, tuple(allowed))
        return answer

    def _target(self, agent: str, asked: Mapping[str, str | None]) -> dict[str, str | None]:
        entry = self._agent(agent)
        allowed = self._manifest["allowances"][entry["allows"]]
        defaults = {"audience": "direct", **entry["defaults"]}
        target: dict[str, str | None] = {"agent": agent}
        for selector in OPTIONAL:
            value = asked[selector] or defaults.get(selector)
            if value is None and selector == "personality" and target["model"]:
                value = self._manifest["models"][target["model"]]["personality"]
            if value is None and selector == "personality" and UNSET in allowed[selector]:
                value = UNSET
            if value not in (allowed[selector] or [None]):
                raise UnknownSelector.among(selector, value, tuple(allowed[selector]))
            target[selector] = value
        return target


def _notes_on(answer: Answer | None) -> tuple[Note, ...]:
    return (Note("unknown-model", "", "", f"`{answer.record}` answers"),) if answer and answer.guessed else ()


def read_manifest(data: bytes) -> dict[str, Any]:
    """Return a manifest after a check of its format and its own hash.

    Raises:
        BundleError: it is not a manifest, of another format, or was changed.
    """
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
    for name in checked(manifest, MANIFEST_SHAPE, MANIFEST)["files"]:
        if not _is_inside(name):
            raise BundleError(MANIFEST, f"names a file outside the bundle: `{name}`")
    return dict(manifest)


def _listed(name: str, read: Callable[[str], bytes], manifest: Mapping[str, Any]) -> bytes:
    """Read a file only if the manifest lists it: a name inside of a file must not lead out of the bundle."""
    if name not in manifest["files"]:
        raise BundleError(name, "is not one of the files that the manifest lists")
    return read(name)


def _is_inside(name: str) -> bool:
    return not set(name) & {"\\", ":", "\0"} and all(part not in ("", ".", "..") for part in name.split("/"))


def _read(folder: str, name: str) -> bytes:
    path = f"{folder}/{name}"
    try:
        facts = os.stat(path)  # noqa: PTH116 - to import pathlib takes longer than to open a bundle
        if not S_ISREG(facts.st_mode):
            raise BundleError(name, "is not a file")
        if facts.st_size > LARGEST_FILE:
            raise BundleError(name, f"is over {LARGEST_FILE:,} bytes")
        with open(path, "rb") as file:  # noqa: PTH123 - as above
            return file.read()
    except OSError as error:
        raise BundleError(name, f"cannot be read in `{folder}`: {error.strerror or error}") from None


def manifest_hash(manifest: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of a manifest's canonical JSON without its own `hash`."""
    rest = {key: value for key, value in manifest.items() if key != "hash"}
    return sha256_hex(canonical(rest))


_CANONICAL = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False).encode


def canonical(value: Any) -> bytes:
    """Return the canonical JSON of bundle data: sorted keys, no blanks, UTF-8."""
    return _CANONICAL(value).encode("utf-8", "strict")


def _verified(name: str, data: bytes, manifest: Mapping[str, Any]) -> bytes:
    if sha256_hex(data) != manifest["files"].get(name):
        raise BundleError(name, "does not have the hash that the manifest gives; it was changed or cut short")
    return data


__all__ = ["FORMAT", "MANIFEST", "Bundle", "Variant", "canonical", "manifest_hash", "read_manifest"]
