"""What bash really starts and writes: runs command lines where every program is one that logs how it is called.

Each text runs in a bash of its own, in a folder of its own, with nothing on the PATH but bash, the wrappers that are asked
for, and stubs. A stub logs its folder and its words. Whatever else a text would start is not found, and bash then calls
a function that logs the same. Names that begin with `f` fail.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

BASH = shutil.which("bash")

_STUB = r"""#!%s --norc
printf '%%s\0' "$PWD" "$(($# + 1))" "${0##*/}" "$@" >> "$ORACLE_LOG/$$"
"""

_DRIVER = r"""
command_not_found_handle() {
  printf '%s\0' "$PWD" "$#" "$@" >> "$ORACLE_LOG/$BASHPID"
  case $1 in f*) return 1;; esac
  return 0
}
export -f command_not_found_handle
at=0
while IFS= read -r -d '' text; do
  cd "$ORACLE_ROOT/run-$at" || exit 1
  OLDPWD= ORACLE_LOG="$ORACLE_ROOT/logs/$at" "$ORACLE_BASH" --norc --noprofile -c "$text" < /dev/null > /dev/null 2>&1
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


def run_all(texts: Sequence[str], root: Path, *, wrappers: Sequence[str] = (), stubs: Sequence[str] = ()) -> list[Run]:
    """Run every text in a folder that holds a file `in` and folders `d`, `d/e`.

    Args:
        texts: command lines for bash.
        root: an empty folder.
        wrappers: real programs that may be started; what they start in turn has to be a stub to be seen.
        stubs: names of programs that only log.
    """
    assert BASH is not None
    tools = root / "tools"
    tools.mkdir()
    for name in ("bash", "sh"):
        (tools / name).symlink_to(BASH)
    for name in wrappers:
        (tools / name).symlink_to(str(shutil.which(name)))
    for name in stubs:
        (tools / name).write_text(_STUB % BASH)
        (tools / name).chmod(0o755)
    for at in range(len(texts)):
        (root / f"run-{at}" / "d" / "e").mkdir(parents=True)
        (root / f"run-{at}" / "in").touch()
        (root / "logs" / str(at)).mkdir(parents=True)
    (root / "texts").write_bytes(b"".join(text.encode() + b"\0" for text in texts))
    env = {"PATH": str(tools), "ORACLE_ROOT": str(root), "ORACLE_BASH": BASH, "LC_ALL": "C.UTF-8", "HOME": str(root)}
    subprocess.run([BASH, "--norc", "--noprofile", "-c", _DRIVER], env=env, check=True, timeout=300)
    return [Run(_started(root, at), _written(root / f"run-{at}")) for at in range(len(texts))]


def _started(root: Path, at: int) -> list[tuple[str, tuple[str, ...]]]:
    found = []
    for log in (root / "logs" / str(at)).iterdir():
        fields = log.read_bytes().split(b"\0")[:-1]
        while fields:
            folder, count = fields[0].decode(), int(fields[1])
            words = tuple(os.fsdecode(field) for field in fields[2 : 2 + count])
            fields = fields[2 + count :]
            found.append((os.path.relpath(folder, root / f"run-{at}"), words))
    return found


def _written(folder: Path) -> set[str]:
    there = {"in"}
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()} - there
