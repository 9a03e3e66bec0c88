"""What programs do with their arguments: the program table, prepared for look-ups.

The table is data (`profiles/permissions/programs.yaml`, in a decision table under `programs`, `wrappers`, `assignments`
and `executables`). Nothing that it does not name is harmless: an unknown program, verb, flag or argument asks.

    programs, wrappers: {NAMES: PROGRAM}         one or several names, with blanks between them; a wrapper is a program
                                                 that starts another one
    assignments: {harmless: [NAME...]}           `FOO=1 program` is harmless for these names alone
    aliases: {NAME: NAME}                        other names of programs
    executables: {ABSOLUTE PATH: NAME}           absolute paths that count as the bare name

PROGRAM, every field optional; FLAGS is a text of flags with blanks between them (`-a --all`), ROLES the same of roles:

    action: ACTION           what running it with harmless arguments is; left out: run, and of a program that has verbs
                             and is given none: read
    asks: true               that action asks in every mode that does not deny it
    risk, reason: TEXT       what is at stake in that action, and one clause about it
    flags: FLAGS             flags that take no value and change nothing
    options: {ROLE: FLAGS}   flags with a value (`-n 3`, `-n3`, `--lines 3`, `--lines=3`), by the value's role
    attached: {ROLE: FLAGS}  flags whose value may be missing and else hangs on them (`--color=auto`, `-i.bak`)
    effects: [EFFECT...]     {flags: FLAGS, arguments: PATTERNS, action, risk, reason}: one of the flags, or an argument
                             that matches (`*` stands for anything), adds the action, which then asks at least. Such
                             flags are known ones; where they stand in `options` or `attached` too they take a value.
    arguments: ROLES         roles of what is not a flag, in order; `read*` is any number; left out: none may follow
    default: TEXT            what the last argument is where none is given (`grep -r WORD` searches `.`)
    first: FLAGS             flags that give the first argument (`grep -e`): its role is then left out
    become: {ROLE: FLAGS}    with such a flag arguments that are read or searched have this role (`sed -i`)
    with_arguments: ACTION   the action that it becomes when an argument follows (`git branch NAME`)
    listing: FLAGS           with one of these flags it changes nothing: its action is then read
    numbers: true            `-5` is a harmless number
    style: gnu | words       gnu (left out): `-la` is a cluster; words: `-name` is one flag, `--name` the same
    stop: true               flags end where the arguments begin
    commands: {VERBS: PROGRAM}   the first argument is a verb; unknown verbs ask
    anywhere: true           the flags may follow the verb as well
    grammar: NAME            what does not fit this table: an argument grammar in `grammars.py`
    modules: NAMES           programs of the table that `-m NAME` stands for
    folder: true             what it does depends on settings in the folder that it works in
    enters: true             it changes the folder of the shell
    appends: true            of a wrapper: it adds arguments that do not stand in the line
    transparent: true        of a wrapper: the answer is that of the inner command alone

ROLE, a closed vocabulary:

    text            never a path: harmless
    word            of unknown meaning: denied paths in it are found, nothing else
    read search write delete     a path and what is done with it
    tree            everything below a path is read
    visible         likewise, but for names that begin with a dot
    glob            a pattern of files that are read; with `!` in front of files that are not
    option          an option of the shell (`set -o`); a few are harmless
    mode            who may do what with a file (`chmod`): harmless without the bits that give away rights
    format          what git tells of a commit: harmless without checks of signatures, which start a program
    warning         which warnings Python minds: harmless without a class that it must import
    link            a file that gets another name, by which it can be read and written
    destination     a path that is written, or a folder into which the other arguments are written
    move            a path that is taken away
    test            a path of tests, perhaps with `::` and a name behind it
    directory       a folder in which the program works: harmless only where it is the present one
    enter           a folder that becomes the present one (`cd`)
    revision        a revision of git or a path; `REV:PATH` reads the path
    url             an address: network
    host            a name of a host: network
    upload          a text, or `@PATH` and `name=@PATH`, which are read and sent
    package         what is installed
    execute         names code that is run
    code            is program text, of another language than the shell's
    shell           is a command line
    sed awk         is a script; a few forms are harmless
    assignment      `NAME=value` in front of an inner command
    command         from here on an inner command
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from .vocabulary import EDITING

ROLES = (
    "text",
    "word",
    "read",
    "search",
    "write",
    "delete",
    "tree",
    "visible",
    "glob",
    "option",
    "mode",
    "format",
    "warning",
    "link",
    "destination",
    "move",
    "test",
    "directory",
    "enter",
    "revision",
    "url",
    "host",
    "upload",
    "package",
    "execute",
    "code",
    "shell",
    "sed",
    "awk",
    "assignment",
    "command",
)
STYLES = ("gnu", "words")

Data: TypeAlias = Mapping[str, Any]

UNDECIDED = "undecided"
"""How the rule of a cell ends that nothing but the default speaks of."""

SUFFIXES = (".exe", ".cmd", ".bat", ".com", ".ps1")


class Effect(NamedTuple):
    """An action that a flag or argument adds."""

    action: str
    risk: str
    reason: str


class Spec(NamedTuple):
    """A flag: whether it takes a value (0 never, 1 always, 2 only attached), the value's role, what it adds."""

    takes: int
    role: str
    effect: Effect | None


