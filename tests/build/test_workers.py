"""Work that is spread over processes comes back whole, whatever becomes of the processes."""

from __future__ import annotations

import io
import os
import select
import signal
import threading
import time

import pytest

from frieze.build import workers
from frieze.build.workers import processes, spread

ITEMS = [f"item-{number}" for number in range(50)]


def done(work, count: int = 3) -> tuple[list[str], dict[str, bytes]]:
    """Spread the items, and let no item be done here before a worker has one."""
    here: list[str] = []
    begun, begin = os.pipe()

    def there(item: str) -> bytes:
        os.write(begin, b".")
        return work(item)

    def own(item: str) -> None:
        if not here:
            assert select.select([begun], [], [], 20)[0], "no worker took anything"
        here.append(item)

    try:
        return here, spread(ITEMS, there, count, own)
    finally:
        os.close(begun)
        os.close(begin)


def made(item: str) -> bytes:
    return item.upper().encode() * 3


def test_every_item_is_done_once_by_somebody() -> None:
    here, there = done(made)
    assert there
    assert sorted([*here, *there]) == sorted(ITEMS)
    assert all(found == made(item) for item, found in there.items())


def test_what_a_worker_does_not_deliver_is_done_here() -> None:
    here, there = done(lambda _: None)
    assert there == {}
    assert sorted(here) == sorted(ITEMS)


@pytest.mark.parametrize("end", ["raise", "kill", "exit"])
def test_a_worker_that_ends_loses_nothing(end: str, capfd: pytest.CaptureFixture[str]) -> None:
    begun: list[str] = []

    def work(item: str) -> bytes:
        begun.append(item)
        if len(begun) == 3:
            if end == "raise":
                raise ValueError(item)
            if end == "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            os._exit(3)
        return made(item)

    here, there = done(work)
    assert sorted({*here, *there}) == sorted(ITEMS)
    assert not set(here) & set(there)


def test_what_a_worker_wrote_in_part_is_not_taken() -> None:
    whole = b"".join(b"%d %d\n" % (len(item), len(made(item))) + item.encode() + made(item) for item in ITEMS)
    lengths: set[int] = set()
    for cut in range(len(whole) + 1):
        found = workers._delivered(io.BytesIO(whole[:cut]))
        assert found == {item: made(item) for item in ITEMS[: len(found)]}
        lengths.add(len(found))
    assert lengths == set(range(len(ITEMS) + 1))


def test_an_error_here_ends_the_workers() -> None:
    def here(item: str) -> None:
        raise ValueError(item)

    def slow(item: str) -> bytes:
        time.sleep(60)
        return made(item)

    with pytest.raises(ValueError, match="item"):
        spread(ITEMS, slow, 3, here)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_little_work_stays_in_one_process() -> None:
    assert processes(5, 8) == 1
    assert processes(1000, 1) == 1
    assert processes(1000, 4) == 4
    assert processes(workers.LEAST, 64) == 2


def test_beside_threads_nothing_is_forked() -> None:
    seen: list[int] = []
    thread = threading.Thread(target=lambda: seen.append(processes(1000, 4)))
    thread.start()
    thread.join()
    assert seen == [1]


@pytest.mark.parametrize("call", ["fork", "file"])
def test_without_room_for_workers_everything_is_done_here(call: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no room")

    monkeypatch.setattr(*((workers.os, "fork") if call == "fork" else (workers.tempfile, "TemporaryFile")), refuse)
    here: list[str] = []
    there = spread(ITEMS, made, 3, here.append)
    assert sorted(here) == sorted(ITEMS)
    assert there == {}
