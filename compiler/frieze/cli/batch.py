"""Answers questions to a guard that come as JSON Lines."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from frieze.runtime.guard import Action, Guard

LONGEST = 16_000_000
"""Bytes of one line."""

BROKEN = "batch.line"
"""The rule of the answer to a line that is no question."""


class _LineError(Exception):
    """A line is no question; the text says why."""


def answer_lines(guard: Guard, lines: BinaryIO | None) -> int:
    """Answer each line as soon as it is there, and return the exit code: 1 where a line was no question."""
    broken = False
    for line in lines or ():
        try:
            answer = guard.decide(_question(line)).as_data()
        except _LineError as error:
            broken = True
            answer = {
                "effect": "deny",
                "action": "run",
                "rule": BROKEN,
                "risk": "unknown",
                "reason": f"This line is no question: {error}.",
                "confirmation": None,
                "error": str(error),
            }
        sys.stdout.write(json.dumps(answer) + "\n")
        sys.stdout.flush()
    return 1 if broken else 0


def _question(line: bytes) -> Action:
    from frieze.runtime.guard import Action

    if len(line) > LONGEST:
        raise _LineError(f"it is over {LONGEST:,} bytes")
    try:
        data = json.loads(line.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise _LineError(f"byte {error.start + 1} is not UTF-8") from None
    except RecursionError:
        raise _LineError("it is nested too deeply") from None
    except ValueError as error:
        raise _LineError(f"it is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise _LineError("it is not an object")
    cwd = _text(data, "cwd")
    asked = [key for key in ("command", "tool") if key in data] or [key for key in ("action",) if key in data]
    if len(asked) != 1:
        raise _LineError('give one of "command", "action" and "tool"')
    if asked != ["action"] and "path" in data:
        raise _LineError('"path" is for "action"')
    if asked == ["command"]:
        return Action("run", command=_needed(data, "command"), cwd=cwd)
    if asked == ["tool"]:
        return Action("tool", tool=_needed(data, "tool"), args=data.get("args", {}), cwd=cwd)
    return _access(data, cwd)


def _access(data: dict[str, Any], cwd: str | None) -> Action:
    from frieze.cli.guard import WITH_PATH
    from frieze.runtime.guard import Action
    from frieze.runtime.guard.vocabulary import ACTIONS

    kind = _needed(data, "action")
    if kind not in ACTIONS:
        raise _LineError(f"`{kind}` is none of the actions {', '.join(ACTIONS)}")
    if kind in WITH_PATH and data.get("path") is None:
        raise _LineError(f'the action `{kind}` needs a "path"')
    return Action(kind, path=_text(data, "path"), cwd=cwd)


def _needed(data: dict[str, Any], key: str) -> str:
    found = _text(data, key)
    if found is None:
        raise _LineError(f'"{key}" is null')
    return found


def _text(data: dict[str, Any], key: str) -> str | None:
    found = data.get(key)
    if found is not None and not isinstance(found, str):
        raise _LineError(f'"{key}" is not text')
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("an object holds a key twice")
    return data
