"""Tokens for what a person has agreed to: bound to exactly that, usable once, for a while.

A token is for the host alone. It is never part of a decision, a confirmation or a result, so that no model sees one.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

LIFETIME = 300.0
"""Seconds for which a token can be used."""

PATIENCE = 3600.0
"""Seconds for which a person can think about a confirmation."""

MOST_OPEN = 4096
"""Confirmations, and tokens, that are kept; beyond it the oldest are forgotten and must be asked again."""


class ConfirmationError(ValueError):
    """A confirmation that cannot be approved: unknown, changed, too old, or approved already."""


def digest(binding: Mapping[str, Any]) -> str:
    """Return the SHA-256 (hexadecimal) of the canonical JSON of what is to run.

    Raises:
        TypeError, ValueError: it holds what JSON has no form for.
    """
    text = json.dumps(binding, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


class Tokens:
    """Open confirmations and the tokens of approved ones. Safe to share between threads."""

    __slots__ = ("_clock", "_lifetime", "_lock", "_open", "_tokens")

    def __init__(self, clock: Callable[[], float] = time.monotonic, lifetime: float = LIFETIME) -> None:
        self._clock = clock
        self._lifetime = lifetime
        self._lock = threading.Lock()
        self._open: dict[str, tuple[str, str, float]] = {}
        self._tokens: dict[bytes, tuple[str, float]] = {}

    def open(self, bound: str, confirmation: Mapping[str, Any]) -> str:
        """Remember a confirmation that waits for a person, and return its id.

        Args:
            bound: the digest of what it is about.
            confirmation: what the person is shown, without the id.
        """
        name = os.urandom(16).hex()
        with self._lock:
            self._open[name] = (bound, digest(confirmation), self._clock() + PATIENCE)
            while len(self._open) > MOST_OPEN:
                del self._open[next(iter(self._open))]
        return name

    def approve(self, confirmation: Mapping[str, Any]) -> str:
        """Return a token for a confirmation that a person has agreed to. Each can be approved once.

        Raises:
            ConfirmationError: it is not one of ours, was changed, waited too long, or was approved already.
        """
        try:
            name = confirmation["id"]
            shown = digest({key: value for key, value in confirmation.items() if key != "id"})
            with self._lock:
                bound, expected, until = self._open[name]
                if not hmac.compare_digest(shown, expected):
                    raise ConfirmationError("the confirmation is not the one that was shown")
                del self._open[name]
        except (KeyError, TypeError, AttributeError):
            raise ConfirmationError("the confirmation is not known, or it was approved already") from None
        except RecursionError:
            raise ConfirmationError("the confirmation is not the one that was shown") from None
        if self._clock() >= until:
            raise ConfirmationError("the confirmation is too old: ask again")
        return self._issue(bound)

    def _issue(self, bound: str) -> str:
        token = os.urandom(32).hex()
        with self._lock:
            now = self._clock()
            for key in [key for key, (_, until) in self._tokens.items() if until <= now]:
                del self._tokens[key]
            while len(self._tokens) >= MOST_OPEN:
                del self._tokens[next(iter(self._tokens))]
            self._tokens[_kept(token)] = (bound, now + self._lifetime)
        return token

    def redeem(self, token: object, bound: str) -> bool:
        """Use a token up for what it is bound to, and tell whether it was good; of many threads one succeeds.

        A token that is shown for something else stays as it is.
        """
        if not isinstance(token, str):
            return False
        key = _kept(token)
        with self._lock:
            expected, until = self._tokens.get(key, ("", 0.0))
            if not expected or not hmac.compare_digest(expected, bound):
                return False
            del self._tokens[key]
            return self._clock() < until


def _kept(token: str) -> bytes:
    """Return the form in which a token is kept: who reads this memory cannot use it."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()
