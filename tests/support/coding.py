"""The coding agent of the examples: its package, compiled once a test run, and its modules."""

from __future__ import annotations

import atexit
import importlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from frieze.emit import write_bundle
from support import examples

PROJECT = "coding-agent"
FOLDER = examples.ROOT / "examples" / PROJECT

PACKAGED = ("coding_agent", "agent", "executor", "demo")
"""The modules that need the compiled package."""


@cache
def packages() -> Path:
    """Return a folder that holds the compiled package, on the path of this process."""
    folder = Path(tempfile.mkdtemp(prefix="coding-agent-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    files = examples.files(PROJECT)
    assert write_bundle(files, folder / files.package) == []
    sys.path.insert(0, str(folder))
    return folder


def module(name: str) -> Any:
    """Return one of the example's modules."""
    if str(FOLDER) not in sys.path:
        sys.path.insert(0, str(FOLDER))
    if name in PACKAGED:
        packages()
    return importlib.import_module(name)


def prompt(**target: str) -> Any:
    """Return a prompt of the coder."""
    return module("coding_agent").prompt("coder", **target)


def executor(
    workspace: Path,
    ask: Callable[[Mapping[str, Any]], bool | None] | None = None,
    *,
    mode: str = "implement",
    interactive: bool = True,
) -> Any:
    """Return an executor of a new session; without `ask` nobody may be asked."""
    chosen = prompt(mode=mode)
    guard = chosen.guard(workspace=workspace, interactive=interactive)
    return module("executor").Executor(
        guard, chosen.render().tools, ask or _unexpected, workspace.parent / f"{workspace.name}-state"
    )


def patch(*sections: str) -> dict[str, str]:
    """Return the arguments of a patch with these sections."""
    return {"patch": "\n".join(["*** Begin Patch", *sections, "*** End Patch"])}


def _unexpected(confirmation: Mapping[str, Any]) -> bool:
    raise AssertionError(confirmation["confirmation_prompt"])
