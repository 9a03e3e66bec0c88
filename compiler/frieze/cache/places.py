"""Where the cache of a project is."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from frieze.cache.store import Store

CACHE = "FRIEZE_CACHE"
"""The environment variable that names another folder, or says `off`."""

OFF = frozenset({"off", "0", "no", "false"})
OWN = ".frieze"
"""A folder of this name in a project holds its cache."""


def cache_of(root: Path) -> Store | None:
    """Return the cache of the project in a folder, None where there is to be none.

    That is the folder that `FRIEZE_CACHE` names, else `.frieze` in the project where there is such a folder, else the
    user's folder for caches.
    """
    named = os.environ.get(CACHE, "")
    if named.strip().lower() in OFF:
        return None
    if named:
        return Store(Path(named))
    own = root / OWN
    if own.is_dir() and not own.is_symlink():
        return Store(own / "cache")
    folder = _user_folder()
    return Store(folder) if folder else None


def _user_folder() -> Path | None:
    """Return the user's folder for frieze, None where there is none.

    Source: XDG Base Directory Specification 0.8; a path there that is not absolute is to be ignored.
    """
    given = os.environ.get("XDG_CACHE_HOME", "")
    if os.path.isabs(given):  # noqa: PTH117 - a text may be no path at all
        return Path(given) / "frieze"
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if not home.is_absolute():
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "frieze"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else home / "AppData" / "Local") / "frieze" / "cache"
    return home / ".cache" / "frieze"
