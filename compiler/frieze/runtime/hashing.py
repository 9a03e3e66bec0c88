"""SHA-256. What is small is hashed by Python's own code: `hashlib` loads OpenSSL, a good part of a cold start."""

from __future__ import annotations

LARGE = 1 << 18
"""Bytes from which OpenSSL's speed is worth loading it."""


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal digits (FIPS 180-4)."""
    if len(data) < LARGE:
        # The module has no public name; `random` of the standard library takes its hash in the same way.
        try:
            from _sha256 import sha256  # type: ignore[import-not-found] # typeshed leaves it out
        except ImportError:
            try:
                from _sha2 import sha256  # type: ignore[import-not-found] # its name from Python 3.12 on
            except ImportError:
                from hashlib import sha256
    else:
        from hashlib import sha256
    return str(sha256(data).hexdigest())
