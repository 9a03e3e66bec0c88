"""Masks secrets in what tools print, before a model reads it.

The rules are data. Each has keywords, of which one must stand in the text, and a pattern without look-around and
back-references, so that RE2 and Python read it alike; where the pattern has a group, the group is the secret. A mark
names the rule and a short hash, the same for the same secret as long as the guard lives:
`[secret:github-token:1f2e3d4c]`. Commands, paths and what a person must approve are never masked.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

_MARK = re.compile(r"\[secret:[a-z0-9._-]+:[0-9a-f]{8}\]")
_ROUNDS = 4
_REFUSED = re.compile(r"\(\?(?:[=!]|<[=!]|P=|>|\()|\\[1-9]|\\[kgZ]|[*+?}]\+")
_PIECE = re.compile(
    r"\\.|\[\^?\]?(?:\\.|\[:[a-z]+:\]|[^\]\\])*\]|\(\?[a-zA-Z]*:?|\(|\)|[*+]|\{\d+,\}|\?|\{[\d,]+\}|.", re.DOTALL
)


class Rule(NamedTuple):
    """One kind of secret, its pattern compiled."""

    name: str
    keywords: tuple[str, ...]
    pattern: re.Pattern[str]


class Masker:
    """Masks by the rules of one table; its hashes are salted, so that nobody can try out passwords on them.

    Raises:
        ValueError: a pattern is none, or one that `pattern_problem` refuses.
    """

    __slots__ = ("_rules", "_salt")

    def __init__(self, rules: Iterable[Mapping[str, Any]], salt: bytes | None = None) -> None:
        self._salt = os.urandom(16) if salt is None else salt
        self._rules = tuple(_rule(rule) for rule in rules)

    def mask(self, text: str) -> str:
        """Return the text with a mark in the place of every secret; masking once more changes nothing."""
        for _ in range(_ROUNDS):
            masked = self._once(text)
            if masked == text:
                break
            text = masked
        return text

    def _once(self, text: str) -> str:
        lowered = text.lower()
        rules = [rule for rule in self._rules if any(keyword in lowered for keyword in rule.keywords)]
        if not rules:
            return text
        pieces: list[str] = []
        end = 0
        for mark in _MARK.finditer(text):
            pieces += [self._between(text[end : mark.start()], rules), mark[0]]
            end = mark.end()
        return "".join([*pieces, self._between(text[end:], rules)])

    def _between(self, text: str, rules: Iterable[Rule]) -> str:
        """Mask a piece of text that holds no mark: where two overlap they become one mark."""
        found: list[tuple[int, int, str]] = []
        for rule in rules:
            grouped = rule.pattern.groups > 0
            hits = rule.pattern.finditer(text)
            found += [(*hit.span(1 if grouped and hit[1] else 0), rule.name) for hit in hits]
        pieces: list[str] = []
        end = 0
        for start, stop, name in _joined(sorted(found)):
            pieces += [text[end:start], self._mark(name, text[start:stop])]
            end = stop
        return "".join([*pieces, text[end:]])

    def _mark(self, name: str, secret: str) -> str:
        hashed = hashlib.sha256(self._salt + secret.encode("utf-8", "surrogatepass")).hexdigest()
        return f"[secret:{name}:{hashed[:8]}]"


def _joined(found: Iterable[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Yield sorted places with those that overlap made one, under the name of the first."""
    start = stop = -1
    name = ""
    for begin, end, other in found:
        if begin < stop:
            stop = max(stop, end)
            continue
        if name:
            yield start, stop, name
        start, stop, name = begin, end, other
    if name:
        yield start, stop, name


def _rule(rule: Mapping[str, Any]) -> Rule:
    problem = pattern_problem(rule["pattern"])
    if problem:
        raise ValueError(f"the pattern of `{rule['id']}` {problem}")
    return Rule(rule["id"], tuple(word.lower() for word in rule["keywords"]), re.compile(rule["pattern"]))


def pattern_problem(pattern: str) -> str | None:
    """Say what is wrong with the pattern of a secret, as the end of a sentence, or return None.

    Look-around, back-references and possessive quantifiers are not RE2's; an unbounded repetition inside an unbounded
    one takes time without end on the wrong text.
    """
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return f"is no regular expression: {error}"
    if _REFUSED.search(pattern):
        return "holds look-around, a back-reference or another thing that RE2 does not have"
    stack = [False]
    last = False
    for piece in _PIECE.findall(pattern):
        if piece.startswith("("):
            stack.append(False)
            last = False
        elif piece == ")":
            last = stack.pop() if len(stack) > 1 else False
            stack[-1] = stack[-1] or last
        elif piece in ("*", "+") or piece.endswith(",}"):
            if last:
                return "repeats without end what repeats without end"
            stack[-1] = True
        elif piece != "?" and not (piece.startswith("{") and len(piece) > 1):
            last = False
    return None
