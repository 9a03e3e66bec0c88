"""The entries of a policy that speak of commands: which of them speak of this one.

A shape is a list of words; a list in the place of a word holds alternatives, `...` stands for any number of arguments.
Allow is narrow: the words must be exactly those of the shape, and what `...` covers must be known to be harmless. Deny
and ask are wide: the verbs must follow each other, flags may stand anywhere, the program is taken by its base name and
without case, and a `*` in a word stands for anything. In deny and ask a `|` between words stands for a pipe.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from .hosts import first_host
from .programs import base_name, matches

ANY = "..."
PIPE = "|"
SHORTEST_ABBREVIATION = 4
"""Characters of the shortest word that may abbreviate a long flag: `--fo`."""

Element: TypeAlias = "tuple[str, ...] | None"
"""The alternatives of one word, or None for any number of words."""


class Entry(NamedTuple):
    """One entry with one of its shapes.

    Attributes:
        rule, effect, action, risk, reason: as the policy gives them.
        shape: the words behind the program's name.
        flags: groups of flags; one of each must be there.
        hosts: patterns; where there are some, one must take a host of the command.
        stages: names of programs for a shape with pipes, one set a stage.
    """

    rule: str
    effect: str
    action: str
    risk: str
    reason: str
    shape: tuple[Element, ...]
    flags: tuple[tuple[str, ...], ...]
    hosts: tuple[str, ...]
    stages: tuple[frozenset[str], ...] = ()


class Entries:
    """A policy's entries for one mode, by program."""

    __slots__ = ("_allow", "_general", "_strict", "pipes")

    def __init__(self, rows: Iterable[Mapping[str, Any]], mode: str) -> None:
        self._allow: dict[str, list[Entry]] = {}
        self._strict: dict[str, list[Entry]] = {}
        self._general: list[Entry] = []
        self.pipes: list[Entry] = []
        for row in rows:
            modes = row.get("modes")
            if modes is None or mode in modes:
                self._add(row)

    def _add(self, row: Mapping[str, Any]) -> None:
        flags = tuple(tuple(group) for group in row.get("flags") or ())
        hosts = tuple(row.get("hosts") or ())
        told = (row["id"], row["effect"], row["action"], row.get("risk") or "", row.get("reason") or "")
        for given in row.get("commands") or ():
            shape = tuple(_element(word) for word in given)
            if (PIPE,) in shape:
                self.pipes.append(Entry(*told, (), flags, hosts, tuple(_stages(shape))))
                continue
            names, rest = shape[0] or (), shape[1:]
            if row["effect"] == "allow":
                for name in names:
                    self._allow.setdefault(name, []).append(Entry(*told, rest, flags, hosts))
                continue
            words = tuple(element for element in rest if element is None or not element[0].startswith("-"))
            needed = tuple(element for element in rest if element is not None and element[0].startswith("-"))
            needed = tuple(flag for group in needed for flag in _separate(group))
            for name in names:
                entry = Entry(*told, words, (*flags, *needed), hosts)
                self._strict.setdefault(base_name(name), []).append(entry)
        if not (row.get("commands") or row.get("tools") or row.get("paths")) and hosts:
            self._general.append(Entry(*told, (), flags, hosts))

    def names(self) -> Iterable[str]:
        """Return the base names of all programs that an entry denies or asks about."""
        return self._strict.keys()

    def allowing(
        self, name: str, words: Sequence[str], given: Sequence[str], hosts: Sequence[str], known: bool
    ) -> Entry | None:
        """Return an entry that allows exactly these words.

        Args:
            name: the program's registered name.
            words: all that stands behind it.
            given: the flags among them.
            hosts: what the command reaches.
            known: the program table knows the program, so that `...` may cover arguments.
        """
        for entry in self._allow.get(name, ()):
            if not _exactly(entry.shape, words, known) or not _has(entry.flags, given, exact=True):
                continue
            if not entry.hosts or (hosts and all(first_host(entry.hosts, host) for host in hosts)):
                return entry
        return None

    def against(self, name: str, words: Sequence[str], given: Sequence[str], hosts: Sequence[str]) -> Iterator[Entry]:
        """Yield the entries that deny or ask about a command whose verbs and arguments are known.

        Args:
            name: the program's base name.
            words: verbs and arguments without flags.
            given: the flags.
            hosts: what the command reaches.
        """
        for entry in self._strict.get(name, ()):
            if _follows(entry.shape, words) and _has(entry.flags, given) and _reaches(entry.hosts, hosts):
                yield entry

    def anywhere(self, name: str, words: Sequence[str], given: Sequence[str]) -> Iterator[Entry]:
        """Yield the entries that deny or ask about a program somewhere in a text, with these words behind it."""
        for entry in self._strict.get(name, ()):
            if not entry.hosts and _occurs(entry.shape, words) and _has(entry.flags, given):
                yield entry

    def of_action(self, action: str, hosts: Sequence[str]) -> Iterator[Entry]:
        """Yield the entries about hosts that speak of no command."""
        for entry in self._general:
            if entry.action == action and entry.effect != "allow" and _reaches(entry.hosts, hosts):
                yield entry


