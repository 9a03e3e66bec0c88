"""What came of a tool call, as data that a model reads. A call that failed never reads like one that worked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STATUSES = ("ok", "failed", "needs_confirmation", "denied")

MOST_OUTPUT = 30_000
"""Characters of an output that are kept when nothing else is said."""


def result(
    tool: str,
    mask: Callable[[str], str],
    *,
    command: str | None = None,
    exit_code: int | None = None,
    stdout: str | bytes = "",
    stderr: str | bytes = "",
    effect: str = "allow",
    reason: str = "",
    limit: int = MOST_OUTPUT,
) -> dict[str, Any]:
    """Return `tool`, `command`, `exit_code`, `stdout`, `stderr`, `status`, and a `message` unless it is `ok`.

    Only the exit code 0 is a success. What was asked about or denied has no exit code and no output, whatever is given.
    """
    if effect != "allow":
        status = "needs_confirmation" if effect == "ask" else "denied"
        return _row(tool, command, None, "", "", status, f"{_MESSAGES[status]} {reason}".strip())
    out, err = (_cut(mask(_text(output)), limit) for output in (stdout, stderr))
    if type(exit_code) is int and exit_code == 0:
        return _row(tool, command, 0, out, err, "ok", "")
    code = exit_code if type(exit_code) is int else None
    ended = "ended without an exit code" if code is None else f"failed with exit code {code}"
    return _row(tool, command, code, out, err, "failed", f"`{tool}` {ended}. Nothing may be taken as done.")


_MESSAGES = {
    "needs_confirmation": "Not run: a person has to agree first. Wait for the answer; do not try it in another form.",
    "denied": "Not run: the policy does not allow it. Do not try it in another form; say what you need and why.",
}


def _row(
    tool: str, command: str | None, exit_code: int | None, stdout: str, stderr: str, status: str, message: str
) -> dict[str, Any]:
    row = {
        "tool": tool,
        "command": command,
        "exit_code": exit_code,
        "stdout": stdout,
        "stderr": stderr,
        "status": status,
    }
    return {**row, "message": message} if message else row


def _text(output: object) -> str:
    if isinstance(output, bytes):
        return output.decode("utf-8", "replace")
    return output if isinstance(output, str) else str(output)


def _cut(text: str, limit: int) -> str:
    """Keep the start and the end of a long output and say how much is gone between."""
    if len(text) <= limit:
        return text
    head, tail = limit - limit // 3, limit // 3
    gone = len(text) - head - tail
    return f"{text[:head]}\n[... {gone:,} characters are left out here ...]\n{text[len(text) - tail :]}"
