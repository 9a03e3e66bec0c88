"""What the value of a flag or an argument means, by its role in the program table."""

from __future__ import annotations

import re
from collections.abc import Callable

from .deeds import Access, Act, Deeds
from .hosts import host_of

PATHS = frozenset(("read", "search", "tree", "visible", "revision", "write", "delete", "move", "test"))
"""Roles whose value is a path, so that a flag may change what is done with it."""

DEVICES = frozenset(("/dev/null", "/dev/stdout", "/dev/stderr"))
"""Written to without a trace."""

STREAMS = frozenset(("-", "/dev/stdin", "/dev/null"))
"""Read without a file."""

OPTIONS = frozenset(("errexit", "noclobber", "noglob", "nounset", "pipefail", "verbose", "xtrace"))
"""Options of bash that change nothing about how a line is read."""

_ADDRESS = r"(?:[0-9]+|\$|/(?:[^/\\\n\[]|\\.|\[\^?\]?[^\]/\\\n]*\])++/)"
_PARTS = "|".join(
    rf"{sign}(?:[^{sign}\\\n\[]|\\.|\[\^?\]?[^\]{sign}\\\n]*\])*+{sign}(?:[^{sign}\\\n]|\\.)*+{sign}"
    for sign in ("/", r"\|", ",", "#", "@", ":")
)
"""Pattern and replacement for every usual sign; one in brackets ends the pattern for some seds and not for others."""

_SUBSTITUTION = rf"s(?:{_PARTS})[gpiI0-9]*"
_PLACE = rf"(?:{_ADDRESS}(?:, ?[+~]?{_ADDRESS})?)?!? ?"
_SED = re.compile(
    rf"(?:{_PLACE}(?:[pdq=]|{_SUBSTITUTION})(?: ?; ?|$))++|{_PLACE}[aic] ?[A-Za-z0-9_#\"'(@/.:<>=*-][^\\\n]*", re.ASCII
)
_FIELD = r'(?:\$?(?:NF|NR|[0-9]++)|"[^"\\|]*")'
_AWK_PATTERN = r"/[A-Za-z0-9_ .:^$#*+|-]+/ ?"
_AWK = re.compile(
    rf"(?:{_AWK_PATTERN}(?:, ?{_AWK_PATTERN})?|NF ?|length ?[<>]=? ?[0-9]+ ?|!seen\[\$[0-9]+\]\+\+ ?|"
    rf"N[RF] ?[<>=!]=? ?[0-9]+(?: ?(?:&&|\|\|) ?N[RF] ?[<>=!]=? ?[0-9]+)* ?)?"
    rf"(?:\{{ ?print(?: ?{_FIELD}(?: ?,? ?{_FIELD})*+)? ?\}})?",
    re.ASCII,
)
_SUM = re.compile(r"(?:\{ ?sum ?\+= ?\$(?:NF|[0-9]+) ?\} ?END ?\{ ?print sum ?\}|END ?\{ ?print NR ?\})", re.ASCII)
_SIGNS = re.compile("[=@:,<]")
_MODE = re.compile(r"0{0,2}[0-7]{1,3}|[ugoa]*[-+=][rwxX]*(?:,[ugoa]*[-+=][rwxX]*)*", re.ASCII)
_CALLED = re.compile(r"(?:^|[^A-Za-z.\\]|[gpiImMe0-9])[rRwW][ \t]*([^\s;}]+)")
"""A file that a command of sed may name."""

_MAGIC = re.compile(r":(?:\([^)]*\)|[!^/]+)")
_STAGE = re.compile(r":[0-3]:")
_PLAIN_VALUE = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9_@,+-]*(?:[./][A-Za-z0-9_@,+-]+)*)?", re.ASCII)


