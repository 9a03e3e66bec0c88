"""`extends` of a policy: whatever the base says must hold in what is built on it, or something stricter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from frieze.diagnostics import Diagnostic, Related
from frieze.policy.cells import settled
from frieze.policy.layers import floors
from frieze.policy.wording import quoted
from frieze.profiles.declarations import DataPath, Graph, Policy
from frieze.profiles.naming import bare
from frieze.runtime.guard.programs import spread
from frieze.runtime.guard.vocabulary import ACTIONS, RANK

Loosening: TypeAlias = tuple[DataPath, str]
"""Where something is looser, and what."""

_GROWING = ("deny", "generated", "protected", "catastrophic")
"""Lists of paths that may only grow; `except` may only shrink."""

_ORDERS: Mapping[str, tuple[str, ...]] = {
    "sandbox": ("read-only", "workspace-write", "full-access"),
    "network": ("restricted", "enabled"),
    "approval": ("never", "untrusted", "on-request"),
}
"""Settings from the strictest to the loosest value."""

_DEFAULTS = {"sandbox": "workspace-write", "network": "restricted", "approval": "on-request"}
_KNOWLEDGE = ("programs", "wrappers", "aliases", "executables", "escalation", "shell", "granular")


def loosenings(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield each place where a policy is looser than the one that it extends."""
    base = graph.policies.get(policy.base or "")
    if base is None:
        return
    for path, what in _loosenings(graph, policy, base):
        place = policy.origin.span(*path)
        if place.file != policy.origin.file:
            place = policy.origin.span("extends")
        told = "says so here" if _holds(base.data, path) else "has nothing of it here"
        related = (Related(base.origin.span(*path), f"`{bare(base.name)}` {told}"),)
        yield Diagnostic.of("F830", place, what=what, base=bare(base.name), related=related)


def _holds(data: Any, path: DataPath) -> bool:
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return False
        data = data[step]
    return True


def _loosenings(graph: Graph, policy: Policy, base: Policy) -> Iterator[Loosening]:
    yield from _modes(policy, base)
    yield from _rules(policy, base)
    yield from _paths(policy.data.get("paths", {}), base.data.get("paths", {}))
    yield from _settings(policy.data, base.data)
    yield from _knowledge(graph, policy, base)
    own = {floor.name for floor in floors(graph, policy)}
    if any(floor.name not in own for floor in floors(graph, base)):
        yield ("floor",), f"its floor is not `{bare(base.floor or '')}` any more"


def _modes(policy: Policy, base: Policy) -> Iterator[Loosening]:
    before: Mapping[str, Any] = base.data.get("modes", {})
    if not before:
        return
    for name, mode in policy.data.get("modes", {}).items():
        compared = [before[name]] if name in before else list(before.values())
        where = "there" if name in before else "in every mode there"
        looser: dict[tuple[str, str], list[str]] = {}
        for action in ACTIONS:
            effect = settled(name, mode, action, policy.data)[0]
            bound = min((settled(name, other, action, base.data)[0] for other in compared), key=RANK.__getitem__)
            if RANK[effect] < RANK[bound]:
                looser.setdefault((effect, bound), []).append(action)
        for (effect, bound), actions in looser.items():
            yield ("modes", name), f"the mode `{name}` has {effect} for {quoted(actions)}, and {where} it is {bound}"


def _rules(policy: Policy, base: Policy) -> Iterator[Loosening]:
    own, before = policy.data.get("rules", {}), base.data.get("rules", {})
    for name, rule in before.items():
        path: DataPath = ("rules", name)
        now = own.get(name)
        if rule["effect"] == "allow":
            continue
        if now is None:
            yield path, f"the rule `{name}` is gone"
        elif RANK[now["effect"]] < RANK[rule["effect"]]:
            yield (*path, "effect"), f"the rule `{name}` has {now['effect']} in the place of {rule['effect']}"
        elif not _covers(now, rule):
            yield path, f"the rule `{name}` speaks of less"
    for name, rule in own.items():
        if rule["effect"] == "allow" and not (name in before and _covers(before[name], rule)):
            effect = before.get(name, {}).get("effect")
            if effect in (None, "allow"):
                yield ("rules", name), f"the rule `{name}` allows more"


def _covers(wide: Mapping[str, Any], narrow: Mapping[str, Any]) -> bool:
    """Tell whether one rule speaks of everything that another speaks of, as far as that can be read off them."""
    if wide["action"] != narrow["action"] or not _are_among(wide.get("flags", ()), narrow.get("flags", ())):
        return False
    for key in ("commands", "paths", "tools", "hosts"):
        given = wide.get(key)
        if given and not (narrow.get(key) and _are_among(narrow[key], given)):
            return False
    modes = wide.get("modes")
    return modes is None or (narrow.get("modes") is not None and set(narrow["modes"]) <= set(modes))


def _are_among(items: Iterable[Any], others: Iterable[Any]) -> bool:
    return {json.dumps(item) for item in items} <= {json.dumps(item) for item in others}


def _paths(own: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[Loosening]:
    for key in _GROWING:
        gone = sorted(set(before.get(key, ())) - set(own.get(key, ())))
        if gone:
            yield ("paths", key), f"`paths.{key}` does not hold {quoted(gone)} any more"
    new = sorted(set(own.get("except", ())) - set(before.get("except", ())))
    if new:
        yield ("paths", "except"), f"{quoted(new)} becomes an exception"


def _settings(own: Mapping[str, Any], before: Mapping[str, Any]) -> Iterator[Loosening]:
    for key, order in _ORDERS.items():
        now, then = own.get(key, _DEFAULTS[key]), before.get(key, _DEFAULTS[key])
        comparable = now in order and then in order
        if now != then and now != order[0] and (not comparable or order.index(now) > order.index(then)):
            yield (key,), f"`{key}` is {now} in the place of {then}"
    new = sorted(set(own.get("writable_roots", ())) - set(before.get("writable_roots", ())))
    if new:
        yield ("writable_roots",), f"{quoted(new)} becomes writable"


def _knowledge(graph: Graph, policy: Policy, base: Policy) -> Iterator[Loosening]:
    """Yield changes to what is known of programs, but for programs that the base does not know at all."""
    own, before = policy.data, base.data
    named = graph.policies.get(base.programs or "")
    shared = named.data if named else {}
    for key in ("programs", "wrappers"):
        known = {**dict(spread(shared.get(key, {}))), **dict(spread(before.get(key, {})))}
        for names, row in own.get(key, {}).items():
            if names not in before.get(key, {}) and any(known.get(name, row) != row for name in names.split()):
                yield (key, names), f"`{key}.{names}` is another one"
    for key in _KNOWLEDGE:
        then, now = before.get(key, {}), own.get(key, {})
        if isinstance(then, Mapping) and isinstance(now, Mapping):
            for name, value in now.items():
                if name in then and value != then[name]:
                    yield (key, name), f"`{key}.{name}` is another one"
        elif now != then and then:
            yield (key,), f"`{key}` is another one"
    new = sorted(set(_harmless(own)) - set(_harmless(before)) - set(_harmless(shared)))
    if new:
        yield ("assignments", "harmless"), f"{quoted(new)} counts as harmless"
    for name, secret in before.get("secrets", {}).items():
        if own.get("secrets", {}).get(name) != secret:
            yield ("secrets", name), f"the secret `{name}` is not masked as before"


def _harmless(data: Mapping[str, Any]) -> list[str]:
    return list(data.get("assignments", {}).get("harmless", ()))