class Program:
    """One program or verb, its flags spread out."""

    __slots__ = (
        "action",
        "anywhere",
        "appends",
        "asks",
        "base",
        "become",
        "default",
        "enters",
        "first",
        "flags",
        "folder",
        "grammar",
        "listing",
        "modules",
        "name",
        "numbers",
        "patterns",
        "reason",
        "risk",
        "roles",
        "stop",
        "transparent",
        "verbs",
        "with_arguments",
        "words",
    )

    def __init__(self, name: str, data: Data, inherited: Mapping[str, Spec] | None = None) -> None:
        self.name = name
        self.base = base_name(name)
        self.verbs: dict[str, Data | Program] | None = None
        self.flags: dict[str, Spec] = dict(inherited or {})
        self.patterns: list[tuple[tuple[str, ...], Effect]] = []
        self._read_flags(data)
        self.action: str = data.get("action") or ("read" if "commands" in data else "run")
        self.risk: str = data.get("risk", "")
        self.reason: str = data.get("reason", "")
        self.roles = tuple(data.get("arguments", "").split())
        self.first = frozenset(data.get("first", "").split())
        self.become = {flag: role for role, flags in data.get("become", {}).items() for flag in flags.split()}
        self.with_arguments: str = data.get("with_arguments", "")
        self.listing = frozenset(data.get("listing", "").split())
        self.modules = frozenset(data.get("modules", "").split())
        self.folder: bool = data.get("folder", False)
        self.enters: bool = data.get("enters", False)
        self.default: str = data.get("default", "")
        self.asks: str = "ask" if data.get("asks") else ""
        self.appends: bool = data.get("appends", False)
        self.numbers: bool = data.get("numbers", False)
        self.words: bool = data.get("style") == "words"
        self.stop: bool = data.get("stop", False)
        self.grammar: str = data.get("grammar", "")
        self.transparent: bool = data.get("transparent", False)
        self.anywhere: bool = data.get("anywhere", False)
        if "commands" in data:
            self.verbs = dict(spread(data["commands"]))

    def _read_flags(self, data: Data) -> None:
        for flag in data.get("flags", "").split():
            self.flags[flag] = Spec(0, "", None)
        for takes, field in ((1, "options"), (2, "attached")):
            for role, flags in data.get(field, {}).items():
                for flag in flags.split():
                    self.flags[flag] = Spec(takes, role, None)
        for given in data.get("effects", ()):
            effect = Effect(given["action"], given.get("risk", ""), given.get("reason", ""))
            for flag in given.get("flags", "").split():
                known = self.flags.get(flag)
                self.flags[flag] = Spec(known.takes if known else 0, known.role if known else "", effect)
            if "arguments" in given:
                self.patterns.append((tuple(given["arguments"].split()), effect))

    @property
    def wraps(self) -> bool:
        """Whether it may start another program that its arguments name."""
        return "command" in self.roles or self.grammar in ("time", "command", "eval", "find")

    def verb(self, name: str) -> Program | None:
        """Return what stands behind a verb, or None where it is unknown."""
        if self.verbs is None:
            return None
        found = self.verbs.get(name)
        if found is None or isinstance(found, Program):
            return found
        program = self.verbs[name] = Program(f"{self.name} {name}", found, self.flags if self.anywhere else None)
        return program


def spread(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (one name, what stands for it) of a table whose keys may be several names."""
    for names, value in table.items():
        for name in names.split():
            yield name, value


def base_name(word: str) -> str:
    """Return what a program's name would be on a careless system: without folders, case and suffix."""
    name = word.replace("\\", "/").rstrip("/").rpartition("/")[2].casefold()
    for suffix in SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def matches(pattern: str, word: str) -> bool:
    """Tell whether a word matches a pattern in which every `*` stands for anything."""
    start, *middle = pattern.split("*")
    if not middle:
        return word == pattern
    if not word.startswith(start):
        return False
    at = len(start)
    for piece in middle[:-1]:
        at = word.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(word) >= at + len(middle[-1]) and word.endswith(middle[-1])


class ProgramTable:
    """All programs, each prepared when it is first asked for."""

    __slots__ = ("_data", "_folded", "_ready", "executables", "harmless")

    def __init__(self, table: Data) -> None:
        self._data: dict[str, Data] = dict(spread(table.get("programs", {})))
        self._data.update(spread(table.get("wrappers", {})))
        for name, other in table.get("aliases", {}).items():
            if other in self._data:
                self._data[name] = self._data[other]
        self._folded: dict[str, str] = {}
        for name in self._data:
            self._folded.setdefault(name.casefold(), name)
        self._ready: dict[str, Program] = {}
        self.executables: dict[str, str] = dict(table.get("executables", {}))
        self.harmless = frozenset(table.get("assignments", {}).get("harmless", ()))

    def find(self, word: str) -> Program | None:
        """Return the program of exactly this name."""
        program = self._ready.get(word)
        if program is None:
            data = self._data.get(word)
            if data is not None:
                program = self._ready[word] = Program(word, data)
        return program

    def resemble(self, word: str) -> Program | None:
        """Return the program that a word may start on some system: by base name, without case."""
        name = self._folded.get(base_name(word))
        return None if name is None else self.find(name)


class Cells:
    """What one mode says of each action: (effect, rule, risk, whether nothing but the default says so)."""

    __slots__ = ("_cells",)

    def __init__(self, mode: Data) -> None:
        cannot_edit = mode.get("flags", {}).get("can_edit") is False
        self._cells: dict[str, tuple[str, str, str, bool]] = {}
        for action, cell in mode.get("cells", {}).items():
            effect = "deny" if cannot_edit and action in EDITING else cell["effect"]
            rule = cell.get("rule", "")
            self._cells[action] = (effect, rule, cell.get("risk") or "", rule.rpartition(".")[2] == UNDECIDED)

    def of(self, action: str) -> tuple[str, str, str, bool]:
        """Return the cell of an action; what nothing decides asks."""
        return self._cells.get(action, ("ask", UNDECIDED, "unknown", True))