def take_value(role: str, value: str, deeds: Deeds, program: str) -> None:
    """Record what a value means in a role."""
    handler = _ROLES.get(role)
    if handler is not None:
        handler(value, deeds)
        return
    if role in ("execute", "directory"):
        _TELLING[role](value, deeds, program)
        return
    deeds.unknown(f"`{program}` is given `{value}`, whose meaning is not known")


def harmless_value(value: str) -> bool:
    """Tell whether a value of a harmless variable is a plain name, such as `en_GB.UTF-8` or `Europe/Berlin`."""
    return _PLAIN_VALUE.fullmatch(value) is not None


def _word(value: str, deeds: Deeds) -> None:
    for piece in pieces(value):
        deeds.accesses.append(Access(piece, "read", denials_only=True))


def pieces(word: str) -> list[str]:
    """Return the parts of a word that may be a path: `f=@a:b` holds `a:b`, `f`, `a` and `b`, `-fx` holds `x`."""
    hanging = [word[2:]] if word[:1] == "-" and word[1:2].isalpha() and len(word) > 2 else []
    if _SIGNS.search(word) is None:
        return [word, *hanging]
    behind = [*hanging, *(word.partition(sign)[2] for sign in "=@:,<")]
    return [piece for piece in dict.fromkeys([word, *behind, *_SIGNS.split(word)]) if piece]


def _glob(value: str, deeds: Deeds) -> None:
    if not value.startswith("!"):
        _word(value, deeds)


def _option(value: str, deeds: Deeds) -> None:
    if value not in OPTIONS:
        deeds.runs("the option changes how the shell reads what follows")


def _mode(value: str, deeds: Deeds) -> None:
    if _MODE.fullmatch(value) is None:
        deeds.runs("it may let others run a program with the owner's rights")


def _format(value: str, deeds: Deeds) -> None:
    if "%G" in value or "signature" in value:
        deeds.runs("it starts the program that settings name for signatures")


def _warning(value: str, deeds: Deeds) -> None:
    if "." in "".join(value.split(":")[2:3]):
        deeds.runs("it imports the class of a warning")


def _read(value: str, deeds: Deeds) -> None:
    if value not in STREAMS:
        deeds.accesses.append(Access(value, "read"))


def _search(value: str, deeds: Deeds) -> None:
    if value not in STREAMS:
        deeds.accesses.append(Access(value, "search"))


def _tree(value: str, deeds: Deeds) -> None:
    if value not in STREAMS:
        deeds.accesses.append(Access(value, "tree"))


def _visible(value: str, deeds: Deeds) -> None:
    if value not in STREAMS:
        deeds.accesses.append(Access(value, "visible"))


def write_path(value: str, deeds: Deeds) -> None:
    """Record that a path is written."""
    if value in DEVICES:
        return
    if value.startswith(("/dev/tcp/", "/dev/udp/")):
        deeds.hosts.append(value.split("/")[3])
        deeds.acts.append(Act("network", False, "", "leak", "the shell opens a connection"))
        return
    deeds.accesses.append(Access(value, "write"))
    deeds.acts_as("edit")


def _write(value: str, deeds: Deeds) -> None:
    if value != "-":
        write_path(value, deeds)


def _destination(value: str, deeds: Deeds) -> None:
    sources = dict.fromkeys(access.path for access in deeds.accesses if not access.denials_only)
    write_path(value, deeds)
    for source in sources:
        name = source.rstrip("/").rpartition("/")[2]
        if name in ("", ".", ".."):
            deeds.unknown(f"what is written into `{value}` is not known")
        else:
            deeds.accesses.append(Access(f"{value.rstrip('/')}/{name}", "write"))


def _link(value: str, deeds: Deeds) -> None:
    deeds.accesses.append(Access(value, "link"))


def _delete(value: str, deeds: Deeds) -> None:
    deeds.accesses.append(Access(value, "delete"))
    deeds.acts_as("delete")


def _move(value: str, deeds: Deeds) -> None:
    deeds.accesses.append(Access(value, "read"))
    deeds.accesses.append(Access(value, "delete"))


