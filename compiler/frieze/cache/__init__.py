"""What earlier runs found out, kept on disk under the hash of everything that it depends on."""

from __future__ import annotations

from frieze.cache.identity import fingerprint
from frieze.cache.places import CACHE, cache_of
from frieze.cache.store import Store, entry_hash

__all__ = ["CACHE", "Store", "cache_of", "entry_hash", "fingerprint"]
