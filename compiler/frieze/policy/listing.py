"""The lists of the generated text: actions by what comes of them, rules, approved commands, closed paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from frieze.policy.sentences import ALLOW, DENY, OUTSIDE, Probe, Section, Sentence
from frieze.policy.shapes import command_of, instance, is_pattern, path_instance, prefix_key, prefix_text, shape_text
from frieze.policy.view import View
from frieze.policy.vocabulary import UNTOLD
from frieze.policy.wording import Wording, quoted
from frieze.runtime.guard.vocabulary import EFFECTS, RANK

MOST_PREFIXES = 100
MOST_PREFIX_CHARACTERS = 5_000
"""What of the approved commands is shown at most, in rows and in characters of these rows."""

MOST_PATHS = 12
"""Paths that a sentence names, besides those that nobody may read or write: these are all named."""

MOST_ALTERNATIVES = 6
"""Alternatives of a word that a rule shows; a sign says that there are more."""


class Lists:
    """Makes the sections that are lists."""

    def __init__(self, view: View, wording: Wording) -> None:
        self.view = view
        self.wording = wording
        self.approved = list(view.approved())

    def actions(self) -> Section:
        """Say of every action what comes of it."""
        rows = [Sentence("actions.heading", self.wording.say("actions.heading"))]
        for effect in EFFECTS:
            actions = [action for action in self.view.actions(effect) if self._can_come_up(action)]
            if actions:
                told = "; ".join(self._grouped(actions))
                text = self.wording.say(f"actions.{effect}", actions=told)
                probes = tuple(Probe(frozenset({effect}), action) for action in actions)
                rows.append(Sentence(f"actions.{effect}", text, (), probes))
        return tuple(rows)

    def _can_come_up(self, action: str) -> bool:
        """Tell whether anything is this action: commands are tests only in an approved form."""
        if action != "test" or self.view.cell("test") != "allow":
            return True
        tests = any(entry["action"] == "test" for entry, _ in self.approved)
        return tests or any(tool["action"] == "test" for tool in self.view.table["tools"].values())

    def _grouped(self, actions: Iterable[str]) -> Iterator[str]:
        """Yield actions that follow the same rules together, with these rules."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for action in actions:
            name, rules = self._action(action)
            groups.setdefault(rules, []).append(self.wording.say(name))
        for rules, names in groups.items():
            yield ", ".join(names) + "".join(f" [{rule}]" for rule in rules)

    def _action(self, action: str) -> tuple[str, tuple[str, ...]]:
        """Return the name of an action in the wording, and the rules that it follows."""
        rule, name = self.view.rule_of(action), f"action.{action}"
        if action == "run" and self.view.cell("run") == "allow":
            return "action.run.known", (rule,)
        if action != "test":
            return name, (rule,)
        tests = sorted({entry["id"] for entry, _ in self.approved if entry["action"] == "test"})
        return name if tests else "action.test.unapproved", (rule, *tests)

    def rules(self) -> Section:
        """Tell of each rule that says more than its action by itself."""
        rows = [self._rule(entry, effect) for entry, effect in self.view.stricter()]
        if not rows:
            return ()
        say = self.wording.say
        return (Sentence("rules.heading", say("rules.heading")), Sentence("rules.intro", say("rules.intro")), *rows)

    def _rule(self, entry: Mapping[str, Any], effect: str) -> Sentence:
        told = entry["reason"] not in {"", UNTOLD}
        name = "rule.reason" if told else "rule"
        reason = {"reason": entry["reason"].rstrip(".")} if told else {}
        text = self.wording.say(name, subject=self._subject(entry), effect=self.wording.effect(effect), **reason)
        strict = frozenset(other for other in EFFECTS if RANK[other] >= RANK[effect])
        return Sentence(name, f"- {text}", (entry["id"],), tuple(self._rule_probes(entry, strict)))

    def _rule_probes(self, entry: Mapping[str, Any], strict: frozenset[str]) -> Iterator[Probe]:
        command = command_of(entry)
        if command and entry.get("hosts"):
            return  # it speaks of commands that reach one of the hosts, and a shape names none
        if command:
            yield Probe(strict, "run", command=command)
            yield Probe(strict, "run", command=f"ls && {command}")
            yield Probe(strict, "run", command=f"sudo /usr/bin/{command}")
        elif entry.get("hosts") and entry["action"] == "network" and not (entry.get("paths") or entry.get("tools")):
            hosts = [host.replace("*", "x") for host in entry["hosts"]]
            yield from (Probe(strict, "run", command=f"curl https://{host}/") for host in hosts)
        elif entry.get("paths") and entry["action"] in {"read", "search", "edit", "delete", "move"}:
            yield from (Probe(strict, entry["action"], path=path_instance(path)) for path in entry["paths"])

    def _subject(self, entry: Mapping[str, Any]) -> str:
        """Return what a rule is about."""
        say = self.wording.say
        action = say(f"action.{entry['action']}")
        if entry["commands"]:
            subject = quoted(shape_text(shape, most=MOST_ALTERNATIVES) for shape in entry["commands"])
        elif entry.get("paths"):
            return say("rule.paths", action=action, paths=quoted(entry["paths"]))
        elif entry.get("tools"):
            return say("rule.tools", tools=quoted(entry["tools"]))
        elif entry.get("hosts"):
            hosts = say("rule.hosts", hosts=quoted(entry["hosts"]))
            return hosts if entry["action"] == "network" else f"{action}, {hosts}"
        else:
            subject = say("rule.action", action=action)
        for spellings in entry.get("flags", ()):
            flags = say("rule.flag.or").join(quoted([flag]) for flag in spellings)
            subject += " " + say("rule.flag", flags=flags)
        if entry["commands"] and entry.get("hosts"):
            subject += ", " + say("rule.hosts", hosts=quoted(entry["hosts"]))
        return subject

    def prefixes(self) -> list[Section]:
        """List the approved commands where questions are possible at all."""
        if self.view.silent or not self.approved:
            return []
        shapes = {prefix_text(shape): (entry, shape) for entry, shape in self.approved}
        rows = sorted(shapes.values(), key=lambda row: prefix_key(row[1]))
        shown: list[Sentence] = []
        size = 0
        for entry, shape in rows[:MOST_PREFIXES]:
            row = Sentence("prefix", f"- {prefix_text(shape)}", (), (Probe(ALLOW, "run", command=instance(shape)),))
            row = row._replace(rules=(entry["id"],))
            size += len(row.line) + 1
            if size > MOST_PREFIX_CHARACTERS:
                break
            shown.append(row)
        say = self.wording.say
        section = [
            Sentence("prefixes.heading", say("prefixes.heading")),
            Sentence("prefixes.intro", say("prefixes.intro")),
        ]
        section += shown
        if len(shown) < len(rows):
            section.append(Sentence("prefixes.cut", say("prefixes.cut", shown=str(len(shown)), total=str(len(rows)))))
        return [tuple(section)]

    def edits(self) -> Section:
        """Say which paths are written to less easily than others."""
        view, paths = self.view, self.view.table["paths"]
        rows = []
        outside = max(view.outside, view.cell("read"), key=RANK.__getitem__)
        if view.cell("read") == "allow":
            text = self.wording.say("paths.outside", effect=self.wording.effect(outside))
            probe = Probe(frozenset({outside}), "read", path=OUTSIDE)
            rows.append(Sentence("paths.outside", text, (), (probe,)))
        if view.cell("edit") == "allow":
            effect = view.answer("ask")
            for key, name in (("protected", "paths.edits"), ("generated", "paths.generated")):
                if paths[key]:
                    shown = self._some(paths[key])
                    text = self.wording.say(name, effect=self.wording.effect(effect), paths=shown)
                    strict = frozenset(other for other in EFFECTS if RANK[other] >= RANK[effect])
                    probes = tuple(Probe(strict, "edit", path=path_instance(path)) for path in paths[key])
                    rows.append(Sentence(name, text, (), probes))
        return tuple(rows)

    def _some(self, paths: list[str]) -> str:
        """Return paths, with a count in the place of those that are too many to name."""
        rest = len(paths) - MOST_PATHS
        if rest <= 1:
            return quoted(paths)
        return self.wording.say("more", paths=quoted(paths[:MOST_PATHS]), count=str(rest))

    def closed(self) -> Section:
        """List the paths that are neither read nor written: single paths, then patterns."""
        paths = self.view.table["paths"]
        if not paths["deny"]:
            return ()
        say = self.wording.say
        rows = [
            Sentence("closed.path", f"- `{path}`", (), self._closed_probes(path))
            for path in sorted(paths["deny"], key=lambda path: (is_pattern(path), path))
        ]
        section = [
            Sentence("closed.heading", say("closed.heading")),
            Sentence("closed.intro", say("closed.intro")),
            *rows,
        ]
        if paths["except"]:
            effect = self.view.answer("ask")
            text = say("closed.except", paths=quoted(paths["except"]), effect=self.wording.effect(effect))
            probes = tuple(Probe(frozenset({effect, "deny"}), "read", path=path) for path in paths["except"])
            section.append(Sentence("closed.except", text, (), probes))
        return tuple(section)

    def _closed_probes(self, path: str) -> tuple[Probe, ...]:
        found = path_instance(path)
        if found in self.view.table["paths"]["except"]:
            return ()
        deep = [] if "/" in path.rstrip("/") else [f"a/b/{found}"]
        reads = [Probe(DENY, "read", path=place) for place in (found, f"{found}/x", *deep)]
        return (*reads, Probe(DENY, "edit", path=found))
