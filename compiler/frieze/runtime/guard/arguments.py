"""Reads the arguments of one program by its row of the table, into deeds."""

from __future__ import annotations

from .deeds import Act, Deeds
from .programs import Program, Spec, matches
from .roles import PATHS, take_value


def read_plainly(program: Program, words: tuple[str, ...], deeds: Deeds) -> tuple[Program, tuple[str, ...]] | None:
    """Read the words behind a program's name, or behind its verb.

    Returns:
        The verb's own row and the words behind it, where a known verb follows; else None.
    """
    rest = read_flags(program, words, deeds)
    if program.verbs is None:
        action = program.with_arguments if rest and program.with_arguments else program.action
        asks = program.asks
        if not program.listing.isdisjoint(deeds.flags):
            action, asks = "read", ""
        if not program.transparent:
            deeds.acts.append(Act(action, True, asks, program.risk, program.reason))
        take_arguments(program, rest, deeds)
        return None
    if not rest:
        deeds.acts.append(Act(program.action, True, "", program.risk, program.reason))
        return None
    verb = program.verb(rest[0])
    deeds.words.append(rest[0])
    if verb is not None:
        return verb, tuple(rest[1:])
    deeds.acts.append(Act(program.action, False, program.asks, program.risk, program.reason))
    deeds.unknown(f"`{program.name}` has no known verb `{rest[0]}`")
    deeds.words.extend(rest[1:])
    deeds.suspects.extend(rest[1:])
    deeds.flags.extend(flag for word in rest[1:] if word[:1] == "-" for flag in loose_flags(word))
    return None


def read_flags(program: Program, words: tuple[str, ...], deeds: Deeds) -> list[str]:
    """Read the flags among the words and return what is not a flag."""
    rest: list[str] = []
    stops = program.stop or program.verbs is not None
    at, end = 0, len(words)
    while at < end:
        word = words[at]
        at += 1
        if word[:1] != "-" or word == "-":
            rest.append(word)
            if stops:
                rest.extend(words[at:])
                break
        elif word == "--":
            spec = program.flags.get("--")
            if spec is not None:
                take_flag(program, "--", spec, None, deeds)
            rest.extend(words[at:])
            break
        else:
            at = _read_flag(program, word, words, at, deeds)
    return rest


def _read_flag(program: Program, word: str, words: tuple[str, ...], at: int, deeds: Deeds) -> int:
    """Read one flag or cluster; return where the next word is, behind the flag's value."""
    spec = program.flags.get(word)
    if spec is None and program.words and word.startswith("--"):
        word = word[1:]
        spec = program.flags.get(word)
    if spec is not None:
        value = None
        if spec.takes == 1:
            if at == len(words):
                deeds.unknown(f"`{word}` has no value")
                return at
            value = words[at]
            at += 1
        take_flag(program, word, spec, value, deeds)
        return at
    if word.startswith("--") or program.words:
        name, equals, value = word.partition("=")
        spec = program.flags.get(name)
        if spec is not None and equals and spec.takes:
            take_flag(program, name, spec, value, deeds)
        else:
            _unknown_flag(program, word, words, at, deeds)
        return at
    if program.numbers and word[1:].isdigit() and word.isascii():
        return at
    return _read_cluster(program, word, words, at, deeds)


def _read_cluster(program: Program, word: str, words: tuple[str, ...], at: int, deeds: Deeds) -> int:
    for place in range(1, len(word)):
        flag = f"-{word[place]}"
        spec = program.flags.get(flag)
        if spec is None:
            _unknown_flag(program, word, words, at, deeds)
            return at
        rest = word[place + 1 :]
        if spec.takes and rest:
            take_flag(program, flag, spec, rest, deeds)
            return at
        if spec.takes == 1:
            if at == len(words):
                deeds.unknown(f"`{flag}` has no value")
                return at
            take_flag(program, flag, spec, words[at], deeds)
            return at + 1
        take_flag(program, flag, spec, None, deeds)
    return at


def _unknown_flag(program: Program, word: str, words: tuple[str, ...], at: int, deeds: Deeds) -> None:
    """Record a flag that the table does not know; the word behind it may be its value."""
    deeds.unknown(f"`{word}` is no known flag of `{program.name}`")
    deeds.flags.extend(loose_flags(word))
    deeds.suspects.extend((word, *words[at : at + 1]))


def loose_flags(word: str) -> list[str]:
    """Return every flag that a word may stand for where the table does not know it: itself, its name, its letters."""
    name = word.partition("=")[0]
    if word.startswith("--"):
        return [name]
    return [name, *(f"-{letter}" for letter in word[1:])]


def take_flag(program: Program, flag: str, spec: Spec, value: str | None, deeds: Deeds) -> None:
    """Record a flag and what its value means."""
    deeds.flags.append(flag)
    if spec.effect is not None:
        deeds.adds(spec.effect)
    if value is not None and spec.role != "text":
        take_value(spec.role, value, deeds, program.name)


def take_arguments(program: Program, given: list[str], deeds: Deeds) -> None:
    """Give every argument its role."""
    deeds.transparent = program.transparent
    deeds.opaque = deeds.opaque or program.appends
    for patterns, effect in program.patterns:
        found = [word for word in given if any(matches(pattern, word) for pattern in patterns)]
        if found:
            deeds.adds(effect)
            deeds.codes.extend(found)
            deeds.suspects.extend(word for word in found if word.startswith("@"))
    roles = program.roles
    if roles and program.first and not program.first.isdisjoint(deeds.flags):
        roles = roles[1:]
    if program.default and len(given) < len(roles):
        given = [*given, program.default]
    changed = {program.become[flag] for flag in deeds.flags if flag in program.become} if program.become else None
    at, end = 0, len(given)
    for place, role in enumerate(roles):
        if role == "command":
            deeds.words.extend(given[at:])
            if at < end:
                deeds.inner.append(tuple(given[at:]))
            return
        count = 1
        if role[-1] == "*":
            role = role[:-1]  # noqa: PLW2901 - the role without its star
            count = end - at - (len(roles) - place - 1)
            if roles[-1] == "command":
                count = _assignments(given[at:])
        if changed and role in PATHS:
            role = min(changed)  # noqa: PLW2901 - what the flag makes of it
        deeds.words.extend(given[at : at + count])
        if role == "shell" and count > 1:
            take_value(role, " ".join(given[at : at + count]), deeds, program.name)
            at += count
            continue
        if role == "execute" or (role == "word" and program.action == "run"):
            deeds.suspects.extend(given[at : at + count])
        for value in given[at : at + count]:
            if role != "text":
                take_value(role, value, deeds, program.name)
        at = min(end, at + max(count, 0))
    if at < end:
        deeds.unknown(f"`{program.name}` is given more than is known of it")
        deeds.words.extend(given[at:])
        deeds.suspects.extend(given[at:])


def _assignments(words: list[str]) -> int:
    for count, word in enumerate(words):
        if "=" not in word:
            return count
    return len(words)
