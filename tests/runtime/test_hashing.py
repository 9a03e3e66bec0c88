"""Hashes are those of hashlib, whoever makes them."""

from __future__ import annotations

import hashlib
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from frieze.runtime.hashing import LARGE, sha256_hex


@given(st.binary(max_size=300))
def test_as_hashlib_says(data: bytes) -> None:
    assert sha256_hex(data) == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("size", [LARGE - 1, LARGE, LARGE + 1])
def test_large_data(size: int) -> None:
    assert sha256_hex(b"x" * size) == hashlib.sha256(b"x" * size).hexdigest()


def test_without_the_small_module(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "_sha256", None)
    assert sha256_hex(b"abc") == hashlib.sha256(b"abc").hexdigest()
