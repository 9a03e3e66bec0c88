"""F732: two rules of an agent whose topics are written nearly alike, so that nothing ever compares the rules.

Only slips that make no other word are told: `test` and `tests`, `adress` and `address`, `generated-files` and
`generatedfiles`, two letters in the wrong order. A letter more, less or another one is no sign of a slip: `contact` and
`contract`, `format` and `formal`, `region-a` and `region-b` are topics of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from frieze.diagnostics import Diagnostic, Related
from frieze.freeze import Frozen
from frieze.profiles.declarations import Graph, RuleText
from frieze.profiles.naming import bare, is_library

SHORT = 4
"""Letters from which on an `s` at the end counts as a plural."""

LONG = 6
"""Letters from which on a doubled one, or two in the wrong order, count as a slip."""

_PARTS = re.compile(r"[^a-z0-9]+")
_BETWEEN = re.compile(r"(?<=[a-z])-(?=[a-z])")
_TWICE = re.compile(r"([a-z])\1+")


def near_topic(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each such pair of rules that some agent follows, at the one that the project declares."""
    followed = dict.fromkeys(agent.rules for agent in frozen.graph.agents.values() if len(agent.rules) > 1)
    for rules in followed:
        for one, other in _pairs(frozen.graph, rules):
            names = {"name": bare(one.name), "other": bare(other.name)}
            topics = {"topic": one.data["topic"], "near": other.data["topic"]}
            related = (Related(other.origin.span("topic"), f"the topic of `{bare(other.name)}`"),)
            yield Diagnostic.of("F732", one.origin.span("topic"), related=related, **names, **topics)


def _pairs(graph: Graph, followed: tuple[str, ...]) -> Iterator[tuple[RuleText, RuleText]]:
    """Yield each rule of the project with the first rule by name, the library's before all, whose topic is near."""
    first: dict[str, RuleText] = {}
    rules = [graph.rules[name] for name in followed if name in graph.rules]
    for rule in sorted(rules, key=lambda each: (not is_library(each.name), each.name)):
        keys = _keys(rule.data["topic"])
        near = next((first[key] for key in keys if key in first and _is_near(rule, first[key])), None)
        if near and not is_library(rule.name):
            yield rule, near
        for key in keys:
            first.setdefault(key, rule)


def _is_near(one: RuleText, other: RuleText) -> bool:
    """Tell whether two topics, of which some key is the same, are two and could be meant as one."""
    left, right = one.data["topic"].casefold(), other.data["topic"].casefold()
    return left != right and (_plain(left) == _plain(right) or _are_swapped(_plain(left), _plain(right)))


@lru_cache(maxsize=4096)
def _keys(topic: str) -> tuple[str, ...]:
    """Return what a topic has in common with those that could be meant as the same."""
    plain = _plain(topic.casefold())
    return (plain, f"{plain[0]} {''.join(sorted(plain))}") if plain else ()


def _plain(topic: str) -> str:
    """Return a topic without plurals and doubled letters, and without what stands between two letters."""
    words = [_TWICE.sub(r"\1", word) if len(word) >= LONG else word for word in _PARTS.split(topic) if word]
    return _BETWEEN.sub("", "-".join(word.removesuffix("s") if len(word) >= SHORT else word for word in words))


def _are_swapped(one: str, other: str) -> bool:
    """Tell whether two neighbours in a long word are the only difference."""
    at = next((at for at, (left, right) in enumerate(zip(one, other, strict=False)) if left != right), len(one))
    swapped = one[:at] + one[at : at + 2][::-1] + one[at + 2 :]
    return swapped == other and len(one) >= LONG and one[at : at + 2].isalpha()
