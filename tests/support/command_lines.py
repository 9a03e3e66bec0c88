"""Random command lines: some built from the parts of the shell's grammar, some by spoiling others."""

from __future__ import annotations

import random

_PLAIN = "a b foo -x --y=z ./p a/b 1 2 x=1 %d HEAD~1 HEAD@{1} a^b a,b a:b +x é 漢字 ] -- - . .. d in {} {a} a{b}c"
PLAIN = _PLAIN.split()
QUOTED = [
    *(
        "'a b'",
        '"a b"',
        "'a;b'",
        '"a|b"',
        "'x'",
        '"a\\"b"',
        '"a\\\\b"',
        '"a\\$b"',
        '"a$"',
        '"a!"',
        "''",
        '""',
        "'$x'",
        "'`a`'",
    ),
    *(
        '"a\'b"',
        "'a\"b'",
        '"a\\b"',
        "'a\\'",
        '"a\\\nb"',
        "'a\nb'",
        '"a\nb"',
        '"a #b"',
        "'{a,b}'",
        '"*"',
        '"~"',
        "'&&'",
        '">"',
    ),
]
ESCAPED = [*("\\ ", "\\;", "\\'", '\\"', "\\\\", "\\$", "\\a", "\\~", "\\#", "\\&", "\\|", "\\>", "\\{", "\\*", "\\!")]
RISKY = [
    *(
        "$x",
        "${x}",
        "`aa`",
        "$(aa)",
        "*",
        "?",
        "[a]",
        "{a,b}",
        "{1..2}",
        "~",
        "~/x",
        "#",
        "#c",
        "a#b",
        "!",
        "!x",
        "$'a'",
        '$"a"',
    ),
    *(
        "(",
        ")",
        "{",
        "}",
        "a=~",
        "a:~",
        "${x:-$(aa)}",
        "$((1))",
        "<(aa)",
        "\r",
        "\u00a0",
        "\u200b",
        "$",
        "a$",
        "^a",
        "%1",
        "=aa",
        "{a",
        "a}",
    ),
]
OPERATORS = [" && ", " || ", " ; ", " | ", "\n", ";", "&&", "||", "|", " && \n ", " |\n", ";\n"]
ODD_OPERATORS = [" & ", "&", " |& ", ";;", " ;& ", "||&", "& &", "&&&", "|||", "\n\n", " \n ", "\n;"]
REDIRECTS = [
    *(
        "> o",
        ">o",
        ">> o",
        ">|o",
        "2>o",
        "2> o",
        "1>o",
        "2>&1",
        ">&2",
        "1>&2",
        "&>o",
        "&>>o",
        "<in",
        "< in",
        "0<in",
        "2>>o",
        ">'o p'",
        '>"o"',
    ),
    *(
        "3>o",
        "12>o",
        "{v}>o",
        "<<<a",
        "<>o",
        "<&0",
        ">&-",
        "2>&-",
        ">& 2",
        ">&o",
        ">o>p",
        "a>o",
        "2 >o",
        ">\\o",
        "> d/o",
        ">>d/e/o",
        "2>&1a",
        "\\2>o",
    ),
]
NAMES = ["aa", "bb", "faa", "fbb", "'aa'", '"bb"', "a\\a", "a''a", "rm", "git", "ls", "timeout", "nice"]
WRAPPED = [
    "timeout 5 aa",
    "nice bb",
    "time aa",
    "time -p bb",
    "nohup aa",
    "command aa",
    "env aa",
    "exec aa",
    "eval aa",
    "eval 'aa; bb'",
]
BUILTINS = [
    "echo",
    "true",
    "false",
    ":",
    "cd d",
    "cd d/e",
    "cd ..",
    "cd nowhere",
    "cd -",
    "cd",
    "test -e in",
    "[ -e in ]",
    "printf x",
]
ASSIGNMENTS = [
    "A=1",
    "A='x y'",
    "A=",
    'A="b"',
    "A+=1",
    "a[0]=1",
    "A=~",
    "A=b:~",
    "A=1 B=2",
    "A\\=1",
    "'A'=1",
    "A=$x",
    "A=a#b",
]
STUBS = ["aa", "bb", "faa", "rm", "git"]
AROUND = [
    *(
        "timeout 5",
        "timeout -k 1 5",
        "timeout -s KILL 5",
        "timeout --foreground 5",
        "timeout --kill-after=1 5",
        "timeout 5 --",
    ),
    *(
        "nice",
        "nice -n 5",
        "nice -5",
        "nice -n5",
        "nice --adjustment=5",
        "nohup",
        "stdbuf -o0",
        "stdbuf -oL -e 0",
        "setsid",
        "setsid -w",
    ),
    *(
        "env",
        "env -i",
        "env -u A",
        "env A=1",
        "env -i A=1 B=2",
        "env -uA A=1",
        "env --",
        "env -S",
        "env -C d",
        "env --chdir=d",
    ),
    *(
        "time",
        "time -p",
        "command",
        "command -p",
        "exec",
        "builtin",
        "xargs",
        "xargs -n 1",
        "xargs -I {}",
        "xargs -r",
        "xargs -0 -P 1",
    ),
    *(
        "find . -maxdepth 0 -exec",
        "find d -exec",
        "find d -execdir",
        "find . -name in -exec",
        "find d -name x -o -exec",
    ),
    *(
        "timeout",
        "timeout -x 5",
        "nice -x",
        "env -x",
        "xargs -x",
        "timeout 5 -k",
        "env -",
        "env -v",
        "nice --",
        "command -v",
        "nohup --",
    ),
]
RESERVED = [
    "if",
    "then",
    "time",
    "!",
    "{",
    "}",
    "[[",
    "fi",
    "while",
    "do",
    "done",
    "case",
    "in",
    "function",
    "coproc",
    "time !",
    "time if",
]


