"""How long compiling takes, over parsing the same files; how large and how heavy the result is."""

from __future__ import annotations

import gc
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import frieze.pipeline
from frieze.bench.projects import write_project
from frieze.cache import Store
from frieze.emit import write_bundle

PLATFORMS = 6
TURNS = 3
"""How often everything is done; the quickest time of each counts, since a busy machine only ever adds."""

WORKERS = 2


@dataclass(frozen=True, slots=True)
class Times:
    """The quickest times in seconds: of the process, or by the clock (`parse_clock`, `two`) where several work.

    `one` and `two` processes without a cache; with one that is empty (`cold`), whole (`warm`), or lacks one file
    (`changed`).
    """

    parse: float
    parse_clock: float
    one: float
    two: float
    cold: float
    warm: float
    changed: float


def measure_compiling(agents: int, turns: int = TURNS) -> dict[str, float | None]:
    """Return every figure by its key, for generated projects of so many agents.

    Compiling runs every check, so `check` + `compile` is one compile.
    """
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        times = measure_times(root / "project", agents, turns)
        size, slower = measure_doubling(root, max(agents // 5, 2), turns)
        unlike = measure_unlike(root / "unlike", agents, turns)
        idle = memory_per_idle_prompt_kb(root / "project", agents)
    return {
        "compile_over_parse": round(times.two / times.parse_clock, 2),
        "compile_over_parse_one_process": round(times.one / times.parse, 2),
        "compile_over_parse_unlike": round(unlike, 2),
        "warm_over_cold": round(times.warm / times.cold, 3),
        "one_changed_over_cold": round(times.changed / times.cold, 3),
        "size_when_platforms_double": round(size, 3),
        "time_when_platforms_double": round(slower, 2),
        "memory_per_idle_prompt_kb": idle,
    }


def measure_times(root: Path, agents: int, turns: int) -> Times:
    """Write a project and time parsing and compiling it, in turns."""
    paths = write_project(root, agents=agents, platforms=PLATFORMS)
    changing = paths[-1]
    original = changing.read_text("utf-8")
    rows = []
    parse_plain(paths[:1])
    for turn in range(turns):
        with tempfile.TemporaryDirectory() as folder:

            def compile_(jobs: int = 1, store: str = folder, *, cached: bool = True) -> Any:
                cache = Store(Path(store)) if cached else None
                return frieze.pipeline.compile(root, jobs=jobs, cache=cache)

            row = [
                timed(lambda: parse_plain(paths)),
                timed(lambda: parse_plain(paths), time.perf_counter),
                timed(lambda: compile_(cached=False)),
                timed(lambda: compile_(WORKERS, cached=False), time.perf_counter),
                timed(compile_),
                timed(compile_),
            ]
            changing.write_text(f"{original}  Sentence number {turn} is new.\n", encoding="utf-8")
            row.append(timed(compile_))
            changing.write_text(original, encoding="utf-8")
        rows.append(row)
    return Times(*map(min, zip(*rows, strict=True)))


def measure_unlike(root: Path, agents: int, turns: int) -> float:
    """Return the time of compiling over that of parsing, in one process, where no two agents print the same line."""
    paths = write_project(root, agents=agents, platforms=PLATFORMS, unlike=True)
    rows = [
        (timed(lambda: parse_plain(paths)), timed(lambda: frieze.pipeline.compile(root, cache=None)))
        for _ in range(turns)
    ]
    return min(compiled for _, compiled in rows) / min(parsed for parsed, _ in rows)


def measure_doubling(folder: Path, agents: int, turns: int) -> tuple[float, float]:
    """Return how many times as large a bundle is with twice the platforms, and how many times as long it takes."""
    roots = [folder / f"on-{platforms}" for platforms in (PLATFORMS, 2 * PLATFORMS)]
    for root, platforms in zip(roots, (PLATFORMS, 2 * PLATFORMS), strict=True):
        write_project(root, agents=agents, platforms=platforms)
    sizes = [_size(root) for root in roots]
    rows = [[timed(lambda root=root: frieze.pipeline.compile(root)) for root in roots] for _ in range(turns)]  # type: ignore[misc] # mypy cannot infer a lambda with a default
    few, many = map(min, zip(*rows, strict=True))
    return sizes[1] / sizes[0], many / few


def memory_per_idle_prompt_kb(root: Path, agents: int) -> float | None:
    """Return the resident memory of an opened bundle for each agent, in kB, None where the system does not tell.

    Taken in a process of its own, before any prompt is rendered, less what it had before opening.
    """
    if not Path("/proc/self/statm").is_file():
        return None
    bundle = frieze.pipeline.compile(root).bundle
    if bundle is None:
        raise ValueError(f"{root} does not compile")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / bundle.package
        write_bundle(bundle, target)
        del bundle
        program = _OPEN.format(path=str(target))
        found = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)  # noqa: S603 - the program is the one below
    return round(int(found.stdout) / 1000 / agents, 1)


_OPEN = """
import gc, resource
from frieze.runtime import Bundle

def resident():
    gc.collect()
    return int(open("/proc/self/statm").read().split()[1]) * resource.getpagesize()

before = resident()
bundle = Bundle.open({path!r})
print(resident() - before)
"""


def parse_plain(paths: list[Path]) -> list[Any]:
    """Read files into plain data from the events of ruamel's C parser, and nothing more: the measure of compiling."""
    from ruamel.yaml import YAML

    found = []
    for path in paths:
        data: Any = None
        stack: list[tuple[Any, list[str]]] = []
        for event in YAML(typ="safe", pure=False).parse(path.read_text("utf-8")):
            name = type(event).__name__
            if name == "ScalarEvent":
                value = event.value if event.style else _plain(event.value)
            elif name == "MappingStartEvent":
                stack.append(({}, []))
                continue
            elif name == "SequenceStartEvent":
                stack.append(([], []))
                continue
            elif name in ("MappingEndEvent", "SequenceEndEvent"):
                value = stack.pop()[0]
            else:
                continue
            if not stack:
                data = value
                continue
            holder, key = stack[-1]
            if type(holder) is list:
                holder.append(value)
            elif key:
                holder[key.pop()] = value
            else:
                key.append(value)
        found.append(data)
    return found


_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}


def _plain(text: str) -> Any:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if text.isdecimal() else text


def timed(run: Callable[[], object], now: Callable[[], float] = time.process_time) -> float:
    """Return how long a call takes, in seconds of this process, which other programs do not lengthen."""
    gc.collect()
    begin = now()
    run()
    return now() - begin


def _size(root: Path) -> int:
    bundle = frieze.pipeline.compile(root).bundle
    if bundle is None:
        raise ValueError(f"{root} does not compile")
    return sum(map(len, bundle.files.values()))
