"""The reference prompt through the emitted package, the interpreter and Jinja2, over a function written by hand."""

from __future__ import annotations

import gc
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import frieze.pipeline
from frieze.emit import write_bundle
from frieze.profiles import load_graph
from frieze.runtime import Bundle

Run: TypeAlias = Callable[[], object]

ROUNDS = 400
SLICE = 0.001
"""Seconds of one measurement: short and many, so that some of each side meet an idle moment."""

COLD_ROUNDS = 15


@dataclass(frozen=True, slots=True)
class Reference:
    """The reference prompt, compiled.

    Attributes:
        floor: the function written by hand, from a context to the text.
        package: the folder that holds the emitted package.
        name: the package's name.
        agent: the agent to ask for.
        template: the instructions as a Jinja2 template.
        inputs: name of an input -> the context paths that it is read from.
        contexts: `context` and `context-cjk`.
    """

    floor: Callable[[dict[str, Any]], str]
    package: Path
    name: str
    agent: str
    template: str
    inputs: dict[str, tuple[str, ...]]
    contexts: dict[str, dict[str, Any]]

    @classmethod
    @contextmanager
    def compiled(cls, folder: Path) -> Iterator[Reference]:
        """Compile the project of a folder, beside which `floor.py` and the contexts stand, for the time of a `with`.

        Raises:
            ValueError: it does not compile.
        """
        result = frieze.pipeline.compile(folder)
        graph, _ = load_graph(folder)
        if result.bundle is None or graph is None:
            raise ValueError(f"{folder} does not compile: {result.diagnostics}")
        (agent,) = graph.agents.values()
        with tempfile.TemporaryDirectory() as root:
            write_bundle(result.bundle, Path(root) / result.bundle.package)
            manifest = json.loads(result.bundle.files["bundle.json"])
            (name,) = manifest["agents"]
            inputs: dict[str, tuple[str, ...]] = {}
            for path, data in result.bundle.files.items():
                if path.startswith("residuals/"):
                    for content in json.loads(data)["residuals"].values():
                        for key, spec in content["inputs"].items():
                            inputs[key] = tuple(source["path"] for source in spec["sources"])
            contexts = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted(folder.glob("context*.json"))}
            body = agent.instructions.body if agent.instructions else None
            template = body.value if body else ""
            yield cls(_floor(folder), Path(root), result.bundle.package, name, template, inputs, contexts)


def render_over_floor(reference: Reference) -> float:
    """Return the time of the emitted package over that of the floor."""
    return _over_floor(reference, "context", emitted_prompt(reference))


def render_over_floor_cjk(reference: Reference) -> float:
    """Return the same with two Japanese values."""
    return _over_floor(reference, "context-cjk", emitted_prompt(reference))


def interpreter_over_floor(reference: Reference) -> float:
    """Return the time of a bundle opened from its folder over that of the floor."""
    bundle = Bundle.open(reference.package / reference.name)
    return _over_floor(reference, "context", bundle.prompt(reference.agent))


def jinja_over_render(reference: Reference) -> float:
    """Return the time of Jinja2's compiled template over that of the emitted package; both read the nested context."""
    template = _jinja_template(reference)
    context = reference.contexts["context"]
    prompt = emitted_prompt(reference)
    return ratio(lambda: template.render(context), lambda: prompt.render(context).text)


def _jinja_template(reference: Reference) -> Any:
    """Return the same prompt as a template of Jinja2, which looks each value up once, where the inputs look."""
    import jinja2

    environment = jinja2.Environment(trim_blocks=True, lstrip_blocks=True)  # noqa: S701 - prompts are no HTML
    looks = [
        f"{{% set {name} = {' or '.join(paths)} %}}\n" for name, paths in reference.inputs.items() if paths != (name,)
    ]
    return environment.from_string("".join(looks) + reference.template)


def cold_over_jinja_import(reference: Reference) -> float:
    """Return a first import and render of the package over `import jinja2`, both in fresh processes, less the start."""
    render = (
        f"import sys; sys.path.insert(0, {str(reference.package)!r}); import {reference.name}\n"
        f"{reference.name}.prompt({reference.agent!r}).render({reference.contexts['context']!r}).text"
    )
    programs = {"start": "pass", "render": render, "jinja": "import jinja2"}
    times: dict[str, list[float]] = {name: [] for name in programs}
    # Both are installed packages, whose modules are compiled once: the first round does that.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(COLD_ROUNDS):
        for name, program in programs.items():
            begin = _spent()
            subprocess.run([sys.executable, "-c", program], check=True, env=environment)  # noqa: S603 - those above
            times[name].append(_spent() - begin)
    start, cold, jinja = (min(times[name]) for name in programs)
    return (cold - start) / (jinja - start)


def _spent() -> float:
    """Return the seconds for which child processes kept a processor busy; the time of day where nobody counts them."""
    try:
        import resource
    except ImportError:
        return time.perf_counter()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure_all(reference: Reference) -> dict[str, float]:
    """Return every figure by its key."""
    figures = (
        render_over_floor,
        render_over_floor_cjk,
        interpreter_over_floor,
        jinja_over_render,
        cold_over_jinja_import,
    )
    return {figure.__name__: round(figure(reference), 2) for figure in figures}


def ratio(one: Run, other: Run) -> float:
    """Return the least time of one call over the least of another, measured in turns: more is other programs' doing."""
    repeats = [_repeats(one), _repeats(other)]
    enabled = gc.isenabled()
    gc.disable()
    try:
        times = [(_timed(one, repeats[0]), _timed(other, repeats[1])) for _ in range(ROUNDS)]
    finally:
        if enabled:
            gc.enable()
    return min(mine for mine, _ in times) / min(others for _, others in times)


def _over_floor(reference: Reference, name: str, prompt: Any) -> float:
    context = reference.contexts[name]
    return ratio(lambda: prompt.render(context).text, lambda: reference.floor(context))


def _repeats(run: Run) -> int:
    run()
    count = 1
    while (taken := _timed(run, count) * count) < SLICE:
        count = max(count * 2, int(count * SLICE / max(taken, 1e-9)))
    return count


def _timed(run: Run, count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        run()
    return (time.perf_counter() - begin) / count


def emitted_prompt(reference: Reference) -> Any:
    """Return the prompt of the emitted package, imported from where it was written."""
    sys.path.insert(0, str(reference.package))
    try:
        module = importlib.import_module(reference.name)
        return module.prompt(reference.agent)
    finally:
        sys.path.remove(str(reference.package))


def _floor(folder: Path) -> Callable[[dict[str, Any]], str]:
    spec = importlib.util.spec_from_file_location("floor", folder / "floor.py")
    if spec is None or spec.loader is None:
        raise ValueError(f"{folder} has no floor.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    render: Callable[[dict[str, Any]], str] = module.render
    return render