class Lines:
    """Makes command lines, always the same ones for one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def word(self, odd: float) -> str:
        """Return a word, glued from one to three pieces."""
        pick = self.random
        pieces = []
        for _ in range(pick.choice((1, 1, 1, 2, 2, 3))):
            kind = pick.random()
            if kind < odd:
                pieces.append(pick.choice(RISKY))
            else:
                pieces.append(pick.choice(pick.choice((PLAIN, PLAIN, QUOTED, ESCAPED))))
        return "".join(pieces)

    def simple(self, odd: float, depth: int = 0) -> str:
        """Return a simple command."""
        pick = self.random
        parts: list[str] = []
        if pick.random() < 0.15:
            parts.append(pick.choice(ASSIGNMENTS))
        kind = pick.random()
        if kind < 0.1 and depth < 2:
            inner = self.line(odd / 2, depth + 1)
            shell = pick.choice(("bash -c", "sh -c", "bash -ec", "bash -eo pipefail -c", "bash --norc -c"))
            parts.append(f"{shell} {quoted(inner)}")
        elif kind < 0.2:
            parts.append(pick.choice(WRAPPED))
        elif kind < 0.4:
            parts.append(pick.choice(BUILTINS))
        elif kind < 0.4 + odd / 3:
            parts.append(pick.choice(RESERVED))
        else:
            parts.append(pick.choice(NAMES))
        parts += [self.word(odd) for _ in range(pick.choice((0, 1, 1, 2, 3)))]
        if pick.random() < 0.3:
            parts.insert(pick.randrange(len(parts) + 1), pick.choice(REDIRECTS))
        return pick.choice((" ", " ", " ", "  ", "\t")).join(parts)

    def line(self, odd: float = 0.06, depth: int = 0) -> str:
        """Return a command line."""
        pick = self.random
        text = self.simple(odd, depth)
        for _ in range(pick.choice((0, 0, 1, 1, 2, 3))):
            text += pick.choice(ODD_OPERATORS if pick.random() < odd else OPERATORS) + self.simple(odd, depth)
        return text

    def spoilt(self) -> str:
        """Return a command line with a few characters put in, taken out or doubled."""
        pick = self.random
        text = self.line(0.02)
        for _ in range(pick.choice((1, 1, 2, 3))):
            at = pick.randrange(len(text) + 1)
            kind = pick.random()
            if kind < 0.4:
                text = text[:at] + pick.choice(" \t\n'\"\\;&|<>(){}[]$`*?~#!=2a^%") + text[at:]
            elif kind < 0.6:
                text = text[:at] + "\\\n" + text[at:]
            elif kind < 0.8:
                text = text[:at] + text[at + 1 :]
            else:
                text = text[:at] + text[at : at + 2] + text[at:]
        return text

    def wrapped(self) -> str:
        """Return a stub behind one to three wrappers, perhaps with a redirect, more commands or an assignment."""
        pick = self.random
        chosen = [pick.choice(AROUND) for _ in range(pick.choice((1, 1, 2, 3)))]
        words = [pick.choice(STUBS), *(pick.choice(PLAIN + QUOTED + ESCAPED) for _ in range(pick.choice((0, 1, 2))))]
        text = " ".join([*chosen, *words])
        text += "".join(" \\;" for around in chosen if around.startswith("find"))
        if pick.random() < 0.2:
            text = pick.choice(ASSIGNMENTS[:4]) + " " + text
        if pick.random() < 0.2:
            text += " " + pick.choice(REDIRECTS[:12])
        return text + pick.choice(("", "", "", " && bb x", "; aa y", " | bb"))

    def any(self) -> str:
        """Return a command line of either kind, without NUL."""
        return self.line(self.random.choice((0.0, 0.03, 0.1, 0.3))) if self.random.random() < 0.5 else self.spoilt()


def quoted(text: str) -> str:
    """Quote a text as one word."""
    return "'" + text.replace("'", "'\\''") + "'"
