"""What a person is shown before something runs that the policy asks about: plain data, and a text made of it.

Nothing is masked and nothing is cut in it: the person decides about exactly what runs. Whatever is not printable ASCII
is shown escaped.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from .showing import shown
from .vocabulary import Finding

_PLACEHOLDER = re.compile(r"`?\{([a-z_]+)\}`?")

GENERATED = "destructive-generated-artifact"
"""The risk where nothing but generated files is deleted."""

_AT_RISK = {
    "leak": "something private may become known to others",
    "change": "files or settings change",
    "side-effects": "it may do more than it says",
    "dependency-change": "what the project depends on changes, and code of others may run",
    "destructive-delete": "what is deleted may not come back",
    "destructive-generated-artifact": "generated files are lost until they are made again",
    "history-loss": "recorded or uncommitted work may be lost",
    "remote-history": "history that others have may be lost",
    "data-loss": "stored data may be lost",
    "production-change": "systems that people use may change",
    "publication": "something becomes public",
    "unknown": "what it does is not known",
}

_UNTOUCHED = {
    "read": "Nothing is changed.",
    "search": "Nothing is changed.",
    "edit": "Every other file stays as it is.",
    "delete": "Every other file stays as it is.",
    "move": "Every other file stays as it is.",
    "commit": "Nothing is published, unless a hook of the repository does it.",
    "push": "The commits in the workspace stay as they are.",
    "pull-request": "The files in the workspace stay as they are.",
}
"""What an action leaves alone, where that is known."""

_MEANT = {
    "read": ("read", "search"),
    "search": ("search", "read"),
    "edit": ("write", "link"),
    "delete": ("delete",),
    "move": ("delete", "write"),
}
"""Action -> the accesses whose paths a question about it names."""

_NOT_KNOWN = "It is not known what else this changes."
DECLINED = "If you decline, nothing runs and everything stays as it is."


class Subject(NamedTuple):
    """What is to run: a command, a call of a tool, or an access to a path.

    `argv` are the words of every command where they are known, `paths` what everything resolves to, `targets` the same
    by kind of access; `generated` says that nothing but generated files is deleted.
    """

    kind: str
    command: str | None
    argv: Sequence[Sequence[str]] | None
    cwd: str
    path: str | None
    tool: str | None
    args: Any
    paths: Sequence[str]
    targets: Mapping[str, Sequence[str]] = MappingProxyType({})
    generated: bool = False


def confirmation(
    subject: Subject, findings: Sequence[Finding], chosen: Finding, template: str | None
) -> dict[str, Any]:
    """Return a confirmation without its id.

    Args:
        subject: what is to run.
        findings: all that was found about it.
        chosen: the finding that asks.
        template: the policy's question, with placeholders such as `{command}` and `{paths}`.
    """
    asking = [finding for finding in findings if finding.effect == "ask"]
    reasons = " ".join(dict.fromkeys(_sentence(finding.reason) for finding in [chosen, *asking] if finding.reason))
    untouched = _untouched(findings, subject)
    return {
        "action": chosen.action,
        "rule": chosen.rule,
        "command": subject.command,
        "argv": None if subject.argv is None else [list(words) for words in subject.argv],
        "cwd": subject.cwd,
        "path": subject.path,
        "tool": subject.tool,
        "args": subject.args,
        "paths": list(subject.paths),
        "risk": chosen.risk,
        "reason": reasons,
        "untouched": untouched,
        "requires_confirmation": True,
        "confirmation_prompt": _prompt(subject, findings, chosen, template, reasons, untouched),
    }


def _prompt(
    subject: Subject,
    findings: Sequence[Finding],
    chosen: Finding,
    template: str | None,
    reasons: str,
    untouched: str,
) -> str:
    lines = [_question(subject, findings, chosen, template)]
    if subject.command is not None:
        lines.append(f"Command: {shown(subject.command)}")
    if subject.tool is not None:
        lines.append(f"Tool: {_call(subject)}")
    if subject.path is not None:
        lines.append(f"Path: {shown(subject.path)}")
    lines.append(f"Folder: {shown(subject.cwd)}")
    if subject.paths:
        lines.append(f"Leads to: {_listed(subject.paths)}")
    lines += [
        f"Why: {shown(reasons)}",
        f"Risk: {_AT_RISK.get(chosen.risk, _AT_RISK['unknown'])}.",
        f"Untouched: {untouched}",
    ]
    return "\n".join(lines)


def _question(subject: Subject, findings: Sequence[Finding], chosen: Finding, template: str | None) -> str:
    """Return the policy's question with what it names, or a plain one where something it names is not known."""
    values = _values(subject, findings, chosen)
    if template and all(values.get(name) for name in _PLACEHOLDER.findall(template)):
        question = _PLACEHOLDER.sub(lambda hit: values[hit[1]], template)
        if question != template:
            return question
    if subject.command is not None:
        return f"Run {_quoted(subject.command)}?"
    if subject.path is not None:
        return f"Let the assistant {subject.kind.replace('-', ' ')} {_quoted(subject.path)}?"
    return f"Let the assistant call {_call(subject)}?" if subject.tool else f"Allow the action `{subject.kind}`?"


def _values(subject: Subject, findings: Iterable[Finding], chosen: Finding) -> dict[str, str]:
    """Return what the placeholders of a question stand for, each printable."""
    found: dict[str, dict[str, None]] = {}
    for finding in findings:
        for name, text in finding.detail:
            found.setdefault(name, {})[text] = None
    values = {name: _listed(texts) for name, texts in found.items()}
    meant = [path for access in _MEANT.get(chosen.action, ()) for path in subject.targets.get(access, ())]
    values["paths"] = _listed(dict.fromkeys(meant or subject.paths))
    values.setdefault("files", values["paths"])
    if subject.command is not None:
        values["command"] = _quoted(subject.command)
    elif subject.tool is not None:
        values["command"] = _call(subject)
    if subject.argv:
        values.setdefault("program", _quoted(subject.argv[0][0]))
    return values


def _untouched(findings: Sequence[Finding], subject: Subject) -> str:
    """Say what stays as it is, no more than is certain."""
    actions = {finding.action for finding in findings}
    known = [_UNTOUCHED.get(action) for action in sorted(actions)]
    certain = set(known) - {_UNTOUCHED["read"]} if len(set(known)) > 1 else set(known)
    nameless = not actions.isdisjoint(("edit", "delete", "move")) and not subject.paths
    if len(certain) != 1 or None in certain or nameless or (subject.command is not None and subject.argv is None):
        return f"{_NOT_KNOWN} {DECLINED}"
    return f"{certain.pop()} {DECLINED}"


def _call(subject: Subject) -> str:
    return f"{shown(str(subject.tool))} {shown(json.dumps(subject.args, sort_keys=True))}"


def _listed(texts: Iterable[str]) -> str:
    return ", ".join(map(_quoted, texts))


def _quoted(text: str) -> str:
    """Return a text between backquotes that it cannot end."""
    return f"`{shown(text).replace('`', chr(92) + 'x60')}`"


def _sentence(reason: str) -> str:
    text = reason.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
