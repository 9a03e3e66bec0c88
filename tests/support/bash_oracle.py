"""What bash really starts and writes: runs command lines where every program is one that logs how it is called.

Each text runs in a bash of its own, in an empty folder, with nothing but bash on the PATH. Whatever else it would start is
not found there, and bash then calls a function that logs the folder and the words. Names that begin with `f` fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

BASH = shutil.which("bash")

_DRIVER = r"""
command_not_found_handle() {
  printf '%s\0' "$PWD" "$#" "$@" >> "$ORACLE_LOG/$BASHPID"
  case $1 in f*) return 1;; esac
  return 0
}
export -f command_not_found_handle
at=0
while IFS= read -r -d '' text; do
  cd "$ORACLE_ROOT/$at" || exit 1
  ORACLE_LOG="$ORACLE_ROOT/logs/$at" "$ORACLE_BASH" --norc --noprofile -c "$text" < /dev/null > /dev/null 2>&1
  at=$((at + 1))
done < "$ORACLE_ROOT/texts"
exit 0
"""


class Run(NamedTuple):
    """What one text did.

    Attributes:
        started: (folder, words) of every program, the folder relative to where the text began.
        written: files that are there afterwards and were not before, likewise relative.
    """

    started: list[tuple[str, tuple[str, ...]]]
    written: set[str]


def run_all(texts: Sequence[str], root: Path) -> list[Run]:
    """Run every text in a folder that holds a file `in` and folders `d`, `d/e`."""
    assert BASH is not None
    tools = root / "tools"
    tools.mkdir()
    for name in ("bash", "sh"):
        (tools / name).symlink_to(BASH)
    for at in range(len(texts)):
        (root / str(at) / "d" / "e").mkdir(parents=True)
        (root / str(at) / "in").touch()
        (root / "logs" / str(at)).mkdir(parents=True)
    (root / "texts").write_bytes(b"".join(text.encode() + b"\0" for text in texts))
    env = {"PATH": str(tools), "ORACLE_ROOT": str(root), "ORACLE_BASH": BASH, "LC_ALL": "C.UTF-8", "HOME": str(root)}
    subprocess.run([BASH, "--norc", "--noprofile", "-c", _DRIVER], env=env, check=True, timeout=300)
    return [Run(_started(root, at), _written(root / str(at))) for at in range(len(texts))]


def _started(root: Path, at: int) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for log in (root / "logs" / str(at)).iterdir():
        fields = log.read_bytes().split(b"\0")[:-1]
        while fields:
            folder, count = fields[0].decode(), int(fields[1])
            words = tuple(os.fsdecode(field) for field in fields[2 : 2 + count])
            fields = fields[2 + count :]
            found.append((os.path.relpath(folder, root / str(at)), words))
    return found


def _written(folder: Path) -> set[str]:
    there = {"in"}
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - there