def _test(value: str, deeds: Deeds) -> None:
    deeds.accesses.append(Access(value.partition("::")[0] or value, "read"))


def _enter(value: str, deeds: Deeds) -> None:
    deeds.enters = value
    if value == "-":
        deeds.unknown("where it leads is not known")
        return
    deeds.accesses.append(Access(value, "search"))


def _revision(value: str, deeds: Deeds) -> None:
    if value.startswith(("/", "~")) or "../" in value:
        _read(value, deeds)
        return
    if value.startswith((":!", ":^", ":(exclude")):
        return
    rest = _MAGIC.sub("", value, count=1) if value.startswith(":") else value
    rest = _STAGE.sub("", rest, count=1) if rest.startswith(":") else rest
    revision, colon, path = rest.partition(":")
    if colon:
        deeds.accesses.append(Access(path.lstrip("/") or ".", "read"))
    deeds.accesses.append(Access(rest if not colon else revision or ".", "read", denials_only=True))


def _url(value: str, deeds: Deeds) -> None:
    if value.lower().startswith("file:"):
        deeds.accesses.append(Access(value[5:].replace("//localhost", "").lstrip("/").join(("/", "")), "read"))
        return
    deeds.hosts.append(host_of(value))
    deeds.acts_as("network")
    _word(value, deeds)


def _upload(value: str, deeds: Deeds) -> None:
    _word(value, deeds)
    _, at, path = value.partition("@")
    if at:
        deeds.accesses.append(Access(path.partition(";")[0] or path, "read"))
    _, sign, path = value.partition("=<")
    if sign:
        deeds.accesses.append(Access(path.partition(";")[0], "read"))


def _package(value: str, deeds: Deeds) -> None:
    deeds.packages.append(value)
    _word(value, deeds)


def _code(value: str, deeds: Deeds) -> None:
    deeds.runs("it runs program text")
    deeds.codes.append(value)
    _word(value, deeds)


def _shell(value: str, deeds: Deeds) -> None:
    deeds.scripts.append((value, False))


def _sed(value: str, deeds: Deeds) -> None:
    if _SED.fullmatch(value) is None:
        deeds.runs("this sed script may write files or run programs")
        deeds.codes.append(value)
        for hit in _CALLED.finditer(value):
            _word(hit[1], deeds)


def _awk(value: str, deeds: Deeds) -> None:
    if not value or (_AWK.fullmatch(value) is None and _SUM.fullmatch(value) is None):
        deeds.runs("this awk program may write files or run programs")
        deeds.codes.append(value)


def _assignment(value: str, deeds: Deeds) -> None:
    name, _, text = value.partition("=")
    deeds.assigned.append((name, text))


def _execute(value: str, deeds: Deeds, program: str) -> None:
    deeds.runs(f"`{program}` runs what `{value}` names")
    deeds.codes.append(value)
    _word(value, deeds)


def _directory(value: str, deeds: Deeds, program: str) -> None:
    deeds.accesses.append(Access(value, "search"))
    deeds.folders.append((value, program))


_ROLES: dict[str, Callable[[str, Deeds], None]] = {
    "text": lambda _value, _deeds: None,
    "word": _word,
    "read": _read,
    "search": _search,
    "write": _write,
    "delete": _delete,
    "link": _link,
    "glob": _glob,
    "option": _option,
    "mode": _mode,
    "format": _format,
    "warning": _warning,
    "tree": _tree,
    "visible": _visible,
    "destination": _destination,
    "move": _move,
    "test": _test,
    "enter": _enter,
    "revision": _revision,
    "url": _url,
    "host": _url,
    "upload": _upload,
    "package": _package,
    "code": _code,
    "shell": _shell,
    "sed": _sed,
    "awk": _awk,
    "assignment": _assignment,
}
_TELLING = {"execute": _execute, "directory": _directory}
