"""A session from the first question to the last, with a scripted model and scripted answers of a person.

    frieze compile
    PYTHONPATH=dist python demo.py

It works on a copy of `sample`. Everything else is real: the prompt, the guard, the tools, the processes.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from agent import Session

SAMPLE = Path(__file__).parent / "sample"

FIX = """*** Begin Patch
*** Update File: prices.py
@@ def total(prices: list[int], discount: int = 0) -> int:
     amount = 0
-    for price in prices[1:]:
+    for price in prices:
         amount += price
*** End Patch
"""

SCRIPT: tuple[tuple[str, dict[str, Any]] | str, ...] = (
    ("search_text", {"query": "def total"}),
    ("read_file", {"path": "prices.py"}),
    ("run_shell", {"command": "python -m unittest"}),
    ("apply_patch", {"patch": FIX}),
    "`prices.py:7` leaves out the first price. A test fails for that. In this mode I change nothing; may I mend it?",
    ("apply_patch", {"patch": FIX}),
    ("run_shell", {"command": "python -m unittest"}),
    ("run_shell", {"command": "git push --force origin main"}),
    ("delete_file", {"path": "rates.json", "reason": "Nothing reads it."}),
    ("delete_file", {"path": "test_prices.py", "reason": "It passes now."}),
    ("show_diff", {}),
    "Every price is counted now, and both tests pass. `test_prices.py` is still there, and nothing was pushed.",
)
"""What the model says, in order: a tool call, or its last words of a turn."""


def scripted(script: tuple[tuple[str, dict[str, Any]] | str, ...]) -> Iterator[dict[str, Any]]:
    """Yield replies of the Messages API."""
    for number, step in enumerate(script):
        if isinstance(step, str):
            yield {"content": [{"type": "text", "text": step}]}
        else:
            name, args = step
            yield {"content": [{"type": "tool_use", "id": f"call-{number}", "name": name, "input": args}]}


def main() -> None:
    """Show the session."""
    replies = scripted(SCRIPT)
    answers = iter((True, False))

    def ask(confirmation: Mapping[str, Any]) -> bool:
        print(f"\n{confirmation['confirmation_prompt']}")
        answer = next(answers)
        print(f"Do it? [y/N] {'y' if answer else 'n'}\n")
        return answer

    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "shop"
        shutil.copytree(SAMPLE, workspace)
        session = Session(str(workspace), lambda _: next(replies), ask, state=Path(folder) / "state")
        for line in ("The total of a basket is too low. Why?", "/mode implement", "Mend it."):
            print(f"\n> {line}")
            session.command(line) if line.startswith("/") else session.turn(line)


if __name__ == "__main__":
    main()
