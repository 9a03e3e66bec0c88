"""SHA-256. What is small is hashed by Python's own code: `hashlib` loads OpenSSL, a good part of a cold start."""

from __future__ import annotations

LARGE = 1 << 18
"""Bytes from which OpenSSL's speed is worth loading it."""


def sha256_hex(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal digits (FIPS 180-4)."""
    if len(data) < LARGE:
        # Python 3.11 has it, later releases do not and take the other way.
        try:
            from _sha256 import sha256  # type: ignore[import-not-found] # typeshed leaves it out
        except ImportError:
            from hashlib import sha256
    else:
        from hashlib import sha256
    return str(sha256(data).hexdigest())
