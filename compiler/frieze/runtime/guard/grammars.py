"""Argument grammars that the program table cannot write down: expressions, old styles, programs in programs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from typing import TypeAlias

from .arguments import read_flags, read_plainly
from .deeds import Access, Act, Deeds
from .programs import Program
from .roles import OPTIONS, STREAMS, take_value
from .wide import bare

Grammar: TypeAlias = Callable[[Program, tuple[str, ...], Deeds], "tuple[Program, tuple[str, ...]] | None"]

_ASKED_OF_ITSELF = frozenset(("--version", "--help"))

_FIND_SIGNS = frozenset(("(", ")", "!", ","))
_FIND_STARTS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))
_FIND_NARROWING = ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex", "-size")
"""With one of these a deletion is not one of everything."""

_FIND_NAMES = ("-name", "-iname", "-path", "-ipath", "-wholename")
_FIND_SEARCHED = 8
"""Programs that `find` starts of which the folders it starts in are looked at as arguments."""

_FIND_WRITES = {"-fprint": 1, "-fprint0": 1, "-fls": 1, "-fprintf": 2}

_TEST_TEXTS = frozenset(("=", "==", "!=", "-nt", "-ot", "-ef"))
_TEST_NUMBERS = frozenset(("-eq", "-ne", "-lt", "-le", "-gt", "-ge"))
_NUMBER = re.compile(r"-?[0-9]+", re.ASCII)

_SHELL_LETTERS = frozenset("ceuxlvfmhB")
_SHELL_WORDS = frozenset(("--norc", "--noprofile", "--login", "--posix"))
_EXACT_SHELLS = frozenset(("bash", "sh", "dash"))


def read_command(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    """Read the words behind a program's name into deeds."""
    if len(words) == 1 and words[0] in _ASKED_OF_ITSELF and not program.transparent:
        deeds.acts.append(Act("read"))
        return
    going: tuple[Program, tuple[str, ...]] | None = (program, words)
    while going is not None:
        program, words = going
        going = GRAMMARS[program.grammar](program, words, deeds) if program.grammar else read_plainly(*going, deeds)


