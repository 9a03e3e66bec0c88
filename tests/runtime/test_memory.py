"""Memory does not grow with users, and not with renders."""

from __future__ import annotations

import gc
import tracemalloc
from datetime import UTC, datetime
from pathlib import Path

import pytest

import frieze.pipeline
from frieze.emit import write_bundle
from frieze.runtime import Bundle

REFERENCE = Path(__file__).parents[1] / "bench" / "reference"
NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
SUPPORT_DESK = Path(__file__).parents[2] / "examples" / "support-desk"


def context(number: int) -> dict[str, object]:
    """Return a context that no two users have alike."""
    return {
        "contact": {
            "id": f"c-{number}",
            "name": f"Guest {number}",
            "attributes": {"room": f"{number}", f"key{number % 7}": "x"},
        },
        "member": {"name": f"Member {number}"},
        "message": {"metadata": {"timezone": "Asia/Tokyo"}},
        "booking": {"code": f"KS-{number}", "house": "Kamo", "nights": number % 9 + 1},
    }


LEAST_LEAK = 48
"""Bytes of the smallest thing that could be left behind for each user."""


def growth(bundle: Bundle, target: dict[str, str | None], users: int) -> float:
    """Return how many bytes more are held for each user, of the last third of them.

    Pools and caches with a bound fill up before that; what each user leaves shows everywhere.
    """
    held = []
    tracemalloc.start()
    try:
        for number in range(users):
            bundle.prompt(**target).render(context(number), NOW).text  # type: ignore[arg-type] # noqa: B018 - the text is made when it is asked for
            if number in (users * 2 // 3 - 1, users - 1):
                gc.collect()
                held.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    return (held[1] - held[0]) / (users / 3)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    compiled = frieze.pipeline.compile(SUPPORT_DESK).bundle
    assert compiled
    folder = tmp_path_factory.mktemp("bundle") / compiled.package
    write_bundle(compiled, folder)
    return Bundle.open(folder)


TARGET: dict[str, str | None] = {
    "agent": "concierge", "platform": "line", "model": "claude-sonnet-4-6", "personality": "friendly", "audience": "direct",
}  # fmt: skip


def test_users_leave_nothing_behind(bundle: Bundle) -> None:
    assert growth(bundle, TARGET, 3_000) < LEAST_LEAK / 2


@pytest.mark.slow
def test_ten_thousand_users_and_a_million_renders_leave_nothing_behind(bundle: Bundle) -> None:
    assert growth(bundle, TARGET, 10_000) < LEAST_LEAK / 8
    prompt = bundle.prompt(**TARGET)  # type: ignore[arg-type] # the names are those of its parameters
    contexts = [context(number) for number in range(50)]
    gc.collect()
    before = _resident()
    for number in range(1_000_000):
        prompt.render(contexts[number % 50], NOW).text  # noqa: B018 - the text is made when it is asked for
    gc.collect()
    assert _resident() - before < 4_000_000


def _resident() -> int:
    import resource

    return int(Path("/proc/self/statm").read_text("utf-8").split()[1]) * resource.getpagesize()


def test_an_opened_bundle_is_small(bundle: Bundle, tmp_path: Path) -> None:
    compiled = frieze.pipeline.compile(SUPPORT_DESK).bundle
    assert compiled
    write_bundle(compiled, tmp_path / "one")
    residuals = sum(len(data) for path, data in compiled.files.items() if path.startswith("residuals/"))
    manifest = len(compiled.files["bundle.json"])
    Bundle.open(tmp_path / "one")
    tracemalloc.start()
    try:
        opened = Bundle.open(tmp_path / "one")
        gc.collect()
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert opened.agents
    assert held < residuals // 2 + 8 * manifest
