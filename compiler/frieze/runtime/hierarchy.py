"""Which rule holds: system over developer over project over user, and never silently.

Rules contend where they are about the same topic and their scopes meet. Between two rules:

1. For permissions (both name an effect) the stricter one holds, whoever gives it: nobody loosens, anybody may tighten.
2. Of different authorities the higher one holds. Only where it says `should` and the lower one says `must`, it gives
   way, and that is said.
3. The narrower scope holds within it; the wider rule goes on holding outside of it.
4. The rule that was there first stays.

A rule that says the same as the other one contends with nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from .guard.patterns import CONTENT, Pattern, PatternError, parse

AUTHORITIES = ("user", "project", "developer", "system")
"""From the weakest to the strongest."""

EFFECTS = ("allow", "ask", "deny")
"""From the loosest to the strictest."""

STRICTER = "it is stricter"
HIGHER = "the {winner} stands above the {loser}"
DEFAULT = "the other one is only a default"
NARROWER = "it is about fewer files"
FIRST = "it was there first"


class Rule(NamedTuple):
    """One rule.

    Attributes:
        id: what it is called.
        text: what it asks, one line.
        authority: whose word it is, one of `AUTHORITIES`.
        topic: what it is about; rules without a topic contend with nothing.
        scope: path patterns, as a policy has them; none means everywhere.
        must: whether it is more than a default.
        effect: one of `EFFECTS` for a rule about a permission, else None.
    """

    id: str
    text: str
    authority: str = "user"
    topic: str = ""
    scope: tuple[str, ...] = ()
    must: bool = True
    effect: str | None = None


Yields: TypeAlias = "dict[int, dict[int, str]]"
"""The place of a rule -> the places of those that overrule it, each with the reason."""


class Outcome(NamedTuple):
    """What became of a rule: `by` overrules it, `because` of that, wholly or only where their scopes meet."""

    rule: Rule
    by: Rule | None = None
    because: str = ""
    wholly: bool = False

    @property
    def holds(self) -> bool:
        """Whether the rule still says something."""
        return not self.wholly


def settle(rules: Iterable[Rule]) -> list[Outcome]:
    """Decide what holds, in the order given. A rule that is overruled by several names the strongest of them.

    What does not hold overrules nothing. Where rules overrule each other in a circle, the strongest by authority stays.
    """
    listed = list(rules)
    yields: Yields = {}
    topics: dict[str, list[int]] = {}
    for index, rule in enumerate(listed):
        if rule.topic:
            topics.setdefault(rule.topic.casefold(), []).append(index)
    for members in topics.values():
        for place, second in enumerate(members):
            for first in members[:place]:
                winner, because = _between(listed[first], listed[second])
                if because:
                    loser = second if winner is listed[first] else first
                    yields.setdefault(loser, {})[first + second - loser] = because
    holding = _holding(listed, yields)
    return [_outcome(index, listed, yields, holding) for index in range(len(listed))]


def _holding(rules: list[Rule], yields: Yields) -> list[bool]:
    """Return which rules hold: those that no rule that holds overrules wholly (the grounded extension, Dung 1995)."""
    decided: dict[int, bool] = {}
    pending = list(range(len(rules)))
    while pending:
        for index in pending:
            over = [at for at in yields.get(index, ()) if covers(rules[at].scope, rules[index].scope)]
            if any(decided.get(at) for at in over):
                decided[index] = False
            elif all(at in decided for at in over):
                decided[index] = True
        left = [index for index in pending if index not in decided]
        if left and left == pending:
            _break_circle(rules, yields, left)
        pending = left
    return [decided[index] for index in range(len(rules))]


def _break_circle(rules: list[Rule], yields: Yields, circle: list[int]) -> None:
    """Turn what overrules the strongest rule of a circle around."""

    def strength(index: int) -> tuple[int, bool, int, int]:
        rule = rules[index]
        strict = EFFECTS.index(rule.effect) if rule.effect else -1
        return AUTHORITIES.index(rule.authority), rule.must, strict, -index

    best = max(circle, key=strength)
    for other in [at for at in yields[best] if at in circle]:
        del yields[best][other]
        high, low = rules[best].authority, rules[other].authority
        because = FIRST if high == low else HIGHER.format(winner=high, loser=low)
        yields.setdefault(other, {})[best] = because


def _outcome(index: int, rules: list[Rule], yields: Yields, holding: list[bool]) -> Outcome:
    rule = rules[index]
    by = [
        (covers(rules[winner].scope, rule.scope), AUTHORITIES.index(rules[winner].authority), -winner, because)
        for winner, because in yields.get(index, {}).items()
        if holding[winner]
    ]
    if not by:
        return Outcome(rule)
    wholly, _, place, because = max(by)
    return Outcome(rule, rules[-place], because, wholly)


def _between(first: Rule, second: Rule) -> tuple[Rule, str]:
    """Return which of two rules on one topic holds where both apply, and why; no reason where they do not contend."""
    if _same(first, second) or not meet(first.scope, second.scope):
        return first, ""
    if first.effect and second.effect and first.effect != second.effect:
        return max(first, second, key=lambda rule: EFFECTS.index(rule.effect or "")), STRICTER
    if first.authority != second.authority:
        low, high = sorted((first, second), key=lambda rule: AUTHORITIES.index(rule.authority))
        if low.must and not high.must:
            return low, DEFAULT
        return high, HIGHER.format(winner=high.authority, loser=low.authority)
    if first.must != second.must:
        return max(first, second, key=lambda rule: rule.must), DEFAULT
    inner, outer = covers(second.scope, first.scope), covers(first.scope, second.scope)
    if inner != outer:
        return (first if inner else second), NARROWER
    return first, FIRST


def _same(first: Rule, second: Rule) -> bool:
    if first.effect and second.effect:
        return first.effect == second.effect
    return " ".join(first.text.casefold().split()) == " ".join(second.text.casefold().split())


def covers(outer: tuple[str, ...], inner: tuple[str, ...]) -> bool:
    """Tell whether every path of `inner` is surely one of `outer`."""
    if not outer:
        return True
    return bool(inner) and all(any(_covers(wide, narrow) for wide in outer) for narrow in inner)


def meet(first: tuple[str, ...], second: tuple[str, ...]) -> bool:
    """Tell whether some path may be in both scopes; only what is surely apart is not."""
    if not first or not second:
        return True
    return any(not _apart(one, other) for one in first for other in second)


def _covers(wide: str, narrow: str) -> bool:
    outer, inner = _parsed(wide), _parsed(narrow)
    if outer is None or inner is None:
        return False
    if outer.parts == inner.parts and outer.directory_only <= inner.directory_only:
        return True
    names = _names(inner)
    return names is not None and outer.covers(names, directory=True)


def _names(pattern: Pattern) -> tuple[str, ...] | None:
    """Return a path that stands for all that a pattern of literal names (and all content below) takes."""
    names = []
    for part in pattern.parts[:-1]:
        if not isinstance(part, str):
            return None
        names.append(part)
    last = pattern.parts[-1]
    return (*names, last if isinstance(last, str) else CONTENT)


def _apart(first: str, second: str) -> bool:
    one, other = _parsed(first), _parsed(second)
    if one is None or other is None:
        return False
    for left, right in zip(one.parts, other.parts, strict=False):
        if not isinstance(left, str) or not isinstance(right, str):
            return False
        if left != right:
            return True
    return False


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Pattern | None:
    try:
        return parse(text)
    except PatternError:
        return None
