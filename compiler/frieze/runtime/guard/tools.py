"""What a policy says of a tool call: each argument is judged by the role that the tool declares for it.

An argument without a role is not looked at, except where its name says that it holds a path: then a closed path is
found. No argument can confirm: nothing here reads one that says so.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .hosts import first_host, host_of
from .patches import PatchError, patched
from .showing import shown
from .vocabulary import ACTIONS, Finding

_ACCESSES = {"read": "read", "search": "search", "delete": "delete", "move": "delete", "test": "read", "run": "read"}
"""Action of a tool -> what it does with its paths; every other one writes them."""

_OPTIONAL = ("read", "search")
"""Actions of tools whose paths may be left out: they then take the workspace."""

_PATH_NAME = re.compile(
    r"(?:path|paths|file|files|filename|folder|folders|dir|dirs|directory|source|src|target|dest|destination|dst"
    r"|output|input|glob|cwd|workdir|root|attachment|attachments|upload)[0-9]*\Z",
    re.IGNORECASE,
)

MOST_VALUES = 1000
"""Paths, commands or hosts in one argument."""


class Rules(NamedTuple):
    """What a tool call is judged with; `peek` judges a path that may be none."""

    tools: Mapping[str, Mapping[str, Any]]
    entries: Sequence[Mapping[str, Any]]
    path: Callable[[str, str], Finding]
    peek: Callable[[str, str], Finding]
    cell: Callable[[str], Finding]
    command: Callable[[str], Sequence[Finding]]


class _ArgumentError(Exception):
    """An argument is not what its role needs."""


def access_of(action: str) -> str:
    """Return the access to a path that an action is."""
    return _ACCESSES.get(action, "write")


def judge_tool(name: str, args: Any, rules: Rules) -> Iterator[Finding]:
    """Yield what is found about a call of a tool.

    Args:
        name: the tool's name, as the model called it.
        args: the arguments, an object of JSON.
        rules: the tools that are known, and how their arguments are judged.
    """
    tool = rules.tools.get(name)
    if tool is None:
        yield Finding("ask", "run", "tools.unknown", "unknown", f"`{shown(str(name))}` is not a known tool.")
        return
    action = tool["action"]
    if action not in ACTIONS:
        yield Finding("ask", "run", "tools.unknown", "unknown", f"`{shown(name)}` has no known action.")
        return
    try:
        yield from _roles(name, tool, args, rules)
    except _ArgumentError as error:
        yield Finding("deny", action, "tools.arguments", "unknown", f"`{shown(name)}`: {error}.")
        return
    if not tool["commands"]:
        yield rules.cell(action)


def _roles(name: str, tool: Mapping[str, Any], args: Any, rules: Rules) -> Iterator[Finding]:
    if not isinstance(args, Mapping) or not all(isinstance(key, str) for key in args):
        raise _ArgumentError("the arguments must be an object")
    action = tool["action"]
    required = tool.get("required")
    hosts: list[str] = []
    for role in ("paths", "commands", "hosts", "patches"):
        for argument in tool.get(role, ()):
            if argument not in args or args[argument] is None:
                if argument in required if required is not None else role != "paths" or action not in _OPTIONAL:
                    raise _ArgumentError(f"the argument `{argument}` is missing")
                if role == "paths" and required is None:
                    yield rules.path(".", access_of(action))
                continue
            if role == "commands":
                yield from rules.command(_command(argument, args[argument]))
            else:
                for value in _texts(argument, args[argument]):
                    yield from _value(role, argument, value, action, rules, hosts)
    yield from _named(name, hosts, action, rules)
    known = {argument for role in ("paths", "commands", "hosts", "patches") for argument in tool.get(role, ())}
    for text in _loose(value for key, value in args.items() if key not in known and _PATH_NAME.search(key)):
        finding = rules.peek(text, "read")
        if finding.rule == "paths.deny":
            yield finding


def _value(role: str, argument: str, value: str, action: str, rules: Rules, hosts: list[str]) -> Iterator[Finding]:
    if role == "paths":
        yield rules.path(value, access_of(action))
    elif role == "hosts":
        host = host_of(value)
        if not host:
            raise _ArgumentError(f"the argument `{argument}` names no host")
        hosts.append(host)
        yield rules.cell("network")._replace(detail=(("hosts", host),))
    else:
        try:
            files = patched(value)
        except PatchError as error:
            raise _ArgumentError(f"the argument `{argument}` is no patch that can be judged: {error}") from None
        for path, access in files:
            yield rules.path(path, access)
            if access == "delete":
                yield rules.cell("delete")


def _named(name: str, hosts: Sequence[str], action: str, rules: Rules) -> Iterator[Finding]:
    """Yield the entries that name the tool or one of the hosts."""
    for entry in rules.entries:
        tools, patterns = entry.get("tools"), entry.get("hosts")
        if entry["effect"] == "allow" or entry.get("commands") or entry.get("paths") or not (tools or patterns):
            continue
        hit = first_match(patterns, hosts) if patterns else None
        if tools and name.casefold() not in {text.casefold() for text in tools}:
            continue
        if patterns and hit is None:
            continue
        detail = (("hosts", hit),) if hit is not None else ()
        yield Finding(
            entry["effect"], entry["action"] or action, entry["id"], entry["risk"], entry["reason"], (), detail
        )


def first_match(patterns: Sequence[str], hosts: Sequence[str]) -> str | None:
    """Return the first host that one of the patterns takes."""
    return next((host for host in hosts if first_host(patterns, host) is not None), None)


def _command(argument: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and value and all(isinstance(word, str) for word in value):
        return shlex.join(value)
    raise _ArgumentError(f"the argument `{argument}` must be a command line")


def _texts(argument: str, value: Any) -> Sequence[str]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, (list, tuple)) and value and all(isinstance(text, str) for text in value):
        if len(value) > MOST_VALUES:
            raise _ArgumentError(f"the argument `{argument}` holds more than {MOST_VALUES} values")
        return value
    raise _ArgumentError(f"the argument `{argument}` must be text")


def _loose(values: Iterator[Any]) -> Iterator[str]:
    """Yield texts among arguments without a role that could be a path."""
    for value in values:
        for text in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(text, str) and 0 < len(text) <= 1024 and not set(text) & set("\n\r\0"):
                yield text
