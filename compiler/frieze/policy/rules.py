"""What can be said of rules without running anything: they contradict, repeat, never count, allow anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

from frieze.diagnostics import Diagnostic, Related, did_you_mean
from frieze.policy.cells import UNDECIDED
from frieze.policy.shapes import ANY, PIPE, path_instance, shape_text
from frieze.profiles.declarations import Policy
from frieze.profiles.naming import listed
from frieze.runtime.guard.patterns import PatternError, PatternSet
from frieze.runtime.guard.vocabulary import PATH_LISTS, RANK

Rule = Mapping[str, Any]

_SUBJECTS = ("commands", "paths", "tools", "hosts")
"""Without one of these a rule is about nothing."""

_ABOUT = (*_SUBJECTS, "flags")
_APART = {
    True: "write the paths into the commands, word for word",
    False: "write two rules: all that match count, the strictest holds",
}
"""What to do with commands and paths in one rule, by whether it allows."""

_RUNNERS = frozenset(
    {
        *("bash", "dash", "fish", "ksh", "sh", "zsh", "eval", "exec", "source", "env", "sudo", "xargs", "make"),
        *("node", "npx", "perl", "php", "pnpx", "python", "python3", "ruby", "uvx"),
    }
)
"""Programs that run whatever their arguments say, where the program table does not know them."""


def rule_faults(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield what is wrong with single rules and with pairs of them."""
    rules: Mapping[str, Rule] = policy.data.get("rules", {})
    for name, rule in rules.items():
        yield from _modes(policy, name, rule)
        yield from _shapes(policy, name, rule)
        if rule["effect"] == "allow":
            yield from _anything(policy, name, rule, table)
            if rule["action"] in {"run", "test", "network"} and not rule.get("match"):
                yield Diagnostic.of("F835", policy.origin.key("rules", name), name=name, action=rule["action"])
        yield from _idle(policy, name, rule, table)
    for (one, first), (other, second) in combinations(sorted(rules.items()), 2):
        yield from _pair(policy, (one, first), (other, second))
    yield from _path_lists(policy, table)


def _modes(policy: Policy, name: str, rule: Rule) -> Iterator[Diagnostic]:
    modes = policy.data.get("modes", {})
    for index, mode in enumerate(rule.get("modes") or ()):
        place = policy.origin.span("rules", name, "modes", index)
        if modes and mode not in modes and place.file == policy.origin.file:
            advice = did_you_mean(mode, modes, f"the modes are {listed(modes)}")
            yield Diagnostic.of("F831", place, name=name, mode=mode, advice=advice)


def _shapes(policy: Policy, name: str, rule: Rule) -> Iterator[Diagnostic]:
    """Yield what no command and no path can ever match."""

    def nothing(*path: str | int, why: str) -> Diagnostic:
        return Diagnostic.of("F837", policy.origin.span("rules", name, *path), why=why)

    if rule["effect"] != "allow" and not any(rule.get(key) for key in _SUBJECTS):
        key = policy.origin.key("rules", name)
        yield Diagnostic.of("F837", key, why=f"the rule `{name}` has none of {listed(_SUBJECTS)}")
    if rule.get("commands") and rule.get("paths"):
        key = policy.origin.key("rules", name, "paths")
        why = f"beside `commands` no paths are compared, and the rule `{name}` has both"
        yield Diagnostic.of("F837", key, why=why, advice=_APART[rule["effect"] == "allow"])
    if rule["effect"] == "allow" and not rule.get("commands") and any(rule.get(key) for key in _SUBJECTS):
        why = f"a rule allows commands alone, and `{name}` has none"
        advice = "let the modes say what is allowed (`actions`), and rules what is asked or denied"
        yield Diagnostic.of("F837", policy.origin.span("rules", name, "effect"), why=why, advice=advice)
    for number, shape in enumerate(rule.get("commands", ())):
        for index, word in enumerate(shape):
            words = [word] if isinstance(word, str) else word
            blank = next((text for text in words if text != text.strip() or " " in text), None)
            if blank is not None:
                parts = ", ".join(blank.split())
                yield nothing("commands", number, index, why=f"`{blank}` is no single word; write `[{parts}]`")
        if shape[0] == ANY:
            yield nothing("commands", number, 0, why="a command cannot begin with `...`; name the program")
    for number, spellings in enumerate(rule.get("flags", ())):
        for index, flag in enumerate(spellings):
            if not flag.startswith(("-", "/")):
                yield nothing("flags", number, index, why=f"`{flag}` is no flag: it does not begin with `-`")
    for index, pattern in enumerate(rule.get("paths", ())):
        fault = _unfit(pattern)
        if fault:
            yield nothing("paths", index, why=fault)


