"""Projects in temporary folders, written from one text."""

from __future__ import annotations

import re
from pathlib import Path

EXAMPLE = "profiles/example.yaml"
"""Where a text without a `# file:` line goes."""

PROJECT = "kind: project\nname: example-project\nversion: 1.0.0\n"
AGENT = "kind: agent\nname: example-agent\ninstructions: Be kind.\n"

_MARKER = re.compile(r"^# file: (\S+)[ \t]*\n", re.MULTILINE)
_KIND = re.compile(r"^kind:[ \t]*(\w+)", re.MULTILINE)
_NAME = re.compile(r"^name:[ \t]*(\S+)", re.MULTILINE)


def split_files(text: str, default: str = EXAMPLE) -> dict[str, str]:
    """Split a text at its `# file: PATH` lines; a text without one is the file `default`."""
    first, *rest = _MARKER.split(text)
    files = {default: first} if first.strip() or not rest else {}
    files.update(zip(rest[::2], rest[1::2], strict=True))
    return files


def write_files(root: Path, files: dict[str, str]) -> Path:
    """Write files below `root`, line feeds as they are, and return `root`."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return root


def write_minimal_project(root: Path, example: str) -> Path:
    """Write an example of the catalogue with what it needs around it.

    A project file and an agent are added where the example has none. An agent that is added shows every
    block of the example, so that what is wrong in a block cannot hide.
    """
    files = split_files(example)
    files.setdefault("frieze.yaml", PROJECT)
    kinds = {name: kind[1] for name, text in files.items() if (kind := _KIND.search(text))}
    if "agent" not in kinds.values():
        blocks = [
            found[1]
            for name, kind in kinds.items()
            if kind == "block" and (found := _NAME.search(files[name])) and "/" not in found[1]
        ]
        inserts = "".join(f"    {block}: {{at: last}}\n" for block in dict.fromkeys(blocks))
        files["profiles/example-agent.yaml"] = AGENT + (f"layout:\n  from: std\n  insert:\n{inserts}" if blocks else "")
    return write_files(root, files)