def _find(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    deeds.acts.append(Act("search", declared=True))
    at, roots = 0, list[str]()
    while at < len(words) and words[at][:1] not in ("-", "(", "!", ","):
        roots.append(words[at])
        at += 1
    roots = roots or ["."]
    deeds.words.extend(roots)
    deeds.accesses.extend(Access(root, "search") for root in roots)
    narrow, names, acting = False, list[str](), False
    while at < len(words):
        word = words[at]
        at += 1
        spec = program.flags.get(word)
        if spec is not None:
            narrow = narrow or word in _FIND_NARROWING
            if word in _FIND_NAMES and words[at - 2] not in ("!", "-not"):
                names.extend(words[at : at + 1])
            for value in words[at : at + spec.takes]:
                take_value(spec.role, value, deeds, program.name)
            at += spec.takes
        elif word in _FIND_SIGNS:
            continue
        elif word in _FIND_STARTS:
            deeds.elsewhere = deeds.elsewhere or word.endswith("dir")
            at = _find_starts(words, at, deeds, () if narrow else roots)
            acting = True
        elif word == "-delete":
            deeds.flags.append(word)
            deeds.acts.append(Act("delete", reason="it deletes what it finds"))
            acting = True
            if not narrow:
                deeds.accesses.extend(Access(root, "delete") for root in roots)
        elif word in _FIND_WRITES:
            for value in words[at : at + 1]:
                take_value("write", value, deeds, program.name)
            at += _FIND_WRITES[word]
        else:
            deeds.unknown(f"`{word}` is no known test of `{program.name}`")
            deeds.suspects.extend(words[at - 1 :])
            return
    if acting:
        deeds.accesses.extend(Access(bare(name), "read", denials_only=True) for name in names)


def _find_starts(words: tuple[str, ...], at: int, deeds: Deeds, roots: Sequence[str]) -> int:
    end = at
    while end < len(words) and words[end] not in (";", "+"):
        end += 1
    deeds.runs("it starts a program for every file that it finds")
    if end > at:
        deeds.opaque = deeds.opaque or any("{}" in word for word in words[at:end])
        deeds.inner.append(words[at:end])
        if "{}" in words[at:end] and len(deeds.inner) <= _FIND_SEARCHED:
            filled = [roots if word == "{}" else (word,) for word in words[at:end]]
            deeds.supposed.append(tuple(itertools.chain.from_iterable(filled)))
    return end + 1


def _test(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    deeds.acts.append(Act("read", declared=True))
    rest = words
    if program.name == "[":
        if words[-1:] != ("]",):
            deeds.unknown("`[` is not closed")
            deeds.words.extend(words)
            return
        rest = words[:-1]
    deeds.words.extend(rest)
    for word in rest:
        take_value("word", word, deeds, program.name)
    if len(rest) > 1 and rest[0] == "!":
        rest = rest[1:]
    known = (
        len(rest) <= 1
        or (len(rest) == 2 and rest[0] in program.flags)
        or (len(rest) == 3 and rest[1] in _TEST_TEXTS)
        or (len(rest) == 3 and rest[1] in _TEST_NUMBERS and all(map(_NUMBER.fullmatch, (rest[0], rest[2]))))
    )
    if not known:
        deeds.unknown("the shell may evaluate what it tests")
        deeds.suspects.extend(rest)


def _tar(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    letters = words[0].removeprefix("-") if words else ""
    rest = list(words[1:])
    deeds.words.extend(words)
    deeds.flags.extend(f"-{letter}" for letter in letters)
    modes = set(letters) & set("ctx")
    if len(modes) != 1 or not set(letters) <= set("ctxzjJvfpka") or letters.count("f") != 1:
        deeds.unknown(f"how `{program.name}` is used here is not known")
        deeds.suspects.extend(words)
        return
    archive = rest.pop(0) if rest else "-"
    mode = modes.pop()
    folder = None
    if len(rest) > 1 and rest[0] == "-C":
        folder, rest = rest[1], rest[2:]
    if any(word.startswith("-") for word in rest) or (folder is not None and mode == "c"):
        deeds.unknown(f"how `{program.name}` is used here is not known")
        deeds.suspects.extend(rest)
    if mode == "c":
        take_value("write", archive, deeds, program.name)
        for value in rest:
            take_value("tree", value, deeds, program.name)
        deeds.acts.append(Act("edit", declared=True))
        return
    take_value("read", archive, deeds, program.name)
    if mode == "t":
        deeds.acts.append(Act("read", declared=True))
        return
    deeds.accesses.append(Access(folder or ".", "write"))
    deeds.acts.append(Act("edit", False, "ask", "change", "it writes whatever files the archive names"))


def _dd(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    deeds.acts.append(Act("read", declared=True))
    deeds.words.extend(words)
    for word in words:
        name, equals, value = word.partition("=")
        if name in ("if", "of") and equals:
            take_value("read" if name == "if" else "write", value, deeds, program.name)
        elif name not in program.flags or not equals:
            deeds.unknown(f"`{word}` is no known operand of `{program.name}`")
            deeds.suspects.append(word)


def _shell(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    letters, at, known = "", 0, True
    deeds.reads_input = False
    while at < len(words) and words[at][:1] == "-" and words[at] not in ("-", "--"):
        word = words[at]
        at += 1
        if word.startswith("--"):
            known = known and word in _SHELL_WORDS
        elif word[-1] == "o" and set(word[1:-1]) <= _SHELL_LETTERS:
            letters += word[1:-1]
            known = known and words[at : at + 1] != () and words[at] in OPTIONS
            at += 1
        else:
            letters += word[1:]
    at += words[at : at + 1] == ("--",)
    known = known and set(letters) <= _SHELL_LETTERS
    rest = words[at:]
    deeds.words.extend(rest)
    if "c" in letters and rest and known and program.name in _EXACT_SHELLS:
        deeds.transparent = True
        deeds.scripts.append((rest[0], program.name != "bash"))
        for word in rest[1:]:
            take_value("word", word, deeds, program.name)
    elif letters == "n" and rest and program.name in _EXACT_SHELLS:
        deeds.acts.append(Act("read", declared=True))
        for word in rest:
            take_value("read", word, deeds, program.name)
    elif "s" in letters or not known:
        deeds.opaque = True
        deeds.reads_input = "c" not in letters
        deeds.unknown(f"how `{program.name}` is used here is not known")
        deeds.codes.extend(rest)
        deeds.suspects.extend(words)
    elif "c" in letters and rest:
        deeds.opaque = True
        deeds.unknown(f"how `{program.name}` is used here is not known")
        deeds.codes.extend(rest)
    else:
        _script_file(program, rest, deeds)


def _script_file(program: Program, rest: tuple[str, ...], deeds: Deeds) -> None:
    deeds.acts.append(Act("run", True, "", "side-effects", "it runs a script"))
    if not rest or rest[0] in STREAMS:
        deeds.reads_input = True
        deeds.runs("it runs what it is given on its input")
    else:
        deeds.accesses.append(Access(rest[0], "read"))
    for word in rest[1:]:
        take_value("word", word, deeds, program.name)


def _python(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    at, deeds.reads_input = 0, False
    while at < len(words) and words[at] in program.flags and program.flags[words[at]].takes == 0:
        at += 1
    rest = words[at:]
    if rest[:1] == ("-m",) and len(rest) > 1:
        deeds.words.extend(rest[1:2])
        if rest[1] in program.modules:
            deeds.module = rest[1:]
        else:
            deeds.acts.append(Act("run", True, "", "side-effects", f"it runs the module `{rest[1]}`"))
            deeds.suspects.extend(rest[1:])
        return
    if rest[:1] == ("-c",):
        deeds.codes.extend(rest[1:])
        deeds.runs("it runs program text")
        return
    if rest and rest[0].startswith("-") and rest[0] != "-":
        deeds.unknown(f"`{rest[0]}` is no known flag of `{program.name}`")
        deeds.suspects.extend(rest)
        deeds.codes.extend(rest)
        return
    if not rest and at and words in (("-V",), ("-VV",)):
        deeds.acts.append(Act("read"))
        return
    deeds.words.extend(rest)
    _script_file(program, rest, deeds)


def _time(_: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    rest = words[1:] if words[:1] == ("-p",) else words
    rest = rest[1:] if rest[:1] == ("--",) else rest
    deeds.transparent = True
    deeds.words.extend(rest)
    if rest:
        deeds.inner.append(rest)


def _eval(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    rest = words[1:] if words[:1] == ("--",) else words
    deeds.words.extend(rest)
    deeds.runs(program.reason)
    if rest:
        deeds.scripts.append((" ".join(rest), False))


def _env(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    flags = itertools.takewhile(lambda word: word.startswith("-"), words)
    if any(flag.startswith("--s") or (flag[1:2] != "-" and "S" in flag) for flag in flags):
        deeds.opaque = True
        deeds.unknown("it splits a text into words")
        deeds.words.extend(words)
        deeds.codes.append(" ".join(words))
        return
    read_plainly(program, words, deeds)


def _command(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    if words[:1] in (("-v",), ("-V",)):
        deeds.acts.append(Act("read"))
        deeds.transparent = False
        return
    read_plainly(program, words, deeds)


def _git_config(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    rest = read_flags(program, words, deeds)
    verbs = {"get": True, "list": True, "set": False, "unset": False, "edit": False}
    reads = not program.listing.isdisjoint(deeds.flags)
    if rest and rest[0] in verbs:
        reads = verbs[rest[0]]
    elif len(rest) == 1 and "." in rest[0]:
        reads = True
    deeds.words.extend(rest)
    if reads:
        deeds.acts.append(Act("read", declared=True))
    else:
        deeds.acts.append(Act("edit", False, "ask", "side-effects", "settings of git can name programs that it runs"))
        deeds.codes.extend(rest)


def _text(program: Program, words: tuple[str, ...], deeds: Deeds) -> None:
    deeds.acts.append(Act(program.action, declared=True))
    deeds.words.extend(words)


GRAMMARS: dict[str, Grammar] = {
    "find": _find,
    "test": _test,
    "tar": _tar,
    "dd": _dd,
    "shell": _shell,
    "python": _python,
    "command": _command,
    "git-config": _git_config,
    "text": _text,
    "time": _time,
    "eval": _eval,
    "env": _env,
}