def _path_lists(policy: Policy, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    for key in PATH_LISTS:
        for index, pattern in enumerate(policy.data.get("paths", {}).get(key, ())):
            place = policy.origin.span("paths", key, index)
            if pattern.startswith("!"):
                yield Diagnostic.of("F838", place, pattern=pattern, key=key)
            elif fault := _unfit(pattern) or (_opens_nothing(pattern, table) if key == "except" else ""):
                yield Diagnostic.of("F837", place, why=fault)


def _opens_nothing(path: str, table: Mapping[str, Any]) -> str:
    """Return why a path is no exception; "" where some pattern closes it."""
    try:
        closed = PatternSet(table["paths"]["deny"]).first(tuple(path.strip("/").split("/")))
    except PatternError:
        return ""
    return "" if closed is not None else f"no pattern of `paths.deny` closes `{path}`"


def _unfit(pattern: str) -> str:
    """Return why a path pattern can match nothing; "" where it can."""
    if pattern.startswith("!"):
        return f"`{pattern}` begins with `!`, and there is no negation"
    if any(part in {".", ".."} for part in pattern.split("/")):
        return f"`{pattern}` has `.` or `..` in it, and paths are compared without them"
    try:
        found = PatternSet([pattern]).first(tuple(path_instance(pattern).split("/")), anywhere=True)
    except PatternError as error:
        return f"`{pattern}` is no pattern: {error}"
    return "" if found is not None else f"`{pattern}` takes no path"


def _anything(policy: Policy, name: str, rule: Rule, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    if not any(rule.get(key) for key in _ABOUT):
        yield Diagnostic.of("F834", policy.origin.key("rules", name), name=name, what=f"every `{rule['action']}`")
    for number, shape in enumerate(rule.get("commands", ())):
        for program in [shape[0]] if isinstance(shape[0], str) else shape[0]:
            if _runs_anything(program, shape, table):
                place = policy.origin.span("rules", name, "commands", number)
                yield Diagnostic.of("F834", place, name=name, what=f"whatever `{shape_text([program])}` is told")
                break


def _runs_anything(program: str, shape: list[Any], table: Mapping[str, Any]) -> bool:
    """Tell whether a shape lets a program run what its arguments say: nothing behind it bounds them."""
    if not (len(shape) == 1 or shape[1] == ANY):
        return False
    if program in _RUNNERS or _row(table["wrappers"], program) is not None:
        return True
    return shape[-1] == ANY and bool((_row(table["programs"], program) or {}).get("commands"))


def _row(programs: Mapping[str, Any], program: str) -> Mapping[str, Any] | None:
    """Return what a table says of a program; a row may be for several names, with blanks between them."""
    return next((row for names, row in programs.items() if program in names.split()), None)


def _idle(policy: Policy, name: str, rule: Rule, table: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield a rule that no mode lets count: an allow where each forbids it or asks, an ask where each denies.

    Where a mode says nothing of the action, an allow is what decides.
    """
    modes = [mode for key, mode in table["modes"].items() if rule.get("modes") is None or key in rule["modes"]]
    cells = [mode["cells"][rule["action"]] for mode in modes]
    if not cells or any(cell["rule"].rpartition(".")[2] == UNDECIDED for cell in cells):
        return
    bound = min((cell["effect"] for cell in cells), key=RANK.__getitem__)
    if (rule["effect"] == "allow" and bound != "allow") or (rule["effect"] == "ask" and bound == "deny"):
        place = policy.origin.span("rules", name, "effect")
        yield Diagnostic.of("F833", place, name=name, effect=rule["effect"], action=rule["action"], bound=bound)


def _pair(policy: Policy, one: tuple[str, Rule], other: tuple[str, Rule]) -> Iterator[Diagnostic]:
    (first, left), (second, right) = one, other
    if not _meet(left, right):
        return
    related = (Related(policy.origin.key("rules", first), f"the rule `{first}`"),)
    place = policy.origin.key("rules", second)
    same = all(_set(left, key) == _set(right, key) for key in _ABOUT)
    if same and left["effect"] != right["effect"] and policy.layers[first] == policy.layers[second]:
        yield Diagnostic.of("F832", place, name=second, other=first, layer=policy.layers[second], related=related)
    elif _hides(left, right):
        yield Diagnostic.of("F839", place, name=second, other=first, related=related)
    elif _hides(right, left):
        related = (Related(place, f"the rule `{second}`"),)
        yield Diagnostic.of("F839", policy.origin.key("rules", first), name=first, other=second, related=related)


def _meet(one: Rule, other: Rule) -> bool:
    """Tell whether two rules speak of the same action in some mode."""
    if one["action"] != other["action"]:
        return False
    modes = one.get("modes"), other.get("modes")
    return None in modes or bool(set(modes[0] or ()) & set(modes[1] or ()))


def _hides(strong: Rule, weak: Rule) -> bool:
    """Tell whether a rule never decides, because another is at least as strict wherever it speaks."""
    if RANK[strong["effect"]] < RANK[weak["effect"]] or "allow" in {strong["effect"], weak["effect"]}:
        return False
    modes = strong.get("modes")
    if modes is not None and not (weak.get("modes") is not None and set(weak["modes"]) <= set(modes)):
        return False
    return all(_wider(strong, weak, key) for key in _ABOUT)


def _wider(strong: Rule, weak: Rule, key: str) -> bool:
    own, other = _set(strong, key), _set(weak, key)
    if not own:
        return True
    if key == "flags":
        return own <= other
    if key == "commands":
        return bool(other) and all(any(_takes(shape, narrow) for shape in strong[key]) for narrow in weak[key])
    return bool(other) and other <= own


def _takes(wide: list[Any], narrow: list[Any]) -> bool:
    """Tell whether a shape with open arguments speaks of every command of another one."""
    if PIPE in wide or PIPE in narrow:
        return wide == narrow
    head = wide[:-1] if wide[-1] == ANY else wide
    if wide[-1] != ANY and wide != narrow:
        return False
    words = [set([word] if isinstance(word, str) else word) for word in head]
    others = [set([word] if isinstance(word, str) else word) for word in narrow[: len(head)]]
    return len(others) == len(words) and all(other <= word for word, other in zip(words, others, strict=True))


def _set(rule: Rule, key: str) -> frozenset[str]:
    return frozenset(repr(item) for item in rule.get(key, ()))