def _element(word: str | Sequence[str]) -> Element:
    if word == ANY:
        return None
    return (word,) if isinstance(word, str) else tuple(word)


def _stages(shape: Sequence[Element]) -> Iterator[frozenset[str]]:
    head = True
    for element in shape:
        if element == (PIPE,):
            head = True
        elif head:
            yield frozenset(base_name(name) for name in element or ())
            head = False


def _separate(group: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return what a word of flags needs: `-rf` both of its letters, alternatives one of them."""
    if len(group) == 1 and group[0][1:2] != "-" and len(group[0]) > 2:
        return (
            [(f"-{letter}",) for letter in group[0][1:]] if group[0][1:].isalpha() and len(group[0]) <= 4 else [group]
        )
    return [group]


def _exactly(shape: Sequence[Element], words: Sequence[str], known: bool) -> bool:
    """Tell whether the words are those of the shape; `...` covers any, where the program is known."""
    at = place = 0
    mark = back = -1
    while at < len(words):
        element = shape[place] if place < len(shape) else ()
        if element is None and known:
            mark, back = place, at
            place += 1
        elif element is not None and words[at] in element:
            at += 1
            place += 1
        elif mark >= 0:
            back += 1
            at, place = back, mark + 1
        else:
            return False
    return all(element is None for element in shape[place:])


def _follows(shape: Sequence[Element], words: Sequence[str]) -> bool:
    """Tell whether the words begin with those of the shape up to its first `...`, the rest in order behind it."""
    for at, element in enumerate(shape):
        if element is None:
            return _occurs(shape[at:], words[at:])
        if at >= len(words) or not _takes(element, words[at]):
            return False
    return True


def _occurs(shape: Sequence[Element], words: Sequence[str]) -> bool:
    """Tell whether the words of the shape occur in this order."""
    rest = iter(words)
    return all(any(_takes(element, word) for word in rest) for element in shape if element is not None)


def _takes(element: tuple[str, ...], word: str) -> bool:
    folded = word.casefold()
    return any(matches(name.casefold(), folded) for name in element)


def _has(groups: Sequence[Sequence[str]], given: Sequence[str], *, exact: bool = False) -> bool:
    """Tell whether one flag of every group is there, wherever it may be abbreviated as well."""
    if not groups:
        return True
    if not given:
        return False
    there = set(given)
    abbreviations = [] if exact else [flag for flag in there if flag[:2] == "--" and len(flag) >= SHORTEST_ABBREVIATION]
    return all(
        not there.isdisjoint(group) or any(flag.startswith(short) for flag in group for short in abbreviations)
        for group in groups
    )


def _reaches(patterns: Sequence[str], hosts: Sequence[str]) -> bool:
    return not patterns or any(first_host(patterns, host) for host in hosts)
