"""Shapes of commands and patterns of paths: how they read, and an instance of each for the probes."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

ANY = "..."
"""Stands in a shape for any arguments that are known to be harmless."""

PIPE = "|"
"""Stands in a shape for a pipe between two commands."""

_WILD = re.compile(r"[*?\[]")


def shape_text(shape: Iterable[Any], most: int | None = None) -> str:
    """Return a shape as words: alternatives as `[a|b]`, `most` of them, without the dots at its end."""
    words = [_word(word, most) for word in shape]
    return " ".join(words[:-1] if words and words[-1] == ANY else words)


def prefix_text(shape: Iterable[Any]) -> str:
    """Return a shape as a JSON list of words."""
    return json.dumps([_word(word) for word in shape], ensure_ascii=False)


def prefix_key(shape: Iterable[Any]) -> tuple[int, int, str]:
    """Return by what approved commands are sorted: the number of words, their length in bytes, their text."""
    words = [_word(word) for word in shape if word != ANY]
    return len(words), sum(len(word.encode()) for word in words), " ".join(words)


def instance(shape: Iterable[Any], flags: Iterable[Iterable[str]] = ()) -> str:
    """Return a command of a shape: first alternatives, no further arguments, the first spelling of each flag."""
    words = [word if isinstance(word, str) else word[0] for word in shape if word != ANY]
    words += [next(iter(spellings)) for spellings in flags]
    return " ".join(word if word == PIPE else shlex.quote(word.replace("*", "x")) for word in words)


def is_pattern(path: str) -> bool:
    """Tell whether a path is a pattern and not one path."""
    return _WILD.search(path) is not None


def path_instance(pattern: str) -> str:
    """Return a path that a pattern takes."""
    text = re.sub(r"\[[!^]?([^\]])[^\]]*\]", r"\1", pattern)
    text = text.replace("**/", "x/").replace("/**", "/x").replace("**", "x").replace("*", "x").replace("?", "x")
    return text.strip("/") or "x"


def command_of(entry: Mapping[str, Any]) -> str | None:
    """Return a command that a rule matches; None where it speaks of none."""
    commands = entry["commands"]
    return instance(commands[0], entry.get("flags", ())) if commands else None


def _word(word: Any, most: int | None = None) -> str:
    if isinstance(word, str):
        return word
    more = ["…"] if most is not None and len(word) > most else []
    return f"[{'|'.join([*word[:most], *more])}]"
