"""Work spread over processes.

The workers are forks of this process, so they see everything that it has read, and only results are sent. Where the
system has no `fork`, where threads run (which a fork would cut off in the middle of anything) or where there is little
to do, everything happens in this process. What a worker does not deliver is made here; so the result is the same
whatever becomes of the workers.
"""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO

CHUNK = 8
"""Items that a worker takes at once."""

LEAST = 24
"""Items below which a second process costs more than it gives."""

Work = Callable[[str], "bytes | None"]


def cores() -> int:
    """Return how many processes can run at the same time."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def processes(items: int, jobs: int, least: int = LEAST) -> int:
    """Return how many processes are worth it."""
    if jobs < 2 or not hasattr(os, "fork") or threading.active_count() > 1:
        return 1
    return max(1, min(jobs, items // max(1, least // 2))) if items >= least else 1


def spread(items: Sequence[str], work: Work, count: int, here: Callable[[str], None]) -> dict[str, bytes]:
    """Do the work of all items in `count` processes, this one among them; return what the others deliver.

    `here` does an item in this process. What `work` gives None for, or a worker did not get to, is left to it too.
    """
    chunks = [items[start : start + CHUNK] for start in range(0, len(items), CHUNK)]
    tickets, tickets_in = os.pipe()
    children: dict[int, IO[bytes]] = {}
    taken: set[str] = set()
    results: dict[str, bytes] = {}
    frozen = gc.get_freeze_count()
    if not frozen:
        gc.freeze()
    try:
        for _ in range(count - 1):
            try:
                stream: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed below, when its worker has ended
            except OSError:  # no place for results: the workers that there are do the work
                break
            try:
                child = os.fork()
            except OSError:
                stream.close()
                break
            if not child:
                _child(tickets, tickets_in, stream, chunks, work)
            children[child] = stream
        _hand_out(tickets_in, len(chunks))
        os.close(tickets_in)
        tickets_in = -1
        for number in _tickets(tickets):
            for item in chunks[number]:
                here(item)
                taken.add(item)
        for child, written in list(children.items()):
            os.waitpid(child, 0)
            del children[child]
            with written:
                results.update(_delivered(written))
    finally:
        if not frozen:
            gc.unfreeze()
        os.close(tickets)
        if tickets_in >= 0:
            os.close(tickets_in)
        for child, unread in children.items():
            _end(child)
            unread.close()
    for item in items:
        if item not in taken and item not in results:
            here(item)
    return results


def _child(tickets: int, tickets_in: int, stream: IO[bytes], chunks: Sequence[Sequence[str]], work: Work) -> None:
    """Work until there are no tickets left, and end the process without its usual farewells."""
    code = 1
    try:
        os.close(tickets_in)
        for number in _tickets(tickets):
            for item in chunks[number]:
                found = work(item)
                if found is not None:
                    name = item.encode()
                    stream.write(b"%d %d\n" % (len(name), len(found)) + name + found)
        stream.flush()
        code = 0
    finally:
        os._exit(code)


def _hand_out(pipe: int, count: int) -> None:
    """Put the numbers of all chunks into the pipe; what does not fit is left to nobody in particular."""
    os.set_blocking(pipe, False)
    with suppress(BlockingIOError):
        for number in range(count):
            os.write(pipe, number.to_bytes(4, "big"))


def _tickets(pipe: int) -> Iterator[int]:
    """Yield the numbers of chunks that nobody has taken yet. Four bytes are read from a pipe at once or not at all."""
    while len(data := os.read(pipe, 4)) == 4:
        yield int.from_bytes(data, "big")


def _delivered(stream: IO[bytes]) -> dict[str, bytes]:
    """Read what a worker wrote, as far as it is whole."""
    results = {}
    stream.seek(0)
    while head := stream.readline():
        try:
            name_size, size = map(int, head.split())
        except ValueError:
            break
        name, found = stream.read(name_size), stream.read(size)
        if len(found) < size:
            break
        results[name.decode()] = found
    return results


def _end(child: int) -> None:
    """End a worker whose results nobody waits for any more."""
    with suppress(OSError):
        os.kill(child, signal.SIGKILL)
    with suppress(OSError):
        os.waitpid(child, 0)
