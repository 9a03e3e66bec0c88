"""Tests keep what commands remember in a folder of their own, never in that of whoever runs them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from frieze.cache import CACHE


@pytest.fixture(scope="session", autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE, str(tmp_path_factory.mktemp("cache")))
        yield
