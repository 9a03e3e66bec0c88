"""The bundle in a folder whose content may be replaced while the service runs."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import NamedTuple

from .bundle import MANIFEST, Bundle, read_manifest
from .errors import BundleError
from .prompt import Prompt

ATTEMPTS = 5
"""How often a folder is read again that was replaced while it was read."""


class _Good(NamedTuple):
    """A bundle whose files are all in memory, and the bytes of its manifest."""

    bundle: Bundle
    manifest: bytes


class Watch:
    """The last good bundle of a folder; `Bundle.watch(path)` makes one.

    There is no thread and nothing to close: whoever asks first after `interval` seconds looks whether the manifest
    on the disk is another one, and opens the new bundle in memory; meanwhile all others get the one before. A
    bundle that does not verify never takes the place of a good one. It is tried again at every look, so a
    bundle that is still being copied is taken when it is whole. Safe to share between threads, and after a fork.

    A prompt or a result that was taken from a bundle stays as it is; so take one `bundle` for what belongs together.
    """

    __slots__ = ("_due", "_error", "_folder", "_good", "_interval", "_lock", "_process")

    def __init__(self, path: str | Path, *, interval: float | None = 1.0) -> None:
        """Open the bundle in `path`.

        Args:
            path: the folder of the bundle.
            interval: seconds between two looks at the disk; None: only `refresh()` looks.

        Raises:
            BundleError: as `Bundle.open`.
        """
        self._folder = Path(path)
        self._interval = interval
        self._lock = Lock()
        self._process = os.getpid()
        self._error: BundleError | None = None
        self._good = self._opened()
        self._due = monotonic() + (interval or 0)

    @property
    def bundle(self) -> Bundle:
        """The last good bundle."""
        if self._interval is not None and monotonic() >= self._due:
            self._look(wait=False)
        return self._good.bundle

    @property
    def error(self) -> BundleError | None:
        """Why the last look did not find a good bundle on the disk; None where it did."""
        return self._error

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
        """Return the prompt of one target from the last good bundle; see `Bundle.prompt`.

        Raises:
            UnknownSelector: as `Bundle.prompt`.
        """
        return self.bundle.prompt(
            agent, platform=platform, model=model, personality=personality, mode=mode, audience=audience
        )

    def refresh(self) -> bool:
        """Look at the disk now, and tell whether another bundle took the place of the last one."""
        return self._look(wait=True)

    def _look(self, *, wait: bool) -> bool:
        if self._process != os.getpid():
            # another thread may have held the lock when this process was forked, and is not here to release it
            self._lock, self._process = Lock(), os.getpid()
        lock = self._lock
        if not lock.acquire(blocking=wait):
            return False
        try:
            return self._replaced()
        finally:
            self._due = monotonic() + (self._interval or 0)
            lock.release()

    def _replaced(self) -> bool:
        before = self._good
        try:
            self._good = self._opened(before)
        except BundleError as error:
            self._error = error
            return False
        self._error = None
        return self._good.bundle is not before.bundle

    def _opened(self, before: _Good | None = None) -> _Good:
        """Return what is on the disk; `before` itself where the manifest is still the same."""
        for _ in range(ATTEMPTS - 1):
            manifest = self._read(MANIFEST)
            try:
                return self._held(manifest, before)
            except BundleError:
                if self._read(MANIFEST) == manifest:
                    raise
        return self._held(self._read(MANIFEST), before)

    def _held(self, manifest: bytes, before: _Good | None) -> _Good:
        if before and before.manifest == manifest:
            return before
        files = {name: self._read(name) for name in read_manifest(manifest)["files"]}
        files[MANIFEST] = manifest
        bundle = Bundle.from_files(files)
        for name in [name for name in files if name.endswith(".py")]:
            del files[name]  # a bundle is data: checked like everything else, but never read again
        return _Good(bundle, manifest)

    def _read(self, name: str) -> bytes:
        try:
            return (self._folder / name).read_bytes()
        except (OSError, ValueError) as error:  # a ValueError for a name that no file can have
            reason = getattr(error, "strerror", None) or error
            raise BundleError(name, f"cannot be read in `{self._folder}`: {reason}") from None
